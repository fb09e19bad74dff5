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
  const meanAlone = (part: number): Moments => noisy(moments, most, part, random);
  if (statistics.length === 1) return { mean: meansOf(meanAlone(epsilon / 2)) };
  const forVariance = noisy(moments, most, epsilon / (splitting === "shared moments" ? 3 : 6), random);
  return {
    mean: meansOf(splitting === "shared moments" ? forVariance : meanAlone(epsilon / 4)),
    variance: forVariance.count.map((count, grid) => {
      const records = Math.max(1, count);
      return forVariance.squares[grid]! / records - (forVariance.sum[grid]! / records) ** 2;
    }),
  };
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
    count: add(moments.count, 1),
    sum: add(moments.sum, WIDTH / 2),
    squares: add(moments.squares, (UPPER ** 2 - LOWER ** 2) / 2),
  };
}

function meansOf({ count, sum }: Moments): number[] {
  return count.map((records, grid) => MIDDLE + sum[grid]! / Math.max(1, records));
}
