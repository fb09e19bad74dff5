/** Writes plain-text tables, lists and numbers for a terminal. */
import type { Rational } from "../../core/arithmetic/index.ts";
import { escapeControls } from "../../core/errors/index.ts";

export type Alignment = "left" | "right";

/** Columns padded to their widest cell, two spaces apart; ids are made safe to print. */
export function textTable(
  rows: ReadonlyArray<readonly string[]>,
  alignments: readonly Alignment[],
  indent = "  ",
): string {
  const safe = rows.map((row) => row.map(escapeControls));
  const columns = alignments.map((alignment, column) => ({
    alignment,
    width: safe.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? "")), 0),
  }));
  return safe
    .map((row) => {
      const cells = columns.map(({ alignment, width }, column) => {
        const cell = row[column] ?? "";
        const padding = " ".repeat(width - displayWidth(cell));
        return alignment === "left" ? cell + padding : padding + cell;
      });
      return (indent + cells.join("  ")).trimEnd();
    })
    .join("\n");
}

/** A column of a table whose rows are all of one kind. */
export type TextColumn<Row> = readonly [head: string, alignment: Alignment, of: (row: Row) => string];

export function columnTable<Row>(rows: readonly Row[], columns: ReadonlyArray<TextColumn<Row>>): string {
  return textTable(
    [columns.map(([head]) => head), ...rows.map((row) => columns.map(([, , of]) => of(row)))],
    columns.map(([, alignment]) => alignment),
  );
}

/** The lines of a text in order, without those that do not apply. */
export function lines(...parts: ReadonlyArray<string | false | readonly string[]>): string[] {
  return parts.flatMap((part) => (part === false ? [] : part));
}

/** The first of some names, and a sign that there are more. */
export function shortList(names: readonly string[], most: number): string {
  return `${names.slice(0, most).join(", ")}${names.length > most ? ", …" : ""}`;
}

/** Code points, which is what most terminals advance by. */
function displayWidth(text: string): number {
  return [...text].length;
}

// Formats are kept: making one takes a hundred times as long as using it.
const COUNTS = new Intl.NumberFormat("en-US");
const BY_DECIMALS = new Map<number, Intl.NumberFormat>();

function formatWith(decimals: number): Intl.NumberFormat {
  const known = BY_DECIMALS.get(decimals);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat("en-US", {
    maximumFractionDigits: decimals,
    minimumFractionDigits: Math.min(decimals, 2),
  });
  BY_DECIMALS.set(decimals, format);
  return format;
}

/** Whole numbers with thousands separators. */
export function formatCount(value: number): string {
  return COUNTS.format(value);
}

/** About four significant digits, enough to compare and few enough to read; `–` for what does not exist. */
export function formatNumber(value: number | null): string {
  if (value === null) return "–";
  if (value === 0) return "0";
  const magnitude = Math.abs(value);
  if (magnitude >= 1e7 || magnitude < 1e-4) return value.toExponential(3);
  return formatWith(decimalsOf(magnitude)).format(value);
}

/** Of a number that is not too small or too large to be written out. */
export function decimalsOf(magnitude: number): number {
  return magnitude >= 1000 ? 1 : magnitude >= 100 ? 2 : magnitude >= 1 ? 3 : 5;
}

/** A share as whole percent. */
export function wholePercent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** `1 grid`, `2 grids`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A loss as the share of right guesses, in percent: 100·e^λ/(1 + e^λ), rounded up to a tenth, or to as many digits as it takes to stay below 100. */
export function guessPercent(loss: Rational): string {
  if (loss.isZero()) return "50.0";
  const lossUp = loss.toNumberUp();
  const missed = 100 / (1 + Math.exp(lossUp));
  for (const places of [1, 2, 3, 4, 5, 6]) {
    // A trillionth less covers the error of exp itself.
    const missedDown = Math.floor(missed * (1 - 1e-12) * 10 ** places) / 10 ** places;
    if (missedDown > 0) return (100 - missedDown).toFixed(places);
  }
  return "100";
}
