/** The verifier of bounds: never convinced of more than is true by any weights, convinced by the planner's, and not by altered plans. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exhaustiveLeastLoss } from "../../../test/support/exhaustive-least-loss.ts";
import { describeCase, frontierCases, longGrids, occupancyOf } from "../../../test/support/frontier-cases.ts";
import { fewer } from "../../../test/support/full.ts";
import { leastWeightedShare } from "../../../test/support/least-weighted-loss.ts";
import {
  influencesAreLinear,
  isProven,
  WEIGHTED_SIZES,
  weightsAndLimits,
} from "../../../test/support/weighted-cases.ts";
import { wholeWeights } from "../../../test/support/whole-weights.ts";
import { Rational } from "../arithmetic/index.ts";
import { makeObjective, parseBounds } from "../influence/index.ts";
import { runNow } from "./long-work.ts";
import { makePlan } from "./make-plan.ts";
import type { Plan, PlanBound } from "./plan.ts";
import { freezePlan } from "./plan-file.ts";
import { noPlanLosesLess, rootDown, verifyBound } from "./verify-bound.ts";

describe("no weights convince it of more than the optimum", () => {
  test.each([
    { name: "tiny arrays", cases: frontierCases(), runs: fewer(700) },
    { name: "grids with so many records that ranges are divided", cases: frontierCases(longGrids), runs: fewer(200) },
  ])("$name", ({ cases, runs }) => {
    let tried = 0;
    let looked = 0;
    let near = 0;
    fc.assert(
      fc.property(cases, (each) => {
        tried += 1;
        const { occupancy, objective, target, seed } = each;
        const optimum = exhaustiveLeastLoss(occupancy, objective, target).atMost;
        if (optimum === 0) return;
        let convinced = false;
        for (const weights of wholeWeights(occupancy.users.length, seed, 2)) {
          for (const above of [1e-7, 0.4])
            if (isProven(each, weights, optimum * (1 + above)))
              throw new Error(`${weights} prove ${1 + above} times the optimum: ${describeCase(each)}`);
          convinced ||= isProven(each, weights, optimum * 0.995);
        }
        looked += 1;
        if (convinced) near += 1;
      }),
      { numRuns: runs, seed: 20_241 },
    );
    // Not because it is never convinced.
    expect(looked).toBeGreaterThan(0.7 * tried);
    expect(near).toBeGreaterThan(0.5 * looked);
  });

  test("where one statistic has no room yet and another loses least", () => {
    const objective = makeObjective(parseBounds("0,65"), { statistics: "mean,sum", estimator: "centred" });
    const target = { kind: "each", errors: [Rational.of(377, 10), Rational.of(26_754, 10)] } as const;
    const each = { occupancy: occupancyOf([[42, 42]]), objective, target, seed: 1 };
    const optimum = exhaustiveLeastLoss(each.occupancy, objective, target).atMost;
    expect(isProven(each, [1, 1], optimum * 1.000001)).toBe(false);
    expect(isProven(each, [1, 1], optimum * 0.99)).toBe(true);
  });
});

describe("a plan's own bound", () => {
  const objective = makeObjective(parseBounds("0,65"), { estimator: "centred" });
  const target = { kind: "together", error: Rational.of(200) } as const;
  const occupancy = occupancyOf([
    [9, 4, 4, 3, 0, 1],
    [8, 0, 5, 2, 6, 1],
    [0, 7, 1, 1, 2, 3],
  ]);
  const { plan } = runNow(makePlan(occupancy, { objective, frontier: { kind: "error", target } }));
  const bound = plan.bound!;
  const heaviest = bound.weights[0]![0];
  const tiny = bound.lowerBound.multiply(Rational.of(1, 1000));
  const withBound = (change: Partial<PlanBound>): Plan => freezePlan({ ...plan, bound: { ...bound, ...change } });

  test("convinces", () => {
    expect(bound.lowerBound.sign()).toBe(1);
    expect(verifyBound(occupancy, plan)).toBe(true);
  });

  test.each<[string, () => Plan]>([
    [
      "a bound of 0, for which nobody has to weigh anything",
      () => withBound({ lowerBound: Rational.ZERO, weights: [] }),
    ],
    ["users that weigh nothing beside the others", () => withBound({ weights: [...bound.weights, [0, 0]] })],
    ["weights as large as they may be", () => withBound({ weights: [[heaviest, 2 ** 30]], lowerBound: tiny })],
  ])("%s does, too", (_, altered) => expect(verifyBound(occupancy, altered())).toBe(true));

  test.each<[string, () => Plan]>([
    ["a weight that is larger", () => withBound({ weights: [[heaviest, 2 ** 30 + 1]], lowerBound: tiny })],
    ["a higher bound", () => withBound({ lowerBound: plan.loss.multiply(Rational.of(101, 100)) })],
    ["a bound below 0", () => withBound({ lowerBound: Rational.of(-1) })],
    ["no weights", () => withBound({ weights: [] })],
    ["the wrong user's weight", () => withBound({ weights: [[plan.users.length - 1, 1]] })],
    [
      "the weight of a user that the array does not have",
      () =>
        freezePlan({
          ...plan,
          users: [...plan.users, "zz"],
          bound: { ...bound, weights: [...bound.weights, [plan.users.length, 1]] },
        }),
    ],
    ["a negative weight", () => withBound({ weights: bound.weights.map(([user, weight]) => [user, -weight]) })],
    ["a fractional weight", () => withBound({ weights: bound.weights.map(([user, weight]) => [user, weight + 0.5]) })],
    ["a bound of another thing", () => withBound({ of: "degradation" })],
    ["a bound of the error where no loss was asked for", () => withBound({ of: "error" })],
    ["none", () => freezePlan({ ...plan, bound: null })],
    [
      "a larger error allowed",
      () => freezePlan({ ...plan, strategy: { ...plan.strategy, errorBound: Rational.of(1000) } }),
    ],
  ])("%s does not", (_, altered) => expect(verifyBound(occupancy, altered())).toBe(false));
});

describe("where every statistic has its own error", () => {
  const objective = makeObjective(parseBounds("0,65"), { estimator: "centred" });
  const occupancy = occupancyOf([
    [9, 4, 4, 3, 0, 1],
    [8, 0, 5, 2, 6, 1],
  ]);
  const target = { kind: "each", errors: [Rational.of(15), Rational.of(500)] } as const;
  const { plan } = runNow(makePlan(occupancy, { objective, frontier: { kind: "error", target } }));
  const withErrors = (errorTargets: Rational[]): Plan =>
    freezePlan({ ...plan, strategy: { ...plan.strategy, errorTargets } });

  test("its bound convinces, and no longer where one of them is larger", () => {
    expect(plan.strategy.errorBound).toBeNull();
    expect(plan.bound!.lowerBound.sign()).toBe(1);
    expect(verifyBound(occupancy, plan)).toBe(true);
    expect(verifyBound(occupancy, withErrors([Rational.of(30), Rational.of(500)]))).toBe(false);
    expect(verifyBound(occupancy, withErrors([Rational.of(15), Rational.of(1000)]))).toBe(false);
  });
});

describe("grids that are set aside", () => {
  const objective = makeObjective(parseBounds("0,65"), { statistics: "mean" });
  const counts = [
    [3, 2, 1],
    [1, 4, 2],
  ];
  const error = Rational.of(20);
  const proves = (rows: number[][], without: number[], loss: number): boolean =>
    noPlanLosesLess(occupancyOf(rows), objective, {
      loss: Rational.fromNumber(loss),
      weights: [1, 1, 1],
      error,
      errors: null,
      without: new Set(without),
    });

  test("add nothing: the others alone prove as much as in an array that has only them", () => {
    for (let tenths = 1; tenths < 100; tenths++) {
      expect(proves(counts, [0], tenths / 10)).toBe(proves([counts[1]!], [], tenths / 10));
      expect(proves(counts, [1], tenths / 10)).toBe(proves([counts[0]!], [], tenths / 10));
      expect(proves(counts, [0, 1], tenths / 10)).toBe(false);
    }
    expect(proves(counts, [0], 0.1)).toBe(true);
  });
});

test("an error of 0 cannot be had for any loss", () => {
  const objective = makeObjective(parseBounds("0,65"), { estimator: "centred" });
  const occupancy = occupancyOf([[3, 2, 1]]);
  const proves = (errors: { error: Rational | null; errors: Rational[] | null }): boolean =>
    noPlanLosesLess(occupancy, objective, {
      loss: Rational.of(1e9),
      weights: [1, 1, 1],
      without: new Set(),
      ...errors,
    });
  expect(proves({ error: Rational.ZERO, errors: null })).toBe(true);
  expect(proves({ error: null, errors: [Rational.of(1000), Rational.ZERO] })).toBe(true);
  expect(proves({ error: null, errors: [Rational.of(1000), Rational.of(100_000)] })).toBe(false);
});

test.each([
  "0.00000000000000000001",
  "0.000001",
  "1",
  "1000000000000",
])("values up to %s: the unit does not matter", (upper) => {
  const occupancy = occupancyOf([
    [9, 4, 4, 3, 0, 1],
    [8, 0, 5, 2, 6, 1],
    [0, 7, 1, 1, 2, 3],
  ]);
  for (const statistics of ["mean", "variance", "mean,variance"]) {
    const objective = makeObjective(parseBounds(`0,${upper}`), { statistics, estimator: "centred" });
    const error = objective.statistics
      .reduce((sum, statistic) => sum.add(statistic.dataFreeError(1)), Rational.ZERO)
      .multiply(Rational.of(4, 10));
    const forError = { kind: "error", target: { kind: "together", error } } as const;
    const forLoss = { kind: "loss", loss: Rational.of(6) } as const;
    for (const frontier of [forError, forLoss]) {
      const { plan } = runNow(makePlan(occupancy, { objective, frontier }));
      expect(plan.bound!.lowerBound.sign()).toBe(1);
      expect(verifyBound(occupancy, plan)).toBe(true);
    }
  }
});

test.each(
  WEIGHTED_SIZES,
)("it is convinced of a loss only up to the least weighted one, and nearly up to it where influences are linear: $name", ({
  cases,
  runs,
}) => {
  let near = 0;
  fc.assert(
    fc.property(cases, (each) => {
      const { occupancy, objective, target } = each;
      for (const { weights, limit } of weightsAndLimits(each)) {
        // A plan that loses the limit to the last digit is within it for one and beyond it for the other.
        const leastWithin = (more: number) =>
          leastWeightedShare(occupancy, objective, target, { weights, limit: limit * (1 + more) });
        const truth = leastWithin(1e-9);
        const says = () => `${weights} at ${limit}, the least is ${truth}: ${describeCase(each)}`;
        const proven = isProven(each, weights, limit);
        if (proven && limit > leastWithin(-1e-9) * (1 + 1e-7)) throw new Error(`proves too much: ${says()}`);
        if (!proven && influencesAreLinear(each) && limit < truth * (1 - 2e-4))
          throw new Error(`proves too little: ${says()}`);
        if (proven) near += 1;
      }
    }),
    { numRuns: runs, seed: 20_250 },
  );
  expect(near).toBeGreaterThan(runs);
});

test("a root is the largest whole number whose square is not above", () => {
  const large = [2n ** 64n, 2n ** 105n, 3n * 2n ** 130n, 10n ** 60n, 7n ** 90n].flatMap((value) => {
    return [value - 1n, value, value + 1n, value * value - 1n, value * value, value * value + 1n];
  });
  for (const value of [...Array.from({ length: 70 }, (_, each) => BigInt(each)), ...large]) {
    const root = rootDown(value);
    expect(root * root <= value && (root + 1n) * (root + 1n) > value, `${value}`).toBe(true);
  }
});
