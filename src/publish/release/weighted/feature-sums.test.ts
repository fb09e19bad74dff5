/** Sums of features against their definition: every record's feature, averaged by user, clamped and weighted, in plain fractions. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawnValues, featureByDefinition, sumsOf } from "../../../../test/support/weighted-release.ts";
import { maximum, minimum, Rational, tryParseExact } from "../../../core/arithmetic/index.ts";
import { type Feature, makeObjective, parseBounds } from "../../../core/influence/index.ts";
import { type Occupancy, occupancyFromTriples, Weights } from "../../../core/occupancy/index.ts";
import { featuresOf } from "../../../core/planning/index.ts";
import type { EntrySums } from "../../../data/engines/index.ts";
import { FeatureSums, featureRequest, type Window } from "./feature-sums.ts";

/** Of each lattice, thresholds on it, between its points and at its ends. */
const LATTICES = [
  { range: "0,64", step: "1", statistics: "mean,variance,second-moment,share:20,histogram:16/40,share:63.5" },
  { range: "-5,60", step: "1/3", statistics: "histogram:0/0.1/59,mean,share:-4.99,variance,second-moment" },
  { range: "0.7,2", step: "1/7", statistics: "share:1.9,share:1.2,second-moment,variance,mean,histogram:1/1.7" },
  { range: "-9,-2", step: "0.01", statistics: "share:-3,mean,variance,histogram:-8/-5,second-moment" },
];

const cases = fc
  .record({
    lattice: fc.constantFrom(...LATTICES),
    counts: fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.nat(2), fc.integer({ min: 1, max: 6 })), {
      minLength: 1,
      maxLength: 12,
    }),
    seed: fc.nat(1_000_000),
    centre: fc.nat(5),
  })
  .map(({ lattice, counts, seed, centre }) => caseOf(lattice, { counts, seed, centre }));

function caseOf(
  { range, step: text, statistics }: (typeof LATTICES)[number],
  given: { counts: Array<[number, number, number]>; seed: number; centre: number },
) {
  const bounds = parseBounds(range);
  const step = tryParseExact(text)!;
  const cells = new Map(given.counts.map(([user, grid, count]) => [`${user} ${grid}`, { user, grid, count }]));
  const occupancy = occupancyFromTriples(
    [...cells.values()].map(({ user, grid, count }) => [`u${user}`, `g${grid}`, count] as const),
  );
  const lattice = { bounds, step };
  const centre = bounds.lower.add(bounds.width.multiply(Rational.of(given.centre, 5)));
  const { features } = featuresOf(makeObjective(bounds, { statistics, estimator: "weighted" }), centre);
  const values = drawnValues(occupancy, bounds.width.divide(step).floorToInteger(), given.seed);
  const ofEntry = Uint32Array.from(values, (_, entry) => [3, 0, 2 ** 20, 1, 7][(entry * 3 + given.seed) % 5]!);
  for (let g = 0; g < occupancy.grids.length; g++) ofEntry[occupancy.byGrid.entry[occupancy.byGrid.start[g]!]!] ||= 1;
  const weights = new Weights(occupancy, ofEntry);
  const sums = new FeatureSums(weights, sumsOf(values, featureRequest(features, lattice)), features, lattice);
  return { occupancy, lattice, centre, features, values, weights, sums, seed: given.seed };
}

type Case = ReturnType<typeof caseOf>;

const entriesOf = ({ byGrid }: Occupancy, grid: number): number[] => [
  ...byGrid.entry.subarray(byGrid.start[grid]!, byGrid.start[grid + 1]!),
];

/** The user's average of a feature, per coordinate. */
function averageBy({ lattice, centre, values }: Case, feature: Feature, entry: number): Rational[] {
  const own = values[entry]!.map((value) => {
    const x = lattice.bounds.lower.add(lattice.step.multiply(Rational.of(value)));
    return featureByDefinition(feature, x, centre);
  });
  const totals = own.reduce((sum, each) => sum.map((total, at) => total.add(each[at]!)));
  return totals.map((total) => total.divide(Rational.of(own.length)));
}

/** a of each entry of a grid. */
function shareOf({ weights, occupancy }: Case, grid: number, entry: number): Rational {
  const amount = (each: number): Rational =>
    Rational.of(weights.ofEntry[each]!).multiply(Rational.of(occupancy.byUser.count[each]!));
  const all = entriesOf(occupancy, grid).reduce((sum, each) => sum.add(amount(each)), Rational.ZERO);
  return amount(entry).divide(all);
}

function averageByDefinition(of: Case, grid: number, feature: Feature, window: Window | null): Rational[] {
  const totals = new Array<Rational>(feature.coordinates).fill(Rational.ZERO);
  for (const entry of entriesOf(of.occupancy, grid))
    averageBy(of, feature, entry).forEach((average, at) => {
      const held = window === null ? average : maximum(window.low, minimum(window.high, average));
      totals[at] = totals[at]!.add(shareOf(of, grid, entry).multiply(held));
    });
  return totals;
}

/** Windows of every width whose ends are no multiples of anything. */
function windowsOf({ range: [low, high] }: Feature, seed: number): Window[] {
  const at = (part: number): Rational => low.add(high.subtract(low).multiply(Rational.of(part % 1013, 1013)));
  return [
    { low: at(seed % 300), high: at(400 + (seed % 600)) },
    { low: at(seed % 1000), high: at((seed % 1000) + 11) },
    { low, high },
  ];
}

const texts = (numbers: readonly Rational[]): string[] => numbers.map(String);

test("averages of every feature, whole and clamped to any window, are what their definition gives", () => {
  fc.assert(
    fc.property(cases, (of) => {
      for (const grid of of.weights.ofGrid.keys())
        for (const feature of of.features) {
          const windows = feature.coordinates > 1 ? [] : windowsOf(feature, of.seed);
          for (const window of [null, ...windows])
            expect(texts(of.sums.average(grid, feature, window))).toEqual(
              texts(averageByDefinition(of, grid, feature, window)),
            );
        }
    }),
  );
});

test("no user moves a clamped average by more than its weight times the window's width", () => {
  fc.assert(
    fc.property(cases, (of) => {
      const { occupancy, lattice, features, weights } = of;
      const most = lattice.bounds.width.divide(lattice.step).floorToInteger();
      for (const feature of features.filter(({ coordinates }) => coordinates === 1))
        for (const window of windowsOf(feature, of.seed)) {
          const averageAt = (value: bigint): Rational => {
            const values = of.values.map((own, entry) =>
              occupancy.userOfEntry(entry) === 0 ? own.map(() => value) : own,
            );
            const sums = new FeatureSums(weights, sumsOf(values, featureRequest(features, lattice)), features, lattice);
            return sums.average(grid, feature, window)[0]!;
          };
          const entry = 0;
          const grid = occupancy.byUser.grid[entry]!;
          const ends = [0n, most / 2n, most].map(averageAt);
          const moved = maximum(...(ends as [Rational])).subtract(minimum(...(ends as [Rational])));
          const allowed = window.high.subtract(window.low).multiply(shareOf(of, grid, entry));
          expect(moved.compare(allowed)).toBeLessThanOrEqual(0);
        }
    }),
  );
});

test("ring shares: the weight of users whose average lies within each radius, and not within a smaller one", () => {
  fc.assert(
    fc.property(cases, (of) => {
      for (const grid of of.weights.ofGrid.keys())
        for (const feature of of.features.filter(({ coordinates }) => coordinates === 1)) {
          const [low, high] = feature.range;
          const width = high.subtract(low);
          // The last case has users that lie on a radius.
          const middles = [low.add(width.multiply(Rational.of(of.seed % 17, 17))), low, averageBy(of, feature, 0)[0]!];
          for (const middle of middles) {
            const radii = [1, 3, 9].map((part) => width.multiply(Rational.of(part, 10)));
            const shares = new Array<Rational>(4).fill(Rational.ZERO);
            for (const entry of entriesOf(of.occupancy, grid)) {
              const distance = averageBy(of, feature, entry)[0]!.subtract(middle).absolute();
              const ring = radii.filter((radius) => distance.compare(radius) > 0).length;
              shares[ring] = shares[ring]!.add(shareOf(of, grid, entry));
            }
            expect(texts(of.sums.ringShares(grid, feature, middle, radii))).toEqual(texts(shares));
          }
        }
    }),
  );
});

describe("what an engine is asked for", () => {
  const asked = (statistics: string, range = "0,64") => {
    const bounds = parseBounds(range);
    const { features } = featuresOf(makeObjective(bounds, { statistics, estimator: "weighted" }), Rational.of(3));
    return featureRequest(features, { bounds, step: Rational.ONE });
  };

  test("thresholds of all features one after the other, squares only where a feature has them", () => {
    expect(asked("mean")).toEqual({ thresholds: [], squares: false });
    expect(asked("share:20,mean,histogram:16/40,share:19.5")).toEqual({
      thresholds: [21n, 16n, 40n, 20n],
      squares: false,
    });
    expect(asked("histogram:1/2,variance", "-1,5")).toEqual({ thresholds: [2n, 3n], squares: true });
  });
});

test("entries of 2³² records with the largest weights keep every digit", () => {
  const most = 2 ** 32 - 1;
  const occupancy = occupancyFromTriples([
    ["ann", "g", most],
    ["bob", "g", most],
    ["cyd", "g", 1],
  ]);
  const bounds = parseBounds("-1,1");
  const step = Rational.powerOfTwo(-40);
  const { features } = featuresOf(
    makeObjective(bounds, { statistics: "mean,variance,share:0", estimator: "weighted" }),
    Rational.ZERO,
  );
  const top = 2n ** 41n;
  const records = BigInt(most);
  const sums: EntrySums = {
    sum: (entry) => [records * top, records * top - 1n, 5n][entry]!,
    sumOfSquares: (entry) => [records * top ** 2n, (records - 1n) * top ** 2n + (top - 1n) ** 2n, 25n][entry]!,
    atLeast: (_, entry) => [most, most - 1, 0][entry]!,
  };
  const weights = new Weights(occupancy, Uint32Array.of(2 ** 20, 2 ** 20, 1));
  const found = new FeatureSums(weights, sums, features, { bounds, step });
  const [value, square, share] = features.map((feature) => found.average(0, feature, null)[0]!);
  const total = 2n ** 21n * records + 1n;
  const h = (integer: bigint): Rational => Rational.of(integer, 2n ** 40n);
  const one = (weight: bigint, average: Rational): Rational => average.multiply(Rational.of(weight, total));
  const [big, small] = [2n ** 20n, 1n];
  const x = h(5n).subtract(Rational.ONE);
  const almost = h(top - 1n).subtract(Rational.ONE);
  const expected = [
    one(big, Rational.of(records))
      .add(one(big, Rational.of(records - 1n).add(almost)))
      .add(one(small, x)),
    one(big, Rational.of(records))
      .add(one(big, Rational.of(records - 1n).add(almost.multiply(almost))))
      .add(one(small, x.multiply(x))),
    one(big, Rational.of(2n * records - 1n)),
  ];
  expect([value, square, share].map(String)).toEqual(expected.map(String));
});
