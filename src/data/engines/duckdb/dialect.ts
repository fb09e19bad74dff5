/** DuckDB's dialect. It differs from the standard where another way is faster. */
import type { InputLattice } from "../../../core/planning/index.ts";
import { type ExpressionDialect, expressionPrinter, filtered, STANDARD } from "../pipeline/dialect.ts";
import { NO_TIME } from "../pipeline/formulas.ts";
import type { RowDialect } from "../pipeline/records.ts";
import { signalOf } from "../pipeline/row-checks.ts";

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

const EXPRESSIONS: ExpressionDialect = {
  identifier,
  integer: (value) => `CAST(${value} AS BIGINT)`,
  quotient: (dividend, divisor) => `(${dividend} // ${divisor})`,
  commonBits: (left, right) => `(${left} & ${right})`,
  shiftedRight: (of, bits) => `(${of} >> ${bits})`,
};

const double = (value: number): string => `CAST('${value}' AS DOUBLE)`;
const huge = (value: bigint): string => `CAST('${value}' AS HUGEINT)`;
/** Whole numbers of 64 bits stop at an overflow; those of 128 take longer. */
const integersOf = (type: "BIGINT" | "HUGEINT"): ReturnType<typeof expressionPrinter> =>
  expressionPrinter({
    ...EXPRESSIONS,
    identifier: (name) => `CAST(${name} AS ${type})`,
    integer: (value) => `CAST('${value}' AS ${type})`,
  });

/** A record's place among its repetitions in one integer, which is compared faster than a list: missing, time, value. */
const VALUE_BITS = 35n;
const TIME_LIFT = 2n ** 61n;
const MISSING_UNIT = 2n ** 110n;

/** Σ i of a pair's 2³² records stays below this where N is at most 2²⁰. */
const OUTSIDE_BITS = 53n;
const OUTSIDE_UNIT = 2n ** OUTSIDE_BITS;

function sumWithOutside(
  { i, outside }: { readonly i: string; readonly outside: string },
  { steps }: InputLattice,
  when: string | undefined,
): { s: string; outside: string } | undefined {
  if (steps > 2n ** 20n) return undefined;
  const both = `coalesce(sum(CASE WHEN ${outside} THEN ${i} + ${OUTSIDE_UNIT} ELSE ${i} END)${filtered(when)}, 0)`;
  // Shifts and masks: dividing a million 128-bit integers takes as long as a good part of the query.
  return {
    s: `CAST(${both} & ${huge(OUTSIDE_UNIT - 1n)} AS BIGINT)`,
    outside: `CAST(${both} >> ${OUTSIDE_BITS} AS BIGINT)`,
  };
}

export const dialect: RowDialect = {
  ...EXPRESSIONS,
  ...STANDARD,
  double,
  relation: (query) => `(${query})`,
  fenced: (query) => query,
  wideSum: ({ name, of }, when) => [
    { name, sql: `CAST(coalesce(sum(${of})${filtered(when)}, 0) AS HUGEINT)`, unit: 1n },
  ],
  squares: (i, { steps }) => [
    { name: "q", of: steps > 2n ** 31n ? `CAST(${i} AS HUGEINT) * ${i}` : `${i} * ${i}`, unit: 1n },
  ],
  latticeInteger: (of) => `CAST(${of} AS BIGINT)`,
  latticeLiteral: (value) => `${value}`,
  sumWithOutside,
  pack: ({ missing, instant, i, outside }) =>
    `CAST(${missing} AS HUGEINT) * ${huge(MISSING_UNIT)} + CAST(coalesce(${instant} + ${TIME_LIFT}, ${NO_TIME}) AS HUGEINT) * ${2n ** VALUE_BITS} + ` +
    `${i} * 2 + CAST(${outside} AS BIGINT)`,
  unpack: (packed) => {
    const lifted = `CAST((${packed} & ${huge(MISSING_UNIT - 1n)}) >> ${VALUE_BITS} AS BIGINT)`;
    const low = `CAST(${packed} & ${huge(2n ** VALUE_BITS - 1n)} AS BIGINT)`;
    return {
      missing: `${packed} >= ${huge(MISSING_UNIT)}`,
      instant: `CASE WHEN ${lifted} < ${NO_TIME} THEN ${lifted} - ${TIME_LIFT} END`,
      i: `${low} >> 1`,
      outside: `(${low} & 1) = 1`,
    };
  },
  same: (left, right) => `${left} IS NOT DISTINCT FROM ${right}`,
  semiJoin: (relation, table, same) => `${relation} AS placed SEMI JOIN ${table} ON ${same("placed", table)}`,
  integers: (largest) => integersOf(largest < 2n ** 62n ? "BIGINT" : "HUGEINT"),
  isFinite: (of) => `isfinite(${of})`,
  signal: (trouble) => `error('${signalOf(trouble)}')`,
  noInstant: "CAST(NULL AS BIGINT)",
  noText: "NULL",
};
