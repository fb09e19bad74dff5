/** Guesses how a column of times is written, from the first rows: its format, its zone, and slots that suit it. */
import { dateParts, isBlank, looksLikeIsoTime, looksLikeNumber, offsetOf } from "./cell-looks.ts";
import type { Sample } from "./sample.ts";

/** Epochs from here on are in milliseconds: in seconds they would lie thousands of years ahead. */
export const LARGE_ENOUGH_FOR_MS = 1e11;

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
  if (dates.some((date) => date!.third.length !== 4)) return undefined;
  const dayFirst = dates.some((date) => Number(date!.first) > 12);
  const monthFirst = dates.some((date) => Number(date!.second) > 12);
  if (dayFirst === monthFirst) return undefined;
  return dayFirst ? `dd${separator}mm${separator}yyyy` : `mm${separator}dd${separator}yyyy`;
}

/** Flags for a time column, and what about it could not be told. */
export function timeGuess(cells: readonly Sample[]): { flags: Readonly<Record<string, string>>; doubts: string[] } {
  const filled = cells.filter((cell) => !isBlank(cell)).map(String);
  const known = guessTimeFormat(cells);
  const separator = dateParts(filled[0] ?? "")?.separator ?? "/";
  const format = known ?? `dd${separator}mm${separator}yyyy`;
  const offsets = new Set(filled.map(offsetOf));
  const [offset] = offsets;
  const zone = offsets.size !== 1 || offset === undefined ? "UTC" : fullOffset(offset);
  const onlyDates = filled.every((cell) => /^\S{8,10}$/.test(cell.trim()) && dateParts(cell) !== undefined);
  return {
    flags: {
      ...(format === "iso" || format.startsWith("epoch") ? {} : { "time-format": format }),
      tz: zone,
      slot: onlyDates && filled.length > 0 ? "1d" : "1h",
    },
    doubts: [
      ...(known === undefined
        ? [`How the times are written cannot be told from the first rows; --time-format ${format} is a guess.`]
        : []),
      ...(zone === "UTC"
        ? [
            "The times do not say their zone, or say UTC: for slots and hours as local clocks show them write yours, such as --tz America/Chicago.",
          ]
        : []),
    ],
  };
}

function fullOffset(offset: string): string {
  if (!/[1-9]/.test(offset)) return "UTC";
  const digits = offset.slice(1).replace(":", "").padEnd(4, "0");
  return `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
