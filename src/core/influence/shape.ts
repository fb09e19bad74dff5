/** The three influence functions; every statistic's sensitivity and bias is one of them times a factor. */
import { Rational } from "../arithmetic/index.ts";

/**
 * An influence as an exact fraction, for samples in [0, 1]:
 * numerator(owned, total) / denominator(total). Non-decreasing in `owned`.
 */
export interface Shape {
  readonly name: string;
  numerator(owned: bigint, total: bigint): bigint;
  denominator(total: bigint): bigint;
  /** How many of the `owned` samples go from the lower to the upper bound in the pair of datasets that attains it. */
  raised(owned: number, total: number): number;
}

/** j/n: how far j of n samples in [0, 1] can move their mean, at most and attained (docs/mathematics.md, Theorem 1). */
export const fractionShape: Shape = {
  name: "fraction",
  numerator: (owned) => owned,
  denominator: (total) => total,
  raised: (owned) => owned,
};

/** j: how far j samples in [0, 1] can move a sum, at most and attained (docs/mathematics.md, Theorem 1). */
export const countShape: Shape = {
  name: "count",
  numerator: (owned) => owned,
  denominator: () => 1n,
  raised: (owned) => owned,
};

/**
 * i·(n − i)/n² with i = min(j, ⌊n/2⌋): how far j of n samples in [0, 1] can move the population variance, at most and attained (docs/mathematics.md, Theorems 2 and 3).
 *
 * It is the sensitivity when one user owns them, the bias when they are dropped; i samples at 1 and the rest at 0 attain it.
 */
export const spreadShape: Shape = {
  name: "spread",
  numerator: (owned, total) => {
    const movable = owned < total / 2n ? owned : total / 2n;
    return movable * (total - movable);
  },
  denominator: (total) => total * total,
  raised: (owned, total) => Math.min(owned, Math.floor(total / 2)),
};

export function shapeValue(shape: Shape, owned: number, total: number): Rational {
  const exactTotal = BigInt(total);
  return Rational.of(shape.numerator(BigInt(owned), exactTotal), shape.denominator(exactTotal));
}
