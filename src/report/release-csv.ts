/** A release as CSV (RFC 4180): one row per grid, ids as they are. */
import type { ReleaseResult } from "../release/index.ts";
import { releaseColumns } from "./release-columns.ts";
import { type RowOptions, releasedRows } from "./released-rows.ts";

export function releaseCsv(result: ReleaseResult, options: RowOptions = {}): string {
  const columns = releaseColumns(result, options);
  const lines = [columns.map(({ name }) => field(name)).join(",")];
  for (const row of releasedRows(result, options)) lines.push(columns.map((column) => field(column.of(row))).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

/** Empty text is quoted: an empty field is a missing one. */
function field(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  return value === "" || /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
