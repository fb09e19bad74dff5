/** The exact discrete Laplace distribution P(k) ∝ exp(−|k|/t) for rational t (Canonne, Kamath, Steinke 2020, Algorithm 2). */
import type { Rational } from "../arithmetic/index.ts";
import { invariant } from "../errors/index.ts";
import { bernoulliExp } from "./bernoulli.ts";
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
