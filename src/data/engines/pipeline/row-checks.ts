/** Checks rows: the condition that stops a query at a faulty row, and the conditions that find such rows again. */
import { VeilgridError } from "../../../core/errors/index.ts";
import type { Recipe, RecordTime } from "../../partition/index.ts";
import { TROUBLES, type Trouble } from "./trouble.ts";

/** Years 1 to 9999: what an engine can read beyond them no grid id could name. */
const EARLIEST = -62_135_596_800_000_000n;
const START_OF_1900 = BigInt(Date.UTC(1900, 0)) * 1000n;
export const END_OF_TIMES = 253_402_300_800_000_000n;

/** Times before 1900 are mostly misread ones: without `--from`, which says what is wanted, they are refused. */
export function earliestTime({ from }: RecordTime): bigint {
  return from === null ? START_OF_1900 : EARLIEST;
}

/** Whether every record that passes the checks has a value. */
export function hasValue({ missing, dedupe }: Recipe): boolean {
  return missing === "refuse" && dedupe === null;
}

/** The text by which a query that fails says what is wrong with a record. */
export function signalOf(trouble: Trouble): string {
  return `veilgrid-trouble:${trouble}!`;
}

/** What a database's error signals; an error of ours is in its own words already. */
export function troubleIn(error: unknown): Trouble | undefined {
  if (!(error instanceof Error) || error instanceof VeilgridError) return undefined;
  return TROUBLES.find((trouble) => error.message.includes(signalOf(trouble)));
}

export type Checked = "time" | "place" | "value";

export interface RowChecks {
  /** What is read of a row and may be wrong; a value always is. */
  readonly read: readonly Checked[];
  /** Conditions of a row without any trouble; null if there can be none. */
  readonly sound: Readonly<Record<Checked, string>>;
  /** Conditions that hold where something is there but not sound. */
  readonly filled: Readonly<Record<Checked, string>>;
  /** Rows that are wanted; undefined where all are. */
  readonly filter: string | undefined;
}

/**
 * One condition with an order of its own, so that a row outside the filters is never found fault with. Sound rows leave it first.
 * `signal` fails on demand.
 */
export function passes(
  { read, sound, filled, filter }: RowChecks,
  { recipe, signal }: { recipe: Recipe; signal: (trouble: Trouble) => string },
): string {
  const isSound = (what: Checked): string => `coalesce(${sound[what]}, false)`;
  // With nothing else to check, a row that comes this far has no sound value.
  const isValueAlone = read.length === 1;
  const wrong = (what: Checked): string =>
    `WHEN ${isValueAlone ? "" : `NOT ${isSound(what)} AND `}(${filled[what]}) THEN ${signal(what)}`;
  return [
    `CASE WHEN ${[...read.map((what) => sound[what]), ...(filter === undefined ? [] : [filter])].join(" AND ")} THEN true`,
    ...(read.includes("time") ? [wrong("time")] : []),
    ...(filter === undefined ? [] : [`WHEN NOT coalesce(${filter}, false) THEN false`]),
    ...(read.includes("place") ? [wrong("place")] : []),
    wrong("value"),
    ...(hasValue(recipe)
      ? [...(isValueAlone ? [] : [`WHEN ${isSound("value")} THEN true`]), `ELSE ${signal("missing")} END`]
      : ["ELSE true END"]),
  ].join(" ");
}

/** Rows with this trouble: a time is looked at in all of them, the rest in those that pass the filter. */
export function hasTrouble({ sound, filled, filter }: Omit<RowChecks, "read">, trouble: Trouble): string {
  const what = trouble === "missing" ? "value" : trouble;
  const inFilter = trouble === "time" || filter === undefined ? "" : ` AND coalesce(${filter}, false)`;
  return `NOT coalesce(${sound[what]}, false) AND ${trouble === "missing" ? "NOT " : ""}(${filled[what]})${inFilter}`;
}

export function shownText(
  { place, time }: Recipe,
  trouble: Trouble | "unread",
  { text, hidden }: { readonly text: (column: string) => string; readonly hidden: string },
): string {
  if (trouble === "time" && time !== null) return text(time.column);
  if (trouble !== "place" || place === null) return hidden;
  return place.kind === "columns"
    ? `concat(${text(place.latitude)}, ', ', ${text(place.longitude)})`
    : text(place.column);
}
