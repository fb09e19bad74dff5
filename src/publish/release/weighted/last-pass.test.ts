/** The last pass against its definition: how far windows and weights put a number off, over all averages there are, and what its noise covers. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { replayedBytes } from "../../../../test/support/replayed-bytes.ts";
import { balancedPlan, drawnValues, featureByDefinition, sumsOf } from "../../../../test/support/weighted-release.ts";
import { Rational } from "../../../core/arithmetic/index.ts";
import { discreteLaplace, RandomBits } from "../../../core/noise/index.ts";
import { occupancyFromTriples, Weights } from "../../../core/occupancy/index.ts";
import { clampingBias } from "./clamping-bias.ts";
import { FeatureSums, featureRequest, type Window } from "./feature-sums.ts";
import { weightedGrid } from "./last-pass.ts";
import { lastPass, type PassRequest } from "./passes.ts";

describe("the bias of a window", () => {
  const cases = fc.record({
    users: fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.nat(5)), { minLength: 1, maxLength: 4 }),
    low: fc.integer({ min: -3, max: 7 }),
    window: fc.tuple(fc.nat(5), fc.nat(5)),
  });

  test("is the most that Σ a·clamp(y) and Σ p·y differ by, over all averages y of every user", () => {
    fc.assert(
      fc.property(cases, ({ users, low, window: [one, other] }) => {
        const occupancy = occupancyFromTriples(users.map(([count], user) => [`u${user}`, "g", count] as const));
        const weightsOf = Uint32Array.from(users, ([, weight]) => weight);
        weightsOf[0] ||= 2;
        const weights = new Weights(occupancy, weightsOf);
        // The range is five steps wide, and so are all averages that matter: nothing bends between them.
        const place = (step: number): Rational => Rational.of(low + step, 3);
        const window: Window = { low: place(Math.min(one, other)), high: place(Math.max(one, other)) };
        const records = users.reduce((sum, [count]) => sum + count, 0);
        const amounts = users.reduce((sum, [count], user) => sum + count * weightsOf[user]!, 0);
        let most = Rational.ZERO;
        for (let all = 0; all < 6 ** users.length; all++) {
          const difference = users.reduce((sum, [count], user) => {
            const step = Math.floor(all / 6 ** user) % 6;
            const held = Math.min(Math.max(step, Math.min(one, other)), Math.max(one, other));
            const published = place(held).multiply(Rational.of(count * weightsOf[user]!, amounts));
            return sum.add(published).subtract(place(step).multiply(Rational.of(count, records)));
          }, Rational.ZERO);
          if (difference.absolute().compare(most) > 0) most = difference.absolute();
        }
        const feature = { range: [place(0), place(5)] as const };
        expect(String(clampingBias(weights, 0, { ...FEATURE, ...feature }, window))).toBe(String(most));
      }),
    );
  });

  const FEATURE = {
    key: "value",
    coordinates: 1,
    cuts: [],
    quadratic: [Rational.ZERO, Rational.ONE, Rational.ZERO],
  } as const;

  test("of whole ranges is the range times how much weight lies elsewhere than the records", () => {
    const occupancy = occupancyFromTriples([
      ["ann", "g", 3],
      ["bob", "g", 1],
    ]);
    const weights = new Weights(occupancy, Uint32Array.of(1, 5));
    const range = [Rational.of(-2), Rational.of(6)] as const;
    const bias = clampingBias(weights, 0, { ...FEATURE, range }, { low: range[0], high: range[1] });
    // p = ¾, ¼; a = ⅜, ⅝.
    expect(String(bias)).toBe(String(Rational.of(8).multiply(Rational.of(3, 8))));
    expect(String(weights.distances()[0])).toBe(String(Rational.of(3, 8)));
  });
});

describe.each([1, 2] as const)("a grid of a plan of %i passes", (passes) => {
  const occupancy = occupancyFromTriples(
    Array.from({ length: 45 }, (_, cell) => [`u${cell % 15}`, `g${Math.floor(cell / 15)}`, 1 + (cell % 4)] as const),
  );
  const { plan, evaluation } = balancedPlan(occupancy, {
    statistics: "mean,variance,share:20,histogram:16/40",
    passes,
    step: "1",
  });
  const lattice = { bounds: plan.objective.bounds, step: plan.latticeStep };
  const pass: PassRequest = { plan, terms: plan.balanced!, evaluation: evaluation.balanced! };
  const { features, weights } = pass.evaluation;
  const values = drawnValues(occupancy, 64n, 3);
  const sums = new FeatureSums(weights, sumsOf(values, featureRequest(features, lattice)), features, lattice);
  // Narrow windows that lie anywhere.
  const windowed = lastPass({ ...pass, terms: { ...pass.terms, passes: 1 } }, new Map());
  const windows = windowed.features.map((own, grid) =>
    own.map(({ range: [low, high], coordinates }, at) => {
      if (coordinates > 1 || passes === 1) return null;
      const place = (part: number): Rational => low.add(high.subtract(low).multiply(Rational.of(part, 97)));
      return { low: place(5 + 13 * grid), high: place(9 + 13 * grid + 7 * at) };
    }),
  );
  const part = passes === 1 ? Rational.ONE : Rational.of(77, 100);
  const last = { ...windowed, part, windows };
  const grids = plan.grids.map((_, grid) =>
    weightedGrid(pass, last, grid, { sums, uniform: new RandomBits(replayedBytes(grid)) }),
  );

  test("is the averages, clamped to the windows, plus noise of the scale that it says", () => {
    for (const [grid, { features: found }] of grids.entries()) {
      const uniform = new RandomBits(replayedBytes(grid));
      for (const [at, { steps, stepExponent, scale, key }] of found.entries()) {
        const step = Rational.powerOfTwo(stepExponent);
        expect(key).toBe(features[at]!.key);
        expect(scale.divide(step).compare(Rational.powerOfTwo(40))).toBeGreaterThanOrEqual(0);
        const exact = sums.average(grid, last.features[grid]![at]!, windows[grid]![at]!);
        expect(steps).toEqual(
          exact.map((each) => each.divide(step).roundHalfUpToInteger() + discreteLaplace(uniform, scale.divide(step))),
        );
      }
    }
  });

  test("costs a user of weight 1 no more than its part of the grid's rate, whatever its values", () => {
    for (const [grid, { features: found, centre }] of grids.entries()) {
      const scales = found.map(({ scale }) => scale.toNumberNearest());
      const points = Array.from({ length: 65 }, (_, value) =>
        features.map((feature) =>
          featureByDefinition(feature, Rational.of(value), centre).map((each) => each.toNumberNearest()),
        ),
      );
      // Averages of two values: clamped, their hull is wider than the curve's.
      const averages = points.flatMap((one, at) =>
        points.slice(at).flatMap((other) =>
          [0, 0.3, 0.5].map((weight) =>
            one.map((each, feature) =>
              each.map((number, coordinate) => {
                const [low, high] = found[feature]!.window ?? [];
                const average = number * (1 - weight) + other[feature]![coordinate]! * weight;
                return low === undefined
                  ? average
                  : Math.min(Math.max(average, low.toNumberNearest()), high!.toNumberNearest());
              }),
            ),
          ),
        ),
      );
      const rate = pass.terms.rates[grid]!.multiply(part).toNumberNearest();
      let most = 0;
      for (let tried = 0; tried < 200_000; tried++) {
        const one = averages[(tried * 7919) % averages.length]!;
        const other = averages[(tried * 104_729 + 17) % averages.length]!;
        let moved = 0;
        for (const [at, scale] of scales.entries())
          for (const [coordinate, each] of one[at]!.entries())
            moved += Math.abs(each - other[at]![coordinate]!) / scale;
        most = Math.max(most, moved);
      }
      expect(most).toBeLessThanOrEqual(rate * (1 + 1e-9));
      expect(most).toBeGreaterThan(rate * 0.5);
    }
  });

  test("says its windows, and the worst case of each", () => {
    for (const [grid, { features: found, distance }] of grids.entries()) {
      expect(found.map(({ window }) => window?.map(String) ?? null)).toEqual(
        windows[grid]!.map((window) => window && [window.low, window.high].map(String)),
      );
      expect(distance === null).toBe(passes === 2);
      const exact = weights.distances()[grid]!;
      for (const [at, { bias }] of found.entries()) {
        const feature = last.features[grid]![at]!;
        const window = windows[grid]![at]!;
        const width = feature.range[1].subtract(feature.range[0]);
        const worst =
          window === null
            ? exact.multiply(feature.coordinates > 1 ? Rational.of(2) : width)
            : clampingBias(weights, grid, feature, window);
        const above = bias.subtract(worst);
        expect([above.sign() >= 0, above.compare(width.multiply(Rational.of(1n, 10n ** 12n))) < 0]).toEqual([
          true,
          true,
        ]);
      }
    }
  });
});
