/** The earlier passes against their definition: what they publish, what one user can move in them, what that is charged, and the windows they lead to. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { replayedBytes } from "../../../../test/support/replayed-bytes.ts";
import { balancedPlan, drawnValues, featureByDefinition, sumsOf } from "../../../../test/support/weighted-release.ts";
import { Rational } from "../../../core/arithmetic/index.ts";
import { type Feature, widthOf } from "../../../core/influence/index.ts";
import { discreteLaplace, RandomBits } from "../../../core/noise/index.ts";
import { type Occupancy, occupancyFromTriples } from "../../../core/occupancy/index.ts";
import { middleOf, scalesFor, wholeWidths } from "../../../core/planning/index.ts";
import { charges } from "../release.ts";
import { centresOf } from "./centres.ts";
import { FeatureSums, featureRequest } from "./feature-sums.ts";
import { type LatticeNumbers, numbersOf, passText, readPass } from "./noisy-features.ts";
import { earlierParts, earlierText, lastPass, type PassRequest, type Secrets } from "./passes.ts";

const [FIRST, RINGS] = ["%first pass", "%rings"];
/** 0.7¹⁰ to 0.7, of a feature's range. */
const RADII = Array.from({ length: 10 }, (_, ring) => Rational.of(7n ** BigInt(10 - ring), 10n ** BigInt(10 - ring)));

function town(grids = 4, users = 12): Occupancy {
  const triples = Array.from({ length: users * grids }, (_, cell): [string, string, number] => {
    const [user, grid] = [Math.floor(cell / grids), cell % grids];
    return [`u${user}`, `g${grid}`, 1 + ((user * 7 + grid * 5) % 4)];
  });
  return occupancyFromTriples(triples.filter((_, cell) => cell % 5 !== 3 || grids === 1));
}

function passesOf(occupancy: Occupancy, options: Parameters<typeof balancedPlan>[1] = {}) {
  const { plan, evaluation } = balancedPlan(occupancy, { step: "1", ...options });
  const lattice = { bounds: plan.objective.bounds, step: plan.latticeStep };
  const most = lattice.bounds.width.divide(lattice.step).floorToInteger();
  const pass: PassRequest = { plan, terms: plan.balanced!, evaluation: evaluation.balanced! };
  const { weights, features } = pass.evaluation;
  const secretsOf = (values: bigint[][], seed = 1): Secrets => ({
    sums: new FeatureSums(weights, sumsOf(values, featureRequest(features, lattice)), features, lattice),
    uniform: new RandomBits(replayedBytes(seed)),
  });
  const values = drawnValues(occupancy, most, 5);
  const first = earlierText(FIRST!, pass, new Map(), secretsOf(values));
  return { occupancy, plan, evaluation, pass, lattice, most, values, secretsOf, first, weights, features };
}

type Passes = ReturnType<typeof passesOf>;

function shareOf({ weights }: Passes, entry: number): Rational {
  const grid = weights.occupancy.byUser.grid[entry]!;
  return Rational.of(BigInt(weights.amount(entry)), weights.ofGrid[grid]!);
}

/** A user's average of a feature in a grid. */
function averageBy(
  { lattice, values }: Pick<Passes, "lattice" | "values">,
  entry: number,
  feature: Feature,
  centre: Rational,
) {
  const own = values[entry]!.map((value) => {
    const x = lattice.bounds.lower.add(lattice.step.multiply(Rational.of(value)));
    return featureByDefinition(feature, x, centre);
  });
  const totals = own.reduce((sum, numbers) => sum.map((total, at) => total.add(numbers[at]!)));
  return totals.map((total) => total.divide(Rational.of(own.length)));
}

const entriesOf = ({ byGrid }: Occupancy, grid: number): number[] => [
  ...byGrid.entry.subarray(byGrid.start[grid]!, byGrid.start[grid + 1]!),
];

/** What an exact number becomes by a replayed draw of noise of this scale. */
function drawn(exact: Rational, scale: Rational, uniform: RandomBits): LatticeNumbers {
  const stepExponent = scale.divide(Rational.powerOfTwo(40)).floorToPowerOfTwoExponent();
  const step = Rational.powerOfTwo(stepExponent);
  return {
    steps: [exact.divide(step).roundHalfUpToInteger() + discreteLaplace(uniform, scale.divide(step))],
    stepExponent,
  };
}

/** Where all users' losses together are large, a tenth of them tells where values lie; otherwise a fifth. */
const CASES = [
  { statistics: "mean", loss: "1", first: 5 },
  { statistics: "mean,variance", loss: "1", first: 5 },
  { statistics: "mean,share:20,histogram:16/40", loss: "1000", first: 10 },
  { statistics: "sum,second-moment", loss: "1", first: 5 },
];

describe.each(CASES)("of $statistics at a loss of $loss", ({ statistics, loss, first }) => {
  const of = passesOf(town(), { statistics, loss });
  const { occupancy, plan, evaluation, pass, features, lattice, most } = of;
  const middle = middleOf(plan.objective.bounds, plan.latticeStep);
  const centres = centresOf(pass, {
    values: readPass("first", of.first).map((grid) => grid.map(numbersOf)),
    scales: plan.grids.map((_, grid) => firstScales(grid)),
  });
  const scalars = features.flatMap(({ coordinates }, at) => (coordinates === 1 ? [at] : []));

  function firstScales(grid: number): Rational[] {
    return scalesFor(features, {
      ...{ ratios: pass.terms.ratios, bounds: plan.objective.bounds, widths: wholeWidths(features) },
      rate: pass.terms.rates[grid]!.divide(Rational.of(first)),
    });
  }

  test("the first pass is every grid's averages over whole ranges plus noise", () => {
    const uniform = new RandomBits(replayedBytes(1));
    const expected = plan.grids.map((_, grid) =>
      features.map((feature, at) => {
        const numbers = Array.from({ length: feature.coordinates }, (_, coordinate) => {
          const exact = entriesOf(occupancy, grid).reduce((sum, entry) => {
            const average = averageBy(of, entry, feature, middle)[coordinate]!;
            return sum.add(average.multiply(shareOf(of, entry)));
          }, Rational.ZERO);
          return drawn(exact, firstScales(grid)[at]!, uniform);
        });
        return { steps: numbers.flatMap(({ steps }) => steps), stepExponent: numbers[0]!.stepExponent };
      }),
    );
    expect(readPass("first", of.first)).toEqual(expected);
  });

  test("a user of weight 1 moves a grid's numbers of the first pass by its part of the grid's rate, in scales, and not by more", () => {
    const points = Array.from({ length: Number(most) + 1 }, (_, value) => {
      const x = lattice.bounds.lower.add(lattice.step.multiply(Rational.of(value)));
      return features.map((feature) => featureByDefinition(feature, x, middle).map((each) => each.toNumberNearest()));
    });
    for (const [grid, rate] of pass.terms.rates.entries()) {
      const scales = firstScales(grid).map((each) => each.toNumberNearest());
      let moved = 0;
      for (const one of points)
        for (const other of points) {
          const move = (at: number): number =>
            one[at]!.reduce((sum, each, coordinate) => sum + Math.abs(each - other[at]![coordinate]!), 0) / scales[at]!;
          moved = Math.max(
            moved,
            features.reduce((sum, _, at) => sum + move(at), 0),
          );
        }
      const allowed = rate.toNumberNearest() / first;
      expect(moved).toBeLessThanOrEqual(allowed * (1 + 1e-12));
      expect(moved).toBeGreaterThan(allowed * 0.98);
    }
  });

  /** Σ X_g·a by ring, of one feature, for any values. */
  function histogram(at: number, values: bigint[][]): Rational[] {
    const rings = new Array<Rational>(11).fill(Rational.ZERO);
    for (const grid of plan.grids.keys()) {
      const feature = centres.features[grid]![at]!;
      const reaches = RADII.map((radius) => radius.multiply(widthOf(feature)));
      for (const entry of entriesOf(occupancy, grid)) {
        const average = averageBy({ lattice, values }, entry, feature, centres.centres[grid]!)[0]!;
        const distance = average.subtract(centres.of(grid, at).at).absolute();
        const ring = reaches.filter((reach) => distance.compare(reach) > 0).length;
        rings[ring] = rings[ring]!.add(shareOf(of, entry).multiply(pass.terms.rates[grid]!));
      }
    }
    return rings;
  }

  const ringScale = Rational.of(2 * scalars.length * 100, 3);

  test("the rings are, for each feature, the weight by distance from the first pass's centres plus noise", () => {
    const text = earlierText(RINGS!, pass, new Map([[FIRST!, of.first]]), of.secretsOf(of.values, 9));
    const uniform = new RandomBits(replayedBytes(9));
    const [histograms, ...others] = readPass("rings", text);
    expect(others).toEqual([]);
    expect(histograms).toHaveLength(scalars.length);
    const near = Rational.powerOfTwo(histograms?.[0]?.stepExponent ?? 0).multiply(Rational.of(plan.grids.length));
    for (const [index, at] of scalars.entries())
      histogram(at, of.values).forEach((exact, ring) => {
        const { steps, stepExponent } = drawn(exact, ringScale, uniform);
        const found = histograms![index]!;
        expect(found.stepExponent).toBe(stepExponent);
        // Each grid's share may be rounded by itself.
        const apart = Rational.of(found.steps[ring]! - steps[0]!).multiply(Rational.powerOfTwo(stepExponent));
        expect(apart.absolute().compare(near)).toBeLessThanOrEqual(0);
      });
  });

  test("a user's values move no ring histogram by more than twice its loss, and its charge covers that with the rounding", () => {
    const step = Rational.powerOfTwo(ringScale.floorToPowerOfTwoExponent() - 40);
    const charged = new Map(charges(occupancy, plan, evaluation, [RINGS!]));
    for (let user = 0; user < occupancy.users.length; user++) {
      const entries = Array.from(of.values, (_, entry) => entry).filter(
        (entry) => occupancy.userOfEntry(entry) === user,
      );
      const weighted = entries.filter((entry) => of.weights.ofEntry[entry]! > 0);
      const bound = entries.reduce((sum, entry) => {
        const rate = pass.terms.rates[occupancy.byUser.grid[entry]!]!;
        return sum.add(shareOf(of, entry).multiply(rate));
      }, Rational.ZERO);
      const all = [0n, most / 3n, most / 2n, most - 1n, most].map((value) => {
        const values = of.values.map((own, entry) => (entries.includes(entry) ? own.map(() => value) : own));
        return scalars.map((at) => histogram(at, values));
      });
      let inScales = Rational.ZERO;
      for (const one of all)
        for (const other of all) {
          let moved = Rational.ZERO;
          for (const [index] of scalars.entries()) {
            const own = one[index]!.reduce(
              (sum, each, ring) => sum.add(each.subtract(other[index]![ring]!).absolute()),
              Rational.ZERO,
            );
            expect(own.compare(bound.add(bound))).toBeLessThanOrEqual(0);
            moved = moved.add(own);
          }
          // Every ring's number may be rounded the other way in each grid where the user has weight.
          const rounding = step.multiply(Rational.of(11 * scalars.length * weighted.length));
          const loss = moved.add(rounding).divide(ringScale);
          if (loss.compare(inScales) > 0) inScales = loss;
        }
      const own = charged.get(occupancy.users.get(user))!;
      expect(inScales.multiply(Rational.of(10n ** 18n)).compare(Rational.of(own))).toBeLessThanOrEqual(0);
    }
  });
});

describe("windows", () => {
  // Enough loss that centres are sure, and windows are narrower than the range.
  const of = passesOf(town(), { statistics: "mean,variance,share:20,histogram:16/40", loss: "100" });
  const { pass, plan } = of;
  const all = pass.terms.rates.reduce((sum, each) => sum.add(each), Rational.ZERO);
  const scale = Rational.of(2 * 3 * 100, 3);
  /** The most that may be left out: four times the noise of a ring is more than 3 % here. */
  const most = Rational.of(4).multiply(scale);

  /** A text of rings with these weights for every feature, as multiples of all weight or of what may be left out. */
  function rings(weights: (ring: number) => Rational): string {
    const steps = Array.from({ length: 11 }, (_, ring) => weights(ring).multiply(Rational.powerOfTwo(60)));
    const numbers = { steps: steps.map((each) => each.floorToInteger()), stepExponent: -60 };
    return passText("rings", [[numbers, numbers, numbers]]);
  }
  const lastAfter = (ringsText: string, first = of.first) =>
    lastPass(
      pass,
      new Map([
        [FIRST!, first],
        [RINGS!, ringsText],
      ]),
    );

  /** The radius that a window was made with, if its range does not cut it: by its width less what the centre's own error adds. */
  function radiusIn(ringsText: string): number {
    const centres = centresOf(pass, {
      values: readPass("first", of.first).map((grid) => grid.map(numbersOf)),
      scales: plan.grids.map((_, grid) =>
        scalesFor(of.features, {
          ...{ ratios: pass.terms.ratios, bounds: plan.objective.bounds, widths: wholeWidths(of.features) },
          rate: pass.terms.rates[grid]!.divide(Rational.of(5)),
        }),
      ),
    });
    const { windows, features } = lastAfter(ringsText);
    const found = new Set<number>();
    for (const [grid, own] of windows.entries())
      for (const [at, window] of own.entries()) {
        if (window === null) continue;
        const [low, high] = features[grid]![at]!.range;
        const centre = centres.of(grid, at);
        const reaches = [
          window.low.equals(low) ? null : centre.at.subtract(window.low),
          window.high.equals(high) ? null : window.high.subtract(centre.at),
        ].filter((reach) => reach !== null);
        for (const reach of reaches) {
          const radius = reach.subtract(centre.deviation).divide(high.subtract(low));
          found.add(Number(radius.toNumberNearest().toFixed(9)));
        }
      }
    expect(found.size).toBeLessThanOrEqual(1);
    return [...found][0] ?? 1;
  }

  const { ZERO, ONE } = Rational;
  const innermost = 0.7 ** 10;

  test("follow from the committed texts alone: the same texts, the same windows", () => {
    const text = rings(() => ZERO);
    expect(lastAfter(text)).toEqual(lastAfter(text));
    const other = earlierText(FIRST!, pass, new Map(), of.secretsOf(of.values, 2));
    expect(lastAfter(text, other).windows).not.toEqual(lastAfter(text).windows);
  });

  test("are the smallest radius beyond which no more lies than may be left out", () => {
    expect(radiusIn(rings((ring) => (ring === 0 ? all : ZERO)))).toBeCloseTo(innermost, 8);
    // Exactly as much as may be left out, and a little more.
    expect(radiusIn(rings((ring) => (ring === 4 ? most : ZERO)))).toBeCloseTo(innermost, 8);
    const more = most.add(Rational.powerOfTwo(-60));
    for (const at of [1, 4, 7])
      expect(radiusIn(rings((ring) => (ring === at ? more : ZERO)))).toBeCloseTo(0.7 ** (10 - at), 8);
    // Little in each ring adds up from the outside.
    const fifth = most.divide(Rational.of(5)).add(Rational.powerOfTwo(-60));
    expect(radiusIn(rings((ring) => (ring > 2 ? fifth : ZERO)))).toBeCloseTo(0.7 ** 4, 8);
  });

  test("are whole where users lie beyond all radii, and the smallest where noise is below 0", () => {
    const { windows, features } = lastAfter(rings((ring) => (ring === 10 ? most.add(ONE) : ZERO)));
    for (const [grid, own] of windows.entries())
      for (const [at, window] of own.entries()) {
        const feature = features[grid]![at]!;
        if (feature.coordinates > 1) expect(window).toBeNull();
        else expect([window!.low, window!.high].map(String)).toEqual(feature.range.map(String));
      }
    expect(radiusIn(rings(() => most.multiply(Rational.of(-1000))))).toBeCloseTo(innermost, 8);
    // What noise takes away further out counts against what lies further in.
    expect(radiusIn(rings((ring) => (ring === 10 ? most.negate() : ring === 5 ? most.add(most) : ZERO)))).toBeCloseTo(
      innermost,
      8,
    );
  });

  test("lie within the range and are not empty, whatever noise the first pass drew", () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }), { minLength: 24, maxLength: 24 }),
        (noise) => {
          let at = 0;
          const numbers = readPass("first", of.first).map((grid) =>
            grid.map(({ steps, stepExponent }) => ({ steps: steps.map(() => noise[at++ % 24]!), stepExponent })),
          );
          const { windows, features, centres } = lastAfter(
            rings(() => ZERO),
            passText("first", numbers),
          );
          for (const [grid, own] of windows.entries()) {
            const steps = centres[grid]!.subtract(plan.objective.bounds.lower).divide(plan.latticeStep);
            expect([steps.denominator, steps.compare(Rational.of(of.most)) <= 0, steps.sign() >= 0]).toEqual([
              1n,
              true,
              true,
            ]);
            for (const [at, window] of own.entries()) {
              if (window === null) continue;
              const [low, high] = features[grid]![at]!.range;
              expect([low.compare(window.low) <= 0, window.high.compare(high) <= 0]).toEqual([true, true]);
              const width = window.high.subtract(window.low).divide(high.subtract(low));
              expect(width.compare(RADII[0]!)).toBeGreaterThanOrEqual(0);
            }
          }
        },
      ),
    );
  });
});

test("one grid, users who are all alike: both passes, windows and no more", () => {
  const of = passesOf(town(1, 3), { statistics: "mean,variance", loss: "0.01" });
  const same = of.values.map((own) => own.map(() => 40n));
  const first = earlierText(FIRST!, of.pass, new Map(), of.secretsOf(same));
  const committed = new Map([[FIRST!, first]]);
  committed.set(RINGS!, earlierText(RINGS!, of.pass, committed, of.secretsOf(same)));
  expect(lastPass(of.pass, committed).windows[0]).toHaveLength(2);
});

test("bins have no windows: a plan of bins alone has none in two passes either", () => {
  const of = passesOf(town(), { statistics: "histogram:16/40" });
  const committed = new Map([[FIRST!, of.first]]);
  committed.set(RINGS!, earlierText(RINGS!, of.pass, committed, of.secretsOf(of.values)));
  expect(lastPass(of.pass, committed).windows).toEqual(of.plan.grids.map(() => [null]));
});

test("a plan of one pass has no earlier parts, and no windows", () => {
  const { plan, evaluation } = balancedPlan(town(), { passes: 1, statistics: "mean,variance" });
  expect(earlierParts(plan)).toEqual([]);
  expect(earlierParts(balancedPlan(town()).plan)).toEqual([FIRST, RINGS]);
  expect(earlierParts({ balanced: undefined })).toEqual([]);
  const last = lastPass({ plan, terms: plan.balanced!, evaluation: evaluation.balanced! }, new Map());
  expect(last.windows).toEqual(plan.grids.map(() => [null, null]));
});

describe.each([
  { loss: "1", room: 1 },
  { loss: "1000", room: 0.5 },
])("windows of a plan with a loss of $loss", ({ loss, room }) => {
  const of = passesOf(town(), { statistics: "mean,variance", loss });
  const { pass, plan, weights } = of;
  const rates = pass.terms.rates.reduce((sum, each) => sum.add(each), Rational.ZERO).toNumberNearest();
  const scale = (2 * 2 * 100) / 3;
  /** All of the weight in one ring, for both features. */
  const withRing = (ring: number) => {
    const steps = Array.from({ length: 11 }, (_, at) => (at === ring ? BigInt(Math.round(rates * 2 ** 30)) : 0n));
    const text = passText("rings", [[0, 1].map(() => ({ steps, stepExponent: -30 }))]);
    const committed = new Map([
      [FIRST!, of.first],
      [RINGS!, text],
    ]);
    return lastPass(pass, committed);
  };
  const centres = centresOf(pass, {
    values: readPass("first", of.first).map((grid) => grid.map(numbersOf)),
    scales: pass.terms.rates.map((rate) =>
      scalesFor(of.features, {
        ...{ ratios: pass.terms.ratios, bounds: plan.objective.bounds, widths: wholeWidths(of.features) },
        rate: rate.divide(Rational.of(room === 1 ? 5 : 10)),
      }),
    ),
  });

  test("reach beyond the radius by the centre's deviation, or half of it where losses together are large", () => {
    const { windows } = withRing(0);
    for (const grid of plan.grids.keys()) {
      const { at, deviation } = centres.of(grid, 0);
      const reach = 64 * 0.7 ** 10 + room * deviation.toNumberNearest();
      const { low, high } = windows[grid]![0]!;
      expect(low.toNumberNearest()).toBeCloseTo(Math.max(0, at.toNumberNearest() - reach), 8);
      expect(high.toNumberNearest()).toBeCloseTo(Math.min(64, at.toNumberNearest() + reach), 8);
    }
  });

  test("take squares around the smoothed mean only where a window came of it", () => {
    const narrow = withRing(0);
    expect(narrow.centres).toEqual(centres.centres);
    expect(narrow.features).toEqual(centres.features);
    if (4 * scale >= rates) return;
    const whole = withRing(10);
    expect(new Set(whole.centres.map(String))).toEqual(new Set(["32"]));
    for (const own of whole.features) expect(own).toEqual(of.features);
  });

  test("say what clamping typically costs: the centre's error, and by chance more beyond one end", () => {
    const { clamping } = withRing(0);
    const share = Math.min(1, Math.max(0.03, scale / rates));
    for (const grid of plan.grids.keys()) {
      const alike = entriesOf(of.occupancy, grid).reduce(
        (sum, entry) => sum + (weights.amount(entry) / Number(weights.ofGrid[grid])) ** 2,
        0,
      );
      const byCentre = (share * centres.of(grid, 0).deviation.toNumberNearest()) / 64;
      const byChance = (Math.sqrt(share * alike) * 0.7 ** 10) / 2;
      expect(clamping[grid]![0]).toBeCloseTo(Math.hypot(byCentre, byChance), 9);
    }
  });
});
