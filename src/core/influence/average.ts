/** The parts that all averages share: statistics that are the mean of one number per record, which lies in a known range. */
import { Rational } from "../arithmetic/index.ts";
import { fractionShape } from "./shape.ts";
import type { EstimatorName, GridSums, Numbers, Statistic } from "./statistic.ts";

type CommonParts = Omit<Statistic, "kind" | "key" | "identity" | "latticeError" | "linear" | "words">;

/**
 * j of n records move it by at most (h − l)·j/n, where each gives a number in [l, h]; the centred estimator, for which records that are left out count as
 * (l + h)/2, is off by at most half of that for j left out (docs/mathematics.md, "The second moment"). `sumOfKept` adds up what the kept records give.
 */
export function averageOf(
  range: readonly [low: Rational, high: Rational],
  estimator: EstimatorName,
  sumOfKept: <N extends Numbers<N>>(grid: GridSums<N>) => N,
): CommonParts {
  const [low, high] = range;
  const width = high.subtract(low);
  const halfWidth = width.divide(Rational.of(2));
  const middle = low.add(halfWidth);
  const centred = estimator === "centred";
  return {
    estimator,
    shape: fractionShape,
    scaledByKeptShare: centred,
    sensitivityFactor: width,
    biasFactor: centred ? halfWidth : width,
    coordinates: 1,
    bins: null,
    dataFreeValue: () => [middle],
    dataFreeError: () => halfWidth,
    range: () => range,
    cuts: [],
    needsClampedSum: false,
    value(grid) {
      const { kept, total, of } = grid;
      if (!centred) return [sumOfKept(grid).divide(of(kept))];
      const leftOut = of(middle).multiply(of(total - kept));
      return [sumOfKept(grid).add(leftOut).divide(of(total))];
    },
  };
}
