/** The share of values above a public threshold: j of n samples move it by at most j/n, and centred are off by half of it. */
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import type { Bounds } from "./bounds.ts";
import type { EstimatorName } from "./estimator.ts";
import { fractionShape } from "./shape.ts";
import type { Statistic } from "./statistic.ts";

export interface ShareStatistic extends Statistic {
  readonly kind: "share";
  /** Values strictly above it count. */
  readonly threshold: Rational;
}

/** `text` is what follows `share:`. */
export function shareStatistic(text: string, bounds: Bounds, estimator: EstimatorName = "kept"): ShareStatistic {
  const threshold = parseDecimal(text, "--statistics share");
  if (threshold.compare(bounds.lower) < 0 || threshold.compare(bounds.upper) >= 0) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--statistics ${quoteForMessage(`share:${text}`)}: the threshold must lie in [${bounds.lower.toShortString()}, ${bounds.upper.toShortString()}), the bounds`,
    );
  }
  return {
    kind: "share",
    key: `share:${text}`,
    identity: `share:${threshold}`,
    threshold,
    estimator,
    shape: fractionShape,
    scaledByKeptShare: estimator === "centred",
    sensitivityFactor: Rational.ONE,
    biasFactor: estimator === "centred" ? Rational.of(1, 2) : Rational.ONE,
    coordinates: 1,
    dataFreeError: () => Rational.of(1, 2),
    latticeError: () => Rational.ZERO,
  };
}
