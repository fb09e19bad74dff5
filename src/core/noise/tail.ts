/** How far discrete Laplace noise goes with a given probability, rounded outward. */
import { divideCeil, naturalLogUp, Rational } from "../arithmetic/index.ts";

const HALF = Rational.of(1, 2);

/**
 * A number of steps that |k| exceeds with probability at most δ, for P(k) ∝ exp(−|k|/t), and whose last step also covers half
 * a step of rounding: ⌈t·ln(2/((1 + e^(−1/t))·δ))⌉ or more (docs/mathematics.md, Theorem 8).
 *
 * ln(2/(1 + e^(−x))) = x/2 − ln cosh(x/2) ≤ x/2 with x = 1/t: at most half a step more than t·ln(1/δ).
 */
export function tailSteps(scale: Rational, delta: Rational): bigint {
  const bound = scale.multiply(logs.get(delta) ?? logOfInverse(delta)).add(HALF);
  return divideCeil(bound.numerator, bound.denominator);
}

/** ln(1/δ), which every row of a table asks for with the same δ. */
const logs = new WeakMap<Rational, Rational>();

function logOfInverse(delta: Rational): Rational {
  const log = naturalLogUp(Rational.ONE.divide(delta));
  logs.set(delta, log);
  return log;
}
