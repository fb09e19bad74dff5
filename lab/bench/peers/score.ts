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
const RANGE: Readonly<Record<StatisticName, readonly [number, number]>> = {
  mean: [LOWER, UPPER],
  variance: [0, WIDTH ** 2 / 4],
};

/** Everybody's numbers are clamped to what the statistic can be, which costs no privacy; one that is missing counts as the middle. */
export function score(
  statistic: StatisticName,
  truth: readonly number[],
  repetitions: readonly (readonly number[])[],
): Score {
  const [low, high] = RANGE[statistic];
  const middle = statistic === "mean" ? (low + high) / 2 : DATA_FREE.variance;
  let average = 0;
  let worst = 0;
  for (const estimates of repetitions) {
    const errors = truth.map((right, grid) => {
      const given = estimates[grid];
      const number = typeof given === "number" && !Number.isNaN(given) ? given : middle;
      return Math.abs(Math.min(high, Math.max(low, number)) - right);
    });
    average += errors.reduce((sum, error) => sum + error, 0) / errors.length / repetitions.length;
    worst += Math.max(...errors) / repetitions.length;
  }
  return { average, worst };
}
