/** Tests that the browser's planner meets every request, whichever strategy, and agrees with the library. */
import { describe, expect, test } from "vitest";
import { occupancyFromTriples } from "../../../src/core/occupancy/index.ts";
import { runNow, summarisePlan } from "../../../src/core/planning/index.ts";
import { curveOf, errorNear, withoutTeeth } from "./curve.ts";
import type { Curve, PlanAsked, PlanSettings, Strategy } from "./messages.ts";
import { planFor, viewOf } from "./plan-for.ts";

const occupancy = occupancyFromTriples(
  Array.from({ length: 300 }, (_, user) =>
    Array.from({ length: 6 }, (_, grid): [string, string, number] | undefined =>
      (user * 7 + grid * 13) % 5 > 2 ? undefined : [`u${user}`, `g${grid}`, 1 + ((user * 37 + grid * 101) % 97)],
    ).filter((triple) => triple !== undefined),
  ).flat(),
);
const settings: PlanSettings = { bounds: "0,65", statistics: "mean", estimator: "centred", metric: "sum" };
const asked = (strategy: Strategy, kind: "loss" | "error", value: string): PlanAsked => ({
  settings,
  strategy,
  goal: { kind, value },
});

describe.each<Strategy>(["frontier", "clip-user", "baseline"])("%s", (strategy) => {
  test.each(["0.2", "1", "6"])("never more loss than %s", (value) => {
    const made = runNow(planFor(occupancy, asked(strategy, "loss", value), { kind: "refined" }));
    expect(made.plan.loss.toNumberUp()).toBeLessThanOrEqual(Number(value));
    expect(made.plan.loss.toNumberUp()).toBeGreaterThan(0.9 * Number(value));
  });

  test.each(["3", "12"])("never more error than %s", (value) => {
    const made = runNow(planFor(occupancy, asked(strategy, "error", value), { kind: "refined" }));
    for (const guarantee of made.evaluation.guarantees)
      expect(guarantee!.error.toNumberNearest()).toBeLessThanOrEqual(Number(value) * (1 + 1e-12));
  });
});

test("the paper's strategies are planned under the paper's estimator, whatever is chosen", () => {
  for (const strategy of ["clip-user", "baseline"] as const) {
    const { plan } = runNow(planFor(occupancy, asked(strategy, "loss", "1"), { kind: "refined" }));
    expect(plan.objective.estimator).toBe("kept");
    expect(plan.strategy.name).toBe(strategy);
  }
});

test("a view has the library's numbers, counts for the lists of users, and every user in one bin", () => {
  const made = runNow(planFor(occupancy, asked("frontier", "loss", "0.4"), { kind: "refined" }));
  const { suppressed, trimmed, ...summary } = summarisePlan(occupancy, made);
  const view = viewOf(occupancy, made);
  expect(view).toMatchObject(summary);
  expect([view.suppressedPairs, view.trimmedPairs]).toEqual([suppressed.length, trimmed.length]);
  expect(JSON.stringify(view)).not.toContain('"u1"');
  const losing = Array.from({ length: occupancy.users.length }, (_, user) => made.evaluation.joint.unitsOf(user));
  expect(view.lossBins.reduce((sum, users) => sum + users, 0)).toBe(losing.filter((units) => units > 0n).length);
});

describe("the curve", () => {
  const steps = [...curveOf(occupancy, settings)];
  const curves = steps.flatMap((step) => ("curve" in step ? [step.curve] : []));
  const last = curves.at(-1)!;

  test("is rough first and proven at the end, with the refined points no worse", () => {
    expect(curves[0]!.frontier).toEqual([]);
    const rough = curves.find(({ frontier }) => frontier.length === last.frontier.length)!;
    expect(rough.frontier.every(({ refined }) => !refined)).toBe(true);
    expect(last.frontier.every(({ refined }) => refined)).toBe(true);
    last.frontier.forEach(({ loss, error, lowerBound }, at) => {
      expect(error).toBe(rough.frontier[at]!.error);
      expect(loss).toBeLessThanOrEqual(rough.frontier[at]!.loss * (1 + 1e-9));
      expect(lowerBound!).toBeLessThanOrEqual(loss);
      expect(lowerBound!).toBeGreaterThan(0.8 * loss);
    });
  });

  test("falls: more loss, less error; and lies below the baseline's", () => {
    const { frontier, baseline } = last;
    for (const [at, point] of frontier.entries()) {
      if (at > 0) expect(point.loss).toBeLessThanOrEqual(frontier[at - 1]!.loss);
      expect(point.loss).toBeLessThanOrEqual((baseline.joint * baseline.error) / point.error);
    }
    expect(baseline.joint).toBeLessThanOrEqual(baseline.simple);
    expect(last.clipUser.map(({ epsilon }) => epsilon)).toEqual([0.1, 0.2, 0.4, 0.7, 1, 1.5, 2.5, 4, 7]);
  });

  test("has no teeth: what is known of other errors stands in", () => {
    const point = (error: number, loss: number, lowerBound: number | null) => ({
      error,
      loss,
      lowerBound,
      refined: true,
    });
    expect(withoutTeeth([point(1, 4, 2), point(2, 5, 3), point(3, 1, null), point(4, 2, 1)])).toEqual([
      point(1, 4, 3),
      point(2, 4, 3),
      point(3, 1, null),
      point(4, 1, 1),
    ]);
  });

  test("errorNear reads it between its points", () => {
    const curve: Curve = {
      ...last,
      frontier: [
        { error: 1, loss: 4, lowerBound: null, refined: true },
        { error: 4, loss: 1, lowerBound: null, refined: true },
      ],
    };
    expect(errorNear(curve, 2)).toBeCloseTo(2, 12);
    expect(errorNear(curve, 0.5)).toBeUndefined();
    expect(errorNear(curve, 9)).toBeUndefined();
    expect(errorNear({ ...curve, frontier: [] }, 1)).toBeUndefined();
  });
});
