/** Smooths everybody's numbers by our smoother, with the variance that the noise has by its maker's own parameters: what smoothing alone gives. */
import { smooth } from "#core/smoothing";
import { loadGridNeighbours, parseRecipe } from "#data/partition";
import type { ContributionBounds } from "./bounding.js";
import type { Dataset } from "./datasets.js";
import { type Estimates, RANGE, type StatisticName } from "./score.js";

const gridNeighbours = await loadGridNeighbours();

/** Of a grid's published number; `mean` is the published mean, clamped to the range. */
export type NoiseVariance = (
  statistic: StatisticName,
  of: { kept: number; largest: number; bounds: ContributionBounds; mean: number },
) => number;

/** What the file of a dataset is, as options of our plans: places are read as such, so that neighbours are known. */
export function columnsOf({ hasPlaces }: Pick<Dataset, "hasPlaces">): Readonly<Record<string, string>> {
  return { user: "user", value: "value", [hasPlaces ? "cell" : "by"]: "grid" };
}

/** A grid without a number, or whose number is no more than its noise, is given the common mean by next to no weight. */
export function smoothedBy(
  given: Estimates,
  variances: Estimates,
  { grids, hasPlaces }: Pick<Dataset, "grids" | "hasPlaces">,
): Estimates {
  const neighbours = hasPlaces ? gridNeighbours(grids, parseRecipe(columnsOf({ hasPlaces }))) : undefined;
  return Object.fromEntries(
    Object.entries(given).map(([name, numbers]) => {
      const statistic = name as StatisticName;
      const range = RANGE[statistic];
      const nothing = (1000 * (range[1] - range[0])) ** 2;
      const known = numbers.map((number, grid) => {
        const variance = variances[statistic]![grid]!;
        const isKnown = Number.isFinite(number) && number !== null && Number.isFinite(variance) && variance > 0;
        return isKnown ? { number, variance } : { number: (range[0] + range[1]) / 2, variance: nothing };
      });
      const smoothed = smooth({
        values: Float64Array.from(known, ({ number }) => number),
        variances: Float64Array.from(known, ({ variance }) => variance),
        range,
        neighbours,
      });
      return [statistic, [...smoothed.values]];
    }),
  );
}
