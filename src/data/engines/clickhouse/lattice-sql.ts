/** From a value to its lattice integer, and squares of such integers in halves that can be added up. */
import type { InputLattice } from "../../../core/planning/index.ts";
import { hasValue } from "../row-checks.ts";
import type { NumberField, TableFields } from "./fields-sql.ts";
import type { RecordsQuery } from "./records-query.ts";
import { choose, double, unsigned } from "./sql-text.ts";

export function latticeSql(
  { lattice, recipe }: RecordsQuery,
  fields: TableFields,
  { value: x }: NumberField,
): { i: string; missing: string; outside: string } {
  const missing = hasValue(recipe) ? "0" : fields.define("missing", `isNaN(${x})`);
  if (lattice === undefined) return { i: unsigned(0n), missing, outside: "0" };
  const { lower, upper, step, steps, midpoint } = lattice;
  // Converting NaN to an integer is an error on some servers, whichever branch it is in.
  const sound = choose(missing, double(lower), x);
  const rounded = `floor((${sound} - ${double(lower)}) / ${double(step)} + ${double(0.5)})`;
  const clamped = `toUInt64(greatest(${double(0)}, least(${double(Number(steps))}, ${rounded})))`;
  return {
    i: fields.define("i", choose(missing, unsigned(midpoint), clamped)),
    missing,
    outside: fields.define("outside", `(${x} < ${double(lower)} OR ${x} > ${double(upper)})`),
  };
}

/**
 * Squares as two halves of 32 bits, so that no sum wraps around: i ≤ N ≤ 2³² and a group has n < 2³² records (more are refused),
 * hence Σ i ≤ n·N < 2⁶⁴, and each half is at most 2³², its sum at most n·2³² < 2⁶⁴.
 */
export function lowSquare(i: string): string {
  return `bitAnd(${i} * ${i}, ${unsigned(2n ** 32n - 1n)})`;
}

/** 2³²·2³² is the one square of 65 bits: what is left of it is 0, which is right for the lower half and not for this one. */
export function highSquare(i: string, { steps }: InputLattice): string {
  const half = `bitShiftRight(${i} * ${i}, 32)`;
  return steps < 2n ** 32n ? half : `if(${i} = ${unsigned(2n ** 32n)}, ${unsigned(2n ** 32n)}, ${half})`;
}
