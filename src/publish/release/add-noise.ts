/** Rounds an exact statistic to its noise lattice and adds exact discrete Laplace noise: the mechanism itself. */
import { Rational, sum } from "../../core/arithmetic/index.ts";
import { type NoiseLattice, noiseLattice } from "../../core/composition/index.ts";
import { invariant, itemAt } from "../../core/errors/index.ts";
import { type GridCounts, type Statistic, sensitivity } from "../../core/influence/index.ts";
import { discreteLaplace, type Uniform } from "../../core/noise/index.ts";

/** What is published: each coordinate is steps · 2^stepExponent. */
export interface NoisyStatistic extends NoiseLattice {
  readonly steps: readonly bigint[];
  /** Without noise: how far the rounding to steps moved the coordinates, in all. With noise 0: intervals count it with the noise. */
  readonly rounding: Rational;
}

/**
 * The statistic rounded to its noise lattice, plus an independent draw with P(k) ∝ exp(−|k|/t) for each coordinate, t = deltaSteps/ε: the grid's heaviest user
 * loses ε, a lighter one less (docs/mathematics.md, Theorem 5). Without noise where ε = 0: nobody can move the statistic there.
 */
export function addNoise(
  exact: readonly Rational[],
  noise: { statistic: Statistic; counts: GridCounts; epsilon: Rational },
  uniform: Uniform,
): NoisyStatistic {
  if (noise.epsilon.isZero()) return withoutNoise(exact, noise);
  const { stepExponent, deltaSteps } = noiseLattice(noise.statistic, noise.counts, noise.epsilon);
  const step = Rational.powerOfTwo(stepExponent);
  const scale = Rational.of(deltaSteps).divide(noise.epsilon);
  const steps = exact.map((value) => value.divide(step).roundHalfUpToInteger() + discreteLaplace(uniform, scale));
  return { steps, stepExponent, deltaSteps, rounding: Rational.ZERO };
}

/**
 * The statistic as it is, or rounded to 2⁻⁴⁰ of its data-free error; what nobody can move is the same whatever the values, and so is how far it was rounded (docs/mathematics.md, Theorem 5).
 * Such are the variance of a single record, and the middle that stands for an emptied grid.
 */
function withoutNoise(
  exact: readonly Rational[],
  { statistic, counts }: { statistic: Statistic; counts: GridCounts },
): NoisyStatistic {
  invariant(sensitivity(statistic, counts.largest, counts).isZero(), "a statistic that a user can move needs noise");
  const finest = Math.min(0, statistic.dataFreeError(counts.total).floorToPowerOfTwoExponent() - 40);
  const stepExponent = Math.min(0, ...exact.map((value) => Math.max(finest, exponentThatDivides(value) ?? finest)));
  const step = Rational.powerOfTwo(stepExponent);
  const steps = exact.map((value) => value.divide(step).roundHalfUpToInteger());
  const rounding = sum(
    exact.map((value, index) => value.subtract(step.multiply(Rational.of(itemAt(steps, index)))).absolute()),
  );
  return { steps, stepExponent, deltaSteps: 0n, rounding };
}

/** The largest e ≤ 0 for which the value is a multiple of 2^e, if there is one. */
function exponentThatDivides({ denominator }: Rational): number | undefined {
  const exponent = Rational.of(1n, denominator).floorToPowerOfTwoExponent();
  return denominator === 1n << BigInt(-exponent) ? exponent : undefined;
}
