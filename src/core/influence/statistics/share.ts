/** The share of values above a public threshold. */
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { itemAt, quoteForMessage, VeilgridError } from "../../errors/index.ts";
import type { Bounds } from "../bounds.ts";
import type { EstimatorName } from "../estimator.ts";
import { fractionShape } from "../shape.ts";
import type { Statistic, StatisticKind } from "../statistic.ts";

export const share: StatisticKind = {
  name: "share",
  argument: {
    short: "T",
    says: "of values above T",
    long: "THRESHOLD",
    field: {
      label: "Share above",
      placeholder: "such as 50",
      wanted: "A number between the bounds.",
      isList: false,
    },
  },
  unit: "fraction",
  hasDeviation: false,
  nameIn: (threshold) => `share above ${threshold}`,
  choice: { name: "Share above a threshold", says: "such as: above 50" },
  make: shareStatistic,
};

const HALF = Rational.of(1, 2);

/**
 * j of n samples move it by at most j/n; the centred estimator is off by at most half of that for j left out (docs/mathematics.md, Theorems 1 and 9).
 * `text` is what follows `share:`; values strictly above it count.
 */
export function shareStatistic(text: string, bounds: Bounds, estimator: EstimatorName = "kept"): Statistic {
  const threshold = parseDecimal(text, "--statistics share");
  if (threshold.compare(bounds.lower) < 0 || threshold.compare(bounds.upper) >= 0) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--statistics ${quoteForMessage(`share:${text}`)}: the threshold must lie in [${bounds.lower.toShortString()}, ${bounds.upper.toShortString()}), the bounds`,
    );
  }
  const centred = estimator === "centred";
  return {
    kind: share,
    key: `share:${text}`,
    identity: `share:${threshold}`,
    estimator,
    shape: fractionShape,
    scaledByKeptShare: centred,
    sensitivityFactor: Rational.ONE,
    biasFactor: centred ? HALF : Rational.ONE,
    coordinates: 1,
    bins: null,
    dataFreeValue: () => [HALF],
    dataFreeError: () => HALF,
    latticeError: () => Rational.ZERO,
    range: () => [Rational.ZERO, Rational.ONE],
    cuts: [{ at: threshold, inclusive: false }],
    needsClampedSum: false,
    value: centred
      ? ({ counts, kept, total, of }) => [
          itemAt(counts, 0)
            .add(of(HALF).multiply(of(total - kept)))
            .divide(of(total)),
        ]
      : ({ counts, kept, of }) => [itemAt(counts, 0).divide(of(kept))],
    words: {
      label: (values) => `Share of ${values} above ${text}`,
      short: () => `> ${text}`,
      meaning: () => `Share of values above ${text}`,
      leftOut: centred ? "For a share, half of the records that were left out count as above the threshold." : null,
    },
  };
}
