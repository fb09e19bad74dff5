/** Every statistic there is: one line each, in the order in which people are told of them. */
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import { countShape } from "./shape.ts";
import type { Statistic, StatisticKind } from "./statistic.ts";
import { histogram } from "./statistics/histogram.ts";
import { mean } from "./statistics/mean.ts";
import { secondMoment } from "./statistics/second-moment.ts";
import { share } from "./statistics/share.ts";
import { sum } from "./statistics/sum.ts";
import { variance } from "./statistics/variance.ts";

export const STATISTICS: readonly StatisticKind[] = [mean, variance, sum, share, histogram, secondMoment];

/** From a key such as `mean` or `share:50` to its kind and what follows the colon. */
export function splitKey(key: string): { kind: StatisticKind; argument: string } {
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

/** For messages: `mean, variance or share:THRESHOLD`. */
const KNOWN = STATISTICS.map(({ name, argument }) => (argument === null ? name : `${name}:${argument.long}`))
  .join(", ")
  .replace(/, (?=[^,]*$)/, " or ");
