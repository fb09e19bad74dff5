/** The mechanism itself: an exact statistic, rounded to its noise lattice, plus exact discrete Laplace noise. */
import { Rational } from "../arithmetic/index.ts";
import { type NoiseLattice, noiseLattice } from "../composition/index.ts";
import type { GridCounts, Statistic } from "../influence/index.ts";
import { discreteLaplace, type Uniform } from "../noise/index.ts";

/** What is published: each coordinate is steps · 2^stepExponent. */
export interface NoisyStatistic extends NoiseLattice {
  readonly steps: readonly bigint[];
}

/** Where nobody can move a statistic (ε = 0), it is the same whatever the values, and needs no noise. */
export function addNoise(
  exact: readonly Rational[],
  noise: { statistic: Statistic; counts: GridCounts; epsilon: Rational },
  uniform: Uniform,
): NoisyStatistic {
  if (noise.epsilon.isZero()) {
    // Only the variance of a single record, which is 0.
    const steps = exact.map((value) => value.roundHalfUpToInteger());
    return { steps, stepExponent: 0, deltaSteps: 0n };
  }
  const { stepExponent, deltaSteps } = noiseLattice(noise.statistic, noise.counts, noise.epsilon);
  const step = Rational.powerOfTwo(stepExponent);
  const scale = Rational.of(deltaSteps).divide(noise.epsilon);
  const steps = exact.map((value) => value.divide(step).roundHalfUpToInteger() + discreteLaplace(uniform, scale));
  return { steps, stepExponent, deltaSteps };
}
