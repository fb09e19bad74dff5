/** The three shapes that "how far can `owned` of `total` samples move it" takes; every statistic is one of them times a factor. */
import { Rational } from "../arithmetic/index.ts";

/**
 * An influence as an exact fraction and as a double, for samples in [0, 1]:
 * numerator(owned, total) / denominator(total). Non-decreasing in `owned`.
 */
export interface Shape {
  readonly name: string;
  numerator(owned: bigint, total: bigint): bigint;
  denominator(total: bigint): bigint;
  /** The same in doubles, a few roundings away; `owned` and `total` are exact integers. */
  approximate(owned: number, total: number): number;
  /** A lower bound, in doubles, of the influence of `owned` in every total from `owned` up to `total`. */
  approximateLeast(owned: number, total: number): number;
  /** How many of the `owned` samples go from the lower to the upper bound in the pair of datasets that attains it. */
  raised(owned: number, total: number): number;
}

/** j / n: what a mean, a share or a histogram's bins can move. */
export const fractionShape: Shape = {
  name: "fraction",
  numerator: (owned) => owned,
  denominator: (total) => total,
  approximate: (owned, total) => owned / total,
  approximateLeast: (owned, total) => owned / total,
  raised: (owned) => owned,
};

/** j: what a sum can move. */
export const countShape: Shape = {
  name: "count",
  numerator: (owned) => owned,
  denominator: () => 1n,
  approximate: (owned) => owned,
  approximateLeast: (owned) => owned,
  raised: (owned) => owned,
};

/**
 * i·(n − i) / n² with i = min(j, ⌊n/2⌋): the most that j of n samples in [0, 1] can move the population variance.
 *
 * Sensitivity when one user owns them, bias when they are dropped: docs/mathematics.md, Theorems 2 and 3.
 * Attained by putting i samples at 1 and the rest at 0.
 */
export const spreadShape: Shape = {
  name: "spread",
  numerator: (owned, total) => {
    const movable = owned < total / 2n ? owned : total / 2n;
    return movable * (total - movable);
  },
  denominator: (total) => total * total,
  approximate: (owned, total) => {
    const movable = Math.min(owned, Math.floor(total / 2));
    return (movable * (total - movable)) / (total * total);
  },
  // While owned ≤ total/2 a smaller total only raises it; once it saturates, odd totals fall short of 1/4 by 1/(4·total²),
  // most at the smallest odd total, which is at least `owned`.
  approximateLeast: (owned, total) => {
    const saturated = 0.25 - 0.25 / (owned * owned);
    return 2 * owned <= total ? Math.min((owned * (total - owned)) / (total * total), saturated) : saturated;
  },
  raised: (owned, total) => Math.min(owned, Math.floor(total / 2)),
};

/** The exact value of a shape. */
export function shapeValue(shape: Shape, owned: number, total: number): Rational {
  const exactTotal = BigInt(total);
  return Rational.of(shape.numerator(BigInt(owned), exactTotal), shape.denominator(exactTotal));
}
