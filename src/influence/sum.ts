/** The sum, in which what is left out counts as the middle under either estimator: a user moves it by U per kept record, j left out leave it at most U·j/2 off. */
import { Rational } from "../arithmetic/index.ts";
import type { Bounds } from "./bounds.ts";
import type { EstimatorName } from "./estimator.ts";
import { countShape } from "./shape.ts";
import type { Statistic } from "./statistic.ts";

export function sumStatistic({ width }: Bounds, estimator: EstimatorName = "kept"): Statistic {
  const halfWidth = width.divide(Rational.of(2));
  return {
    kind: "sum",
    key: "sum",
    identity: "sum",
    estimator,
    shape: countShape,
    scaledByKeptShare: false,
    sensitivityFactor: width,
    biasFactor: halfWidth,
    coordinates: 1,
    dataFreeError: (total) => halfWidth.multiply(Rational.of(total)),
    latticeError: (step, total) => step.multiply(Rational.of(total)).divide(Rational.of(2)),
  };
}
