/** Guesses how a column of times is written, from the first rows: its format, its zone, and slots that suit it. */
import { DATE_PATTERNS, writtenDate } from "../partition/index.ts";
import { isBlank, looksLikeIsoTime, looksLikeNumber, offsetOf } from "./cell-looks.ts";
import type { Sample } from "./sample.ts";

/** Epochs from here on are in milliseconds: in seconds they would lie thousands of years ahead. */
export const LARGE_ENOUGH_FOR_MS = 1e11;
export const LARGE_ENOUGH_FOR_US = 1e14;
const LARGE_ENOUGH_FOR_NS = 1e17;

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

function numericFormats(numbers: readonly string[]): readonly string[] {
  const years = numbers.map((number) => writtenDate(number, "yyyymmdd")?.getUTCFullYear() ?? 0);
  // As seconds these would all lie in August 1970.
  if (years.every((year) => year >= 1900 && year < 2100)) return ["yyyymmdd"];
  const areAtLeast = (least: number): boolean => numbers.every((number) => Math.abs(Number(number)) >= least);
  if (areAtLeast(LARGE_ENOUGH_FOR_NS)) return [];
  if (areAtLeast(LARGE_ENOUGH_FOR_US)) return ["epoch-us"];
  return areAtLeast(LARGE_ENOUGH_FOR_MS) ? ["epoch-ms"] : ["epoch-s"];
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
    ? "for nanoseconds, divide by 1,000 and write --time-format epoch-us"
    : "convert the times to a form such as 2016-12-16T09:00, or see docs/records.md for the forms that are read";
}

/** Flags for a time column, and what about it could not be told. */
export function timeGuess(cells: readonly Sample[]): { flags: Readonly<Record<string, string>>; doubts: string[] } {
  const filled = filledTexts(cells);
  const fitting = fittingTimeFormats(cells);
  const format = fitting[0] ?? "dd/mm/yyyy";
  const offsets = new Set(filled.map(offsetOf));
  const [offset] = offsets;
  const zone = offsets.size !== 1 || offset === undefined ? "UTC" : fullOffset(offset);
  const onlyDates = !format.startsWith("epoch") && filled.every((cell) => !cell.includes(":"));
  return {
    flags: {
      ...(format === "iso" || format.startsWith("epoch") ? {} : { "time-format": format }),
      tz: zone,
      slot: onlyDates && filled.length > 0 ? "1d" : "1h",
    },
    doubts: [
      ...(fitting.length === 1
        ? []
        : [
            `How the times are written cannot be told from the first rows${choices(fitting)}; --time-format ${format} is a guess.`,
          ]),
      ...(zone === "UTC"
        ? [
            "The times do not say their zone, or say UTC: for slots and hours as local clocks show them write yours, such as --tz America/Chicago.",
          ]
        : []),
    ],
  };
}

function choices(formats: readonly string[]): string {
  return formats.length === 0 ? "" : ` (${formats.join(" or ")})`;
}

function fullOffset(offset: string): string {
  if (!/[1-9]/.test(offset)) return "UTC";
  const digits = offset.slice(1).replace(":", "").padEnd(4, "0");
  return `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
