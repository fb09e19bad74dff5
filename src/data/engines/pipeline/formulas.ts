/** Formulas that every engine prints: lattice rounding, groups, kept ranks and clamped sums, each written once. */
import type { InputLattice, KeepRule } from "../../../core/planning/index.ts";
import {
  atLeast,
  below,
  both,
  type Condition,
  choice,
  type Expression,
  field,
  holds,
  integer,
  minus,
  plus,
  quotient,
  type Recipe,
  shiftedRight,
  smaller,
  times,
} from "../../partition/index.ts";
import type { Dialect, SumPart } from "./dialect.ts";

/** A record as expressions over whatever row it is read from. */
export interface RecordValues {
  readonly i: string;
  readonly missing: string | undefined;
  readonly outside: string;
}

/** The value x as a lattice integer, and whether it lay outside the bounds. Nothing is rounded where only counts are wanted. */
export function onLattice(
  d: Dialect,
  x: string,
  { lattice, missing, isSafe }: { lattice: InputLattice; missing: string | undefined; isSafe?: string },
): { readonly i: string; readonly outside: string } {
  const { lower, upper, step, steps, midpoint } = lattice;
  const literal = (value: bigint): string => d.latticeLiteral(value, lattice);
  const rounded = `floor((${isSafe ?? x} - ${d.double(lower)}) / ${d.double(step)} + ${d.double(0.5)})`;
  const below = `least(${d.double(Number(steps))}, ${rounded})`;
  const clamped = d.latticeInteger(d.divisionStops ? below : `greatest(${d.double(0)}, ${below})`, lattice);
  const cases: Array<readonly [string, string]> = missing === undefined ? [] : [[missing, literal(midpoint)]];
  // Values at and beyond the bounds, and within a quarter of a step of the lower one: the formula gives the same for them.
  if (d.divisionStops)
    cases.push(
      [`${x} <= ${d.double(lower)}`, literal(0n)],
      [`${x} >= ${d.double(upper)}`, literal(steps)],
      [`${x} - ${d.double(lower)} < ${d.double(step / 4)}`, literal(0n)],
    );
  return {
    i: cases.length === 0 ? clamped : d.choose(cases, clamped),
    outside: `(${x} < ${d.double(lower)} OR ${x} > ${d.double(upper)})`,
  };
}

/** A column and what it is called. */
export interface Named {
  readonly name: string;
  readonly sql: string;
}

/** After every time, so that records without one are last. */
export const NO_TIME = 2n ** 62n;

/** How many records a group has, and with a lattice what they add up to. */
export function groupColumns(
  d: Dialect,
  { i, missing, outside, copies }: RecordValues & { readonly copies: string },
  { recipe, lattice, thresholds }: { recipe: Recipe; lattice: InputLattice | undefined; thresholds: readonly bigint[] },
): Named[] {
  const counted = recipe.missing === "drop" && missing !== undefined ? d.not(missing) : undefined;
  const columns = [
    { name: "n", sql: d.count(counted) },
    ...(recipe.missing === "refuse" ? [] : [{ name: "n_blank", sql: d.count(missing) }]),
    ...(recipe.dedupe === null ? [] : [{ name: "n_copies", sql: d.sum(copies) }]),
  ];
  if (lattice === undefined) return columns;
  const both = d.sumWithOutside?.({ i, outside }, lattice, counted);
  return [
    ...columns,
    { name: "s", sql: both?.s ?? d.sum(i, counted) },
    ...d.squares(i, lattice).map(({ name, of }) => ({ name, sql: d.sum(of, counted) })),
    { name: "n_outside", sql: both?.outside ?? d.count(outside) },
    ...thresholds.map((threshold, index) => {
      const isAtLeast = `${i} >= ${d.latticeLiteral(threshold, lattice)}`;
      return { name: `c${index}`, sql: d.count(counted === undefined ? isAtLeast : `${isAtLeast} AND ${counted}`) };
    }),
  ];
}

/** n, s, the parts of q and c0 … of a group's records that are kept. */
export function keptColumns(
  d: Dialect,
  { i, isKept }: { i: string; isKept: string },
  { lattice, thresholds }: { lattice: InputLattice; thresholds: readonly bigint[] },
): Named[] {
  return [
    { name: "n", sql: d.count(isKept) },
    { name: "s", sql: d.sum(i, isKept) },
    ...d.squares(i, lattice).map(({ name, of }) => ({ name, sql: d.sum(of, isKept) })),
    ...thresholds.map((threshold, index) => ({
      name: `c${index}`,
      sql: d.count(`${isKept} AND ${i} >= ${d.latticeLiteral(threshold, lattice)}`),
    })),
  ];
}

/** A column that an exact sum is put together from, and the sum. */
export type PartOfSum = SumPart & { readonly into: string };

/** A column that is a sum of its own. */
export const wholePart = (d: Dialect, name: string): PartOfSum => ({ name, of: d.name(name), unit: 1n, into: name });

/** The columns that a group's exact sums are put together from. */
export function sumParts(
  d: Dialect,
  { lattice, thresholds }: { lattice: InputLattice; thresholds: readonly bigint[] },
): PartOfSum[] {
  return [
    wholePart(d, "n"),
    wholePart(d, "s"),
    ...d.squares(d.name("i"), lattice).map(({ name, unit }) => ({ name, of: d.name(name), unit, into: "q" })),
    ...thresholds.map((_, index) => wholePart(d, `c${index}`)),
  ];
}

/** Of integers below 2⁹⁶ both halves are below this. */
const HALF_BITS = 48;
const LARGEST_WHOLE = 2n ** 63n - 1n;

/** The parts of one exact sum over at most so many records, each at most `largest`; in halves where 63 bits may not hold it. */
function narrowParts(
  d: Dialect,
  parts: readonly PartOfSum[],
  { records, largest }: { records: bigint; largest: bigint },
): PartOfSum[] {
  const most = records * largest;
  if (most <= LARGEST_WHOLE) return [...parts];
  const { expression } = d.integers(most);
  return parts.flatMap((part) => {
    const { low, high } = halves(field(part.name));
    return [
      { ...part, of: expression(low) },
      { ...part, of: expression(high), unit: part.unit * 2n ** BigInt(HALF_BITS) },
    ];
  });
}

/** An integer is low + 2⁴⁸·high. Made with a difference, because not every engine masks the bits of every integer. */
export function halves(of: Expression): { readonly low: Expression; readonly high: Expression } {
  const high = shiftedRight(of, HALF_BITS);
  return { low: minus(of, times(high, integer(2n ** BigInt(HALF_BITS)))), high };
}

/** The columns below 2⁶³ that Σ i and, if it is asked for, Σ i² of a group are put together from; no group has more than `records`. */
export function entryParts(
  d: Dialect,
  { lattice, squares, records }: { lattice: InputLattice; squares: boolean; records: bigint },
): PartOfSum[] {
  const parts = sumParts(d, { lattice, thresholds: [] });
  const [s, q] = ["s", "q"].map((sum) => parts.filter(({ into }) => into === sum)) as [PartOfSum[], PartOfSum[]];
  const largestOfSquare = q.length === 1 ? lattice.steps ** 2n : 2n ** 32n;
  return [
    ...narrowParts(d, s, { records, largest: lattice.steps }),
    ...(squares ? narrowParts(d, q, { records, largest: largestOfSquare }) : []),
  ];
}

const twice = (of: Expression): Expression => times(integer(2n), of);

/** `isKeptRank` as every engine prints it, over fields m, c and r: by rank in time, never by row order. */
export function keptRank(keep: KeepRule): Condition {
  const [m, c, r] = [field("m"), field("c"), field("r")];
  if (keep === "first") return below(r, c);
  const scaled = times(twice(c), r);
  // The first i whose rank is not below this one.
  const nth = choice(atLeast(m, scaled), integer(0n), quotient(minus(plus(scaled, m), integer(1n)), twice(m)));
  return both(below(nth, c), below(times(plus(twice(nth), integer(1n)), m), times(twice(c), plus(r, integer(1n)))));
}

const KEPT_RANKS = { spread: keptRank("spread"), first: keptRank("first") };

/** Whether rank r of 0 … m − 1 is one of ⌊(2i + 1)·m/(2c)⌋, i = 0 … c − 1, or below c: a function of r, m and c alone, true of exactly c ranks (docs/mathematics.md, Theorem 13). */
export function isKeptRank(rank: bigint, options: { records: bigint; kept: bigint; keep: KeepRule }): boolean {
  const { records: m, kept: c, keep } = options;
  return holds(KEPT_RANKS[keep], { integers: { m, c, r: rank } });
}

/**
 * Σ clamp(2·s, N·(n − Γ), N·(n + Γ)) is N·Σ n plus what twice a user's sum is above N·n less what it is below, each at most N·Γ. Nothing
 * is negative on the way, and nothing exceeds N·n.
 */
export function clampedParts(steps: bigint): { readonly up: Expression; readonly down: Expression } {
  const [n, s] = [field("n"), field("s")];
  const rest = minus(times(n, integer(steps)), s);
  const excess = (more: Expression, less: Expression): Expression =>
    choice(below(less, more), minus(more, less), integer(0n));
  const held = (amount: Expression): Expression => smaller(amount, times(field("keeping"), integer(steps)));
  return { up: held(excess(s, rest)), down: held(excess(rest, s)) };
}
