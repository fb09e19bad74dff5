/** The population variance: j of n samples move it by at most U²·i·(n − i)/n², i = min(j, ⌊n/2⌋) (docs/mathematics.md, Theorems 2 and 3). */
import { Rational } from "../arithmetic/index.ts";
import type { Bounds } from "./bounds.ts";
import { spreadShape } from "./shape.ts";
import type { Statistic } from "./statistic.ts";

export function varianceStatistic({ width }: Bounds): Statistic {
  const widthSquared = width.multiply(width);
  return {
    kind: "variance",
    key: "variance",
    identity: "variance",
    shape: spreadShape,
    sensitivityFactor: widthSquared,
    biasFactor: widthSquared,
    coordinates: 1,
    dataFreeError: () => widthSquared.divide(Rational.of(8)),
    latticeError: (step) =>
      width
        .multiply(step)
        .divide(Rational.of(2))
        .add(step.multiply(step).divide(Rational.of(4))),
  };
}
