/**
 * The second moment about 0: the mean of x², a number in [l, h] that each record gives. Where 0 lies between a and b, l is 0, and what attains this has records at 0: `sensitivityWitness`, which knows a and b only, does not.
 */
import { maximum, Rational } from "../../arithmetic/index.ts";
import { averageOf } from "../average.ts";
import type { Bounds } from "../bounds.ts";
import { squareFeature } from "../features.ts";
import { averageOfFeature } from "../linear.ts";
import type { EstimatorName, GridSums, Numbers, Statistic, StatisticKind } from "../statistic.ts";

export const secondMoment: StatisticKind = {
  name: "second-moment",
  argument: null,
  unit: "squared",
  hasDeviation: false,
  nameIn: () => "second moment",
  choice: { name: "Second moment", says: "the average of its square" },
  make: (_, bounds, estimator) => secondMomentStatistic(bounds, estimator),
};

/** j of n samples move it by at most (h − l)·j/n, where squares lie in [l, h]; the centred estimator is off by at most half of that for j left out (docs/mathematics.md, "The second moment"). */
function secondMomentStatistic(bounds: Bounds, estimator: EstimatorName): Statistic {
  const { lower, upper } = bounds;
  return {
    ...averageOf(squareFeature("second-moment", bounds, Rational.ZERO).range, estimator, (grid) =>
      squaresOfKept(lower, grid),
    ),
    kind: secondMoment,
    key: "second-moment",
    identity: "second-moment",
    // |x² − x'²| = |x − x'|·|x + x'|: at most h/2 times twice the largest magnitude.
    latticeError: (step) => step.multiply(maximum(lower.absolute(), upper.absolute())),
    linear: averageOfFeature(squareFeature("second-moment", bounds, Rational.ZERO)),
    words: {
      label: (values) => `Second moment of ${values}`,
      short: () => "second moment",
      meaning: () => "Second moment of the values: the mean of their squares",
      leftOut:
        estimator === "centred"
          ? "In the second moment, the square of each record that was left out counts as the middle of what squares can be."
          : null,
    },
  };
}

/** Σ x² of the kept records, x = a + y: k·a² + 2a·Σy + Σy² (docs/mathematics.md, Theorem 13). */
function squaresOfKept<N extends Numbers<N>>(lower: Rational, { kept, sum, sumOfSquares, of }: GridSums<N>): N {
  return of(kept)
    .multiply(of(lower.multiply(lower)))
    .add(of(lower.add(lower)).multiply(sum))
    .add(sumOfSquares);
}
