/** Weighted averages made of engines' integers, against values one by one: windows are clamped to as they are, not as whole lattice sums have them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  averagesOf,
  clamped,
  definitionOf,
  type Window,
  whole,
} from "../../../../test/support/features-by-definition.ts";
import { SeededRandom } from "../../../../test/support/random.ts";
import { randomArray, weightsFor } from "../../../../test/support/weighted-arrays.ts";
import { Rational, sum } from "../../../core/arithmetic/index.ts";
import { type Feature, makeBounds, makeObjective, widthOf } from "../../../core/influence/index.ts";
import { type Occupancy, Weights } from "../../../core/occupancy/index.ts";
import { featuresOf } from "../../../core/planning/index.ts";
import type { EntrySums } from "../../../data/engines/index.ts";
import { FeatureSums, featureRequest } from "./feature-sums.ts";

const STATISTICS = "mean,variance,second-moment,share:-1,share:0.5,histogram:0/1";
const bounds = makeBounds(whole(-1), whole(4));

/** What an engine gives of lattice integers, by entry. */
function sumsOf(values: ReadonlyArray<readonly bigint[]>, thresholds: readonly bigint[]): EntrySums {
  const added = (entry: number, of: (value: bigint) => bigint): bigint =>
    values[entry]!.reduce((all, value) => all + of(value), 0n);
  return {
    sum: (entry) => added(entry, (value) => value),
    sumOfSquares: (entry) => added(entry, (value) => value * value),
    atLeast: (threshold, entry) => values[entry]!.filter((value) => value >= thresholds[threshold]!).length,
  };
}

interface Setting {
  readonly occupancy: Occupancy;
  readonly weights: Weights;
  readonly step: Rational;
  readonly centre: Rational;
  readonly features: readonly Feature[];
}

const settings = fc
  .record({ seed: fc.nat(1_000_000), steps: fc.constantFrom(5, 10, 7), place: fc.nat(5) })
  .map((drawn) => {
    const random = new SeededRandom(drawn.seed);
    const occupancy = randomArray(drawn.seed, {
      users: 1 + random.below(4),
      grids: 1 + random.below(2),
      mostRecords: 4,
    });
    const ofEntry = weightsFor(occupancy, drawn.seed).map((weight) => Math.max(1, weight));
    const step = bounds.width.divide(whole(drawn.steps));
    const centre = bounds.lower.add(step.multiply(whole(drawn.place)));
    const { features } = featuresOf(makeObjective(bounds, { statistics: STATISTICS, estimator: "weighted" }), centre);
    return {
      ...{ occupancy, weights: new Weights(occupancy, ofEntry), step, centre, features },
      steps: drawn.steps,
      random,
    };
  });

/** Values of every entry's records, drawn, as lattice integers. */
function drawValues({ byUser }: Occupancy, steps: number, random: SeededRandom): bigint[][] {
  return Array.from(byUser.count, (count) => Array.from({ length: count }, () => BigInt(random.below(steps + 1))));
}

/** Σ a·clamp(average), value by value. */
function plainly(
  { occupancy, weights, step, centre, features }: Setting,
  values: ReadonlyArray<readonly bigint[]>,
  { grid, at, window }: { grid: number; at: number; window: Window },
): Rational[] {
  const defined = [definitionOf(features[at]!, bounds, centre)];
  const parts = values.flatMap((own, entry) => {
    if (occupancy.byUser.grid[entry] !== grid) return [];
    const real = own.map((value) => bounds.lower.add(step.multiply(Rational.of(value))));
    const weight = Rational.of(BigInt(weights.amount(entry)), weights.ofGrid[grid]!);
    return [clamped(averagesOf(defined, real), [window])[0]!.map((each) => each.multiply(weight))];
  });
  return Array.from({ length: features[at]!.coordinates }, (_, number) => sum(parts.map((part) => part[number]!)));
}

test("averages are those of the values, clamped to any window exactly", () => {
  fc.assert(
    fc.property(settings, (setting) => {
      const { occupancy, weights, step, features, random, steps } = setting;
      const lattice = { bounds, step };
      const values = drawValues(occupancy, steps, random);
      const { thresholds } = featureRequest(features, lattice);
      const sums = new FeatureSums(weights, sumsOf(values, thresholds), features, lattice);
      for (const [at, feature] of features.entries())
        for (const grid of occupancy.grids.length === 1 ? [0] : [0, 1]) {
          const whole = plainly(setting, values, { grid, at, window: feature.range });
          expect(sums.average(grid, feature, null)).toEqual(whole);
          if (feature.coordinates > 1) continue;
          // Off the lattice of the sums.
          const [low, high] = [random.below(900), 901 + random.below(97)].map((part) =>
            feature.range[0].add(widthOf(feature).multiply(Rational.of(part, 997))),
          ) as [Rational, Rational];
          const expected = plainly(setting, values, { grid, at, window: [low, high] });
          expect(sums.average(grid, feature, { low, high })).toEqual(expected);
        }
    }),
  );
});

test("one user's records, from one end to the other, move a number by no more than the width of its window", () => {
  const step = Rational.ONE;
  const lattice = { bounds, step };
  const occupancy = randomArray(1, { users: 1, grids: 1 });
  const weights = new Weights(occupancy, Uint32Array.of(1));
  const { features } = featuresOf(
    makeObjective(bounds, { statistics: "mean,share:0.5", estimator: "weighted" }),
    whole(1),
  );
  const { thresholds } = featureRequest(features, lattice);
  for (const feature of features) {
    const [start] = feature.range;
    const low = start.add(widthOf(feature).multiply(Rational.of(3, 10)));
    const high = low.add(widthOf(feature).multiply(Rational.of(1, 10)));
    const [before, after] = [0n, 5n].map((value) => {
      const values = [new Array<bigint>(occupancy.byUser.count[0]!).fill(value)];
      return new FeatureSums(weights, sumsOf(values, thresholds), features, lattice).average(0, feature, {
        low,
        high,
      })[0]!;
    });
    expect(after!.subtract(before!)).toEqual(high.subtract(low));
  }
});
