/** Notes about what was done to a source while reading it. */
import type { SourceReading } from "../operations/index.ts";
import type { CommandContext } from "./command.ts";

export async function tellNotes(
  source: string,
  { notes, records, warnings }: Omit<SourceReading, "occupancy">,
  context: CommandContext,
): Promise<void> {
  const { plural } = await import("../../publish/report/index.ts");
  const tellOf = (count: number, noun: string, fate: string): void => {
    if (count > 0) context.note(`${source}: ${plural(count, noun)} ${fate}`);
  };
  if (notes !== null) {
    tellOf(notes.duplicateRows, "row", "with a user and grid of an earlier row; the counts were added");
    tellOf(notes.zeroRows, "row", "with count 0 passed over");
  }
  if (records !== null) {
    for (const sentence of records.told) context.note(`${source}: ${sentence}`);
    const { notes: read, partition } = records;
    tellOf(read.repeated, "repeated record", `of ${plural(read.records, "record")} taken out (--dedupe)`);
    const missing =
      partition["missing"] === "drop"
        ? "left out, which makes that public"
        : "counted as the middle of the range (for you only: not to be published)";
    tellOf(read.missing, "record", `without a value: ${missing}`);
    const nobody = partition["emptyUser"] === "drop" ? "left out" : "they count as one user, whose id is empty";
    tellOf(read.withoutUser, "record", `without a user: ${nobody}`);
    tellOf(
      read.withoutGrid,
      "record",
      "without a place, time or group: they are in grids of their own, %null or empty in their names",
    );
    tellOf(read.inOtherGrids, "record", "lie in other grids, left out by --top or --min-users");
  }
  for (const warning of warnings) context.note(`${source}: ${warning}`);
}
