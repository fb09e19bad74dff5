/** Finds out whether users' records come at a regular interval, as devices send them, from users and times of the first rows. */
import { itemAt } from "../../core/errors/index.ts";
import { epochUnit, type TimeFormat, writtenDate } from "../partition/index.ts";
import type { Sample } from "./cell-patterns.ts";
import type { SourceDescription } from "./description.ts";

/** A user with fewer tells nothing. */
const LEAST_GAPS = 5;
const LEAST_GAPS_IN_ALL = 20;
/** Gaps that are this near to the user's own middle one count as alike. */
const NEAR = 0.1;
/** Of gaps at random times about one in fourteen is near. */
const LEAST_SHARE_NEAR = 0.5;
/** Who comes once a day is not followed around. */
const LONGEST_INTERVAL_SECONDS = 3600;

/** Seconds between records, of the user in the middle; undefined where they come at other times, or where too few rows tell. */
export function reportingInterval(
  rows: SourceDescription["rows"],
  { user, time, format }: { readonly user: string; readonly time: string; readonly format: TimeFormat },
): number | undefined {
  const timesOf = new Map<string, number[]>();
  for (const row of rows) {
    const [id, seconds] = [row[user] ?? null, secondsOf(row[time] ?? null, format)];
    if (id === null || seconds === undefined) continue;
    const times = timesOf.get(String(id));
    if (times === undefined) timesOf.set(String(id), [seconds]);
    else times.push(seconds);
  }
  const middles: number[] = [];
  let near = 0;
  let others = 0;
  for (const times of timesOf.values()) {
    const gaps = gapsOf(times);
    if (gaps.length < LEAST_GAPS) continue;
    const middle = middleOf(gaps);
    middles.push(middle);
    // The middle gap is near to itself.
    near += gaps.filter((gap) => Math.abs(gap - middle) <= NEAR * middle).length - 1;
    others += gaps.length - 1;
  }
  if (others < LEAST_GAPS_IN_ALL || near < LEAST_SHARE_NEAR * others) return undefined;
  const interval = middleOf(middles);
  return interval <= LONGEST_INTERVAL_SECONDS ? interval : undefined;
}

/** Between one time and the next; rows may stand several times in a file. */
function gapsOf(times: readonly number[]): number[] {
  const gaps: number[] = [];
  let before = Number.NaN;
  for (const time of [...times].sort((left, right) => left - right)) {
    if (time > before) gaps.push(time - before);
    before = time;
  }
  return gaps;
}

export function middleOf(numbers: readonly number[]): number {
  return itemAt(
    [...numbers].sort((left, right) => left - right),
    numbers.length >> 1,
  );
}

/** Zones do not matter to gaps, so a time without an offset may be in any. */
function secondsOf(cell: Sample, format: TimeFormat): number | undefined {
  if (cell === null || cell === "") return undefined;
  const text = String(cell).trim();
  const unit = epochUnit(format);
  if (unit !== undefined) return finite((Number(text) * unit) / 1e6);
  const milliseconds = format.startsWith("date:")
    ? (writtenDate(text, format.slice("date:".length))?.getTime() ?? Number.NaN)
    : isoMilliseconds(text);
  return finite(milliseconds / 1000);
}

function finite(seconds: number): number | undefined {
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** Written as ISO 8601. The language does not read every such offset behind a T. */
function isoMilliseconds(text: string): number {
  const direct = Date.parse(text);
  return Number.isNaN(direct) ? Date.parse(text.replace("T", " ")) : direct;
}
