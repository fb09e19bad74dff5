/** PostgreSQL's dialect. It differs from the standard where the server stops at overflows or plans better another way. */
import { VeilgridError } from "../../../core/errors/index.ts";
import type { InputLattice } from "../../../core/planning/index.ts";
import { type ExpressionDialect, expressionPrinter, filtered, STANDARD } from "../pipeline/dialect.ts";
import { NO_TIME } from "../pipeline/formulas.ts";
import type { RowDialect } from "../pipeline/records.ts";
import { signalOf } from "../pipeline/row-checks.ts";

/** Whatever the name is: the server looks for exactly this one. A name of more than 63 bytes cannot exist and is never asked for. */
export function identifier(name: string): string {
  if (name.includes("\0"))
    throw new VeilgridError("USAGE", "a name has a zero byte in it, which no name in PostgreSQL can have");
  return `"${name.replaceAll('"', '""')}"`;
}

/** Exactly this double: the shortest decimal that reads back as it. */
export function double(value: number): string {
  return `CAST('${value}' AS double precision)`;
}

const EXPRESSIONS: ExpressionDialect = {
  identifier,
  integer: (value) => `CAST('${value}' AS bigint)`,
  quotient: (dividend, divisor) => `(${dividend} / ${divisor})`,
  commonBits: (left, right) => `(${left} & ${right})`,
  shiftedRight: (of, bits) => `(${of} >> ${bits})`,
};

/** Decimals have room for everything, but take many times as long. */
const DECIMALS: ExpressionDialect = {
  ...EXPRESSIONS,
  identifier: (name) => `CAST(${name} AS numeric)`,
  integer: (value) => `CAST('${value}' AS numeric)`,
  quotient: (dividend, divisor) => `div(${dividend}, ${divisor})`,
  shiftedRight: (of, bits) => `div(${of}, ${2n ** BigInt(bits)})`,
};

/** The largest integer of the server's short type, whose sums take half the time. */
const SHORT = 2n ** 31n - 1n;
const typeOf = (largest: bigint): string => (largest <= SHORT ? "integer" : "bigint");

/** A query as a relation: before version 16 each must have a name. */
export function relation(query: string): string {
  return `(${query}) AS relation`;
}

/**
 * A query that is computed row by row before anything above it looks at it. The planner would otherwise put a column's expression
 * wherever the column is used, and a time zone's hundreds of comparisons into each other. It does not stop several workers.
 */
export function fenced(query: string): string {
  return `${query} OFFSET 0`;
}

/**
 * Halves of 31 bits add up in 64 bits, for 2³² records of a group; sums of anything longer take more room, more than the planner gives
 * a hash table, and it sorts all records instead.
 */
function squares(i: string, { steps }: InputLattice): Array<{ name: string; of: string; unit: bigint }> {
  if (steps > SHORT) return [{ name: "q", of: `CAST(${i} AS numeric) * ${i}`, unit: 1n }];
  const square = `CAST(${i} AS bigint) * ${i}`;
  return [
    { name: "q1", of: `CAST((${square}) >> 31 AS integer)`, unit: 2n ** 31n },
    { name: "q0", of: `CAST((${square}) & ${SHORT} AS integer)`, unit: 1n },
  ];
}

/** Equality that also holds between two missing parts, in a form that can be hashed. */
function same(left: string, right: string, part: string): string {
  const nothing = part === "cell" || part === "slot" ? "0" : "''";
  return `coalesce(${left}, ${nothing}) = coalesce(${right}, ${nothing}) AND (${left} IS NULL) = (${right} IS NULL)`;
}

export const dialect: RowDialect = {
  ...EXPRESSIONS,
  ...STANDARD,
  double,
  relation,
  fenced,
  wideSum: ({ name, of }, when) => [{ name, sql: `coalesce(sum(${of})${filtered(when)}, 0)`, unit: 1n }],
  squares,
  latticeInteger: (of, { steps }) => `CAST(${of} AS ${typeOf(steps)})`,
  latticeLiteral: (value, { steps }) => `CAST('${value}' AS ${typeOf(value > steps ? value : steps)})`,
  divisionStops: true,
  /** As a list of integers. */
  pack: ({ missing, instant, i, outside }) =>
    `ARRAY[CASE WHEN ${missing} THEN 1 ELSE 0 END, coalesce(${instant}, ${NO_TIME}), CAST(${i} AS bigint) * 2 + CASE WHEN ${outside} THEN 1 ELSE 0 END]`,
  unpack: (packed, lattice) => ({
    missing: `${packed}[1] = 1`,
    instant: `nullif(${packed}[2], ${NO_TIME})`,
    i: `CAST(${packed}[3] >> 1 AS ${typeOf(lattice?.steps ?? 0n)})`,
    outside: `(${packed}[3] & 1) = 1`,
  }),
  same,
  semiJoin: (rows, table, isSame) =>
    `${rows} WHERE EXISTS (SELECT FROM ${table} AS asked WHERE ${isSame("relation", "asked")})`,
  integers: (largest) =>
    expressionPrinter(largest <= 2n ** 62n ? { ...EXPRESSIONS, identifier: (name) => name } : DECIMALS),
  /** NaN comes after everything else, and so after infinity. */
  isFinite: (of) => `${of} > ${double(Number.NEGATIVE_INFINITY)} AND ${of} < ${double(Number.POSITIVE_INFINITY)}`,
  /**
   * The server has no function that fails on demand: a text that is no boolean does, and its message quotes nothing else. It is made
   * of nothing but a column's first no letters, or the planner would make it, and fail, before there is a row.
   */
  signal: (trouble, column) => `CAST(concat('${signalOf(trouble)}', left(CAST(${column} AS text), 0)) AS boolean)`,
  noInstant: "CAST(NULL AS bigint)",
  noText: "CAST(NULL AS text)",
  /** Up to the last step ids are the table's own columns, of which the planner knows how many differ. */
  idColumns: (fields, { user, by, dedupe }) => [
    ...new Set([user, ...by, ...(dedupe ?? [])].map((column) => fields.raw(column))),
  ],
};
