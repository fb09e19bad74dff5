/** The sample mean: j of n samples move it by at most U·j/n, and centred are off by half of it (docs/mathematics.md, Theorems 1 and 9). */
import { Rational } from "../arithmetic/index.ts";
import type { Bounds } from "./bounds.ts";
import type { EstimatorName } from "./estimator.ts";
import { fractionShape } from "./shape.ts";
import type { Statistic } from "./statistic.ts";

export function meanStatistic({ width }: Bounds, estimator: EstimatorName = "kept"): Statistic {
  const halfWidth = width.divide(Rational.of(2));
  const centred = estimator === "centred";
  return {
    kind: "mean",
    key: "mean",
    identity: "mean",
    estimator,
    shape: fractionShape,
    scaledByKeptShare: centred,
    sensitivityFactor: width,
    biasFactor: centred ? halfWidth : width,
    coordinates: 1,
    dataFreeError: () => halfWidth,
    latticeError: (step) => step.divide(Rational.of(2)),
  };
}
