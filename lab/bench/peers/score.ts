/** How far releases are from the truth: averages over repetitions of the mean and of the worst error over grids. */
import { LOWER, UPPER } from "./datasets.js";

export type StatisticName = "mean" | "variance";
/** One number per grid. */
export type Estimates = Readonly<Partial<Record<StatisticName, readonly number[]>>>;

export interface Score {
  readonly average: number;
  readonly worst: number;
}

const WIDTH = UPPER - LOWER;
/** What publishing the middle of the range errs by at most. */
export const DATA_FREE: Readonly<Record<StatisticName, number>> = { mean: WIDTH / 2, variance: WIDTH ** 2 / 8 };
export const RANGE: Readonly<Record<StatisticName, readonly [number, number]>> = {
  mean: [LOWER, UPPER],
  variance: [0, WIDTH ** 2 / 4],
};

/** Everybody's numbers are clamped to what the statistic can be, which costs no privacy; one that is missing counts as the middle. */
export function score(
  statistic: StatisticName,
  truth: readonly number[],
  repetitions: readonly (readonly number[])[],
): Score {
  let average = 0;
  let worst = 0;
  for (const estimates of repetitions) {
    const errors = errorsOf(statistic, truth, estimates);
    average += errors.reduce((sum, error) => sum + error, 0) / errors.length / repetitions.length;
    worst += Math.max(...errors) / repetitions.length;
  }
  return { average, worst };
}

function errorsOf(statistic: StatisticName, truth: readonly number[], estimates: readonly number[]): number[] {
  return truth.map((right, grid) => Math.abs(inRange(statistic, estimates[grid]) - right));
}

/** Clamped to what the statistic can be; the middle where a number is missing. */
export function inRange(statistic: StatisticName, given: number | null | undefined): number {
  const [low, high] = RANGE[statistic];
  const middle = statistic === "mean" ? (low + high) / 2 : DATA_FREE.variance;
  const number = typeof given === "number" && !Number.isNaN(given) ? given : middle;
  return Math.min(high, Math.max(low, number));
}

/** How 95 % intervals did, over grids and repetitions. */
export interface Coverage {
  /** Share of the intervals that hold the truth. */
  readonly covered: number;
  /** Average width. */
  readonly width: number;
  /** Average width of intervals that hold 95 % of a grid's errors, which nobody knows. */
  readonly knowing: number;
}

/** One list of numbers per repetition, by grid. */
export function coverage(
  statistic: StatisticName,
  truth: readonly number[],
  { numbers, low, high }: Readonly<Record<"numbers" | "low" | "high", readonly (readonly number[])[]>>,
): Coverage {
  const all = low.flatMap((ends, repetition) =>
    ends.map((end, grid) => ({ low: end, high: high[repetition]![grid]!, right: truth[grid]! })),
  );
  const errors = numbers.map((each) => errorsOf(statistic, truth, each));
  const knowing = truth.map((_, grid) => {
    const sorted = errors.map((each) => each[grid]!).sort((left, right) => left - right);
    return 2 * sorted[Math.ceil(0.95 * sorted.length) - 1]!;
  });
  const average = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;
  return {
    covered: average(all.map((each) => (each.low <= each.right && each.right <= each.high ? 1 : 0))),
    width: average(all.map((each) => each.high - each.low)),
    knowing: average(knowing),
  };
}
