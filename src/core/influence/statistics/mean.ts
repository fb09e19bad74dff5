/** The sample mean. */
import { Rational } from "../../arithmetic/index.ts";
import type { Bounds } from "../bounds.ts";
import type { EstimatorName } from "../estimator.ts";
import { fractionShape } from "../shape.ts";
import type { Statistic, StatisticKind } from "../statistic.ts";

export const mean: StatisticKind = {
  name: "mean",
  argument: null,
  unit: "value",
  hasDeviation: false,
  nameIn: () => "mean",
  choice: { name: "Mean", says: "the average of the number" },
  make: (_, bounds, estimator) => meanStatistic(bounds, estimator),
};

/** j of n samples move it by at most U·j/n; the centred estimator is off by at most half of that for j left out (docs/mathematics.md, Theorems 1 and 9). */
export function meanStatistic({ lower, upper, width }: Bounds, estimator: EstimatorName = "kept"): Statistic {
  const halfWidth = width.divide(Rational.of(2));
  const centred = estimator === "centred";
  return {
    kind: mean,
    key: "mean",
    identity: "mean",
    estimator,
    shape: fractionShape,
    scaledByKeptShare: centred,
    sensitivityFactor: width,
    biasFactor: centred ? halfWidth : width,
    coordinates: 1,
    bins: null,
    dataFreeValue: () => [lower.add(halfWidth)],
    dataFreeError: () => halfWidth,
    latticeError: (step) => step.divide(Rational.of(2)),
    range: () => [lower, upper],
    cuts: [],
    needsClampedSum: centred,
    value: centred
      ? ({ clampedSum, total, of }) => [of(lower).add(clampedSum.divide(of(total)))]
      : ({ sum, kept, of }) => [of(lower).add(sum.divide(of(kept)))],
    words: {
      label: (values) => `Mean ${values}`,
      short: () => "mean",
      meaning: () => "Mean of the values",
      leftOut: null,
    },
  };
}
