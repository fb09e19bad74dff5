/**
 * The population variance: j of n samples move it by at most U²·i·(n − i)/n², i = min(j, ⌊n/2⌋) (docs/mathematics.md, Theorems 2 and 3).
 * Centred, (k/n)·Var(kept) plus half of that for the j left out is off by at most that half (Theorem 9).
 */
import { Rational } from "../arithmetic/index.ts";
import type { Bounds } from "./bounds.ts";
import type { EstimatorName } from "./estimator.ts";
import { spreadShape } from "./shape.ts";
import type { Statistic } from "./statistic.ts";

export function varianceStatistic({ width }: Bounds, estimator: EstimatorName = "kept"): Statistic {
  const centred = estimator === "centred";
  const widthSquared = width.multiply(width);
  return {
    kind: "variance",
    key: "variance",
    identity: "variance",
    estimator,
    shape: spreadShape,
    scaledByKeptShare: centred,
    sensitivityFactor: widthSquared,
    biasFactor: centred ? widthSquared.divide(Rational.of(2)) : widthSquared,
    coordinates: 1,
    dataFreeError: () => widthSquared.divide(Rational.of(8)),
    latticeError: (step) =>
      width
        .multiply(step)
        .divide(Rational.of(2))
        .add(step.multiply(step).divide(Rational.of(4))),
  };
}
