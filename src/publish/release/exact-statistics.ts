/** Makes exact statistics of an engine's integer totals: rationals throughout. Each statistic says what it is made of. */
import { Rational } from "../../core/arithmetic/index.ts";
import { invariant } from "../../core/errors/index.ts";
import type { Bounds, Cut, GridCounts, Statistic } from "../../core/influence/index.ts";
import type { GridTotals } from "../../data/engines/index.ts";

/** The numbers of one statistic, one per coordinate. */
export type ExactStatistic = (totals: GridTotals, counts: GridCounts) => Rational[];

export interface ExactStatistics {
  /** Lattice integers from which an engine is to count. */
  readonly thresholds: readonly bigint[];
  /** Whether an engine is to give `doubledClampedSum`. */
  readonly clampedSums: boolean;
  /** In the order of the statistics. */
  readonly of: readonly ExactStatistic[];
}

/** Values are a + h·i. */
export interface ValueLattice {
  readonly bounds: Bounds;
  readonly step: Rational;
}

/** What an engine is to count for these statistics, and how each is worked out of its totals, as exact rationals (docs/mathematics.md, Theorem 13). */
export function exactStatistics(statistics: readonly Statistic[], lattice: ValueLattice): ExactStatistics {
  const thresholds: bigint[] = [];
  const of = statistics.map((statistic): ExactStatistic => {
    const first = thresholds.length;
    thresholds.push(...statistic.cuts.map((cut) => thresholdOf(cut, lattice)));
    const end = thresholds.length;
    return (totals, counts) => exactStatistic(statistic, lattice.step, { totals, counts, first, end });
  });
  return { thresholds, clampedSums: statistics.some(({ needsClampedSum }) => needsClampedSum), of };
}

/** The smallest lattice integer i for which a + h·i counts as above the cut (docs/mathematics.md, Theorem 13). */
export function thresholdOf({ at, inclusive }: Cut, { bounds, step }: ValueLattice): bigint {
  const place = at.subtract(bounds.lower).divide(step);
  return inclusive ? place.ceilToInteger() : place.floorToInteger() + 1n;
}

/** The statistic's counts are those of the thresholds from `first` to before `end`. */
function exactStatistic(
  statistic: Statistic,
  step: Rational,
  { totals, counts, first, end }: { totals: GridTotals; counts: GridCounts; first: number; end: number },
): Rational[] {
  const { sum, sumOfSquares, atLeast, doubledClampedSum } = totals;
  return statistic.value({
    kept: counts.kept,
    total: counts.total,
    sum: step.multiply(Rational.of(sum)),
    sumOfSquares: step.multiply(step).multiply(Rational.of(sumOfSquares)),
    counts: atLeast.slice(first, end).map((count) => Rational.of(count)),
    get clampedSum() {
      invariant(doubledClampedSum !== null, "centred means and sums are made of clamped sums");
      return step.multiply(Rational.of(doubledClampedSum, 2n));
    },
    of: (value) => (typeof value === "number" ? Rational.of(value) : value),
  });
}
