/** How statistics are made of noisy features: values, reach, noise and bias against definitions, enumeration and draws. */
import { describe, expect, test } from "vitest";
import { multisetsOf, type Window, whole } from "../../../test/support/features-by-definition.ts";
import { SeededRandom } from "../../../test/support/random.ts";
import {
  type Dataset,
  distanceOf,
  levelBounds,
  levels,
  recordsIn,
  truthOf,
  type WeightedGrid,
  weightedGrids,
  weightedPoint,
  weightedStatistics,
} from "../../../test/support/weighted-grids.ts";
import { maximum, Rational } from "../arithmetic/index.ts";
import { parseBounds } from "./bounds.ts";
import { type Feature, widthOf } from "./features.ts";
import type { NoisyFeature } from "./linear.ts";
import type { Statistic } from "./statistic.ts";
import { parseStatistic } from "./statistics.ts";

const { ZERO, ONE } = Rational;
const statistics = weightedStatistics();
const cases = statistics.map((statistic) => [statistic.key, statistic] as const);
/** In the middle, off it, and outside. */
const centres = [whole(1), Rational.of(-1, 2), whole(4)];
const U = levelBounds.width;

/** Every dataset of the grid, up to the order of each user's records. */
function datasetsOf(grid: WeightedGrid): Dataset[] {
  return grid.reduce<Dataset[]>(
    (all, { records }) => all.flatMap((rest) => multisetsOf(levels, records).map((own) => [...rest, own])),
    [[]],
  );
}

function noisy(
  features: readonly Feature[],
  point: ReadonlyArray<readonly Rational[]>,
  scale: Rational = ZERO,
): NoisyFeature[] {
  return features.map((feature, at) => ({ feature, values: point[at]!, scale }));
}

/** Over all bins together. */
function distance(one: readonly Rational[], other: readonly Rational[]): Rational {
  return one.reduce((all, each, at) => all.add(each.subtract(other[at]!).absolute()), ZERO);
}

function featureBiases(features: readonly Feature[], apart: Rational): Rational[] {
  return features.map((feature) => apart.multiply(feature.coordinates > 1 ? whole(2) : widthOf(feature)));
}

describe.each(cases)("%s", (_, statistic) => {
  const { linear } = statistic;

  test("is the statistic where every record weighs the same, around any centre", () => {
    for (const centre of centres)
      for (const grid of [[1], [2], [1, 2], [2, 2, 1]].map((all) => all.map((records) => ({ records, weight: 1 }))))
        for (const data of datasetsOf(grid)) {
          const point = weightedPoint(statistic, grid, { data, centre });
          const found = linear.value(noisy(linear.features(centre), point), recordsIn(grid));
          expect(found).toEqual(truthOf(statistic, data));
        }
  });

  test("is never farther off than its bias, whatever the weights, and as far where it can be", () => {
    const centre = centres[1]!;
    let attained = 0;
    for (const grid of [...weightedGrids(1, 2), ...weightedGrids(2, 2), ...weightedGrids(3, 1)]) {
      const total = recordsIn(grid);
      const apart = distanceOf(grid);
      const features = linear.features(centre);
      const bias = linear.bias(featureBiases(features, apart), apart, total);
      let most = ZERO;
      for (const data of datasetsOf(grid)) {
        const published = linear.value(noisy(features, weightedPoint(statistic, grid, { data, centre })), total);
        most = maximum(most, distance(published, truthOf(statistic, data)));
      }
      expect(most.compare(bias), JSON.stringify(grid)).toBeLessThanOrEqual(0);
      // The second moment has its least value, 0, at no level.
      if (statistic.kind.name === "second-moment" || !isSharp(statistic, grid)) continue;
      expect(most, JSON.stringify(grid)).toEqual(bias);
      attained += apart.isZero() ? 0 : 1;
    }
    expect(attained).toBeGreaterThan(statistic.kind.name === "second-moment" ? -1 : 3);
  });

  test("its noise has moved it by no more than its reach, where that of each feature is within its bound", () => {
    const scale = Rational.of(1, 3);
    const grid = [
      { records: 2, weight: 1 },
      { records: 1, weight: 3 },
    ];
    const shares = [-1, -1 / 2, 0, 1].map((share) => Rational.fromNumber(share));
    for (const centre of centres.slice(0, 2)) {
      const features = linear.features(centre);
      const most = features.map((_, at) => Rational.of(3 + at, 4));
      const noises = features.reduce<Rational[][]>(
        (all, _, at) => all.flatMap((rest) => shares.map((share) => [...rest, share.multiply(most[at]!)])),
        [[]],
      );
      for (const data of datasetsOf(grid)) {
        const point = weightedPoint(statistic, grid, { data, centre });
        const exact = linear.value(noisy(features, point), 3);
        for (const noise of noises) {
          const moved = noisy(
            features,
            // Neighbouring bins in opposite directions.
            point.map((numbers, at) =>
              numbers.map((each, bin) => (bin % 2 ? each.subtract(noise[at]!) : each.add(noise[at]!))),
            ),
            scale,
          );
          const reach = linear.reach(moved, most, 3);
          linear.held(moved, 3).forEach((each, at) => {
            expect(each.subtract(exact[at]!).absolute().compare(reach)).toBeLessThanOrEqual(0);
          });
        }
      }
    }
  });
});

/** Whether some dataset on the levels is as far off as the bias says. */
function isSharp({ kind }: Statistic, grid: WeightedGrid): boolean {
  if (kind.name !== "variance") return true;
  // Those who lack weight have none: their records at one end, or half of all records, and the others' at the other end.
  const weights = new Set(grid.map(({ weight }) => weight).filter((weight) => weight > 0));
  const isHalf = distanceOf(grid).compare(Rational.of(1, 2)) <= 0;
  return weights.size === 1 && (isHalf || recordsIn(grid) % 2 === 0);
}

describe("the variance", () => {
  const variance = statistics.find(({ kind }) => kind.name === "variance")!;
  const { linear } = variance;

  test("is off by U²·d(1 − d), more than (U²/8)·Σ |p − a|, and by U²/4 from d = ½ on", () => {
    const grid = [
      { records: 1, weight: 0 },
      { records: 2, weight: 1 },
    ];
    const third = Rational.of(1, 3);
    expect(distanceOf(grid)).toEqual(third);
    const bias = linear.bias([ZERO, ZERO], third, 3);
    expect(bias).toEqual(U.multiply(U).multiply(Rational.of(2, 9)));
    const data = [[levels[2]!], [levels[0]!, levels[0]!]];
    expect(truthOf(variance, data)).toEqual([bias]);
    const published = weightedPoint(variance, grid, { data, centre: ZERO });
    expect(linear.value(noisy(linear.features(ZERO), published), 3)).toEqual([ZERO]);
    const tooSmall = U.multiply(U).multiply(third).divide(whole(4));
    expect(tooSmall.compare(bias)).toBe(-1);
    for (const more of [Rational.of(1, 2), Rational.of(2, 3), ONE])
      expect(linear.bias([ZERO, ZERO], more, 3)).toEqual(U.multiply(U).divide(whole(4)));
  });

  test("under windows is off by no more than what its features are off by allows", () => {
    const around = levels[1]!;
    const features = linear.features(around);
    const quarters = [0, 1, 2, 3, 4].map((part) => Rational.of(part, 4));
    const pairs = quarters.flatMap((low) =>
      quarters.filter((high) => high.compare(low) > 0).map((high) => [low, high]),
    );
    const inRange = (feature: Feature, part: Rational): Rational =>
      feature.range[0].add(widthOf(feature).multiply(part));
    for (const grid of weightedGrids(2, 1))
      for (const [low, high] of pairs) {
        const windows = features.map((feature): Window => [inRange(feature, low!), inRange(feature, high!)]);
        for (const data of datasetsOf(grid)) {
          const truth = weightedPoint(variance, evenly(grid), { data, centre: around });
          const held = weightedPoint(variance, grid, { data, centre: around, windows });
          const biases = held.map((numbers, at) => distance(numbers, truth[at]!));
          const [published, exact] = [held, truth].map((point) => linear.value(noisy(features, point), 2)[0]!);
          const off = published!.subtract(exact!).absolute();
          expect(off.compare(linear.bias(biases, null, 2))).toBeLessThanOrEqual(0);
        }
      }
  });
});

const evenly = (grid: WeightedGrid): WeightedGrid => grid.map(({ records }) => ({ records, weight: 1 }));

/** Laplace noise by its inverse: the place in (0, 1) is turned into a draw. */
function laplace(scale: number, place: number): number {
  return place < 0.5 ? scale * Math.log(2 * place) : -scale * Math.log(2 * (1 - place));
}

describe("noise", () => {
  const places = Array.from({ length: 4000 }, (_, at) => (at + 0.5) / 4000);

  test.each(cases)("%s: the expected size is an upper bound, and the size itself of an average", (_, statistic) => {
    const { linear } = statistic;
    for (const scale of [0.01, 0.3, 2, 30]) {
      for (const centre of centres.slice(0, 2)) {
        const features = linear.features(centre);
        const scales = features.map((_, at) => scale * (at + 1));
        const claimed = linear.expectedNoise(
          features,
          scales.map((each) => Rational.fromNumber(each)),
          5,
        );
        const size = statistic.kind.name === "sum" ? 5 * scale : scale;
        if (features.length === 1) expect(claimed.toNumberNearest()).toBeCloseTo(size, 12);
        else
          for (const mean of levels) {
            const expected = expectedSpreadNoise({ offset: mean.subtract(centre).toNumberNearest(), scales });
            // Sums over quantiles are that exact.
            expect(expected).toBeLessThan(claimed.toNumberNearest() * (1 + 1e-3));
          }
      }
    }
  });

  test("of the variance is 2.35 squares of the mean's noise and no less, where that is all there is", () => {
    const expected = expectedSpreadNoise({ offset: 0, scales: [1, 1e-9] });
    expect(expected).toBeCloseTo(4 * (1 + Math.SQRT2) * Math.exp(-Math.SQRT2), 2);
    expect(expected).toBeGreaterThan(2.34);
  });

  /** E|e₂ − 2δe₁ − e₁² + 2b²|: over quantiles of e₁; E|z + e₂| is |z| + b₂·e^(−|z|/b₂). */
  function expectedSpreadNoise({ offset, scales }: { offset: number; scales: readonly number[] }): number {
    const [b = 0, ofSquare = 0] = scales;
    const sizes = places.map((place) => {
      const e = laplace(b, place);
      const z = Math.abs(2 * offset * e + e * e - 2 * b * b);
      return z + ofSquare * Math.exp(-z / ofSquare);
    });
    return sizes.reduce((all, each) => all + each, 0) / places.length;
  }

  const bounds = parseBounds("-1,3");
  test.each([
    ["mean", 1, undefined],
    ["sum", 1, undefined],
    ["share:1", 1, undefined],
    ["variance", 1, undefined],
    ["variance", 0, undefined],
    ["variance", 0, [2, 3]],
    ["variance", 0, [1.5, 1.5]],
  ] as const)("%s: draws have the variance that is reckoned with, and no bias (centre %s, mean in %s)", (key, centre, around) => {
    const statistic = parseStatistic(key, bounds, "weighted");
    const { linear } = statistic;
    const features = linear.features(whole(centre));
    const [mean, square] = [0.4, 0.9];
    const scales = features.map((_, at) => [mean, square][at]!);
    const random = new SeededRandom(7);
    const [low, high] = around ?? [-1, 3];
    const draws = 20_000;
    const total = 3;
    const off: number[] = [];
    for (let draw = 0; draw < draws; draw++) {
      const average = low + (high - low) * random.uniform();
      // Whatever M is, it enters as it is.
      const exact = [average, 5].slice(0, features.length);
      const noise = scales.map((scale) => laplace(scale, Math.max(1e-16, random.uniform())));
      const valued = (numbers: readonly number[]): number =>
        linear
          .value(
            features.map((feature, at) => ({
              feature,
              values: [Rational.fromNumber(numbers[at]!)],
              scale: Rational.fromNumber(scales[at]!),
            })),
            total,
          )[0]!
          .toNumberNearest();
      const given = features.length > 1 ? 2 * mean * mean : 0;
      off.push(valued(exact.map((each, at) => each + noise[at]!)) - (valued(exact) - given));
    }
    const average = off.reduce((all, each) => all + each, 0) / draws;
    const squares = off.map((each) => (each - average) ** 2);
    const found = squares.reduce((all, each) => all + each, 0) / draws;
    const fourth = squares.reduce((all, each) => all + each * each, 0) / draws;
    const reckoned = linear.noiseVariance(features, scales, total, around);
    // Five standard errors each: a false alarm for fewer than one seed in a million; 1.3 times the variance is refused.
    expect(Math.abs(average)).toBeLessThan(5 * Math.sqrt(found / draws));
    const error = Math.sqrt((fourth - found * found) / draws);
    expect(Math.abs(found - reckoned)).toBeLessThan(5 * error);
    expect(Math.abs(found - 1.3 * reckoned)).toBeGreaterThan(5 * error);
  });

  test.each(
    cases,
  )("%s: its scales and what squares add make up its variance, given where the mean is", (_, statistic) => {
    const { linear } = statistic;
    for (const centre of centres) {
      const features = linear.features(centre);
      const scales = features.map((_, at) => Rational.of(1 + at, 3));
      const moved = features.map((feature, at) => ({
        feature,
        values: new Array<Rational>(feature.coordinates).fill(Rational.of(1, 2)),
        scale: scales[at]!,
      }));
      const doubles = scales.map((scale) => scale.toNumberNearest());
      const independent = linear.noiseScales(moved, 7).map((scale) => 2 * scale.toNumberNearest() ** 2);
      const sum = independent.reduce((all, each) => all + each, linear.ofSquares(doubles) ** 2);
      expect(sum).toBeCloseTo(linear.noiseVariance(features, doubles, 7, [0.5, 0.5]), 9);
    }
  });
});
