/** From records to counts and exact totals, one record at a time and written from the specification, with no thought for speed. */
import { cellToParent, isValidCell, latLngToCell } from "h3-js";
import type { GridTotals, ReadingNotes } from "../../src/data/engines/index.ts";
import type { RecipeFlags } from "../../src/data/partition/index.ts";

/** One record: text, or nothing, by column. */
export type RecordRow = Readonly<Record<string, string | null>>;

/** Section 7: i = floor((x − a)/h + 0.5) in doubles. */
export interface ReferenceLattice {
  readonly lower: number;
  readonly upper: number;
  readonly step: number;
  /** N. */
  readonly steps: bigint;
}

/** One record that counts: what is left of it is when it was and its lattice integer. */
interface Sample {
  readonly user: string;
  readonly grid: string;
  readonly lacksPart: boolean;
  readonly keys: ReadonlyArray<string | null>;
  /** Microseconds since 1970 UTC. */
  readonly instant: bigint | null;
  readonly isMissing: boolean;
  readonly isOutside: boolean;
  readonly i: bigint;
}

/** A user's records in a grid, in the order of section 5. */
interface Entry {
  readonly user: string;
  readonly grid: string;
  readonly samples: readonly Sample[];
}

export interface ReferenceReading {
  /** Why an engine must refuse; undefined where it must not. */
  readonly refusal: "missing" | "user" | "empty" | undefined;
  /** By user, then grid. */
  readonly entries: readonly Entry[];
  readonly notes: ReadingNotes;
}

export interface ReferenceTotals {
  readonly totals: readonly GridTotals[];
  readonly clampedValues: number;
}

/** Sums of an entry's lattice integers, in `Occupancy.byUser`'s order; of one in a grid that was not asked for they are 0. */
export interface ReferenceSums {
  readonly entries: ReadonlyArray<{ sum: bigint; sumOfSquares: bigint; atLeast: readonly number[] }>;
  readonly clampedValues: number;
}

/** Bounds and step as flags write them; the default step is U·2⁻²⁰. */
export function referenceLattice(bounds: string, step?: string): ReferenceLattice {
  const [lower, upper] = bounds.split(",") as [string, string];
  const places = Math.max(...[lower, upper, step ?? "0"].map((text) => (text.split(".")[1] ?? "").length));
  const scaled = (text: string): bigint => {
    const [whole, fraction = ""] = text.split(".") as [string, string?];
    return BigInt(whole + fraction.padEnd(places, "0"));
  };
  const width = scaled(upper) - scaled(lower);
  // A decimal text is read as the nearest double, and a power of two divides a double exactly.
  const nearest = Number(`${width}e-${places}`);
  const ends = { lower: Number(lower), upper: Number(upper) };
  if (step === undefined) return { ...ends, step: nearest / 2 ** 20, steps: 2n ** 20n };
  if (width % scaled(step) !== 0n) throw new Error(`${step} does not divide ${bounds}`);
  return { ...ends, step: Number(step), steps: width / scaled(step) };
}

function latticeIntegerOf(value: number, { lower, step, steps }: ReferenceLattice): bigint {
  const rounded = Math.floor((value - lower) / step + 0.5);
  if (rounded < 0) return 0n;
  return rounded > Number(steps) ? steps : BigInt(rounded);
}

/** Section 8: filters, repeated records, missing values, then the choice of grids. */
export function referenceReading(
  rows: readonly RecordRow[],
  recipeOptions: RecipeFlags,
  lattice: ReferenceLattice,
): ReferenceReading {
  const inTime = rows.flatMap((row) => sampleOf(row, recipeOptions, lattice) ?? []);
  const passed = recipeOptions.emptyUser === "drop" ? inTime.filter(({ user }) => user !== "") : inTime;
  const distinct = recipeOptions.dedupe === undefined ? passed : withoutRepeated(passed);
  const rule = recipeOptions.missing ?? "refuse";
  const missing = distinct.filter((sample) => sample.isMissing).length;
  const counted = rule === "drop" ? distinct.filter((sample) => !sample.isMissing) : distinct;
  const chosen = chosenGrids(
    counted,
    Number(recipeOptions.minUsers ?? 1),
    Number(recipeOptions.top ?? Number.POSITIVE_INFINITY),
  );
  const left = counted.filter(({ grid }) => chosen.has(grid));
  const withoutUser = counted.filter(({ user }) => user === "").length;
  const isRefused = withoutUser > 0 && (recipeOptions.emptyUser ?? "refuse") === "refuse";
  return {
    refusal:
      rule === "refuse" && missing > 0 ? "missing" : isRefused ? "user" : left.length === 0 ? "empty" : undefined,
    entries: entriesOf(left),
    notes: {
      records: passed.length,
      repeated: passed.length - distinct.length,
      missing: rule === "refuse" ? 0 : missing,
      withoutUser: recipeOptions.emptyUser === "drop" ? inTime.length - passed.length : withoutUser,
      withoutGrid: counted.filter(({ lacksPart }) => lacksPart).length,
      inOtherGrids: counted.length - left.length,
    },
  };
}

/** m[g, ℓ] as triples. */
export function referenceCounts(reading: ReferenceReading): Array<[user: string, grid: string, count: number]> {
  return reading.entries.map(({ user, grid, samples }) => [user, grid, samples.length]);
}

/** Totals of what is kept of each entry, by grid in order of ids. */
export function referenceTotals(
  reading: ReferenceReading,
  lattice: ReferenceLattice,
  options: {
    /** Γ of an entry with so many records. */
    kept: (user: string, grid: string, records: number) => number;
    keep: "spread" | "first";
    thresholds: readonly bigint[];
    /** Only these grids; all if absent. */
    only?: ReadonlySet<string> | undefined;
  },
): ReferenceTotals {
  const asked = reading.entries.filter(({ grid }) => options.only?.has(grid) ?? true);
  const grids = [...new Set(asked.map(({ grid }) => grid))].sort(byBytes);
  const totals = grids.map((grid) => {
    const entries = asked.filter((entry) => entry.grid === grid);
    const values: bigint[] = [];
    let doubledClampedSum = 0n;
    for (const { user, samples } of entries) {
      const kept = options.kept(user, grid, samples.length);
      for (const rank of keptRanks(samples.length, kept, options.keep)) values.push(samples[rank]!.i);
      const m = BigInt(samples.length);
      const least = lattice.steps * (m - BigInt(kept));
      const most = lattice.steps * (m + BigInt(kept));
      const doubled = 2n * sumOf(samples.map(({ i }) => i));
      doubledClampedSum += doubled < least ? least : doubled > most ? most : doubled;
    }
    return {
      grid,
      kept: values.length,
      sum: sumOf(values),
      sumOfSquares: sumOf(values.map((i) => i * i)),
      atLeast: options.thresholds.map((threshold) => BigInt(values.filter((i) => i >= threshold).length)),
      doubledClampedSum,
    };
  });
  const outside = asked.flatMap(({ samples }) => samples.filter(({ isOutside }) => isOutside));
  return { totals, clampedValues: outside.length };
}

/** Sums of all records of each entry in the grids asked for. */
export function referenceSums(
  reading: ReferenceReading,
  { thresholds, grids }: { thresholds: readonly bigint[]; grids: readonly string[] },
): ReferenceSums {
  const samplesOf = ({ grid, samples }: Entry): readonly Sample[] => (grids.includes(grid) ? samples : []);
  return {
    entries: reading.entries.map((entry) => {
      const values = samplesOf(entry).map(({ i }) => i);
      return {
        sum: sumOf(values),
        sumOfSquares: sumOf(values.map((i) => i * i)),
        atLeast: thresholds.map((threshold) => values.filter((i) => i >= threshold).length),
      };
    }),
    clampedValues: reading.entries.flatMap(samplesOf).filter(({ isOutside }) => isOutside).length,
  };
}

/** Section 5: ⌊(2i + 1)·m/(2c)⌋ for i = 0 … c − 1, or the first c. */
function keptRanks(records: number, kept: number, keep: "spread" | "first"): number[] {
  return Array.from({ length: kept }, (_, i) =>
    keep === "first" ? i : Number((BigInt(2 * i + 1) * BigInt(records)) / BigInt(2 * kept)),
  );
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}

function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Undefined where the time filters leave the record out. */
function sampleOf(row: RecordRow, recipeOptions: RecipeFlags, lattice: ReferenceLattice): Sample | undefined {
  const zone = recipeOptions.tz ?? "UTC";
  const written = recipeOptions.time === undefined ? null : filled(row, recipeOptions.time);
  const instant = written === null ? null : instantOf(written, recipeOptions.timeFormat ?? "iso", zone);
  if (!passesFilters(instant, recipeOptions, zone)) return undefined;

  const parts = columnsIn(recipeOptions.by).map((column) => row[column] ?? null);
  if (recipeOptions.h3 !== undefined || recipeOptions.cell !== undefined) parts.push(cellOf(row, recipeOptions));
  if (recipeOptions.slot !== undefined)
    parts.push(instant === null ? null : slotName(instant, recipeOptions.slot, zone));

  const x = numberIn(row[recipeOptions.value!] ?? "");
  if (x === "refused") throw new Error("the reference takes sound records only");
  const isMissing = Number.isNaN(x);
  return {
    user: row[recipeOptions.user!] ?? "",
    grid: parts.map(encoded).join("/"),
    lacksPart: parts.includes(null) || parts.includes(""),
    keys: columnsIn(recipeOptions.dedupe).map((column) => row[column] ?? null),
    instant,
    isMissing,
    isOutside: x < lattice.lower || x > lattice.upper,
    i: isMissing ? (lattice.steps + 1n) / 2n : latticeIntegerOf(x, lattice),
  };
}

function columnsIn(list: string | undefined): string[] {
  return list === undefined ? [] : list.split(",");
}

/** Blank cells of numbers, times and places are missing; ids may well be blank. */
function filled(row: RecordRow, column: string): string | null {
  const text = row[column] ?? null;
  return text === null || withoutBlanks(text) === "" ? null : withoutBlanks(text);
}

function withoutBlanks(text: string): string {
  const isBlank = (at: number): boolean => [" ", "\t", "\n", "\r", "\f", "\v"].includes(text[at]!);
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return text.slice(start, end);
}

const NO_VALUE = ["na", "n/a", "#na", "#n/a", "n.a.", "null", "none", "-", "--"];

/** The number that is written, NaN where the text says that there is none. */
export function numberIn(text: string): number | "refused" {
  const written = withoutBlanks(text);
  const unsigned = written.startsWith("+") || written.startsWith("-") ? written.slice(1) : written;
  if (written === "" || unsigned.toLowerCase() === "nan" || NO_VALUE.includes(written.toLowerCase())) return Number.NaN;
  if (written === "\\N") return Number.NaN;
  const [mantissa, exponent = "0", ...more] = unsigned.replace("E", "e").split("e") as [string, ...string[]];
  const [whole, fraction = "", ...rest] = mantissa.split(".") as [string, ...string[]];
  const isDigits = (digits: string): boolean => [...digits].every((digit) => "0123456789".includes(digit));
  const power = exponent.startsWith("+") || exponent.startsWith("-") ? exponent.slice(1) : exponent;
  const isNumber = isDigits(whole + fraction + power) && whole + fraction !== "" && power !== "";
  if (!isNumber || more.length > 0 || rest.length > 0 || written.length > 1000) return "refused";
  // The language takes the same forms for numbers, and the nearest double for what they say.
  const value = Number(written);
  return Number.isFinite(value) ? value : "refused";
}

function encoded(part: string | null): string {
  return part === null ? "%null" : part.replace(/[%/]/g, (character) => (character === "%" ? "%25" : "%2F"));
}

function cellOf(row: RecordRow, recipeOptions: RecipeFlags): string | null {
  if (recipeOptions.cell !== undefined) return storedCell(filled(row, recipeOptions.cell), recipeOptions.h3);
  const [longitude, latitude] =
    recipeOptions.point === undefined
      ? [filled(row, recipeOptions.lon!), filled(row, recipeOptions.lat!)]
      : (JSON.parse(filled(row, recipeOptions.point) ?? "[null, null]") as [number | null, number | null]);
  if (longitude === null || latitude === null) return null;
  return latLngToCell(Number(latitude), Number(longitude), Number(recipeOptions.h3));
}

/** A cell that the records bring with them, in hexadecimal or as a decimal number; within a larger one where that is asked for. */
function storedCell(text: string | null, resolution: string | undefined): string | null {
  if (text === null) return null;
  const cell = text.length === 15 ? text.toLowerCase() : BigInt(text).toString(16);
  if (!isValidCell(cell)) throw new Error(`the reference takes sound cells only, not ${text}`);
  return resolution === undefined ? cell : cellToParent(cell, Number(resolution));
}

/** Of records alike in user, grid and key columns the first: with a value before without, then by time, then by value. */
function withoutRepeated(samples: readonly Sample[]): Sample[] {
  const first = new Map<string, Sample>();
  for (const sample of samples) {
    const key = JSON.stringify([sample.user, sample.grid, sample.keys]);
    const found = first.get(key);
    if (found === undefined || comesBefore(sample, found)) first.set(key, sample);
  }
  return [...first.values()];
}

function comesBefore(left: Sample, right: Sample): boolean {
  if (left.isMissing !== right.isMissing) return right.isMissing;
  const order = byTimeThenValue(left, right);
  // Values that fall on one lattice integer are one value; of those the curator's count of clamped ones takes the inner.
  return order === 0 ? !left.isOutside && right.isOutside : order < 0;
}

/** Missing times are last. */
function byTimeThenValue(left: Sample, right: Sample): number {
  if (left.instant !== right.instant) {
    if (left.instant === null) return 1;
    if (right.instant === null) return -1;
    return left.instant < right.instant ? -1 : 1;
  }
  return left.i < right.i ? -1 : left.i > right.i ? 1 : 0;
}

function chosenGrids(samples: readonly Sample[], minUsers: number, top: number): Set<string> {
  const users = new Map<string, Set<string>>();
  const records = new Map<string, number>();
  for (const { user, grid } of samples) {
    users.set(grid, (users.get(grid) ?? new Set()).add(user));
    records.set(grid, (records.get(grid) ?? 0) + 1);
  }
  const ranked = [...records]
    .filter(([grid]) => users.get(grid)!.size >= minUsers)
    .sort(([left, leftCount], [right, rightCount]) => rightCount - leftCount || byBytes(left, right));
  return new Set(ranked.slice(0, top).map(([grid]) => grid));
}

function entriesOf(samples: readonly Sample[]): Entry[] {
  const pairs = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = JSON.stringify([sample.user, sample.grid]);
    const pair = pairs.get(key);
    if (pair === undefined) pairs.set(key, [sample]);
    else pair.push(sample);
  }
  return [...pairs.values()]
    .map((each) => ({ user: each[0]!.user, grid: each[0]!.grid, samples: each.sort(byTimeThenValue) }))
    .sort((left, right) => byBytes(left.user, right.user) || byBytes(left.grid, right.grid));
}

// Times. Everything is in microseconds; a zone is only ever asked what its clocks show at an instant.

const SECOND = 1_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** What local clocks show at an instant, as microseconds. */
function wallOf(instant: bigint, zone: string): bigint {
  const fixed = offsetIn(zone);
  if (fixed !== undefined) return instant + fixed;
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      calendar: "iso8601",
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formats.set(zone, format);
  }
  const second = floorDivide(instant, SECOND);
  const shown = Object.fromEntries(
    format.formatToParts(Number(second) * 1000).map(({ type, value }) => [type, Number(value)]),
  ) as Record<"year" | "month" | "day" | "hour" | "minute" | "second", number>;
  const wall = Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute, shown.second);
  return BigInt(wall) * 1000n + (instant - second * SECOND);
}

/** `Z`, `UTC`, `+05:30`, `-0600`, `-06`; undefined for a zone with a name. */
function offsetIn(text: string): bigint | undefined {
  if (text === "Z" || text === "UTC") return 0n;
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(text);
  if (match === null) return undefined;
  const size = BigInt(match[2]!) * HOUR + BigInt(match[3] ?? 0) * MINUTE;
  return match[1] === "-" ? -size : size;
}

/** Every offset the zone had between two instants; none changes twice in six hours. */
function offsetsBetween(from: bigint, to: bigint, zone: string): bigint[] {
  const offsets = new Set<bigint>();
  for (let at = from; at < to; at += 6n * HOUR) offsets.add(wallOf(at, zone) - at);
  return [...offsets.add(wallOf(to, zone) - to)];
}

/** The instant of a clock reading: the earlier where there are two; where clocks skip it, later by what they skip. */
function instantOfReading(wall: bigint, zone: string): bigint {
  const offsets = offsetsBetween(wall - 2n * DAY, wall + 2n * DAY, zone);
  const instants = offsets.map((offset) => wall - offset).filter((instant) => wallOf(instant, zone) === wall);
  if (instants.length > 0) return instants.reduce((least, each) => (each < least ? each : least));
  // In a gap: as if the clocks had not been put forward, that is with the smaller of the two offsets.
  return wall - offsets.reduce((least, each) => (each < least ? each : least));
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/;

function instantOf(text: string, format: string, zone: string): bigint {
  if (format.startsWith("epoch")) return epoch(text, { "epoch-s": 6, "epoch-ms": 3, "epoch-us": 0 }[format]!);
  const iso = format === "iso" || format === "auto" ? text : isoFromDate(text, format);
  const match = ISO.exec(iso);
  if (match === null) throw new Error(`the reference takes sound times only, not ${text}`);
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const seconds = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) / 1000;
  const clock = BigInt(seconds) * SECOND + BigInt((match[7] ?? "").padEnd(6, "0"));
  return match[8] === undefined ? instantOfReading(clock, zone) : clock - offsetIn(match[8])!;
}

/** `places` digits after the point are whole microseconds. */
function epoch(text: string, places: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!;
  const fraction = (match[3] ?? "").padEnd(places, "0");
  const size = BigInt(match[2]! + fraction.slice(0, places));
  if (match[1] === "") return size;
  return /[1-9]/.test(fraction.slice(places)) ? -size - 1n : -size;
}

/** The date's parts by its separator, and hours from midnight. */
function isoFromDate(text: string, pattern: string): string {
  const [date, time] = text.replace("T", " ").split(/ +(.*)/) as [string, string?];
  const separated = pattern === "yyyymmdd" ? date.replace(/^(....)(..)(..)$/, "$1/$2/$3") : date;
  const written = separated.split(/[/.-]/);
  const names = (pattern === "yyyymmdd" ? "yyyy/mm/dd" : pattern).split(/[/.-]/);
  const part = (name: string): string | undefined => written[names.indexOf(name)];
  const twoDigits = (digits: string): string => digits.padStart(2, "0");
  const short = part("yy");
  const year = part("yyyy") ?? (short! < "69" ? `20${short}` : `19${short}`);
  const month = part("mm") ?? String(MONTH_NAMES.indexOf(part("mmm")!.toLowerCase()) + 1);
  const day = `${year}-${twoDigits(month)}-${twoDigits(part("dd")!)}`;
  if (time === undefined || time === "") return day;
  const [hour, ...rest] = time.replace(/ ?[ap]\.?m\.?$/i, "").split(":") as [string, ...string[]];
  const half = /[ap](?=\.?m\.?$)/i.exec(time)?.[0].toLowerCase();
  const hours = half === undefined ? Number(hour) : half === "p" ? (Number(hour) % 12) + 12 : Number(hour) % 12;
  return `${day}T${[String(hours), ...rest].map(twoDigits).join(":")}`;
}

const MONTH_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

function passesFilters(instant: bigint | null, recipeOptions: RecipeFlags, zone: string): boolean {
  const { from, to, hours } = recipeOptions;
  if (from === undefined && to === undefined && hours === undefined) return true;
  if (instant === null) return false;
  if (from !== undefined && instant < instantOf(from, "iso", zone)) return false;
  if (to !== undefined && instant >= instantOf(to, "iso", zone)) return false;
  if (hours === undefined) return true;
  const [first, last] = hours.split("-").map((text) => {
    const [hour, minute = "0"] = text.split(":") as [string, string?];
    return BigInt(hour) * HOUR + BigInt(minute) * MINUTE;
  }) as [bigint, bigint];
  const wall = wallOf(instant, zone);
  const ofDay = wall - floorDivide(wall, DAY) * DAY;
  return first < last ? first <= ofDay && ofDay < last : first <= ofDay || ofDay < last;
}

/** Where on the clock the slot of a reading begins: parts of the day from midnight, days, weeks from Monday. */
function slotOnClock(wall: bigint, slot: string): bigint {
  const days = floorDivide(wall, DAY);
  if (slot === "1d") return days * DAY;
  if (slot === "1w") return (days - ((((days + 3n) % 7n) + 7n) % 7n)) * DAY; // day 0 was a Thursday
  const [, count, unit] = /^(\d+)([smh])$/.exec(slot)!;
  const length = BigInt(count!) * { s: SECOND, m: MINUTE, h: HOUR }[unit as "s" | "m" | "h"];
  return days * DAY + ((wall - days * DAY) / length) * length;
}

/**
 * The slot's local start with its offset. It starts when clocks last showed its start, up to the record; where they never did,
 * at the first instant after the gap.
 */
function slotName(instant: bigint, slot: string, zone: string): string {
  const onClock = slotOnClock(wallOf(instant, zone), slot);
  const longAgo = instant - (slot === "1w" ? 9n : 3n) * DAY;
  const starts = offsetsBetween(longAgo, instant, zone)
    .map((offset) => onClock - offset)
    .filter((start) => start <= instant && wallOf(start, zone) === onClock);
  const start = starts.length > 0 ? starts.reduce((last, each) => (each > last ? each : last)) : afterGap();

  const wall = wallOf(start, zone);
  const offset = wall - start;
  const size = (offset < 0n ? -offset : offset) / SECOND;
  const digits = (value: bigint): string => String(value).padStart(2, "0");
  const shown = new Date(Number(wall / 1000n)).toISOString();
  const seconds = shown.slice(17, 19) === "00" ? "" : shown.slice(16, 19);
  const offsetSeconds = size % 60n === 0n ? "" : `:${digits(size % 60n)}`;
  return `${shown.slice(0, 16)}${seconds}${offset < 0n ? "-" : "+"}${digits(size / 3600n)}:${digits((size / 60n) % 60n)}${offsetSeconds}`;

  function afterGap(): bigint {
    let before = longAgo;
    let after = instant;
    while (after - before > 1n) {
      const middle = (before + after) / 2n;
      if (wallOf(middle, zone) < onClock) before = middle;
      else after = middle;
    }
    return after;
  }
}
