/** Single grids whose users' averages are weighted, small enough to try every dataset: what is published before noise, and what is true. */
import { type Rational, sum } from "../../src/core/arithmetic/index.ts";
import { type Bounds, makeBounds, type Statistic } from "../../src/core/influence/index.ts";
import { averagesOf, clamped, definitionOf, type Point, type Window, whole } from "./features-by-definition.ts";
import { everyStatistic, givenOf, referenceOf } from "./statistic-references.ts";

/** Values are −1, 1 and 3. */
export const levels = [-1, 1, 3].map(whole);
export const levelBounds: Bounds = makeBounds(levels[0]!, levels[2]!);
/** One of each kind; thresholds and edges lie at and between the values. */
export const weightedStatistics = (): Statistic[] =>
  everyStatistic(levelBounds, { places: ["0.5", "1"], estimator: "weighted" });

/** Records and weight per record of each user. */
export type WeightedGrid = ReadonlyArray<{ readonly records: number; readonly weight: number }>;

export const recordsIn = (grid: WeightedGrid): number => grid.reduce((total, { records }) => total + records, 0);

/** Every grid of so many users with up to so many records each and weights from 0 to 3, in which something has weight. */
export function weightedGrids(users: number, mostRecords: number): WeightedGrid[] {
  const one = Array.from({ length: mostRecords * 4 }, (_, at) => ({
    records: 1 + (at >> 2),
    weight: at & 3,
  }));
  const all = (left: number): Array<WeightedGrid> =>
    left === 0 ? [[]] : all(left - 1).flatMap((rest) => one.map((each) => [...rest, each]));
  // The order of users is no matter.
  const rank = (each: WeightedGrid[number]): number =>
    one.findIndex((other) => other.records === each.records && other.weight === each.weight);
  return all(users).filter(
    (grid) =>
      grid.some(({ weight }) => weight > 0) && grid.every((each, at) => at === 0 || rank(grid[at - 1]!) <= rank(each)),
  );
}

/** ½·Σ |p − a|. */
export function distanceOf(grid: WeightedGrid): Rational {
  const total = whole(recordsIn(grid));
  const weights = whole(grid.reduce((all, { records, weight }) => all + records * weight, 0));
  const apart = grid.map(({ records, weight }) =>
    whole(records)
      .divide(total)
      .subtract(whole(records * weight).divide(weights))
      .absolute(),
  );
  return sum(apart).divide(whole(2));
}

/** What every user's records are: its values. */
export type Dataset = ReadonlyArray<readonly Rational[]>;

/** The features of a statistic, weighted, each user's averages held to the windows if there are any. */
export function weightedPoint(
  statistic: Statistic,
  grid: WeightedGrid,
  { data, centre, windows }: { data: Dataset; centre: Rational; windows?: readonly Window[] | undefined },
): Point {
  const features = statistic.linear.features(centre);
  const defined = features.map((feature) => definitionOf(feature, levelBounds, centre));
  const weights = whole(grid.reduce((all, { records, weight }) => all + records * weight, 0));
  const points = data.map((values) => {
    const point = averagesOf(defined, values);
    return windows === undefined ? point : clamped(point, windows);
  });
  return features.map(({ coordinates }, feature) =>
    Array.from({ length: coordinates }, (_, number) =>
      sum(
        points.map((point, user) => {
          const { records, weight } = grid[user]!;
          return point[feature]![number]!.multiply(whole(records * weight)).divide(weights);
        }),
      ),
    ),
  );
}

/** The statistic of all values as a textbook has it. */
export function truthOf(statistic: Statistic, data: Dataset): Rational[] {
  return referenceOf(statistic).of(data.flat(), givenOf(statistic, levelBounds));
}
