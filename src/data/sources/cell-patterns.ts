/** Defines the cells that a first look keeps, and tells whether one is written like a number, an amount, a time or a point. */
import { isWrittenNumber, MONTHS, withoutBlanks } from "../partition/index.ts";

/** Most rows of a file of text that are looked at. */
export const SAMPLE_ROWS = 5_000;

/** A cell of a sampled row, nested fields flattened to dotted names. */
export type Sample = string | number | boolean | null | readonly unknown[];

export function isBlank(cell: Sample | undefined): boolean {
  return cell === null || cell === undefined || (typeof cell === "string" && withoutBlanks(cell) === "");
}

export function looksLikeNumber(cell: string, commaAllowed = false): boolean {
  return isWrittenNumber(cell) || (commaAllowed && /^[+-]?\d+,\d+$/.test(cell.trim()));
}

/** A number, also one with a currency before it, a unit after it, or thousands set off: what a value may look like. */
export function looksLikeAmount(cell: string): boolean {
  const text = cell.trim();
  return (
    looksLikeNumber(text, true) ||
    /^[^\w[{(]{0,3}[+-]?\d+([.,']\d+)+\s*[^\d]{0,8}$/.test(text) ||
    /^\p{Sc}\s*[+-]?\d+/u.test(text) ||
    /^[+-]?\d+\s+\p{L}/u.test(text)
  );
}

const ISO_TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?\s*(Z|UTC|[+-]\d\d(:?\d\d)?)?$/;
const MONTH = `\\d{1,2}|${MONTHS.replaceAll(/...(?!$)/g, "$&|")}`;
const TIME_OF_DAY = "\\d{1,2}:\\d\\d(:\\d\\d(\\.\\d+)?)?( ?[ap]\\.?m\\.?)?";
const DATE_TIME = new RegExp(
  `^\\d{1,4}([./-])(${MONTH})\\1\\d{1,4}((T| +)${TIME_OF_DAY})?\\s*(Z|UTC|[+-]\\d\\d(:?\\d\\d)?)?$`,
  "i",
);

export function looksLikeIsoTime(cell: string): boolean {
  return ISO_TIME.test(cell.trim());
}

export function looksLikeTime(cell: string): boolean {
  return looksLikeIsoTime(cell) || DATE_TIME.test(cell.trim());
}

/** The offset at the end of a time, or undefined. */
export function offsetOf(cell: string): string | undefined {
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*?(Z|UTC|[+-]\d\d(?::?\d\d)?)$/.exec(cell.trim())?.[1];
}

export function looksLikePoint(cell: string): boolean {
  return /^\[\s*[+-]?\d+(\.\d+)?([eE][+-]?\d+)?\s*,\s*[+-]?\d+(\.\d+)?([eE][+-]?\d+)?\s*\]$/.test(cell.trim());
}
