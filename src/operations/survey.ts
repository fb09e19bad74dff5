/** Survey: what a source holds, before anything is planned. */
import {
  type BuildNotes,
  type Occupancy,
  type OccupancySummary,
  occupancyCsvChunks,
  occupancyHash,
  summariseOccupancy,
} from "../occupancy/index.ts";
import { checkpoint, type LongWorkOptions } from "../planning/index.ts";
import { readOccupancyFile } from "../sources/index.ts";
import { checkOut, writeFileWhole } from "./write-file.ts";

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
  await checkOut(options.out, source);
  const { occupancy, notes } = await readOccupancyFile(source, options);
  const result = { ...summariseOccupancy(occupancy), occupancyHash: occupancyHash(occupancy), notes };
  await checkpoint(options.signal);
  if (options.out !== undefined) await writeFileWhole(options.out, occupancyCsvChunks(occupancy), options.signal);
  return { survey: result, occupancy };
}
