/** Lists every statistic, in the order of help and reports, and reads the texts of `--statistics` and `--weights`. */
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import type { Bounds } from "./bounds.ts";
import { countShape } from "./shape.ts";
import type { EstimatorName, Statistic, StatisticKind } from "./statistic.ts";
import { histogram } from "./statistics/histogram.ts";
import { mean } from "./statistics/mean.ts";
import { secondMoment } from "./statistics/second-moment.ts";
import { share } from "./statistics/share.ts";
import { sum } from "./statistics/sum.ts";
import { variance } from "./statistics/variance.ts";

export const STATISTICS: readonly StatisticKind[] = [mean, variance, sum, share, histogram, secondMoment];

/** Beyond these, doubles could no longer carry weighted errors while planning. */
const SMALLEST_WEIGHT = Rational.of(1n, 10n ** 50n);
const LARGEST_WEIGHT = Rational.of(10n ** 50n);

/** From a key such as `mean` or `share:50` to its kind and what follows the colon. */
function splitKey(key: string): { kind: StatisticKind; argument: string } {
  const colon = key.indexOf(":");
  const name = colon < 0 ? key : key.slice(0, colon);
  const kind = STATISTICS.find((each) => each.name === name);
  if (kind === undefined || (kind.argument === null) !== colon < 0)
    throw new VeilgridError("PARAMETER_INVALID", `--statistics ${quoteForMessage(key)} is unknown; use ${KNOWN}`);
  return { kind, argument: colon < 0 ? "" : key.slice(colon + 1) };
}

export function kindOfKey(key: string): StatisticKind {
  return splitKey(key).kind;
}

/** In a sentence: `mean`, `share above 50`. */
export function statisticName(key: string): string {
  const { kind, argument } = splitKey(key);
  return kind.nameIn(argument);
}

/** Whether its size is that of the grid, as a sum's is; then `range(1)` and the like are per record. */
export function growsWithRecords({ shape }: Statistic): boolean {
  return shape === countShape;
}

/** For help: `mean, share:T (of values above T)`. */
export function statisticsHelp(): string {
  return STATISTICS.map(({ name, argument }) =>
    argument === null ? name : `${name}:${argument.short} (${argument.says})`,
  ).join(", ");
}

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

/** For messages: `mean, variance or share:THRESHOLD`. */
const KNOWN = STATISTICS.map(({ name, argument }) => (argument === null ? name : `${name}:${argument.long}`))
  .join(", ")
  .replace(/, (?=[^,]*$)/, " or ");
