/** The recipe: how records become the occupancy array, step by step, parsed from flags, config files and plans. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { chosen, type OptionTexts, RECIPE_OPTIONS, wholeNumber } from "../../core/options/index.ts";
import { parseSlot, type Slot } from "./slot.ts";
import { HOUR, MINUTE, parseInstant, parseZone, type TimeZone } from "./time-zone.ts";
import { DATE_PATTERNS } from "./written-date.ts";

export type Missing = "refuse" | "midpoint" | "drop";
/** Records whose user is null or empty: refused, all of one user, or left out. */
export type EmptyUser = "refuse" | "one" | "drop";

/** Where a record's place stands: in two columns, in one that holds [longitude, latitude], or in one that holds its H3 cell. */
export type Place =
  | { readonly kind: "columns"; readonly latitude: string; readonly longitude: string; readonly resolution: number }
  | { readonly kind: "point"; readonly column: string; readonly resolution: number }
  /** Null: cells as they are stored, of whatever resolutions. Cells of two then overlap on the map, but no record is in both. */
  | { readonly kind: "cell"; readonly column: string; readonly resolution: number | null };

/** Microseconds in the unit of a format that counts from 1970. */
const EPOCH_UNITS: Readonly<Record<string, number>> = { "epoch-s": 1_000_000, "epoch-ms": 1000, "epoch-us": 1 };

/** How times are written. `iso` is with or without offset; after `date:` stands one of `DATE_PATTERNS`, time may follow. */
export type TimeFormat = "auto" | "iso" | "epoch-s" | "epoch-ms" | "epoch-us" | `date:${string}`;

export function epochUnit(format: TimeFormat): number | undefined {
  return EPOCH_UNITS[format];
}

/** Local times of day, microseconds from midnight, half-open; over midnight where `from` is the later one. */
export interface Hours {
  readonly from: bigint;
  readonly to: bigint;
}

export interface RecordTime {
  readonly column: string;
  readonly format: TimeFormat;
  readonly zone: TimeZone;
  /** Null: time orders and filters records but is no part of the grid. */
  readonly slot: Slot | null;
  readonly from: bigint | null;
  readonly to: bigint | null;
  readonly hours: Hours | null;
}

/** In the order in which the steps are taken. */
export interface Recipe {
  readonly user: string;
  readonly value: string;
  readonly by: readonly string[];
  readonly place: Place | null;
  readonly time: RecordTime | null;
  readonly emptyUser: EmptyUser;
  /** Columns that, with user and grid, make a record the same as another; null: no record is. */
  readonly dedupe: readonly string[] | null;
  readonly missing: Missing;
  /** Grids with fewer users are left out. */
  readonly minUsers: number;
  /** Only so many grids, those with most records; null: all. */
  readonly top: number | null;
}

export type RecipeFlags = OptionTexts<typeof RECIPE_OPTIONS>;

const MOST = 2 ** 31;

/** Checks everything that can be checked before a file is opened. */
export function parseRecipe(options: RecipeFlags): Recipe {
  const user = demand(options.user, "--user", "the column that says whose record it is");
  const value = demand(options.value, "--value", "the column whose statistics are wanted");
  const by = columnList(options.by, "--by");
  const place = placeOf(options);
  const time = timeOf(options);
  if (by.length === 0 && place === null && (time === null || time.slot === null)) {
    throw usage(
      "the grids are missing: give --by COL, or --lat COL --lon COL --h3 8, or --cell COL, or --time COL --slot 1h, or several",
    );
  }
  const dedupe = options.dedupe === undefined ? null : columnList(options.dedupe, "--dedupe");
  const recipe: Recipe = {
    user,
    value,
    by,
    place,
    time,
    emptyUser: chosen(RECIPE_OPTIONS, "emptyUser", options.emptyUser, "refuse"),
    dedupe,
    missing: chosen(RECIPE_OPTIONS, "missing", options.missing, "refuse"),
    minUsers: options.minUsers === undefined ? 1 : wholeNumber(options.minUsers, "--min-users", 1, MOST),
    top: options.top === undefined ? null : wholeNumber(options.top, "--top", 1, MOST),
  };
  for (const { flag, column } of recipeColumns(recipe)) {
    if (flag !== "--value" && holdsValue(column, value))
      throw usage(
        `${flag} names the value column; whatever decides about users, grids and records is public, and values are not`,
      );
  }
  return recipe;
}

/** Whether a column is the value's, lies inside it or around it; engines differ in whether case matters. */
function holdsValue(column: string, value: string): boolean {
  const left = `${column.toLowerCase()}.`;
  const right = `${value.toLowerCase()}.`;
  return left.startsWith(right) || right.startsWith(left);
}

/** Names of the columns that make a grid in every engine's queries: by0, by1, …, cell, slot. */
export function partNames({ by, place, time }: Recipe): string[] {
  return [
    ...by.map((_, index) => `by${index}`),
    ...(place === null ? [] : ["cell"]),
    ...(time === null || time.slot === null ? [] : ["slot"]),
  ];
}

export function partitionDepth(recipe: Recipe): { columns: number; cell: boolean; slot: boolean } {
  return {
    columns: recipe.by.length,
    cell: recipe.place !== null,
    slot: recipe.time !== null && recipe.time.slot !== null,
  };
}

/** Every column a recipe reads, with the flag that names it. */
export function recipeColumns(recipe: Recipe): Array<{ flag: string; column: string }> {
  const { place, time } = recipe;
  return [
    { flag: "--user", column: recipe.user },
    { flag: "--value", column: recipe.value },
    ...recipe.by.map((column) => ({ flag: "--by", column })),
    ...(place?.kind === "columns"
      ? [
          { flag: "--lat", column: place.latitude },
          { flag: "--lon", column: place.longitude },
        ]
      : []),
    ...(place?.kind === "point" || place?.kind === "cell" ? [{ flag: `--${place.kind}`, column: place.column }] : []),
    ...(time === null ? [] : [{ flag: "--time", column: time.column }]),
    ...(recipe.dedupe ?? []).map((column) => ({ flag: "--dedupe", column })),
  ];
}

function placeOf(options: RecipeFlags): Place | null {
  const { lat, lon, point, cell, h3 } = options;
  for (const [flag, column] of Object.entries({ lat, lon, point, cell }))
    if (column === "") throw usage(`--${flag} is an empty name`);
  const ways = [
    ...(lat === undefined && lon === undefined ? [] : ["--lat/--lon"]),
    ...(point === undefined ? [] : ["--point"]),
    ...(cell === undefined ? [] : ["--cell"]),
  ];
  if (ways.length === 0) {
    if (h3 !== undefined) throw usage("--h3 needs a place: --lat COL --lon COL, --point COL, or --cell COL");
    return null;
  }
  if (ways.length > 1) throw usage(`${ways.join(" and ")} say the same thing; give one of them`);
  const resolution = h3 === undefined ? null : wholeNumber(h3, "--h3", 0, 15);
  if (cell !== undefined) return { kind: "cell", column: cell, resolution };
  if (resolution === null)
    throw usage("--h3 is missing: the resolution of the hexagons, 0 to 15; 8 is about 0.7 km² each, 9 about 0.1 km²");
  if (point !== undefined) return { kind: "point", column: point, resolution };
  if (lat === undefined || lon === undefined) throw usage("--lat and --lon go together");
  return { kind: "columns", latitude: lat, longitude: lon, resolution };
}

function timeOf(options: RecipeFlags): RecordTime | null {
  if (options.time === undefined) {
    const idle = (["timeFormat", "slot", "tz", "from", "to", "hours"] as const).find(
      (name) => options[name] !== undefined,
    );
    if (idle !== undefined) throw usage(`--${idle === "timeFormat" ? "time-format" : idle} needs --time COL`);
    return null;
  }
  if (options.time === "") throw usage("--time is an empty name");
  const zone = parseZone(options.tz ?? "UTC");
  const from = options.from === undefined ? null : parseInstant(options.from, zone, "--from");
  const to = options.to === undefined ? null : parseInstant(options.to, zone, "--to");
  if (from !== null && to !== null && from >= to) throw usage("--from is not before --to; nothing lies between");
  return {
    column: options.time,
    format: parseTimeFormat(options.timeFormat ?? "auto"),
    zone,
    slot: options.slot === undefined ? null : parseSlot(options.slot),
    from,
    to,
    hours: options.hours === undefined ? null : hoursOf(options.hours),
  };
}

export function parseTimeFormat(text: string): TimeFormat {
  const format = text.toLowerCase() as TimeFormat;
  if (format === "auto" || format === "iso" || epochUnit(format) !== undefined) return format;
  if (!DATE_PATTERNS.includes(format)) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--time-format ${quoteForMessage(text)} is unknown; use iso, epoch-s, epoch-ms, epoch-us, or a date such as dd/mm/yyyy, mm/dd/yy, dd-mmm-yy (29-Aug-13) or yyyymmdd (a time of day may follow it)`,
    );
  }
  return `date:${format}`;
}

function hoursOf(text: string): Hours {
  const match = /^(\d{1,2})(?::(\d\d))?-(\d{1,2})(?::(\d\d))?$/.exec(text);
  const [fromHour, fromMinute, toHour, toMinute] = (match ?? []).slice(1).map((part) => Number(part ?? 0));
  const from = BigInt(fromHour ?? 0) * HOUR + BigInt(fromMinute ?? 0) * MINUTE;
  const end = BigInt(toHour ?? 0) * HOUR + BigInt(toMinute ?? 0) * MINUTE;
  const to = end === 0n ? 24n * HOUR : end; // 22-0 is up to midnight
  const sound = match !== null && fromMinute! < 60 && toMinute! < 60 && from < 24n * HOUR && to <= 24n * HOUR;
  if (!sound || from === to) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--hours ${quoteForMessage(text)} is no part of a day; write 9-10 for 09:00 up to 10:00, 7:30-9, or 22-6 over midnight`,
    );
  }
  return { from, to };
}

function columnList(text: string | undefined, flag: string): string[] {
  if (text === undefined) return [];
  const columns = text.split(",").map((column) => column.trim());
  if (columns.some((column) => column === "")) throw usage(`${flag} ${quoteForMessage(text)} has an empty name in it`);
  if (new Set(columns).size !== columns.length) throw usage(`${flag} ${quoteForMessage(text)} names a column twice`);
  return columns;
}

function demand(text: string | undefined, flag: string, what: string): string {
  if (text === undefined || text === "")
    throw usage(`${flag} is missing: ${what}; 'veilgrid survey FILE' alone lists the columns and guesses`);
  return text;
}

function usage(message: string): VeilgridError {
  return new VeilgridError("USAGE", message);
}
