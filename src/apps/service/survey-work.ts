/** A survey for the service: the summary that the command prints but for where files lie, and the counts in a file for planning in a browser. */

import { type LongWorkOptions, throwIfCancelled } from "../../core/planning/index.ts";
import { type Survey, survey } from "../operations/index.ts";
import type { JobWork } from "./job-work.ts";
import { writeOccupancyFile } from "./occupancy-file.ts";
import { fileBelow } from "./without-folders.ts";

export async function surveyWork(
  { source, recipe, occupancyFile }: Omit<Extract<JobWork, { kind: "survey" }>, "kind">,
  options: LongWorkOptions,
): Promise<Survey> {
  const { survey: found, occupancy } = await survey(source, { records: recipe, withoutNames: true, ...options });
  throwIfCancelled(options.signal);
  const { records, warnings } = found;
  if (occupancyFile !== undefined)
    writeOccupancyFile(occupancyFile, occupancy, { counted: records?.notes ?? null, warnings });
  if (records === null) return found;
  return { ...found, records: { ...records, files: records.files.map((file) => fileBelow(file, source)) } };
}
