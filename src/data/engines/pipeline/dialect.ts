/** The dialect table: the functions of an engine's SQL that the shared steps print queries with. */
import type { InputLattice } from "../../../core/planning/index.ts";
import type { Condition, Expression } from "../../partition/index.ts";

/** How neutral expressions are written. Integers have 64 bits unless a printer says otherwise. */
export interface ExpressionDialect {
  identifier(name: string): string;
  integer(value: bigint): string;
  /** Of integers that are not negative, rounded down. */
  quotient(dividend: string, divisor: string): string;
  /** Of integers that are not negative. */
  commonBits(left: string, right: string): string;
  shiftedRight(of: string, bits: number): string;
  difference?(left: string, right: string): string;
  choose?(when: string, then: string, otherwise: string): string;
}

/** Some of an exact sum: what is added up, and what one unit of the result counts for in the whole. */
export interface SumPart {
  readonly name: string;
  readonly of: string;
  readonly unit: bigint;
}

/** A record as repeated ones are ordered: with a value first, then earliest, then smallest. */
export interface Ordered {
  readonly missing: string;
  readonly instant: string;
  readonly i: string;
  readonly outside: string;
}

export interface Dialect extends Omit<ExpressionDialect, "difference" | "choose"> {
  /** A column of ours, named so that no column of the source can be meant. */
  name(column: string): string;
  /** Exactly this double. */
  double(value: number): string;
  /** The first of the cases whose condition holds. */
  choose(cases: ReadonlyArray<readonly [when: string, then: string]>, otherwise: string): string;
  not(condition: string): string;
  /** A query as something to select from. */
  relation(query: string): string;
  /** A query whose columns are computed once, before those that use them. */
  fenced(query: string): string;
  count(when?: string): string;
  /** 0 where there is nothing to add up. */
  sum(of: string, when?: string): string;
  /** An exact sum over as many groups as there may be, in columns that the engine's integers hold; units are of the part. */
  wideSum(
    part: SumPart,
    when?: string,
  ): ReadonlyArray<{ readonly name: string; readonly sql: string; readonly unit: bigint }>;
  /** i² in parts that can be added up within a group: whole, or in several of at most 2³². */
  squares(i: string, lattice: InputLattice): readonly SumPart[];
  /** A double, 0 or more, as a lattice integer. */
  latticeInteger(of: string, lattice: InputLattice): string;
  latticeLiteral(value: bigint, lattice: InputLattice): string;
  /** A division stops the query where its result overflows or vanishes. */
  readonly divisionStops?: boolean;
  /** Σ i and the number of values outside the bounds, where both fit into one aggregate. */
  sumWithOutside?(
    record: { readonly i: string; readonly outside: string },
    lattice: InputLattice,
    when: string | undefined,
  ): { readonly s: string; readonly outside: string } | undefined;
  /** One comparable value for a record, smaller for one that comes before another. */
  pack(record: Ordered): string;
  /** What a packed value was made of. */
  unpack(packed: string, lattice: InputLattice | undefined): Ordered;
  /** Whether a left join found a row: its column is never 0 in one that is there. */
  found(column: string): string;
  /** Equality that also holds between two missing parts of a grid. */
  same(left: string, right: string, part: string): string;
  join(left: string, right: string, columns: readonly string[]): string;
  leftJoin(left: string, right: string, columns: readonly string[]): string;
  /** The rank of a record in its group, from 0. */
  rank(group: readonly string[], order: readonly string[]): string;
  /** How expressions are printed in integers that hold at least `largest`. Fields are columns of ours. */
  integers(largest: bigint): ExpressionPrinter;
}

/** What SQL says alike wherever it follows the standard. */
export const STANDARD = {
  name: (column: string): string => column,
  choose: (cases: ReadonlyArray<readonly [when: string, then: string]>, otherwise: string): string =>
    `CASE ${cases.map(([when, then]) => `WHEN ${when} THEN ${then}`).join(" ")} ELSE ${otherwise} END`,
  not: (condition: string): string => `NOT (${condition})`,
  count: (when?: string): string => `count(*)${filtered(when)}`,
  sum: (of: string, when?: string): string =>
    when === undefined ? `sum(${of})` : `coalesce(sum(${of})${filtered(when)}, 0)`,
  found: (column: string): string => `${column} IS NOT NULL`,
  join: (left: string, right: string, columns: readonly string[]): string =>
    `${left} JOIN ${right} USING (${columns.join(", ")})`,
  leftJoin: (left: string, right: string, columns: readonly string[]): string =>
    `${left} LEFT JOIN ${right} USING (${columns.join(", ")})`,
  rank: (group: readonly string[], order: readonly string[]): string =>
    `row_number() OVER (PARTITION BY ${group.join(", ")} ORDER BY ${order.join(", ")}) - 1`,
};

export function filtered(when: string | undefined): string {
  return when === undefined ? "" : ` FILTER (WHERE ${when})`;
}

export interface ExpressionPrinter {
  expression(expression: Expression): string;
  condition(condition: Condition): string;
}

/** A multiple of the step that makes every instant of years 1 to 9999 positive, so that truncation rounds down. */
const LIFT = 2n ** 60n;

export function expressionPrinter(own: ExpressionDialect): ExpressionPrinter {
  const dialect: Required<ExpressionDialect> = {
    difference: (left, right) => `(${left} - ${right})`,
    choose: (when, then, otherwise) => `CASE WHEN ${when} THEN ${then} ELSE ${otherwise} END`,
    ...own,
  };

  function print(expression: Expression): string {
    switch (expression.kind) {
      case "field":
        return dialect.identifier(expression.name);
      case "integer":
        return dialect.integer(expression.value);
      case "shiftedRight":
        return dialect.shiftedRight(print(expression.of), expression.bits);
      case "floorTo": {
        const lift = (LIFT / expression.step) * expression.step;
        const steps = dialect.quotient(`(${print(expression.of)} + ${lift})`, `${expression.step}`);
        return `(${steps} * ${expression.step} - ${lift})`;
      }
      case "choice":
        return dialect.choose(condition(expression.when), print(expression.then), print(expression.otherwise));
    }
    const left = print(expression.left);
    const right = print(expression.right);
    switch (expression.kind) {
      case "sum":
        return `(${left} + ${right})`;
      case "difference":
        return dialect.difference(left, right);
      case "product":
        return `(${left} * ${right})`;
      case "quotient":
        return dialect.quotient(left, right);
      case "smaller":
        return `least(${left}, ${right})`;
      case "commonBits":
        return dialect.commonBits(left, right);
    }
  }

  const COMPARISONS = { atLeast: ">=", below: "<", equal: "=" } as const;

  function condition(each: Condition): string {
    switch (each.kind) {
      case "noneOf":
        return `${print(each.of)} NOT IN (${each.values.join(", ")})`;
      case "flag":
        return dialect.identifier(each.name);
      case "both":
        return `(${condition(each.left)} AND ${condition(each.right)})`;
      case "either":
        return `(${condition(each.left)} OR ${condition(each.right)})`;
      default:
        return `${print(each.left)} ${COMPARISONS[each.kind]} ${print(each.right)}`;
    }
  }

  return { expression: print, condition };
}
