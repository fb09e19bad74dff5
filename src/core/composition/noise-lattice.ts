/** The lattice on which a statistic is rounded and noised, and how many of its steps a user can move the statistic. */
import { divideCeil, minimum, Rational } from "../arithmetic/index.ts";
import { type GridCounts, type KeptOfTotal, type Statistic, sensitivity } from "../influence/index.ts";

export type NoiseLattice = ReturnType<typeof noiseLattice>;

/**
 * The lattice on which a statistic with ε > 0 is released: the step 2^stepExponent is the largest power of two ≤ min(Δ, Δ/ε)·2⁻⁴⁰, and the heaviest
 * user moves the rounded statistic by at most `deltaSteps` steps (docs/mathematics.md, Theorem 5).
 *
 * With s = 2^stepExponent, values Δ apart round at most ⌈Δ/s⌉ steps apart (B bins together: ⌈Δ/s⌉ + B − 1), so noise
 * P(k) ∝ exp(−|k|/t), t = deltaSteps/ε, makes a user who can move it Δ lose exactly ε.
 */
export function noiseLattice(statistic: Statistic, counts: GridCounts, epsilon: Rational) {
  const delta = sensitivity(statistic, counts.largest, counts);
  const stepExponent = minimum(delta, delta.divide(epsilon)).floorToPowerOfTwoExponent() - 40;
  const steps = stepCounter(statistic, counts, stepExponent);
  return { stepExponent, deltaSteps: steps(counts.largest) };
}

/** How many steps a user with so many kept records can move the rounded statistic at most: ⌈Δ_ℓ/s⌉, and B − 1 more for B bins (docs/mathematics.md, Theorem 5). */
export function stepCounter(
  statistic: Statistic,
  counts: KeptOfTotal,
  stepExponent: number,
): (owned: number) => bigint {
  const { numerator, denominator } = statistic.sensitivityFactor;
  const kept = BigInt(counts.kept);
  const [keptShare, ofTotal] = statistic.scaledByKeptShare ? [kept, BigInt(counts.total)] : [1n, 1n];
  const step = Rational.powerOfTwo(stepExponent);
  const top = numerator * step.denominator * keptShare;
  const bottom = denominator * step.numerator * statistic.shape.denominator(kept) * ofTotal;
  const roundingSteps = BigInt(statistic.coordinates - 1);
  return (owned) => divideCeil(top * statistic.shape.numerator(BigInt(owned), kept), bottom) + roundingSteps;
}
