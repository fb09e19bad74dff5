/** The sample mean: j of n samples move it by at most U·j/n (docs/mathematics.md, Theorem 1). */
import { Rational } from "../arithmetic/index.ts";
import type { Bounds } from "./bounds.ts";
import { fractionShape } from "./shape.ts";
import type { Statistic } from "./statistic.ts";

export function meanStatistic({ width }: Bounds): Statistic {
  return {
    kind: "mean",
    key: "mean",
    identity: "mean",
    shape: fractionShape,
    sensitivityFactor: width,
    biasFactor: width,
    coordinates: 1,
    dataFreeError: () => width.divide(Rational.of(2)),
    latticeError: (step) => step.divide(Rational.of(2)),
  };
}
