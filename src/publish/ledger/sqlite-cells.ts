/**
 * Cells of a ledger's file, asked for as bytes and read by us. The driver ends the whole process over a text that is not UTF-8, and a
 * damaged file may hold anything anywhere.
 */
import { DamagedRow, readOrDamaged } from "./damaged-row.ts";

export type Cell = ArrayBuffer | null;

/** A select list of columns as bytes, under their names or others: `plan_hash planHash`. To order by one of them, say whose it is. */
export function asBytes(columns: string): string {
  return columns
    .split(", ")
    .map((column) => column.split(" "))
    .map(([column, name = column]) => `CAST(${column} AS BLOB) AS ${name}`)
    .join(", ");
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function textOf(cell: Cell): string {
  if (cell === null) throw new DamagedRow();
  return readOrDamaged(() => utf8.decode(cell));
}

export function textOrNull(cell: Cell): string | null {
  return cell === null ? null : textOf(cell);
}

/** A whole number, not below 0. */
export function countOf(cell: Cell): number {
  const text = textOf(cell);
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) throw new DamagedRow();
  return count;
}
