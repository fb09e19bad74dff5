/** The text of `--statistics` and `--weights` to statistics and their weights. */
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import type { Bounds } from "./bounds.ts";
import type { EstimatorName } from "./estimator.ts";
import type { Statistic } from "./statistic.ts";
import { splitKey } from "./statistics.ts";

/** Beyond these, doubles could no longer carry weighted errors while planning. */
const SMALLEST_WEIGHT = Rational.of(1n, 10n ** 50n);
const LARGEST_WEIGHT = Rational.of(10n ** 50n);

/** One statistic from its key, such as `mean` or `share:50`. */
export function parseStatistic(key: string, bounds: Bounds, estimator: EstimatorName = "kept"): Statistic {
  const { kind, argument } = splitKey(key);
  return kind.make(argument, bounds, estimator);
}

/** `mean,variance,share:50`, in that order. */
export function parseStatistics(text: string, bounds: Bounds, estimator: EstimatorName = "kept"): Statistic[] {
  const statistics = text.split(",").map((key) => parseStatistic(key.trim(), bounds, estimator));
  const repeated = statistics.find(
    (one, index) => statistics.findIndex((other) => other.identity === one.identity) < index,
  );
  if (repeated !== undefined) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--statistics names ${quoteForMessage(repeated.key)} twice; once is enough`,
    );
  }
  return statistics;
}

/** `mean=1,variance=0.5`: one positive weight per statistic, 1 where none is given. */
export function parseWeights(text: string | undefined, statistics: readonly Statistic[]): Rational[] {
  const weights: Array<Rational | undefined> = statistics.map(() => undefined);
  for (const part of text === undefined ? [] : text.split(",")) {
    const [key = "", value = "", ...more] = part.split("=").map((piece) => piece.trim());
    const index = statistics.findIndex((statistic) => statistic.key === key);
    if (index < 0) {
      const known = statistics.map((statistic) => statistic.key).join(", ");
      throw new VeilgridError(
        "PARAMETER_INVALID",
        `--weights ${quoteForMessage(part)} names no chosen statistic; chosen: ${known}`,
      );
    }
    if (more.length > 0 || weights[index] !== undefined) {
      throw new VeilgridError(
        "PARAMETER_INVALID",
        `--weights ${quoteForMessage(part)}: give each statistic one weight, as in mean=2`,
      );
    }
    const weight = parseDecimal(value, `--weights ${key}`);
    if (weight.compare(SMALLEST_WEIGHT) < 0 || weight.compare(LARGEST_WEIGHT) > 0) {
      throw new VeilgridError(
        "PARAMETER_INVALID",
        `--weights ${quoteForMessage(part)}: a weight lies between 1e-50 and 1e50`,
      );
    }
    weights[index] = weight;
  }
  return weights.map((weight) => weight ?? Rational.ONE);
}
