/** The exact discrete Laplace distribution P(k) ∝ exp(−|k|/t) for rational t, and the exact coins it is made of (Canonne, Kamath, Steinke 2020, Algorithms 1 and 2). */
import type { Rational } from "../arithmetic/index.ts";
import { invariant } from "../errors/index.ts";
import type { Uniform } from "./random-bits.ts";

const ONE = { numerator: 1n, denominator: 1n };

/**
 * Draws k with P(k) ∝ exp(−|k|/t), exactly, for a rational t > 0 (docs/mathematics.md, Theorem 12).
 *
 * With t = p/q: x = u + p·v has P(x) ∝ exp(−x/p) (u below p accepted with probability exp(−u/p), v geometric with ratio
 * 1/e), so y = ⌊x/q⌋ has P(y) ∝ exp(−y·q/p) = exp(−y/t). A fair sign makes it two-sided; a negative zero is drawn again, as
 * zero would otherwise count twice.
 */
export function discreteLaplace(uniform: Uniform, scale: Rational): bigint {
  invariant(scale.sign() > 0, "a scale is above 0");
  for (;;) {
    const drawn = laplaceAttempt(uniform, scale);
    if (drawn !== undefined) return drawn;
  }
}

/** One round: k with probability proportional to exp(−|k|/t), or undefined, which says nothing about k (docs/mathematics.md, Theorem 12). */
export function laplaceAttempt(uniform: Uniform, { numerator: p, denominator: q }: Rational): bigint | undefined {
  const u = uniform.below(p);
  if (!bernoulliExp(uniform, { numerator: u, denominator: p })) return undefined;
  let v = 0n;
  while (bernoulliExp(uniform, ONE)) v += 1n;
  const y = (u + p * v) / q;
  const negative = uniform.coin();
  if (negative && y === 0n) return undefined;
  return negative ? -y : y;
}

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
