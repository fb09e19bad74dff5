/** Exact statistics of a grid's kept records, from an engine's integer totals: rationals throughout. */
import { Rational } from "../arithmetic/index.ts";
import type { GridTotals } from "../engines/index.ts";
import { invariant } from "../errors/index.ts";
import type { Bounds, GridCounts, HistogramStatistic, ShareStatistic, Statistic } from "../influence/index.ts";

/** The numbers of one statistic, one per coordinate. */
export type ExactStatistic = (totals: GridTotals, counts: GridCounts) => Rational[];

export interface ExactStatistics {
  /** Lattice integers from which an engine is to count. */
  readonly thresholds: readonly bigint[];
  /** In the order of the statistics. */
  readonly of: readonly ExactStatistic[];
}

/** Values are a + h·i. */
export interface ValueLattice {
  readonly bounds: Bounds;
  readonly step: Rational;
}

export function exactStatistics(statistics: readonly Statistic[], lattice: ValueLattice): ExactStatistics {
  const thresholds: bigint[] = [];
  const of = statistics.map((statistic): ExactStatistic => {
    invariant(statistic.estimator === "kept", "centred statistics cannot be computed yet");
    const first = thresholds.length;
    thresholds.push(...thresholdsOf(statistic, lattice));
    return readerOf(statistic, lattice, { first, end: thresholds.length });
  });
  return { thresholds, of };
}

function thresholdsOf(statistic: Statistic, { bounds, step }: ValueLattice): bigint[] {
  const place = (value: Rational): Rational => value.subtract(bounds.lower).divide(step);
  // Above a share's threshold; from a histogram's cut on.
  if (statistic.kind === "share") return [place((statistic as ShareStatistic).threshold).floorToInteger() + 1n];
  if (statistic.kind === "histogram")
    return (statistic as HistogramStatistic).cuts.map((cut) => place(cut).ceilToInteger());
  return [];
}

function readerOf(
  statistic: Statistic,
  { bounds, step }: ValueLattice,
  counted: { first: number; end: number },
): ExactStatistic {
  const atLeast = (totals: GridTotals): readonly bigint[] => totals.atLeast.slice(counted.first, counted.end);
  const ofKept = (count: bigint, { kept }: GridTotals): Rational => Rational.of(count, kept);
  switch (statistic.kind) {
    case "mean":
      return (totals) => [bounds.lower.add(step.multiply(ofKept(totals.sum, totals)))];
    case "variance":
      // h²·(k·Σi² − (Σi)²)/k²; the lower bound drops out.
      return ({ kept, sum, sumOfSquares }) => [
        step.multiply(step).multiply(Rational.of(BigInt(kept) * sumOfSquares - sum * sum, BigInt(kept) ** 2n)),
      ];
    case "share":
      return (totals) => [ofKept(atLeast(totals)[0]!, totals)];
    case "sum":
      // Σ kept + j·mid.
      return ({ kept, sum }, { total }) => {
        const middle = bounds.lower.add(bounds.width.divide(Rational.of(2)));
        return [
          bounds.lower
            .multiply(Rational.of(kept))
            .add(step.multiply(Rational.of(sum)))
            .add(middle.multiply(Rational.of(total - kept))),
        ];
      };
    case "histogram":
      return (totals) => {
        const from = [BigInt(totals.kept), ...atLeast(totals), 0n];
        return from.slice(0, -1).map((count, bin) => ofKept(count - from[bin + 1]!, totals));
      };
  }
}
