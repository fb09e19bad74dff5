/** The sample mean. */
import { Rational } from "../../arithmetic/index.ts";
import { averageOf } from "../average.ts";
import type { Bounds } from "../bounds.ts";
import { valueFeature } from "../features.ts";
import { averageOfFeature } from "../linear.ts";
import type { EstimatorName, Statistic, StatisticKind } from "../statistic.ts";

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
function meanStatistic(bounds: Bounds, estimator: EstimatorName): Statistic {
  const { lower, upper } = bounds;
  const centred = estimator === "centred";
  const common = averageOf([lower, upper], estimator, ({ sum, kept, of }) => of(lower).multiply(of(kept)).add(sum));
  return {
    ...common,
    kind: mean,
    key: "mean",
    identity: "mean",
    latticeError: (step) => step.divide(Rational.of(2)),
    needsClampedSum: centred,
    value: centred
      ? ({ clampedSum, total, of }) => [of(lower).add(clampedSum.divide(of(total)))]
      : ({ sum, kept, of }) => [of(lower).add(sum.divide(of(kept)))],
    linear: averageOfFeature(valueFeature(bounds)),
    words: {
      label: (values) => `Mean ${values}`,
      short: () => "mean",
      meaning: () => "Mean of the values",
      leftOut: null,
    },
  };
}
