/** The share of values above a public threshold. */
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { itemAt, quoteForMessage, VeilgridError } from "../../errors/index.ts";
import { averageOf } from "../average.ts";
import type { Bounds } from "../bounds.ts";
import { shareFeature } from "../features.ts";
import { averageOfFeature } from "../linear.ts";
import type { EstimatorName, Statistic, StatisticKind } from "../statistic.ts";

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

/**
 * j of n samples move it by at most j/n; the centred estimator is off by at most half of that for j left out (docs/mathematics.md, Theorems 1 and 9).
 * `text` is what follows `share:`; values strictly above it count.
 */
function shareStatistic(text: string, bounds: Bounds, estimator: EstimatorName): Statistic {
  const threshold = parseDecimal(text, "--statistics share");
  if (threshold.compare(bounds.lower) < 0 || threshold.compare(bounds.upper) >= 0) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--statistics ${quoteForMessage(`share:${text}`)}: the threshold must lie in [${bounds.lower.toShortString()}, ${bounds.upper.toShortString()}), the bounds`,
    );
  }
  const cut = { at: threshold, inclusive: false };
  return {
    ...averageOf([Rational.ZERO, Rational.ONE], estimator, ({ counts }) => itemAt(counts, 0)),
    kind: share,
    key: `share:${text}`,
    identity: `share:${threshold}`,
    latticeError: () => Rational.ZERO,
    cuts: [cut],
    linear: averageOfFeature(shareFeature(`share:${threshold}`, cut)),
    words: {
      label: (values) => `Share of ${values} above ${text}`,
      short: () => `> ${text}`,
      meaning: () => `Share of values above ${text}`,
      leftOut:
        estimator === "centred"
          ? "For a share, half of the records that were left out count as above the threshold."
          : null,
    },
  };
}
