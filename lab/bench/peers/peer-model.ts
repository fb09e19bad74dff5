/** What the peers that protect presence do, as a model to sweep contribution bounds on: noisy count, noisy sum, noisy squares. */
import type { SeededRandom } from "#evidence/simulation";
import { type ContributionBounds, type KeptMoments, mostContributions } from "./bounding.js";
import { LOWER, UPPER } from "./datasets.js";
import { laplace } from "./laplace.js";
import type { Estimates, StatisticName } from "./score.js";

const WIDTH = UPPER - LOWER;
const MIDDLE = LOWER + WIDTH / 2;

/** Into how many equal parts ε is cut where mean and variance are asked for: of one set of noisy moments, or of one set each. */
export type Splitting = "shared moments" | "separate queries";

export function presenceModel(
  moments: KeptMoments,
  {
    bounds,
    epsilon,
    statistics,
    splitting,
  }: {
    bounds: ContributionBounds;
    epsilon: number;
    statistics: readonly StatisticName[];
    splitting: Splitting;
  },
  random: SeededRandom,
): Estimates {
  const most = mostContributions(bounds);
  const parts = partsOf(epsilon, { isAlone: statistics.length === 1, splitting });
  const noisyFor = (statistic: StatisticName): Moments => noisy(moments, most, parts[statistic], random);
  if (statistics.length === 1) return { mean: meansOf(noisyFor("mean")) };
  const forVariance = noisyFor("variance");
  return {
    mean: meansOf(splitting === "shared moments" ? forVariance : noisyFor("mean")),
    variance: forVariance.count.map((count, grid) => {
      const records = Math.max(1, count);
      return forVariance.squares[grid]! / records - (forVariance.sum[grid]! / records) ** 2;
    }),
  };
}

/** What each noisy moment may cost. */
function partsOf(
  epsilon: number,
  { isAlone, splitting }: { readonly isAlone: boolean; readonly splitting: Splitting },
): Record<StatisticName, number> {
  if (isAlone) return { mean: epsilon / 2, variance: 0 };
  return splitting === "shared moments"
    ? { mean: epsilon / 3, variance: epsilon / 3 }
    : { mean: epsilon / 4, variance: epsilon / 6 };
}

const REACH = { count: 1, sum: WIDTH / 2, squares: (UPPER ** 2 - LOWER ** 2) / 2 } as const;

/** Of a published number's noise, to first order; taken for known are the kept records, which the tools hide, and, from the published number itself, how far the mean lies off the middle. */
export function presenceVariance(
  statistic: StatisticName,
  {
    kept,
    bounds,
    mean,
    ...how
  }: {
    readonly kept: number;
    readonly bounds: ContributionBounds;
    readonly mean: number;
    readonly epsilon: number;
    readonly isAlone: boolean;
    readonly splitting: Splitting;
  },
): number {
  const perReach = 2 * (mostContributions(bounds) / partsOf(how.epsilon, how)[statistic] / kept) ** 2;
  const off = mean - MIDDLE;
  return statistic === "mean"
    ? perReach * (REACH.sum ** 2 + off ** 2)
    : perReach * (REACH.squares ** 2 + (2 * off * REACH.sum) ** 2 + off ** 4);
}

interface Moments {
  readonly count: number[];
  readonly sum: number[];
  readonly squares: number[];
}

function noisy(moments: KeptMoments, most: number, epsilon: number, random: SeededRandom): Moments {
  const add = (column: Float64Array, reach: number): number[] =>
    Array.from(column, (exact) => exact + laplace((most * reach) / epsilon, random));
  return {
    count: add(moments.count, REACH.count),
    sum: add(moments.sum, REACH.sum),
    squares: add(moments.squares, REACH.squares),
  };
}

function meansOf({ count, sum }: Moments): number[] {
  return count.map((records, grid) => MIDDLE + sum[grid]! / Math.max(1, records));
}
