/** Invents small files in the shapes that public data comes in: seeded, with users, times and places that hang together. */
import { SeededRandom } from "../../src/evidence/simulation/index.ts";

/** One invented record; columns make texts of it. */
export interface Record {
  /** Its place in the file, from 0. */
  readonly at: number;
  /** Users and groups are numbered from 0; low numbers come more often. */
  readonly user: number;
  readonly group: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** From 0 to below 1. */
  readonly chance: number;
}

export interface Shape {
  readonly rows?: number;
  readonly users?: number;
  readonly groups?: number;
  /** The middle of the city. */
  readonly city?: readonly [latitude: number, longitude: number];
  readonly start?: string;
  readonly stepSeconds?: number;
}

type Columns = Readonly<{ [name: string]: (record: Record) => string | number | null }>;

export function records(shape: Shape = {}): Record[] {
  const { rows = 120, users = 12, groups = 6, city = [41.88, -87.63] } = shape;
  const { start = "2016-12-13T06:00:00Z", stepSeconds = 631 } = shape;
  const random = new SeededRandom(rows + users);
  const skewed = (many: number): number => Math.floor(many * random.uniform() ** 1.5);
  return Array.from({ length: rows }, (_, at) => ({
    at,
    user: skewed(users),
    group: skewed(groups),
    latitude: city[0] + (random.uniform() - 0.5) / 5,
    longitude: city[1] + (random.uniform() - 0.5) / 5,
    time: Date.parse(start) + at * stepSeconds * 1000,
    chance: random.uniform(),
  }));
}

export interface Written {
  readonly delimiter?: string;
  readonly header?: boolean;
  readonly lineBreak?: string;
}

export function csv(columns: Columns, shape: Shape = {}, written: Written = {}): string {
  const { delimiter = ",", header = true, lineBreak = "\n" } = written;
  const line = (cells: ReadonlyArray<string | number | null>): string =>
    cells.map((cell) => quoted(String(cell ?? ""), delimiter)).join(delimiter);
  const lines = records(shape).map((record) => line(Object.values(columns).map((column) => column(record))));
  return [...(header ? [line(Object.keys(columns))] : []), ...lines, ""].join(lineBreak);
}

function quoted(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Writes a time by a pattern such as `yyyy-MM-dd HH:mm:ss`; `M`, `d`, `H` and `h` are without leading zeros. */
export function clock(time: number, pattern: string): string {
  const date = new Date(time);
  const two = (number: number): string => String(number).padStart(2, "0");
  const hour = date.getUTCHours();
  const parts: { readonly [part: string]: string | number } = {
    yyyy: date.getUTCFullYear(),
    yy: two(date.getUTCFullYear() % 100),
    MM: two(date.getUTCMonth() + 1),
    M: date.getUTCMonth() + 1,
    dd: two(date.getUTCDate()),
    d: date.getUTCDate(),
    HH: two(hour),
    H: hour,
    hh: two(hour % 12 || 12),
    h: hour % 12 || 12,
    mm: two(date.getUTCMinutes()),
    ss: two(date.getUTCSeconds()),
    a: hour < 12 ? "AM" : "PM",
  };
  return pattern.replace(/yyyy|yy|MM|M|dd|d|HH|H|hh|h|mm|ss|a/g, (part) => String(parts[part]));
}

/** Different for every number, and it does not tell which. */
export function scrambled(number: number, digits = 6): number {
  return 10 ** (digits - 1) + ((number * 7_919_317 + 104_729) % (9 * 10 ** (digits - 1)));
}

export function hexadecimal(number: number): string {
  const random = new SeededRandom(number);
  return Array.from({ length: 4 }, () => random.bits().toString(16).padStart(8, "0")).join("");
}
