/** Tries to find weights that prove more than is true, by trying every plan of tiny arrays. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exhaustiveLeastLoss } from "../../../../test/support/exhaustive-least-loss.ts";
import {
  describeCase,
  type FrontierCase,
  frontierCases,
  longGrids,
  occupancyOf,
} from "../../../../test/support/frontier-cases.ts";
import { fewer } from "../../../../test/support/full.ts";
import { leastWeightedShare } from "../../../../test/support/least-weighted-loss.ts";
import { SeededRandom } from "../../../../test/support/random.ts";
import { influencesAreLinear, WEIGHTED_SIZES, weightsAndLimits } from "../../../../test/support/weighted-cases.ts";
import { wholeWeights } from "../../../../test/support/whole-weights.ts";
import { Rational } from "../../arithmetic/index.ts";
import { makeObjective, parseBounds } from "../../influence/index.ts";
import { ActiveArray } from "./active-array.ts";
import { isMetByMidpoints } from "./error-target.ts";
import { weightedLossBelow } from "./lower-bound.ts";
import { PriceModel } from "./price-model.ts";

const TOLERANCE = 5e-4;

function boundOf({
  occupancy,
  objective,
  target,
}: FrontierCase): (weights: readonly number[], limit: number, tolerance?: number) => number {
  const isOpen = (grid: number) => !isMetByMidpoints(objective, target, occupancy.samplesOfGrid[grid]!);
  const array = new ActiveArray(occupancy, isOpen);
  const model = new PriceModel(objective, target);
  return (weights, limit, tolerance = TOLERANCE) =>
    weightedLossBelow(array, model, Float64Array.from(weights), { limit, tolerance });
}

/** The best share of the optimum that any of the weights proves, at the limit that proves most without being trivial. */
function bestShare(each: FrontierCase, draws: number): number | undefined {
  const { occupancy, objective, target, seed } = each;
  const optimum = exhaustiveLeastLoss(occupancy, objective, target).atMost;
  if (optimum === 0) return undefined;
  const bound = boundOf(each);
  const random = new SeededRandom(seed);
  let best = 0;
  for (const weights of wholeWeights(occupancy.users.length, seed, draws)) {
    // The optimum loses less than either limit, so neither may be proven.
    for (const limit of [optimum * (1 + 1e-7), optimum * (1 + random.below(1000) / 700)]) {
      const value = bound(weights, limit);
      if (limit > optimum && value >= limit)
        throw new Error(`${weights} prove ${limit}, the optimum is ${optimum}: ${describeCase(each)}`);
      if (limit < optimum * 1.001) best = Math.max(best, value / optimum);
    }
  }
  return best;
}

describe("no weights prove more than the optimum", () => {
  test.each([
    { name: "tiny arrays", cases: frontierCases(), runs: fewer(1200) },
    { name: "grids with so many records that ranges are divided", cases: frontierCases(longGrids), runs: fewer(450) },
  ])("$name", ({ cases, runs }) => {
    let tried = 0;
    const shares: number[] = [];
    fc.assert(
      fc.property(cases, (each) => {
        tried += 1;
        const share = bestShare(each, 3);
        if (share !== undefined) shares.push(share);
      }),
      { numRuns: runs, seed: 20_240 },
    );
    // Most of these bounds are within a thousandth of the truth: one that were higher by more would have been found out.
    shares.sort((left, right) => left - right);
    expect(shares.length).toBeGreaterThan(0.7 * tried);
    expect(shares[Math.floor(shares.length / 2)]).toBeGreaterThan(0.999);
  });

  test("where one statistic has no room yet and another loses least", () => {
    const objective = makeObjective(parseBounds("0,65"), { statistics: "mean,sum", estimator: "centred" });
    const target = { kind: "each", errors: [Rational.of(377, 10), Rational.of(26_754, 10)] } as const;
    const each = { occupancy: occupancyOf([[42, 42]]), objective, target, seed: 1 };
    expect(bestShare(each, 20)).toBeGreaterThan(0.9);
  });
});

test("a user with every record of one grid pays for the error alone, and the bound says so", () => {
  const objective = makeObjective(parseBounds("0,65"), { statistics: "mean", estimator: "centred" });
  const target = { kind: "together", error: Rational.of(13) } as const;
  const each = { occupancy: occupancyOf([[100]]), objective, target, seed: 1 };
  // Keeping k of 100 costs (65k/100)/(13 − 65(100 − k)/200), least with everything kept.
  expect(boundOf(each)([7], 100)).toBeGreaterThan(5 * (1 - TOLERANCE - 1e-6));
  expect(boundOf(each)([7], 100)).toBeLessThanOrEqual(5);
});

test("an odd grid whose variance nobody can move is free", () => {
  const objective = makeObjective(parseBounds("0,65"), { statistics: "variance", estimator: "kept" });
  const target = { kind: "together", error: Rational.of(1) } as const;
  const each = {
    occupancy: occupancyOf([
      [1, 0],
      [0, 1],
    ]),
    objective,
    target,
    seed: 1,
  };
  expect(exhaustiveLeastLoss(each.occupancy, objective, target)).toEqual({ atLeast: 0, atMost: 0 });
  expect(boundOf(each)([1, 1], 1)).toBe(0);
});

test.each(WEIGHTED_SIZES)("never above the least weighted loss, and near it where influences are linear: $name", ({
  cases,
  runs,
}) => {
  let near = 0;
  fc.assert(
    fc.property(cases, (each) => {
      const { occupancy, objective, target } = each;
      const boundFor = boundOf(each);
      for (const { weights, limit } of weightsAndLimits(each)) {
        const truth = leastWeightedShare(occupancy, objective, target, { weights, limit: limit * (1 + 1e-8) });
        for (const tolerance of [5e-4, 0]) {
          const below = boundFor(weights, limit, tolerance);
          const says = () => `${weights} at ${limit}: ${below}, the least is ${truth}: ${describeCase(each)}`;
          // Beyond the limit nobody asks: a grid alone may be worth no more than that.
          if (below > truth && truth < limit) throw new Error(`too high: ${says()}`);
          const wanted = Math.min(truth, limit) * (1 - tolerance - 1e-7);
          if (influencesAreLinear(each) && !(below >= wanted)) throw new Error(`too low: ${says()}`);
          if (below >= wanted) near += 1;
        }
      }
    }),
    { numRuns: runs, seed: 20_251 },
  );
  expect(near).toBeGreaterThan(2 * runs);
});
