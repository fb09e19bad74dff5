/** Survey: what a source holds, before anything is planned. */
import {
  type BuildNotes,
  type Occupancy,
  type OccupancySummary,
  occupancyCsvChunks,
  occupancyHash,
  summariseOccupancy,
} from "../occupancy/index.ts";
import type { LongWorkOptions } from "../planning/index.ts";
import { readOccupancyFile } from "../sources/index.ts";
import { refuseSameFile, writeFileWhole } from "./write-file.ts";

export interface SurveyOptions extends LongWorkOptions {
  /** Write the canonical occupancy CSV here. */
  readonly out?: string | undefined;
}

export interface Survey extends OccupancySummary {
  /** SHA-256 of the canonical occupancy CSV. */
  readonly occupancyHash: string;
  readonly notes: BuildNotes;
}

export async function survey(
  source: string,
  options: SurveyOptions = {},
): Promise<{ survey: Survey; occupancy: Occupancy }> {
  await refuseSameFile(source, options.out);
  const { occupancy, notes } = await readOccupancyFile(source, options);
  const result = { ...summariseOccupancy(occupancy), occupancyHash: occupancyHash(occupancy), notes };
  if (options.out !== undefined) await writeFileWhole(options.out, occupancyCsvChunks(occupancy));
  return { survey: result, occupancy };
}
