/** Guesses what a file's columns are for, from their names and a few rows, to give a curator a first command. A guess decides nothing. */
import { dateParts, looksLikeIsoTime, looksLikeNumber, looksLikePoint, looksLikeTime, offsetOf } from "./cell-looks.ts";
import type { Sample, SourceDescription } from "./description.ts";

export type ColumnType = "number" | "time" | "point" | "text" | "empty";

export interface ColumnLook {
  readonly name: string;
  readonly type: ColumnType;
  /** A few different contents; null where the column may hold the protected value. */
  readonly samples: readonly string[] | null;
  readonly role: string | null;
}

/** Long flag names without dashes, in the order they are printed. */
export type Guess = Readonly<Record<string, string>>;

export interface FirstLook {
  readonly columns: readonly ColumnLook[];
  readonly guess: Guess;
  /** What could not be guessed, as sentences. */
  readonly open: readonly string[];
}

const SHOWN_SAMPLES = 3;
const LARGE_ENOUGH_FOR_MS = 1e11;

const USER = [
  /licen[cs]e|plate/,
  /^(user|customer|card|device|person|passenger|driver|phone|account|member|vehicle|bus|sensor|patient|client|rider)[_ .-]?(id|no|number|key|name)?$/,
  /user|customer|card|device|person|passenger|driver|phone|account|member|vehicle|sensor|patient|client/,
];
const VALUE = [
  /speed|velocity/,
  /amount|price|spend|cost|fare|total|paid/,
  /value|level|reading|pm2|pm10|no2|ozone|temp|duration|score/,
];
const NEVER_VALUE = /(^|[_ .-])(id|ids|no|number|key|code|zip|phone|year|month|day|hour)$|^(lat|lon|lng|long)/;
const LATITUDE = /^lat(itude)?$|[_.]lat(itude)?$/;
const LONGITUDE = /^(lon|lng|long|longitude)$|[_.](lon|lng|long|longitude)$/;
const TIME = [/time|date|timestamp|(^|_)ts$|observed|when/];
const EVENT = /trip|event|record|message|transaction|seq|journey|order/;
const GROUP = [
  /shop|store|merchant|project|zone|area|grid|region|district|category|segment|department|city|route|line|site|station/,
];

export function firstLook(description: SourceDescription): FirstLook {
  const { columns, rows } = description;
  const cells = new Map(columns.map((name) => [name, rows.map((row) => row[name] ?? null)]));
  const types = new Map(columns.map((name) => [name, typeOf(cells.get(name)!, name)]));
  const ofType = (...wanted: ColumnType[]): string[] => columns.filter((name) => wanted.includes(types.get(name)!));
  const named = (names: readonly string[], patterns: readonly RegExp[]): string | undefined => {
    for (const pattern of patterns) {
      const found = names.find((name) => pattern.test(name.toLowerCase()));
      if (found !== undefined) return found;
    }
    return undefined;
  };

  const numbers = ofType("number");
  const latitude = numbers.find((name) => LATITUDE.test(name.toLowerCase()));
  const longitude = numbers.find((name) => LONGITUDE.test(name.toLowerCase()));
  const placed = latitude !== undefined && longitude !== undefined;
  const point = placed ? undefined : ofType("point")[0];
  const timeColumns = ofType("time");
  const time = named(timeColumns, TIME) ?? timeColumns[0];
  const rest = columns.filter((name) => name !== latitude && name !== longitude && name !== point && name !== time);
  const mayBeValue = rest.filter((name) => types.get(name) === "number" && !isIdLike(name));
  const value = named(mayBeValue, VALUE) ?? mayBeValue.find((name) => hasFractions(cells.get(name)!)) ?? mayBeValue[0];
  const ids = rest.filter((name) => name !== value && types.get(name) !== "empty" && types.get(name) !== "point");
  const user = named(ids, USER) ?? ids.find((name) => /(^|[_ .-])id$/.test(name.toLowerCase()));
  const others = ids.filter((name) => name !== user && !mayBeValue.includes(name) && !timeColumns.includes(name));
  const gridless = !placed && point === undefined;
  const by = gridless
    ? (named(others, GROUP) ?? (time === undefined ? others.find((name) => repeats(cells.get(name)!)) : undefined))
    : undefined;

  const guess: Record<string, string> = {};
  if (user !== undefined) guess["user"] = user;
  if (value !== undefined) guess["value"] = value;
  if (by !== undefined) guess["by"] = by;
  if (placed) Object.assign(guess, { lat: latitude, lon: longitude, h3: "8" });
  if (point !== undefined) Object.assign(guess, { point, h3: "8" });
  if (time !== undefined) Object.assign(guess, { time, ...timeGuess(cells.get(time)!), slot: "1h" });
  const repeated = hasRepeatedRows(rows);
  if (repeated && time !== undefined)
    guess["dedupe"] = [...others.filter((name) => EVENT.test(name.toLowerCase())), time].join(",");
  if (value !== undefined && cells.get(value)!.some(isBlank)) guess["missing"] = "midpoint";
  if (placed || point !== undefined) guess["top"] = "50";

  const roles = new Map(
    Object.entries({ user, value, by, latitude, longitude, point, time }).map(([role, name]) => [name, role]),
  );
  const hidden = new Set([
    ...mayBeValue,
    ...(value === undefined ? numbers.filter((name) => name !== latitude && name !== longitude) : []),
  ]);
  return {
    columns: columns.map((name) => ({
      name,
      type: types.get(name)!,
      samples: hidden.has(name) && name !== user ? null : distinctSamples(cells.get(name)!),
      role: roles.get(name) ?? null,
    })),
    guess,
    open: openQuestions({ user, value, grid: by ?? point ?? latitude ?? time }),
  };
}

/** How times are written, from a sample; undefined if that cannot be told. */
export function guessTimeFormat(cells: readonly Sample[]): string | undefined {
  const filled = cells.filter((cell) => !isBlank(cell)).map(String);
  if (filled.length === 0) return "iso";
  if (filled.every(looksLikeIsoTime)) return "iso";
  if (filled.every((cell) => looksLikeNumber(cell)))
    return filled.every((cell) => Math.abs(Number(cell)) >= LARGE_ENOUGH_FOR_MS) ? "epoch-ms" : "epoch-s";
  const dates = filled.map(dateParts);
  const separator = dates[0]?.separator;
  if (dates.some((date) => date === undefined || date.separator !== separator)) return undefined;
  if (dates.every((date) => date!.first.length === 4)) return `yyyy${separator}mm${separator}dd`;
  if (dates.some((date) => Number(date!.first) > 12)) return `dd${separator}mm${separator}yyyy`;
  if (dates.some((date) => Number(date!.second) > 12)) return `mm${separator}dd${separator}yyyy`;
  return undefined;
}

function timeGuess(cells: readonly Sample[]): Guess {
  const format = guessTimeFormat(cells) ?? "dd/mm/yyyy";
  const offsets = new Set(cells.filter((cell) => !isBlank(cell)).map((cell) => offsetOf(String(cell))));
  const [offset] = offsets;
  const zone =
    offsets.size !== 1 || offset === undefined || offset === "Z" || offset === "UTC" ? "UTC" : fullOffset(offset);
  return { ...(format === "iso" || format.startsWith("epoch") ? {} : { "time-format": format }), tz: zone };
}

function fullOffset(offset: string): string {
  const digits = offset.slice(1).replace(":", "").padEnd(4, "0");
  return `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

function typeOf(cells: readonly Sample[], name: string): ColumnType {
  const filled = cells.filter((cell) => !isBlank(cell));
  if (filled.length === 0) return "empty";
  if (
    filled.every((cell) =>
      Array.isArray(cell)
        ? cell.length === 2 && cell.every((each) => typeof each === "number")
        : looksLikePoint(String(cell)),
    )
  )
    return "point";
  if (filled.every((cell) => looksLikeNumber(String(cell), true))) return isEpoch(filled, name) ? "time" : "number";
  return filled.every((cell) => looksLikeTime(String(cell))) ? "time" : "text";
}

/** Seconds or milliseconds since 1970, between 1990 and 2100, in a column whose name speaks of time. */
function isEpoch(cells: readonly Sample[], name: string): boolean {
  if (!TIME.some((pattern) => pattern.test(name.toLowerCase()))) return false;
  return cells.every((cell) => {
    const number = Number(cell);
    const seconds = number >= LARGE_ENOUGH_FOR_MS ? number / 1000 : number;
    return seconds > 631_152_000 && seconds < 4_102_444_800;
  });
}

function isIdLike(name: string): boolean {
  return NEVER_VALUE.test(name.toLowerCase());
}

function hasFractions(cells: readonly Sample[]): boolean {
  return cells.some((cell) => /[.,]\d*[1-9]/.test(String(cell ?? "")));
}

function repeats(cells: readonly Sample[]): boolean {
  const filled = cells.filter((cell) => !isBlank(cell));
  return new Set(filled.map(String)).size < filled.length;
}

function isBlank(cell: Sample | undefined): boolean {
  return cell === null || cell === undefined || (typeof cell === "string" && cell.trim() === "");
}

function hasRepeatedRows(rows: SourceDescription["rows"]): boolean {
  return new Set(rows.map((row) => JSON.stringify(row))).size < rows.length;
}

function distinctSamples(cells: readonly Sample[]): string[] {
  const texts = cells
    .filter((cell) => !isBlank(cell))
    .map((cell) => (Array.isArray(cell) ? JSON.stringify(cell) : String(cell)));
  return [...new Set(texts)].slice(0, SHOWN_SAMPLES);
}

function openQuestions(found: {
  user: string | undefined;
  value: string | undefined;
  grid: string | undefined;
}): string[] {
  const open: string[] = [];
  if (found.user === undefined) open.push("No column looks like a user; say whose records these are with --user COL.");
  if (found.value === undefined)
    open.push("No column looks like a value; say which numbers are wanted with --value COL.");
  if (found.grid === undefined)
    open.push("Nothing looks like a place, a time or a group; say what a grid is with --by COL.");
  return open;
}
