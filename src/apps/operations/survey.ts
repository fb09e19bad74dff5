/** Survey: what a source holds, before anything is planned. */

import {
  type Occupancy,
  type OccupancySummary,
  occupancyCsvChunks,
  occupancyHash,
  summariseOccupancy,
} from "../../core/occupancy/index.ts";
import type { RecordsOptions } from "../../core/options/index.ts";
import { checkpoint } from "../../core/planning/index.ts";
import { nativeHash } from "../../data/sources/index.ts";
import { type ReadOptions, readSource, type SourceReading } from "./read-source.ts";
import { checkOut, writeFileWhole } from "./write-file.ts";

export interface SurveyOptions extends ReadOptions {
  /** Write the canonical occupancy CSV here. */
  readonly out?: string | undefined;
  /** What the columns of a file of records are. */
  readonly records?: RecordsOptions | undefined;
}

export interface Survey extends OccupancySummary, Omit<SourceReading, "occupancy"> {
  /** SHA-256 of the canonical occupancy CSV. */
  readonly occupancyHash: string;
}

export async function survey(
  source: string,
  options: SurveyOptions = {},
): Promise<{ survey: Survey; occupancy: Occupancy }> {
  await checkOut(options.out, source);
  const { occupancy, notes, records, warnings } = await readSource(source, options.records ?? {}, options);
  const result = {
    ...summariseOccupancy(occupancy),
    occupancyHash: occupancyHash(occupancy, nativeHash),
    notes,
    records,
    warnings,
  };
  await checkpoint(options.signal);
  for (const file of records?.files ?? []) await checkOut(options.out, file);
  if (options.out !== undefined) await writeFileWhole(options.out, occupancyCsvChunks(occupancy), options.signal);
  return { survey: result, occupancy };
}
