/** The charge of a balanced plan against every pair of neighbouring datasets of tiny arrays, on the lattices that numbers are rounded to. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  averagesOf,
  clamped,
  type Defined,
  definitionOf,
  multisetsOf,
  type Point,
  type Window,
  whole,
} from "../../../../test/support/features-by-definition.ts";
import { SeededRandom } from "../../../../test/support/random.ts";
import { randomArray, weightsFor } from "../../../../test/support/weighted-arrays.ts";
import { maximum, Rational, sum } from "../../arithmetic/index.ts";
import { weightedLosses } from "../../composition/index.ts";
import { type Feature, makeObjective, parseBounds, widthOf } from "../../influence/index.ts";
import { Weights } from "../../occupancy/index.ts";
import { featuresOf, middleOf, passCosts, RINGS, ringScale, scalesFor, stepExponentFor, wholeWidths } from "./terms.ts";

const bounds = parseBounds("-1,3");
const lattice = [-1, 1, 3].map(whole);
const step = whole(2);
const CHOICES = [
  "mean",
  "variance",
  "share:-1",
  "histogram:1/2",
  "mean,variance",
  "mean,share:1,sum",
  "mean,variance,share:1,histogram:0.5",
];

/** What is published of one grid, before noise, is a sum over users: the part of one of them. */
interface Grid {
  readonly weight: Rational;
  readonly scales: readonly Rational[];
  readonly windows: readonly Window[];
}

/** Every dataset of one user in one grid as what it adds to the grid's numbers, each number once. */
function partsOf(defined: readonly Defined[], records: number, { weight, windows }: Grid): Point[] {
  const points = multisetsOf(lattice, records).map((values) =>
    clamped(averagesOf(defined, values), windows).map((numbers) => numbers.map((each) => each.multiply(weight))),
  );
  return [...new Map(points.map((point) => [JSON.stringify(point), point])).values()];
}

/** The most that all numbers of a grid together move in their noise scales, when `others` is what the other users add. */
function mostMoved(parts: readonly Point[], others: Point, { scales }: Grid): Rational {
  const rounded = parts.map((point) =>
    point.flatMap((numbers, at) => {
      const exponent = stepExponentFor(scales[at]!);
      const unit = Rational.powerOfTwo(exponent);
      return numbers.map((each, number) => ({
        steps: others[at]![number]!.add(each).divide(unit).roundHalfUpToInteger(),
        perStep: unit.divide(scales[at]!),
      }));
    }),
  );
  let most = Rational.ZERO;
  rounded.forEach((one, index) => {
    for (const other of rounded.slice(0, index)) {
      const moved = one.map(({ steps, perStep }, at) => {
        const apart = steps - other[at]!.steps;
        return perStep.multiply(Rational.of(apart < 0n ? -apart : apart));
      });
      most = maximum(most, sum(moved));
    }
  });
  return most;
}

/** Whole, or anywhere in the range, quarters of it wide. */
function windowOf(feature: Feature, random: SeededRandom): Window {
  const [low, high] = feature.range;
  if (feature.coordinates > 1 || random.below(3) === 0) return [low, high];
  const quarter = widthOf(feature).divide(whole(4));
  const from = random.below(4);
  const end = from + 1 + random.below(4 - from);
  return [low.add(quarter.multiply(whole(from))), low.add(quarter.multiply(whole(end)))];
}

const cases = fc.record({
  statistics: fc.constantFrom(...CHOICES),
  seed: fc.nat(1_000_000),
  isWhole: fc.boolean(),
  centre: fc.constantFrom("middle", "beside"),
});

/** Users of up to three records in up to three grids, whatever rates and ratios. */
function setUp({
  statistics,
  seed,
  isWhole,
  centre,
}: {
  statistics: string;
  seed: number;
  isWhole: boolean;
  centre: string;
}) {
  const random = new SeededRandom(seed);
  const occupancy = randomArray(seed, { users: 1 + random.below(4), grids: 1 + random.below(3), mostRecords: 3 });
  const objective = makeObjective(bounds, { statistics, estimator: "weighted" });
  const around = centre === "middle" ? middleOf(bounds, step) : Rational.of(5, 2);
  const { features } = featuresOf(objective, around);
  const ofEntry = weightsFor(occupancy, seed);
  const weights = new Weights(occupancy, ofEntry);
  const tenths = (): Rational => Rational.of(1 + random.below(40), 10);
  const ratios = features.map(tenths);
  const grids = Array.from(occupancy.grids, () => {
    const rate = tenths();
    const windows = features.map((feature): Window => (isWhole ? feature.range : windowOf(feature, random)));
    const widths = windows.map(([low, high]) => high.subtract(low));
    return { rate, windows, scales: scalesFor(features, { ratios, rate, bounds, widths }) };
  });
  return {
    occupancy,
    features,
    weights,
    grids,
    ratios,
    defined: features.map((each) => definitionOf(each, bounds, around)),
  };
}

describe("all that one user's values can move, in all grids at once", () => {
  test("is never above its charge, with whole windows and given ones, rounded to the published steps", () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const { occupancy, features, weights, grids, defined } = setUp(drawn);
        const rates = grids.map(({ rate }) => rate);
        const { last } = passCosts({ passes: 1, rates }, features);
        const losses = weightedLosses(weights, last);
        const { start, grid, count } = occupancy.byUser;
        const random = new SeededRandom(drawn.seed);
        for (let user = 0; user < occupancy.users.length; user++) {
          const moved: Rational[] = [];
          for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
            const total = weights.ofGrid[grid[entry]!]!;
            if (total === 0n) continue;
            const here = { ...grids[grid[entry]!]!, weight: Rational.of(BigInt(weights.amount(entry)), total) };
            // What the others add only shifts what is rounded.
            const others = features.map(({ coordinates }) =>
              Array.from({ length: coordinates }, () => Rational.of(random.below(1000), 997)),
            );
            moved.push(mostMoved(partsOf(defined, count[entry]!, here), others, here));
          }
          // Grids share no records, so the most in each is the most in all.
          expect(sum(moved).compare(losses.of(user))).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("one number, whole windows: from all records at one end to all at the other is the whole charge, but for the rounding", () => {
    for (const statistics of ["mean", "share:-1", "share:1", "sum", "histogram:1/2"])
      for (const seed of [1, 2, 3]) {
        const { occupancy, features, weights, grids, defined } = setUp({
          statistics,
          seed,
          isWhole: true,
          centre: "middle",
        });
        const rates = grids.map(({ rate }) => rate);
        const losses = weightedLosses(weights, { rates, numbers: 0 });
        const { start, grid } = occupancy.byUser;
        const ends = [lattice[0]!, lattice[2]!].map((value) => averagesOf(defined, [value]));
        for (let user = 0; user < occupancy.users.length; user++) {
          const moved: Rational[] = [];
          for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
            const total = weights.ofGrid[grid[entry]!]!;
            if (total === 0n) continue;
            const weight = Rational.of(BigInt(weights.amount(entry)), total);
            const [low, high] = ends;
            low!.forEach((numbers, at) => {
              for (const [number, each] of numbers.entries()) {
                const apart = each.subtract(high![at]![number]!).absolute();
                moved.push(apart.multiply(weight).divide(grids[grid[entry]!]!.scales[at]!));
              }
            });
          }
          const left = losses.of(user).subtract(sum(moved));
          expect(left.sign()).toBeGreaterThanOrEqual(0);
          expect(left.compare(Rational.of(10n, 10n ** 18n))).toBe(-1);
        }
        expect(features).toHaveLength(1);
      }
  });

  test("mean and variance: from one end to where x and its square move together is the whole charge", () => {
    const { features, defined } = setUp({ statistics: "mean,variance", seed: 1, isWhole: true, centre: "middle" });
    const ratios = [Rational.ONE, Rational.ONE];
    const scales = scalesFor(features, { ratios, rate: Rational.ONE, bounds, widths: wholeWidths(features) });
    // q = b₂/(2b₁) = U/8 beyond the middle.
    const ends = [bounds.lower, Rational.of(3, 2)].map((value) => averagesOf(defined, [value]));
    const moved = features.map((_, at) => ends[0]![at]![0]!.subtract(ends[1]![at]![0]!).absolute().divide(scales[at]!));
    expect(sum(moved)).toEqual(Rational.ONE);
    expect(scales.map((scale, at) => scale.divide(widthOf(features[at]!)).toString())).toEqual(["1.5625", "1.5625"]);
  });
});

describe("parts of the loss", () => {
  test("a step is a power of two with 2⁴⁰ or more to a scale, so that rounding a number costs at most 2⁻⁴⁰", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 30n), fc.bigInt(1n, 10n ** 30n), (top, bottom) => {
        const scale = Rational.of(top, bottom);
        const steps = scale.divide(Rational.powerOfTwo(stepExponentFor(scale)));
        expect(steps.compare(Rational.powerOfTwo(40))).toBeGreaterThanOrEqual(0);
        expect(steps.compare(Rational.powerOfTwo(41))).toBe(-1);
      }),
    );
  });

  test("two passes and the rings together cost what one pass would, and every ring of each clamped feature is rounded", () => {
    const rates = [Rational.of(7, 3), Rational.of(1, 10)];
    const objective = makeObjective(bounds, { statistics: "mean,variance,histogram:0/1", estimator: "weighted" });
    const { features, usedBy } = featuresOf(objective, middleOf(bounds, step));
    expect(features.map(({ key }) => key)).toEqual(["value", "variance", "histogram:0/1"]);
    expect(usedBy).toEqual([[0], [0, 1], [2]]);
    const { first, rings, last } = passCosts({ passes: 2, rates }, features);
    for (const [at, rate] of rates.entries())
      expect(sum([first!, rings!, last].map((pass) => pass.rates[at]!))).toEqual(rate);
    expect([first, rings, last].map((pass) => pass!.numbers)).toEqual([5, 2 * RINGS, 5]);
    expect(passCosts({ passes: 1, rates }, features)).toEqual({
      first: null,
      rings: null,
      last: { rates, numbers: 5 },
    });
    // 2 for what leaves a ring and enters another, half of 3/100 for each of two histograms.
    expect(ringScale(features)).toEqual(Rational.of(2 * 2 * 100, 3));
  });

  test("the middle is a point of the lattice, half a step below the true one at most", () => {
    for (const [range, size, middle] of [
      ["0,65", "0.5", "32.5"],
      ["0,65", "1", "32"],
      ["-3,0", "1", "-2"],
    ] as const)
      expect(middleOf(parseBounds(range), Rational.fromNumber(Number(size))).toString()).toBe(middle);
  });
});
