/** Guesses how a column of times is written, from the first rows: its format and its zone. */
import { DATE_PATTERNS, writtenDate } from "../partition/index.ts";
import { isBlank, looksLikeIsoTime, looksLikeNumber, offsetOf, type Sample } from "./cell-patterns.ts";
import { applicable } from "./finding.ts";

function filledTexts(cells: readonly Sample[]): string[] {
  return cells.filter((cell) => !isBlank(cell)).map(String);
}

/** Every `--time-format` that reads all of these cells: one row that only one order fits decides for the others. */
function fittingTimeFormats(cells: readonly Sample[]): readonly string[] {
  const filled = filledTexts(cells);
  if (filled.every(looksLikeIsoTime)) return ["iso"];
  if (filled.every((cell) => looksLikeNumber(cell))) return numericFormats(filled);
  return DATE_PATTERNS.filter((pattern) => filled.every((cell) => writtenDate(cell, pattern) !== undefined));
}

/** From 1973 to 2100: what else is written in digits would be read as a moment that it is not. */
const EPOCHS: ReadonlyArray<readonly [format: string, perSecond: number]> = [
  ["epoch-s", 1],
  ["epoch-ms", 1e3],
  ["epoch-us", 1e6],
];
const [START_OF_1973, START_OF_2100] = [Date.UTC(1973, 0) / 1000, Date.UTC(2100, 0) / 1000];
/** The first ten digits of 2020031709 and 202003170930 are of a day and its hour, not of seconds. */
const DAY_AND_HOUR = /^(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d){0,2}$/;

function numericFormats(numbers: readonly string[]): readonly string[] {
  if (numbers.every((number) => yearOfDay(number))) return ["yyyymmdd"];
  if (numbers.every((number) => DAY_AND_HOUR.test(number.trim()))) return [];
  return EPOCHS.filter(([, perSecond]) =>
    numbers.every((number) => {
      const seconds = Number(number) / perSecond;
      return seconds >= START_OF_1973 && seconds < START_OF_2100;
    }),
  ).map(([format]) => format);
}

function yearOfDay(number: string): boolean {
  const year = writtenDate(number, "yyyymmdd")?.getUTCFullYear() ?? 0;
  return year >= 1900 && year < 2100;
}

/** How times are written, from a sample; undefined if that cannot be told. */
export function guessTimeFormat(cells: readonly Sample[]): string | undefined {
  const [only, ...others] = fittingTimeFormats(cells);
  return others.length === 0 ? only : undefined;
}

/** What a curator may write so that these times are read, which `tried` did not. */
export function timeFormatAdvice(cells: readonly Sample[], tried?: string): string {
  const fitting = fittingTimeFormats(cells).filter((format) => format !== tried);
  if (fitting.length > 0) return `write --time-format ${fitting.join(" or ")}`;
  return filledTexts(cells).every((cell) => looksLikeNumber(cell))
    ? "write --time-format epoch-s, epoch-ms or epoch-us if they count from 1970 (divide nanoseconds by 1,000 before), and otherwise convert them to a form such as 2016-12-16T09:00"
    : "convert the times to a form such as 2016-12-16T09:00, or see docs/records.md for the forms that are read";
}

/** Flags for a time column, and what about it could not be told. */
export function timeGuess({ name, cells }: { readonly name: string; readonly cells: readonly Sample[] }) {
  const filled = filledTexts(cells);
  const fitting = fittingTimeFormats(cells);
  const format = fitting[0] ?? "dd/mm/yyyy";
  const offsets = new Set(filled.map(offsetOf));
  const [offset] = offsets;
  const zone = offsets.size !== 1 || offset === undefined ? "UTC" : fullOffset(offset);
  const choices = fitting.length === 0 ? "" : ` (${fitting.join(" or ")})`;
  return {
    flags: {
      time: name,
      ...(format === "iso" || format.startsWith("epoch") ? {} : { "time-format": format }),
      tz: zone,
      slot: "1d",
    },
    doubts: applicable(
      [
        fitting.length !== 1,
        `How the times are written cannot be told from the first rows${choices}; --time-format ${format} is a guess.`,
      ],
      [
        zone === "UTC" && offsets.size > 1,
        "The times have several offsets from UTC, as where clocks change: for slots and hours as local clocks show them write the zone, such as --tz Europe/Berlin.",
      ],
      [
        zone === "UTC" && offsets.size <= 1,
        "The times do not say their zone, or say UTC: for slots and hours as local clocks show them write yours, such as --tz America/Chicago.",
      ],
    ),
  };
}

function fullOffset(offset: string): string {
  if (!/[1-9]/.test(offset)) return "UTC";
  const digits = offset.slice(1).replace(":", "").padEnd(4, "0");
  return `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
