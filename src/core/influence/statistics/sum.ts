/** The sum; records that are left out count as the middle of the range under either estimator. */
import { Rational } from "../../arithmetic/index.ts";
import type { Bounds } from "../bounds.ts";
import { valueFeature } from "../features.ts";
import { averageOfFeature } from "../linear.ts";
import { countShape } from "../shape.ts";
import type { EstimatorName, Statistic, StatisticKind } from "../statistic.ts";

export const sum: StatisticKind = {
  name: "sum",
  argument: null,
  unit: "value",
  hasDeviation: false,
  nameIn: () => "sum",
  choice: { name: "Sum", says: "of all records" },
  make: (_, bounds, estimator) => sumStatistic(bounds, estimator),
};

/** Kept records move it by at most U each, and each record left out, which counts as the middle, puts it off by at most U/2, with either estimator (docs/mathematics.md, Theorems 1 and 9). */
function sumStatistic(bounds: Bounds, estimator: EstimatorName): Statistic {
  const { lower, upper, width } = bounds;
  const halfWidth = width.divide(Rational.of(2));
  const centred = estimator === "centred";
  return {
    kind: sum,
    key: "sum",
    identity: "sum",
    estimator,
    shape: countShape,
    scaledByKeptShare: false,
    sensitivityFactor: width,
    biasFactor: halfWidth,
    coordinates: 1,
    bins: null,
    dataFreeValue: (total) => [lower.add(halfWidth).multiply(Rational.of(total))],
    dataFreeError: (total) => halfWidth.multiply(Rational.of(total)),
    latticeError: (step, total) => step.multiply(Rational.of(total)).divide(Rational.of(2)),
    range: (total) => [lower.multiply(Rational.of(total)), upper.multiply(Rational.of(total))],
    cuts: [],
    needsClampedSum: centred,
    value: centred
      ? ({ clampedSum, total, of }) => [of(lower).multiply(of(total)).add(clampedSum)]
      : ({ sum: ofKept, kept, total, of }) => [
          of(lower)
            .multiply(of(total))
            .add(ofKept)
            .add(of(halfWidth).multiply(of(total - kept))),
        ],
    linear: averageOfFeature(valueFeature(bounds), true),
    words: {
      label: (values) => `Sum of ${values}`,
      short: () => "sum",
      meaning: () => "Sum of the values",
      leftOut: centred ? null : "a sum counts each record that was left out as the middle of the range",
      dataFreeError: "half the width of the range times the records",
    },
  };
}
