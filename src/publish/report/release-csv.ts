/** A release as CSV (RFC 4180): one row per grid. */
import type { ReleaseResult } from "../release/index.ts";
import { releaseColumns } from "./release-columns.ts";
import { type RowOptions, releasedRows } from "./released-rows.ts";

/** For people, who open it in a spreadsheet: a text that would be a formula there has a ' before it. Who takes that away has the text again. */
export function releaseCsv(result: ReleaseResult, options: RowOptions = {}): string {
  return csvOf(result, options, noFormula);
}

/** For programs: every text as it is. */
export function exactReleaseCsv(result: ReleaseResult, options: RowOptions = {}): string {
  return csvOf(result, options, (text) => text);
}

/** Whether the two differ. */
export function hasFormulas(result: ReleaseResult): boolean {
  return releaseCsv(result) !== exactReleaseCsv(result);
}

function csvOf(result: ReleaseResult, options: RowOptions, write: (text: string) => string): string {
  const columns = releaseColumns(result, options);
  const lines = [columns.map(({ name }) => field(write(name))).join(",")];
  for (const row of releasedRows(result, options))
    lines.push(
      columns
        .map((column) => {
          const value = column.of(row);
          return field(typeof value === "string" ? write(value) : value);
        })
        .join(","),
    );
  return `${lines.join("\r\n")}\r\n`;
}

/** Also the wide forms, which some spreadsheets take for the narrow ones. */
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

function noFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** Empty text is quoted: an empty field is a missing one. */
function field(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  return value === "" || /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
