/** Exact statistics of a grid under either estimator, from an engine's integer totals: rationals throughout. */
import { Rational } from "../arithmetic/index.ts";
import type { GridTotals } from "../engines/index.ts";
import { invariant } from "../errors/index.ts";
import {
  type Bounds,
  type GridCounts,
  type HistogramStatistic,
  type ShareStatistic,
  type Statistic,
  worstCaseBias,
} from "../influence/index.ts";

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

export function exactStatistics(statistics: readonly Statistic[], lattice: ValueLattice): ExactStatistics {
  const thresholds: bigint[] = [];
  const of = statistics.map((statistic): ExactStatistic => {
    const first = thresholds.length;
    thresholds.push(...thresholdsOf(statistic, lattice));
    const end = thresholds.length;
    const atLeast: Counted = (totals) => totals.atLeast.slice(first, end);
    return statistic.estimator === "kept"
      ? ofKeptRecords(statistic, lattice, atLeast)
      : ofCentredRecords(statistic, lattice, atLeast);
  });
  return { thresholds, clampedSums: statistics.some(needsClampedSum), of };
}

function needsClampedSum({ estimator, kind }: Statistic): boolean {
  return estimator === "centred" && (kind === "mean" || kind === "sum");
}

function thresholdsOf(statistic: Statistic, { bounds, step }: ValueLattice): bigint[] {
  const place = (value: Rational): Rational => value.subtract(bounds.lower).divide(step);
  // Above a share's threshold; from a histogram's cut on.
  if (statistic.kind === "share") return [place((statistic as ShareStatistic).threshold).floorToInteger() + 1n];
  if (statistic.kind === "histogram")
    return (statistic as HistogramStatistic).cuts.map((cut) => place(cut).ceilToInteger());
  return [];
}

/** How many kept records lie above each of the statistic's thresholds. */
type Counted = (totals: GridTotals) => readonly bigint[];

/** The statistic of the kept records, as if there were no others; only the sum has the middle stand in for them. */
function ofKeptRecords(statistic: Statistic, { bounds, step }: ValueLattice, atLeast: Counted): ExactStatistic {
  const ofKept = (count: bigint, { kept }: GridTotals): Rational => Rational.of(count, kept);
  switch (statistic.kind) {
    case "mean":
      return (totals) => [bounds.lower.add(step.multiply(ofKept(totals.sum, totals)))];
    case "variance":
      return (totals) => [
        squares(totals)
          .multiply(step)
          .multiply(step)
          .divide(Rational.of(BigInt(totals.kept) ** 2n)),
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
      return (totals) => binCounts(totals, atLeast).map((count) => ofKept(count, totals));
  }
}

/**
 * What is left out counts as the middle of what it could be (docs/mathematics.md, Theorem 9). Defined for a grid of which nothing is
 * kept, too: then it is the same whatever the values.
 */
function ofCentredRecords(statistic: Statistic, { bounds, step }: ValueLattice, atLeast: Counted): ExactStatistic {
  const clampedSum = ({ doubledClampedSum }: GridTotals, { total }: GridCounts): Rational => {
    invariant(doubledClampedSum !== null, "centred means and sums are made of clamped sums");
    return bounds.lower.multiply(Rational.of(total)).add(step.multiply(Rational.of(doubledClampedSum, 2n)));
  };
  /** Of all records, those left out spread evenly over so many places. */
  const ofAll = (count: bigint, { kept, total }: GridCounts, places: number): Rational =>
    Rational.of(count)
      .add(Rational.of(total - kept, places))
      .divide(Rational.of(total));
  switch (statistic.kind) {
    case "mean":
      return (totals, counts) => [clampedSum(totals, counts).divide(Rational.of(counts.total))];
    case "sum":
      return (totals, counts) => [clampedSum(totals, counts)];
    case "variance":
      // (k/n)·Var(kept), and half of what the others can add at most.
      return (totals, counts) => {
        const offset = worstCaseBias(statistic, counts);
        if (counts.kept === 0) return [offset];
        const perRecord = step.multiply(step).divide(Rational.of(BigInt(counts.kept) * BigInt(counts.total)));
        return [squares(totals).multiply(perRecord).add(offset)];
      };
    case "share":
      return (totals, counts) => [ofAll(atLeast(totals)[0]!, counts, 2)];
    case "histogram":
      return (totals, counts) => binCounts(totals, atLeast).map((count) => ofAll(count, counts, statistic.coordinates));
  }
}

/** k·Σi² − (Σi)² = k²·Var(i); the lower bound drops out. */
function squares({ kept, sum, sumOfSquares }: GridTotals): Rational {
  return Rational.of(BigInt(kept) * sumOfSquares - sum * sum);
}

function binCounts(totals: GridTotals, atLeast: Counted): bigint[] {
  const from = [BigInt(totals.kept), ...atLeast(totals), 0n];
  return from.slice(0, -1).map((count, bin) => count - from[bin + 1]!);
}
