/** The population variance. */
import { Rational } from "../../arithmetic/index.ts";
import type { Bounds } from "../bounds.ts";
import { squareFeature, valueFeature } from "../features.ts";
import { spreadOfFeatures } from "../linear.ts";
import { spreadShape } from "../shape.ts";
import type { EstimatorName, GridSums, Numbers, Statistic, StatisticKind } from "../statistic.ts";

export const variance: StatisticKind = {
  name: "variance",
  argument: null,
  unit: "squared",
  hasDeviation: true,
  nameIn: () => "variance",
  choice: { name: "Variance", says: "how much it varies" },
  make: (_, bounds, estimator) => varianceStatistic(bounds, estimator),
};

/**
 * j of n samples move it by at most U²·i·(n − i)/n², i = min(j, ⌊n/2⌋) (docs/mathematics.md, Theorems 2, 3 and 9).
 * Centred, (k/n)·Var(kept) plus half of that for the j left out is off by at most that half.
 */
function varianceStatistic(bounds: Bounds, estimator: EstimatorName): Statistic {
  const { width } = bounds;
  const centred = estimator === "centred";
  const widthSquared = width.multiply(width);
  const halfSquared = widthSquared.divide(Rational.of(2));
  const eighth = widthSquared.divide(Rational.of(8));
  return {
    kind: variance,
    key: "variance",
    identity: "variance",
    estimator,
    shape: spreadShape,
    scaledByKeptShare: centred,
    sensitivityFactor: widthSquared,
    biasFactor: centred ? halfSquared : widthSquared,
    coordinates: 1,
    bins: null,
    dataFreeValue: () => [eighth],
    dataFreeError: () => eighth,
    latticeError: (step) =>
      width
        .multiply(step)
        .divide(Rational.of(2))
        .add(step.multiply(step).divide(Rational.of(4))),
    range: () => [Rational.ZERO, widthSquared.divide(Rational.of(4))],
    cuts: [],
    needsClampedSum: false,
    value: centred
      ? (grid) => {
          const { kept, total, of } = grid;
          // What those left out can add lies between 0 and the worst-case bias of the paper's estimator: half of that.
          const raised = spreadShape.raised(total - kept, total);
          const offset = of(halfSquared)
            .multiply(of(raised).multiply(of(total - raised)))
            .divide(of(total).multiply(of(total)));
          return [kept === 0 ? offset : varianceOfKept(grid).multiply(of(kept)).divide(of(total)).add(offset)];
        }
      : (grid) => [varianceOfKept(grid)],
    linear: spreadOfFeatures(valueFeature(bounds), (centre) => squareFeature("variance", bounds, centre)),
    words: {
      label: (values) => `Standard deviation of ${values}`,
      short: () => "sd",
      meaning: () =>
        centred
          ? "Population variance of the values, leaning towards an offset where records were left out"
          : "Population variance of the values",
      leftOut: centred
        ? "The variance is that of the kept records times their share of all records, plus half of the most that the others can add. Where much was left out it leans towards that half, and may well be further off than the kept records' own variance, but never by more than its stated bias."
        : null,
    },
  };
}

/** The population variance of the kept values, (k·Σy² − (Σy)²)/k²; the lower bound drops out (docs/mathematics.md, Theorem 13). */
function varianceOfKept<N extends Numbers<N>>({ kept, sum, sumOfSquares, of }: GridSums<N>): N {
  return of(kept)
    .multiply(sumOfSquares)
    .subtract(sum.multiply(sum))
    .divide(of(kept).multiply(of(kept)));
}
