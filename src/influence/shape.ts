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
  /**
   * A line below the noise of a shrinking grid: for every whole m ≤ owned with total − m ≥ owned,
   * influence(owned, total − m) ≥ shrinkingFloor(owned, total) + m·shrinkingSlope(owned, total), up to rounding.
   */
  shrinkingFloor(owned: number, total: number): number;
  shrinkingSlope(owned: number, total: number): number;
  /** A line below a growing bias: influence(owned + m, total) ≥ influence(owned, total) + m·growingSlope(…) for 0 ≤ m ≤ most. */
  growingSlope(owned: number, total: number, most: number): number;
  /** How many of the `owned` samples go from the lower to the upper bound in the pair of datasets that attains it. */
  raised(owned: number, total: number): number;
}

/** j / n: what a mean, a share or a histogram's bins can move. */
export const fractionShape: Shape = {
  name: "fraction",
  numerator: (owned) => owned,
  denominator: (total) => total,
  approximate: (owned, total) => owned / total,
  // Γ/(k − m) is convex in m: its tangent lies below it.
  shrinkingFloor: (owned, total) => owned / total,
  shrinkingSlope: (owned, total) => owned / (total * total),
  growingSlope: (_owned, total) => 1 / total,
  raised: (owned) => owned,
};

/** j: what a sum can move. */
export const countShape: Shape = {
  name: "count",
  numerator: (owned) => owned,
  denominator: () => 1n,
  approximate: (owned) => owned,
  shrinkingFloor: (owned) => owned,
  shrinkingSlope: () => 0,
  growingSlope: () => 1,
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
  // With k − m ≥ 3Γ for all m ≤ Γ it is convex in m, so the tangent lies below it. Closer to saturation we use the least value of
  // all: a smaller total only raises it until it saturates, and then odd totals fall short of 1/4 by 1/(4·total²), total ≥ owned.
  shrinkingFloor: (owned, total) => {
    const saturated = 0.25 - 0.25 / (owned * owned);
    if (2 * owned > total) return saturated;
    const now = (owned * (total - owned)) / (total * total);
    return isConvexWhileShrinking(owned, total) ? now : Math.min(now, saturated);
  },
  shrinkingSlope: (owned, total) => {
    return isConvexWhileShrinking(owned, total) ? (owned * (total - 2 * owned)) / (total * total * total) : 0;
  },
  // Concave in m: the chord lies below it. Written so that nothing cancels.
  growingSlope: (owned, total, most) => {
    const now = Math.min(owned, Math.floor(total / 2));
    const later = Math.min(owned + most, Math.floor(total / 2));
    return ((later - now) * (total - later - now)) / (total * total * most);
  },
  raised: (owned, total) => Math.min(owned, Math.floor(total / 2)),
};

function isConvexWhileShrinking(owned: number, total: number): boolean {
  return total >= 4 * owned;
}

/** The exact value of a shape. */
export function shapeValue(shape: Shape, owned: number, total: number): Rational {
  const exactTotal = BigInt(total);
  return Rational.of(shape.numerator(BigInt(owned), exactTotal), shape.denominator(exactTotal));
}
