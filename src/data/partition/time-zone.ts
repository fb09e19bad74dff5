/** Time zones as a list of offsets and the instants at which they change: the same rules for every engine. Times are microseconds since 1970 UTC. */
import { itemAt, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";

export const SECOND = 1_000_000n;
export const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;
export const DAY = 24n * HOUR;

/** From this instant on the zone is `offset` ahead of UTC. */
export interface Transition {
  readonly at: bigint;
  readonly offset: bigint;
}

export interface TimeZone {
  /** As given: `UTC`, `-06:00`, `America/Chicago`. */
  readonly name: string;
  /** Before the first transition. */
  readonly firstOffset: bigint;
  readonly transitions: readonly Transition[];
}

/** Zone rules are followed between these years; the nearest one's offset holds beyond. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;
/** Shorter than the shortest stretch between two changes of any zone, four days in Freetown in 1939. */
const SCAN_DAYS = 3;

const OFFSET = /^([+-])(\d\d):?(\d\d)(?::(\d\d))?$/;

/** `UTC`, a fixed offset such as `+05:30`, or a name of the time zone database. */
export function parseZone(text: string, flag = "--tz"): TimeZone {
  if (text === "UTC" || text === "Z") return { name: "UTC", firstOffset: 0n, transitions: [] };
  const fixed = OFFSET.exec(text);
  if (fixed !== null) {
    const size = BigInt(fixed[2]!) * HOUR + BigInt(fixed[3]!) * MINUTE + BigInt(fixed[4] ?? 0) * SECOND;
    if (size > 18n * HOUR || Number(fixed[3]) > 59 || Number(fixed[4] ?? 0) > 59)
      throw new VeilgridError("PARAMETER_INVALID", `${flag} ${quoteForMessage(text)} is no offset from UTC`);
    const offset = fixed[1] === "-" ? -size : size;
    return { name: offsetText(offset), firstOffset: offset, transitions: [] };
  }
  return scan(text, flag);
}

export function offsetAt(zone: TimeZone, instant: bigint): bigint {
  let low = 0;
  let high = zone.transitions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (itemAt(zone.transitions, middle).at <= instant) low = middle + 1;
    else high = middle;
  }
  return zone.transitions[low - 1]?.offset ?? zone.firstOffset;
}

const scanned = new Map<string, TimeZone>();

/** Finds every change of offset: by steps of a few days, then by halving. */
function scan(name: string, flag: string): TimeZone {
  const known = scanned.get(name);
  if (known !== undefined) return known;
  const offset = offsetReader(name, flag);
  const step = SCAN_DAYS * 86_400;
  const end = Date.UTC(LAST_YEAR + 1, 0) / 1000;
  let at = Date.UTC(FIRST_YEAR, 0) / 1000;
  let current = offset(at);
  const firstOffset = BigInt(current) * SECOND;
  const transitions: Transition[] = [];
  for (; at < end; at += step) {
    const next = offset(at + step);
    if (next === current) continue;
    let before = at;
    let after = at + step;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offset(middle) === current) before = middle;
      else after = middle;
    }
    transitions.push({ at: BigInt(after) * SECOND, offset: BigInt(next) * SECOND });
    current = next;
  }
  const zone = { name, firstOffset, transitions };
  scanned.set(name, zone);
  return zone;
}

/** Seconds ahead of UTC at a second since 1970, from the platform's time zone database. */
function offsetReader(name: string, flag: string): (second: number) => number {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US-u-ca-iso8601", {
      timeZone: name,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `${flag} ${quoteForMessage(name)} is no time zone; write UTC, an offset such as -06:00, or a name such as America/Chicago`,
    );
  }
  return (second) => {
    const part = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
    for (const { type, value } of format.formatToParts(second * 1000))
      if (type in part) part[type as keyof typeof part] = Number(value);
    const wall = Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second);
    return wall / 1000 - second;
  };
}

/**
 * The instant of a wall-clock time. Where clocks go back over it, the earlier of the two; where they skip it, as far after the
 * change as it lies into the gap.
 */
export function instantOfWall(zone: TimeZone, wall: bigint): bigint {
  let offset = zone.firstOffset;
  for (const transition of zone.transitions) {
    if (wall < transition.at + (offset > transition.offset ? offset : transition.offset)) break;
    offset = transition.offset;
  }
  return wall - offset;
}

/** What four digits can say of a year, and JavaScript does not take for 19xx. */
const FIRST_INSTANT = BigInt(Date.UTC(100, 0)) * 1000n;
const END_OF_INSTANTS = BigInt(Date.UTC(10_000, 0)) * 1000n;
const TIME_TEXT =
  /^((?!00)\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?\s*(Z|[+-]\d\d:?\d\d(?::\d\d)?)?$/;

/** An instant given as a flag: `2016-12-16`, `2016-12-16T09:00`, with or without offset; without one it is read in `zone`. */
export function parseInstant(text: string, zone: TimeZone, flag: string): bigint {
  const [, date, clock = "00:00", second = "00", fraction = "", offset] = TIME_TEXT.exec(text) ?? [];
  const iso = `${date}T${clock}:${second}`;
  const milliseconds = Date.parse(`${iso}Z`);
  // A 30th of February becomes a day in March.
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString().slice(0, 19) !== iso) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `${flag} ${quoteForMessage(text)} is not a time; write it like 2016-12-16T09:00 or 2016-12-16T09:00-06:00`,
    );
  }
  const wall = BigInt(milliseconds) * 1000n + BigInt(fraction.padEnd(6, "0"));
  const instant = offset === undefined ? instantOfWall(zone, wall) : wall - parseZone(offset, flag).firstOffset;
  if (instant < FIRST_INSTANT || instant >= END_OF_INSTANTS)
    throw new VeilgridError("PARAMETER_INVALID", `${flag} ${quoteForMessage(text)} lies outside the years 100 to 9999`);
  return instant;
}

export function offsetText(offset: bigint): string {
  const size = (offset < 0n ? -offset : offset) / SECOND;
  const parts = [size / 3600n, (size / 60n) % 60n, ...(size % 60n === 0n ? [] : [size % 60n])];
  return (offset < 0n ? "-" : "+") + parts.map((part) => String(part).padStart(2, "0")).join(":");
}
