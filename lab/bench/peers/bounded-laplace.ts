/** The textbook way under our neighbour relation: bound contributions, publish the kept records' statistics with Laplace noise; counts are public. */
import type { SeededRandom } from "#evidence/simulation";
import { type ContributionBounds, type KeptMoments, mostContributions } from "./bounding.js";
import { LOWER, UPPER } from "./datasets.js";
import { laplace } from "./laplace.js";
import type { Estimates, StatisticName } from "./score.js";

const WIDTH = UPPER - LOWER;

/** How far `owned` of `total` values in [0, 1] can move their population variance. */
export function varianceInfluence(owned: number, total: number): number {
  const movable = Math.min(owned, Math.floor(total / 2));
  return (movable * (total - movable)) / (total * total);
}

/**
 * The scale of a grid's noise, so that all grids and statistics together cost any user at most ε.
 *
 * Under pairs every statistic of every grid that a user may be in gets an equal part of ε. Under totals a user with c_g kept records of
 * k_g moves mean and variance by at most U·c_g/k_g and U²·c_g/k_g: scales in proportion to 1/k_g make that c_g/total of the part.
 */
export function noiseScale(
  statistic: StatisticName,
  { kept, largest, bounds }: { kept: number; largest: number; bounds: ContributionBounds },
  epsilonOfStatistic: number,
): number {
  const unit = statistic === "mean" ? WIDTH : WIDTH * WIDTH;
  if ("total" in bounds) return (unit * mostContributions(bounds)) / kept / epsilonOfStatistic;
  const influence = statistic === "mean" ? largest / kept : varianceInfluence(largest, kept);
  return (unit * influence * bounds.groups) / epsilonOfStatistic;
}

/** A grid of which nothing is kept publishes the middle of what could be. */
export function boundedLaplace(
  moments: KeptMoments,
  {
    bounds,
    epsilon,
    statistics,
  }: { bounds: ContributionBounds; epsilon: number; statistics: readonly StatisticName[] },
  random: SeededRandom,
): Estimates {
  const released = (statistic: StatisticName): number[] =>
    Array.from(moments.count, (kept, grid) => {
      if (kept === 0) return statistic === "mean" ? LOWER + WIDTH / 2 : (WIDTH * WIDTH) / 8;
      const mean = moments.sum[grid]! / kept;
      const exact = statistic === "mean" ? LOWER + WIDTH / 2 + mean : moments.squares[grid]! / kept - mean * mean;
      const scale = noiseScale(
        statistic,
        { kept, largest: moments.largest[grid]!, bounds },
        epsilon / statistics.length,
      );
      return exact + laplace(scale, random);
    });
  return Object.fromEntries(statistics.map((statistic) => [statistic, released(statistic)]));
}
