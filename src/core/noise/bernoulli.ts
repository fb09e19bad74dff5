/** Exact coins: with a rational probability, and with probability e^(−x) for rational x (Canonne, Kamath, Steinke 2020, Algorithm 1). */
import { invariant } from "../errors/index.ts";
import type { Uniform } from "./random-bits.ts";

/** A fraction of integers, not reduced: the coins below only compare. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** True with probability numerator/denominator, which lies between 0 and 1 (docs/mathematics.md, Theorem 12). */
function bernoulli(uniform: Uniform, { numerator, denominator }: Fraction): boolean {
  return uniform.below(denominator) < numerator;
}

/** True with probability exp(−x), exactly, for a fraction x ≥ 0 (docs/mathematics.md, Theorem 12). */
export function bernoulliExp(uniform: Uniform, { numerator, denominator }: Fraction): boolean {
  invariant(numerator >= 0n && denominator > 0n, "exp(−x) is a probability for x ≥ 0 only");
  let rest = numerator;
  // exp(−x) = exp(−1)^⌊x⌋ · exp(−(x − ⌊x⌋)).
  for (; rest > denominator; rest -= denominator) {
    if (!bernoulliExpWithinOne(uniform, { numerator: 1n, denominator: 1n })) return false;
  }
  return bernoulliExpWithinOne(uniform, { numerator: rest, denominator });
}

/**
 * True with probability exp(−x), exactly, for a fraction x from 0 to 1 (docs/mathematics.md, Theorem 12).
 *
 * Coins of probability x/1, x/2, x/3, … are tossed until one fails. It is the k-th with probability
 * x^(k−1)/(k−1)! − x^k/k!, so k is odd with probability 1 − x + x²/2! − … = exp(−x).
 */
function bernoulliExpWithinOne(uniform: Uniform, { numerator, denominator }: Fraction): boolean {
  let toss = 1n;
  while (bernoulli(uniform, { numerator, denominator: denominator * toss })) toss += 1n;
  return toss % 2n === 1n;
}
