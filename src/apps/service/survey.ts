/** Surveys a dataset and keeps its counts as canonical CSV with ranks for names, and beside them what became of the records. */
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { type Occupancy, occupancyCsvChunks, rankUsers } from "../../core/occupancy/index.ts";
import { type LongWorkOptions, throwIfCancelled } from "../../core/planning/index.ts";
import type { ReadingNotes } from "../../data/engines/index.ts";
import { type Survey, survey } from "../operations/index.ts";
import { fileBelow } from "./hide-folders.ts";
import { writePrivateFile } from "./state-folder.ts";
import type { SurveyTask } from "./tasks.ts";

/** What a survey found besides counts. */
export interface SurveyNotes {
  /** What became of the records; null for an occupancy file, and where it was not kept. */
  readonly counted: ReadingNotes | null;
  /** Sentences for the curator. */
  readonly warnings: readonly string[];
}

/** The summary that the command prints but for where files lie. */
export async function surveyDataset(
  { source, recipe, occupancyFile }: Omit<SurveyTask, "kind">,
  work: LongWorkOptions,
): Promise<Survey> {
  const { survey: found, occupancy } = await survey(source, { records: recipe, withoutNames: true, ...work });
  throwIfCancelled(work.signal);
  const { records, warnings } = found;
  if (occupancyFile !== undefined)
    writeOccupancyFile(occupancyFile, occupancy, { counted: records?.notes ?? null, warnings });
  if (records === null) return found;
  return { ...found, records: { ...records, files: records.files.map((file) => fileBelow(file, source)) } };
}

/** No name is written: a browser that plans needs to know users apart, not who they are. */
export function writeOccupancyFile(file: string, occupancy: Occupancy, notes: SurveyNotes): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writePrivateFile(notesFile(file), JSON.stringify(notes));
  writePrivateFile(file, occupancyCsvChunks(rankUsers(occupancy)));
}

const notesFile = (file: string): string => `${file}.notes.json`;

/** Of the last survey. */
export function surveyNotes(file: string): SurveyNotes {
  try {
    const kept = JSON.parse(readFileSync(notesFile(file), "utf8")) as SurveyNotes | ReadingNotes;
    // Before there were warnings, what became of the records stood alone.
    return "counted" in kept ? kept : { counted: kept, warnings: [] };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { counted: null, warnings: [] };
    throw error;
  }
}

/** When the counts were written; undefined if they never were. */
export function surveyedAt(file: string): Date | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtime;
}

/** undefined if there is none. What is open stays as it is, also while another takes its place. Files are replaced, never changed: time and size identify one. */
export async function openOccupancyFile(file: string) {
  const handle = await open(file, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  const { size, mtimeNs, ino } = await handle.stat({ bigint: true });
  const etag = `"${[size, mtimeNs, ino].map((each) => each.toString(36)).join("-")}"`;
  return { handle, bytes: Number(size), etag };
}
