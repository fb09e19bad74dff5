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
import { configText, nativeHash } from "../../data/sources/index.ts";
import { type ReadOptions, readSource, type SourceReading } from "./read-source.ts";
import { type Records, withSource } from "./records.ts";
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

/** Counts of records, which plans can be made from, and their summary. */
export interface Surveyed {
  readonly occupancy: Occupancy;
  readonly survey: Survey;
  /** Nobody has more than one record, and the curator says that this is meant. */
  readonly oneRecordPerUser?: boolean | undefined;
}

/** Counts records per user and grid. Values stay in the engine. */
export function surveyRecords(records: Records, work: ReadOptions = {}): Promise<Surveyed> {
  const read = async (source: string, options: RecordsOptions): Promise<Surveyed> => ({
    ...surveyOf(await readSource(source, options, work)),
    oneRecordPerUser: options.oneRecordPerUser,
  });
  return withSource(records, read, work);
}

/** The same of a file, whose counts may go into another. */
export async function survey(source: string, { records = {}, out, ...work }: SurveyOptions = {}): Promise<Surveyed> {
  await checkOut(out, source);
  const found = surveyOf(await readSource(source, records, work));
  await checkpoint(work.signal);
  for (const file of found.survey.records?.files ?? []) await checkOut(out, file);
  if (out !== undefined) await writeFileWhole(out, occupancyCsvChunks(found.occupancy), work.signal);
  return found;
}

function surveyOf({ occupancy, ...reading }: SourceReading): Surveyed {
  const summary = { ...summariseOccupancy(occupancy), occupancyHash: occupancyHash(occupancy, nativeHash) };
  return { occupancy, survey: { ...summary, ...reading } };
}

/** Writes the flags of a dataset for `--config` to read. */
export async function writeConfigFile(
  path: string,
  source: string,
  flags: ReadonlyArray<readonly [name: string, value: string | boolean]>,
): Promise<void> {
  await checkOut(path, source, "--write-config");
  await writeFileWhole(path, [
    configText(flags, ["How a dataset is read: flags of veilgrid by name. Flags on the command line win."]),
  ]);
}
