/** Guesses whether a source repeats rows, and which columns tell copies of a record from other records. The value decides nothing. */

import type { Sample } from "./cell-patterns.ts";
import type { Column } from "./column-facts.ts";
import { isEventName } from "./column-words.ts";
import type { Finding } from "./finding.ts";

interface RepeatColumns extends Readonly<Record<"user" | "time", Column | undefined>> {
  readonly all: readonly Column[];
  /** The value, or whatever it may be. */
  readonly hidden: readonly Column[];
}

export function guessRepeats({ all, user, hidden, time }: RepeatColumns): Finding {
  const compared = all.filter((column) => !hidden.includes(column));
  const copies = [...copiesOf(compared).values()];
  const rows = copies.reduce((sum, each) => sum + each, 0);
  if (copies.length === rows) return {};
  const events = compared.filter(
    (column) =>
      column !== user && isEventName(column.plain) && column.isCountable && ["number", "text"].includes(column.type),
  );
  const keys = [...events, ...(time !== undefined && isFinerThanADay(time) ? [time] : [])];
  const others = compared.filter((column) => column !== user && !keys.includes(column));
  const tellsApart = keys.length > 0 && copiesOf(user === undefined ? keys : [user, ...keys]).size === copies.length;
  // That two readings of one moment are copies takes something else that they agree in.
  const dedupe = keys.map(({ name }) => name).join(",");
  if (tellsApart && (events.length > 0 || others.length > 0)) return { flags: { dedupe } };
  const times = copies.reduce(commonDivisor);
  const repeated = rows - copies.length;
  const seen =
    times > 1
      ? `Every one of the first rows stands ${times} times, its value aside.`
      : `${repeated.toLocaleString("en-US")} of the first ${rows.toLocaleString("en-US")} rows agree with an earlier one in everything but the value.`;
  if (times === 1 && keys.length === 0) return {};
  return {
    doubts: [
      tellsApart
        ? `${seen} If these are copies of one record, add --dedupe ${dedupe}.`
        : `${seen} No column tells copies from records of their own, so --dedupe would take out both; if they are copies, take them out of the file first.`,
    ],
  };
}

/** How many rows agree in these columns, by what they agree in. */
function copiesOf(columns: readonly Column[]): Map<string, number> {
  const copies = new Map<string, number>();
  for (const index of (columns[0]?.cells ?? []).keys()) {
    const row = JSON.stringify(columns.map(({ cells }) => cells[index] ?? null));
    copies.set(row, (copies.get(row) ?? 0) + 1);
  }
  return copies;
}

function isFinerThanADay({ cells }: Column): boolean {
  return cells.some((cell: Sample) => typeof cell === "number" || /:|^\s*\d{9,}(\.\d+)?\s*$/.test(String(cell ?? "")));
}

function commonDivisor(left: number, right: number): number {
  return right === 0 ? left : commonDivisor(right, left % right);
}
