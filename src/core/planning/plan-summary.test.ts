/** The summary of a plan, number by number, on an array small enough to do by hand. */
import { describe, expect, test } from "vitest";
import { CLIPPED, type Decisions, FRONTIER, OPTIMAL, planFor } from "../../../test/support/plan-content.ts";
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { makeObjective, parseBounds } from "../influence/index.ts";
import { occupancyFromTriples, occupancyHash } from "../occupancy/index.ts";
import { checkPlan } from "./check-plan.ts";
import { baselineOf } from "./evaluate-plan.ts";
import { runNow } from "./long-work.ts";
import { makePlan } from "./make-plan.ts";
import type { PlanBound } from "./plan.ts";
import { freezePlan } from "./plan-file.ts";
import { type PlanSummary, summarisePlan } from "./plan-summary.ts";

const array = occupancyFromTriples([
  ["a", "g", 5],
  ["b", "g", 9],
  ["c", "g", 7],
  ["c", "h", 2],
]);
const objective = makeObjective(parseBounds("0,42"), { statistics: "mean" });
const centred = makeObjective(parseBounds("0,42"), { statistics: "mean", estimator: "centred" });

/** B is dropped from g, one of C's two records in h is kept. ε is 1. */
const DECISIONS: Decisions = { objective, users: ["b", "c"], suppressed: [[0, 0]], trimmed: [[1, 1, 1]] };
/** Nothing of h is kept. */
const WITHOUT_H: Decisions = { objective, users: ["c"], suppressed: [[0, 1]] };
const NOTHING: Decisions = {
  objective,
  users: ["a", "b", "c"],
  suppressed: [
    [0, 0],
    [1, 0],
    [2, 0],
    [2, 1],
  ],
};

function summaryOf(decisions: Decisions, bound: PlanBound | null = null): PlanSummary {
  const plan = freezePlan({ ...planFor(decisions, array), bound });
  return summarisePlan(array, { plan, evaluation: checkPlan(array, plan) });
}

test("clip-user, all of it", () => {
  const strategy = { ...CLIPPED, errorBound: Rational.of(100), protectedGrid: 1, timeLimitSeconds: 9 };
  const plan = freezePlan({ ...planFor({ ...DECISIONS, strategy }, array) });
  const summary = summarisePlan(array, { plan, evaluation: checkPlan(array, plan) });
  // g: 12 of 21 kept, 7 of them one user's: bias 42·9/21, scale 42·7/12. h: 1 of 2.
  const g = {
    grid: "g",
    users: 3,
    samples: 21,
    kept: 12,
    cap: null,
    epsilon: 1,
    scales: { mean: 24.5 },
    bias: { mean: 18 },
    statisticErrors: { mean: 42.5 },
    initialError: 18,
    error: 42.5,
    dataFreeError: 21,
    useful: false,
    lossShare: null,
  };
  const h = {
    ...g,
    grid: "h",
    users: 1,
    samples: 2,
    kept: 1,
    scales: { mean: 42 },
    bias: { mean: 21 },
    statisticErrors: { mean: 63 },
    initialError: 42,
    error: 63,
  };
  expect(summary).toEqual({
    strategy: "clip-user",
    estimator: "kept",
    metric: "sum",
    split: "even",
    users: 3,
    grids: 2,
    samples: 23,
    keptSamples: 13,
    maxGridsPerUser: 2,
    epsilon: 1,
    degradation: 2,
    // C is the heaviest of what is left, twice; in the baseline it has 7 records where B has 9.
    loss: 2,
    lossSimple: 2,
    baselineLoss: expect.closeTo(16 / 9, 15),
    baselineLossSimple: 2,
    baselineEpsilon: 1,
    errorBound: 100,
    errorTargets: null,
    lossTarget: null,
    boundOf: null,
    lowerBound: null,
    gap: null,
    setAside: [],
    timeLimitSeconds: 9,
    worstError: 63,
    initialWorstError: 42,
    dataFreeError: 21,
    usefulGrids: 0,
    latticeError: { mean: 0.25 },
    protectedGrid: "h",
    suppressed: [["b", "g"]],
    trimmed: [["c", "h", 1]],
    perStatistic: [
      {
        statistic: "mean",
        worstGrid: "h",
        worstError: 63,
        worstBias: 21,
        worstNoise: 42,
        initialWorstError: 42,
        dataFreeError: 21,
        usefulGrids: 0,
      },
    ],
    perGrid: [g, h],
    planHash: plan.hash,
    occupancyHash: occupancyHash(array),
    exact: {
      epsilon: "1",
      lowerBound: null,
      loss: "2",
      lossSimple: "2",
      baselineLoss: "1.777777777777777778",
      baselineLossSimple: "2",
      errorBound: "100",
      worstError: "63",
    },
  });
});

describe("the frontier", () => {
  const strategy = { ...FRONTIER, errorBound: Rational.of(63) };

  test("is held against the baseline with the same worst error", () => {
    const summary = summaryOf({ ...DECISIONS, strategy: { ...strategy, lossTarget: Rational.of(3) } });
    // 42/ε = 63.
    expect(summary.baselineEpsilon).toBeCloseTo(2 / 3, 15);
    expect(summary.baselineLoss).toBeCloseTo(32 / 27, 15);
    expect(summary.baselineLossSimple).toBeCloseTo(4 / 3, 15);
    expect(summary.initialWorstError).toBeCloseTo(63, 12);
    expect(summary.perGrid.map((each) => each.initialError)).toEqual([expect.closeTo(27, 12), expect.closeTo(63, 12)]);
    expect(summary).toMatchObject({ epsilon: null, errorBound: 63, lossTarget: 3, exact: { epsilon: null } });
    expect(summary.protectedGrid).toBeNull();
  });

  test("what is set aside does not count there", () => {
    const aside = { ...strategy, setAside: [1] };
    const summary = summaryOf({ ...WITHOUT_H, strategy: aside });
    // g keeps everything at ε = 1: an error of 18, which the baseline has in h only at 42/18.
    expect(summary.baselineEpsilon).toBeCloseTo(42 / 18, 15);
    expect(summary).toMatchObject({
      setAside: ["h"],
      worstError: null,
      usefulGrids: 1,
      keptSamples: 21,
      perStatistic: [{ worstGrid: "g", worstError: 18, worstBias: 0, worstNoise: 18, usefulGrids: 1 }],
      exact: { worstError: null },
    });
    expect(summary.perGrid[1]).toMatchObject({ error: null, bias: {}, statisticErrors: {}, useful: false, epsilon: 0 });
    // The centred estimator publishes the middle, 21 from either end; that is an error, but of no use.
    const middle = summaryOf({ ...WITHOUT_H, objective: centred, strategy: aside });
    expect(middle).toMatchObject({
      estimator: "centred",
      worstError: 21,
      usefulGrids: 1,
      perStatistic: [{ worstGrid: "h", worstError: 21, worstBias: 21, worstNoise: 0, usefulGrids: 1 }],
    });
    expect(middle.baselineEpsilon).toBeCloseTo(42 / 18, 15);
  });

  test("with nothing kept anywhere every statistic is infinitely far off, and the baseline is that of ε = 1", () => {
    const summary = summaryOf({ ...NOTHING, strategy: { ...strategy, setAside: [0, 1] } });
    expect(summary).toMatchObject({
      loss: 0,
      degradation: 0,
      keptSamples: 0,
      worstError: null,
      baselineEpsilon: 1,
      baselineLossSimple: 2,
      usefulGrids: 0,
      perStatistic: [
        {
          statistic: "mean",
          worstGrid: "g",
          worstError: Number.POSITIVE_INFINITY,
          worstBias: Number.POSITIVE_INFINITY,
          worstNoise: 0,
          initialWorstError: 42,
          dataFreeError: 21,
          usefulGrids: 0,
        },
      ],
    });
  });

  test("errors by statistic are told by name", () => {
    const both = makeObjective(parseBounds("0,42"), { statistics: "mean,sum" });
    const errorTargets = [Rational.of(500), Rational.of(2501, 2)];
    const summary = summaryOf({
      ...DECISIONS,
      objective: both,
      strategy: { ...strategy, errorBound: null, errorTargets },
    });
    expect(summary.errorTargets).toEqual({ mean: 500, sum: 1250.5 });
    expect(summary.errorBound).toBeNull();
    // The lattice moves a sum by half a step per record of the largest grid.
    expect(summary.latticeError).toEqual({ mean: 0.25, sum: 21 * 0.25 });
    expect(summary.perStatistic.map((each) => each.statistic)).toEqual(["mean", "sum"]);
    // A sum of 21 records is 441 from either end at most; of 2 records, 42.
    expect(summary.perStatistic[1]).toMatchObject({ worstGrid: "g", dataFreeError: 441 });
    expect(summary.dataFreeError).toBe(21 + 441);
  });

  test("shares of the loss come with weights", () => {
    const bound: PlanBound = { of: "loss", lowerBound: Rational.ONE, weights: [[1, 3]], prices: null };
    const summary = summaryOf({ ...DECISIONS, strategy }, bound);
    expect(summary.perGrid.map((each) => each.lossShare)).toEqual([0.5, 0.5]);
    expect(summary).toMatchObject({ boundOf: "loss", lowerBound: 1, gap: 0.5, exact: { lowerBound: "1" } });
  });
});

test("the gap is a share of the loss, of the error or of K, and 0 where there is nothing to gain", () => {
  const quarter = { lowerBound: Rational.of(1, 2), weights: [], prices: null };
  const strategy = { ...FRONTIER, errorBound: Rational.of(100) };
  const forLoss = { ...strategy, lossTarget: Rational.of(3) };
  // Keeping everything costs 16/9; K is 2.
  expect(summaryOf({ objective, strategy }, { ...quarter, of: "loss" }).gap).toBeCloseTo(1 - 9 / 32, 12);
  expect(summaryOf({ ...DECISIONS, strategy: forLoss }, { ...quarter, of: "error" }).gap).toBe(0.995);
  expect(summaryOf({ ...DECISIONS, strategy: OPTIMAL }, { ...quarter, of: "degradation" }).gap).toBe(0.75);
  const nothing = { ...NOTHING, strategy: { ...strategy, setAside: [0, 1] } };
  expect(summaryOf(nothing, { ...quarter, of: "loss", lowerBound: Rational.ZERO }).gap).toBe(0);
});

test("an emptied grid of the paper's estimator has no error, so neither has the plan", () => {
  const summary = summaryOf({ ...WITHOUT_H, strategy: CLIPPED });
  expect(summary).toMatchObject({ worstError: null, baselineEpsilon: 1, usefulGrids: 1, setAside: [] });
  const baseline = baselineOf(array, objective, { epsilon: null, worstError: null });
  expect(baseline).toMatchObject({ epsilon: Rational.ONE, lossSimple: Rational.of(2) });
});

test("publishing the middle of an odd number of records is better than the data-free line, and still of no use", () => {
  const both = makeObjective(parseBounds("0,42"), { estimator: "centred" });
  const emptied = { ...NOTHING, objective: both, strategy: { ...FRONTIER, setAside: [0, 1] } };
  const summary = summaryOf(emptied);
  expect(summary.perGrid[0]!.error!).toBeLessThan(summary.perGrid[0]!.dataFreeError);
  expect(summary).toMatchObject({ usefulGrids: 0, perGrid: [{ useful: false }, { useful: false }] });
  expect(summary.perStatistic.map((each) => each.usefulGrids)).toEqual([0, 0]);
});

test("of equally bad grids the first is named", () => {
  const twins = occupancyFromTriples([
    ["a", "g", 1],
    ["a", "h", 1],
  ]);
  const plan = freezePlan(planFor({ objective, strategy: CLIPPED }, twins));
  expect(summarisePlan(twins, { plan, evaluation: checkPlan(twins, plan) }).perStatistic[0]!.worstGrid).toBe("g");
});

test("a guarantee exactly at the data-free error is not useful", () => {
  // One record, mean only, ε = 2: the error is U/2.
  const single = occupancyFromTriples([["a", "g", 1]]);
  const meanOnly = makeObjective(parseBounds("0,8"), { statistics: "mean" });
  const at = (epsilon: string) =>
    summarisePlan(single, runNow(makePlan(single, { objective: meanOnly, epsilon: parseDecimal(epsilon) })));
  expect(at("2")).toMatchObject({
    worstError: 4,
    dataFreeError: 4,
    usefulGrids: 0,
    perGrid: [{ useful: false }],
    perStatistic: [{ usefulGrids: 0 }],
  });
  expect(at("2.000000001")).toMatchObject({
    usefulGrids: 1,
    perGrid: [{ useful: true }],
    perStatistic: [{ usefulGrids: 1 }],
  });
});

test("caps are told by grid", () => {
  const strategy = { ...CLIPPED, caps: true };
  const summary = summaryOf({ objective, caps: [6, 2], strategy });
  expect(summary.perGrid.map(({ cap, kept }) => [cap, kept])).toEqual([
    [6, 17],
    [2, 2],
  ]);
});

test("of a balanced plan: typical errors by grid and over the grids, who has no weight, and no bound or cap", () => {
  const both = makeObjective(parseBounds("0,42"), {
    statistics: "mean,sum",
    metric: "relative",
    estimator: "weighted",
  });
  const balanced = { loss: Rational.of(2), passes: 1 } as const;
  const made = runNow(makePlan(array, { objective: both, balanced }));
  const summary = summarisePlan(array, made);
  const { typical, weights } = made.evaluation.balanced!;
  expect(summary.perGrid.map(({ typicalError }) => typicalError)).toEqual(
    typical.map(([mean, sum]) => ({ mean, sum })),
  );
  const means = typical.map(([mean]) => mean!);
  expect(summary.perStatistic[0]!.typicalError).toEqual({
    average: expect.closeTo((means[0]! + means[1]!) / 2, 12),
    largest: Math.max(...means),
  });
  // In the metric: as shares of 21 and of 21 times the records, which are the same shares.
  expect(summary.typicalError).toBeCloseTo((means[0]! + means[1]!) / 2 / 21, 12);
  expect(summary).toMatchObject({
    ...{ passes: 1, aim: "typical", spread: { users: 42 / 32, records: 42 / 16, trend: 42 / 64 } },
    ...{ epsilon: null, boundOf: null, lowerBound: null, gap: null, trimmed: [], setAside: [] },
  });
  const pairs = [
    ["a", "g"],
    ["b", "g"],
    ["c", "g"],
    ["c", "h"],
  ];
  expect(summary.suppressed).toEqual(pairs.filter((_, entry) => weights.ofEntry[entry] === 0));
  for (const grid of summary.perGrid) expect(grid.cap).toBeNull();
});
