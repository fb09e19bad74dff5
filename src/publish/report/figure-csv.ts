/** The numbers behind a figure as CSV: eight significant digits, empty where there is none. */
import type { FigureColumn } from "./figure.ts";

const DIGITS = 8;

export function columnsCsv(columns: readonly FigureColumn[]): string {
  const rows = columns[0]!.values.map((_, row) => columns.map(({ values }) => cell(values[row]!)).join(","));
  return `${[columns.map(({ name }) => name).join(","), ...rows].join("\n")}\n`;
}

function cell(value: number | null): string {
  return value === null ? "" : String(Number(value.toPrecision(DIGITS)));
}
