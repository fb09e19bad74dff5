/** What the figures show is what plans say: every number of a point against the plan that has it. */
import { expect, test } from "vitest";
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { makeObjective, parseBounds } from "../../core/influence/index.ts";
import { makePlan, runNow, summarisePlan } from "../../core/planning/index.ts";
import { synthesise } from "../simulation/index.ts";
import { degradationAsPrinted } from "./clip-user-as-printed.ts";
import { measureClipped, measureFrontier } from "./measure.ts";

/** Not from 0, so that width and upper end differ. */
const bounds = parseBounds("-10,55");
const occupancy = synthesise({ gamma: 3, q: 0.05, seed: 4, grids: 7 });

test.each(["0.1", "0.5", "2"])("before and after at ε = %s", (epsilonText) => {
  const objective = makeObjective(bounds);
  const epsilon = parseDecimal(epsilonText, "epsilon");
  for (const protectLowest of [true, false]) {
    const planned = (caps: boolean) =>
      summarisePlan(occupancy, runNow(makePlan(occupancy, { objective, epsilon, clipUser: { protectLowest }, caps })));
    const [clipped, capped] = [planned(false), planned(true)];
    const baseline = summarisePlan(occupancy, runNow(makePlan(occupancy, { objective, epsilon })));
    const point = runNow(measureClipped({ occupancy, bounds, protectLowest }, epsilonText));
    expect(point).toEqual({
      epsilon: Number(epsilonText),
      gridsBefore: clipped.maxGridsPerUser,
      gridsAfter: clipped.degradation,
      gridsAfterAsPrinted: degradationAsPrinted(occupancy, { width: 65, epsilon: point.epsilon, protectLowest }),
      errorBefore: clipped.errorBound,
      errorAfter: capped.worstError,
      meanErrorBefore: baseline.perStatistic[0]!.worstError,
      varianceErrorBefore: baseline.perStatistic[1]!.worstError,
      usefulGridsBefore: baseline.perGrid.filter(({ useful }) => useful).length,
      lossBefore: clipped.baselineLoss,
      lossAfter: clipped.loss,
      lossCapped: capped.loss,
      dataFreeError: clipped.dataFreeError,
    });
    expect(clipped.lossSimple).toBeCloseTo(point.gridsAfter * point.epsilon, 12);
  }
});

test("the frontier at the baseline's error and at its joint loss", () => {
  const subject = { occupancy, bounds, protectLowest: true };
  const point = runNow(measureFrontier(subject, "6.3", { loss: true, error: true }));
  const baseline = runNow(measureClipped(subject, "6.3"));
  expect(baseline.errorBefore).toBeLessThan(baseline.dataFreeError);
  for (const [estimator, found] of [
    ["kept", point.lossKept],
    ["centred", point.lossCentred],
  ] as const) {
    const objective = makeObjective(bounds, { estimator });
    const frontier = { kind: "epsilon", epsilon: Rational.of(63, 10) } as const;
    const plan = summarisePlan(occupancy, runNow(makePlan(occupancy, { objective, frontier })));
    expect(found).toBe(plan.loss);
    expect(plan.worstError).toBeLessThanOrEqual(baseline.errorBefore);
    expect(found).toBeLessThan(baseline.lossBefore);
    expect(found).toBeGreaterThanOrEqual(plan.lowerBound!);
  }
  const loss = parseDecimal(baseline.lossBefore.toFixed(18), "loss");
  const centred = makeObjective(bounds, { estimator: "centred" });
  const least = runNow(makePlan(occupancy, { objective: centred, frontier: { kind: "loss", loss } }));
  expect(point.errorAtLoss).toBeCloseTo(summarisePlan(occupancy, least).worstError!, 4);
  expect(point.errorAtLoss).toBeLessThan(baseline.errorBefore);
});

test("where midpoints are as good the frontier needs no loss, and what is not asked is not there", () => {
  const subject = { occupancy, bounds, protectLowest: true };
  const baseline = runNow(measureClipped(subject, "0.1"));
  expect(baseline.errorBefore).toBeGreaterThan(baseline.dataFreeError);
  expect(runNow(measureFrontier(subject, "0.1", { loss: true, error: false }))).toEqual({
    epsilon: 0.1,
    lossKept: 0,
    lossCentred: 0,
    errorAtLoss: null,
  });
  expect(runNow(measureFrontier(subject, "0.1", { loss: false, error: true }))).toMatchObject({
    lossKept: null,
    errorAtLoss: expect.any(Number),
  });
});

test("protecting a grid changes what the misprint does, in some array at least", () => {
  const found = [1, 2, 3, 4, 5, 6].map((seed) => {
    const array = synthesise({ gamma: 3, q: 0.05, seed, grids: 6 });
    const at = (protectLowest: boolean): number =>
      runNow(measureClipped({ occupancy: array, bounds, protectLowest }, "0.05")).gridsAfterAsPrinted;
    return [at(true), at(false)] as const;
  });
  expect(found.some(([protectedK, openK]) => protectedK !== openK)).toBe(true);
});
