/** Notes about what was done to a source while reading it. */
import type { RecordsReading, SourceReading } from "../operations/index.ts";
import type { CommandContext } from "./command.ts";

export function tellNotes(
  source: string,
  { notes, records, warnings }: Omit<SourceReading, "occupancy">,
  context: CommandContext,
): void {
  const tell = (text: string): void => context.note(`${source}: ${text}`);
  if (notes !== null) {
    if (notes.duplicateRows > 0)
      tell(`${plural(notes.duplicateRows, "row")} with a user and grid of an earlier row; the counts were added`);
    if (notes.zeroRows > 0) tell(`${plural(notes.zeroRows, "row")} with count 0 passed over`);
  }
  if (records !== null) tellOfRecords(records, tell);
  for (const warning of warnings) tell(warning);
}

function tellOfRecords(records: RecordsReading, tell: (text: string) => void): void {
  for (const sentence of records.told) tell(sentence);
  const { notes: read, partition } = records;
  if (read.repeated > 0)
    tell(`${plural(read.repeated, "repeated record")} of ${plural(read.records, "record")} taken out (--dedupe)`);
  if (read.missing > 0) {
    const fate =
      partition["missing"] === "drop"
        ? "left out, which makes that public"
        : "counted as the middle of the range (for you only: not to be published)";
    tell(`${plural(read.missing, "record")} without a value: ${fate}`);
  }
  if (read.withoutUser > 0) {
    const fate = partition["emptyUser"] === "drop" ? "left out" : "they count as one user, whose id is empty";
    tell(`${plural(read.withoutUser, "record")} without a user: ${fate}`);
  }
  if (read.withoutGrid > 0)
    tell(
      `${plural(read.withoutGrid, "record")} without a place, time or group: they are in grids of their own, %null or empty in their names`,
    );
  if (read.inOtherGrids > 0)
    tell(`${plural(read.inOtherGrids, "record")} lie in other grids, left out by --top or --min-users`);
}

/** `1 record`, `2 records`. */
function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
