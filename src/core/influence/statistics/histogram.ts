/** The shares of values in B public bins, each with its own noise. */
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../../errors/index.ts";
import type { Bounds } from "../bounds.ts";
import { binsFeature } from "../features.ts";
import { averageOfFeature } from "../linear.ts";
import { fractionShape } from "../shape.ts";
import type { EstimatorName, GridSums, Numbers, Statistic, StatisticKind } from "../statistic.ts";

export const histogram: StatisticKind = {
  name: "histogram",
  argument: {
    short: "E/E",
    says: "shares of the bins between edges",
    long: "EDGE/EDGE",
    field: {
      label: "Ranges end at",
      placeholder: "such as 20, 40, 60",
      wanted: "Numbers between the bounds, such as 20, 40, 60.",
      isList: true,
    },
  },
  unit: "fraction",
  hasDeviation: false,
  nameIn: () => "histogram",
  choice: { name: "Histogram", says: "how many records lie in each range" },
  make: histogramStatistic,
};

/**
 * j of n samples move the bins' shares by at most 2·j/n in all; the centred estimator is off by at most 2·j/n·(B − 1)/B for j left out (docs/mathematics.md, Theorems 1 and 9).
 * `text` is what follows `histogram:`, edges joined by `/`. Edges at the bounds themselves cut nothing off.
 */
function histogramStatistic(text: string, bounds: Bounds, estimator: EstimatorName): Statistic {
  const cuts = cutsOf(text, bounds);
  const bins = cuts.length + 1;
  // A value at a cut belongs to the bin above it.
  const inclusive = cuts.map((at) => ({ at, inclusive: true }));
  const centred = estimator === "centred";
  const dataFreeError = Rational.of(2 * (bins - 1), bins);
  const edges = [bounds.lower, ...cuts, bounds.upper].map((edge) => edge.toShortString());
  const names = edges.slice(1).map((edge, bin) => `[${edges[bin]},${edge}${bin === bins - 1 ? "]" : ")"}`);
  return {
    kind: histogram,
    key: `histogram:${text}`,
    identity: `histogram:${cuts.join("/")}`,
    estimator,
    shape: fractionShape,
    scaledByKeptShare: centred,
    sensitivityFactor: Rational.of(2),
    biasFactor: centred ? dataFreeError : Rational.of(2),
    coordinates: bins,
    // Published shares and true ones both sum to 1: one bin is off by at most half of what all of them are, under either estimator.
    bins: { names, largestBiasShare: Rational.of(1, 2) },
    dataFreeValue: () => names.map(() => Rational.of(1, bins)),
    dataFreeError: () => dataFreeError,
    latticeError: () => Rational.ZERO,
    range: () => [Rational.ZERO, Rational.ONE],
    cuts: inclusive,
    linear: averageOfFeature(binsFeature(`histogram:${cuts.join("/")}`, inclusive)),
    needsClampedSum: false,
    value: centred
      ? (grid) => {
          const { kept, total, of } = grid;
          const each = of(total - kept).divide(of(bins));
          return binCounts(grid).map((count) => count.add(each).divide(of(total)));
        }
      : (grid) => binCounts(grid).map((count) => count.divide(grid.of(grid.kept))),
    words: {
      label: (values, bin) => `Share of ${values} in ${bin}`,
      short: (bin) => bin,
      meaning: (bin) => `Share of values in ${bin}`,
      leftOut: centred ? "For a histogram, records that were left out count as spread evenly over the bins." : null,
    },
  };
}

/** Ascending, strictly inside the bounds. */
function cutsOf(text: string, bounds: Bounds): Rational[] {
  const edges = text.split("/").map((edge) => parseDecimal(edge, "--statistics histogram"));
  edges.forEach((edge, index) => {
    const ascending = index === 0 || edge.compare(edges[index - 1]!) > 0;
    if (!ascending || edge.compare(bounds.lower) < 0 || edge.compare(bounds.upper) > 0) {
      throw new VeilgridError(
        "PARAMETER_INVALID",
        `--statistics ${quoteForMessage(`histogram:${text}`)}: edges must ascend within the bounds ${bounds.lower.toShortString()},${bounds.upper.toShortString()}`,
      );
    }
  });
  const cuts = edges.filter((edge) => edge.compare(bounds.lower) > 0 && edge.compare(bounds.upper) < 0);
  if (cuts.length === 0) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--statistics ${quoteForMessage(`histogram:${text}`)} has one bin only; give an edge inside the bounds`,
    );
  }
  return cuts;
}

/** How many kept records lie in each bin, from how many lie above each cut (docs/mathematics.md, Theorem 13). */
function binCounts<N extends Numbers<N>>({ kept, counts, of }: GridSums<N>): N[] {
  const from = [of(kept), ...counts, of(0)];
  return from.slice(0, -1).map((count, bin) => count.subtract(from[bin + 1]!));
}
