/** The least error for a loss: never more loss than asked for, bounds that hold, and grids given up where nothing can be had. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exhaustiveLeastLoss } from "../../../../test/support/exhaustive-least-loss.ts";
import { describeCase, frontierCases, longGrids, occupancyOf } from "../../../../test/support/frontier-cases.ts";
import { fewer } from "../../../../test/support/full.ts";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { makeObjective, type Objective, parseBounds } from "../../influence/index.ts";
import type { Occupancy } from "../../occupancy/index.ts";
import { checkPlan } from "../check-plan.ts";
import { runNow } from "../long-work.ts";
import { type MadePlan, makePlan } from "../make-plan.ts";
import { planText, readPlan } from "../plan-file.ts";
import { summarisePlan } from "../plan-summary.ts";
import { verifyBound } from "../verify-bound.ts";

function planOf(occupancy: Occupancy, objective: Objective, loss: Rational): MadePlan {
  const made = runNow(makePlan(occupancy, { objective, frontier: { kind: "loss", loss } }));
  checkPlan(occupancy, readPlan(planText(made.plan)));
  expect(made.plan.loss.compare(loss)).toBeLessThanOrEqual(0);
  return made;
}

const parts = fc.constantFrom(1, 30, 300, 1000, 2000, 3000, 5000, 8000, 12_000, 20_000, 50_000);

describe("tiny arrays, every plan tried", () => {
  test.each([
    { name: "few records", cases: frontierCases(), runs: fewer(350) },
    { name: "few users, many records", cases: frontierCases(longGrids), runs: fewer(60) },
  ])("$name", ({ cases, runs }) => {
    let tried = 0;
    const ratios: number[] = [];
    fc.assert(
      fc.property(cases, parts, (each, thousandths) => {
        tried += 1;
        const { occupancy, objective } = each;
        const loss = Rational.of(thousandths, 1000);
        const made = planOf(occupancy, objective, loss);
        const { plan } = made;
        const says = `${describeCase(each)} at loss ${loss}`;
        summarisePlan(occupancy, made);
        const without = new Set(plan.strategy.setAside);
        if (without.size === occupancy.grids.length) return;
        if (!verifyBound(occupancy, plan)) throw new Error(`bound does not convince: ${says}`);
        const lossAt = (error: Rational): number =>
          exhaustiveLeastLoss(occupancy, objective, { kind: "together", error }, { without }).atMost;
        const { lowerBound } = plan.bound!;
        const wanted = loss.toNumberNearest();
        if (lowerBound.sign() > 0 && lossAt(lowerBound.multiply(Rational.of(999_999, 1_000_000))) <= wanted)
          throw new Error(`an error below ${lowerBound} is possible: ${says}`);
        ratios.push(errorOf(plan.strategy.errorBound!, (error) => lossAt(error) <= wanted));
      }),
      { numRuns: runs, seed: 20_243 },
    );
    expect(ratios.length).toBeGreaterThan(tried / 4);
    expect(ratios.reduce((left, right) => left + right, 0) / ratios.length).toBeLessThan(1.005);
    expect(ratios.filter((ratio) => ratio > 1.1).length).toBeLessThanOrEqual(0.01 * ratios.length);
  });

  /** The plan's error over the least at which some plan is possible. */
  function errorOf(error: Rational, isPossible: (error: Rational) => boolean): number {
    const most = error.toNumberNearest();
    // Single records whose variance is 0 whatever they are: nothing is off, up to rounding.
    if (most < 1e-9) return 1;
    let [low, high] = [0, most];
    for (let round = 0; round < 12; round++) {
      const middle = (low + high) / 2;
      if (isPossible(Rational.fromNumber(middle))) high = middle;
      else low = middle;
    }
    return most / high;
  }
});

const bounds = parseBounds("0,65");
const occupancy = occupancyOf([
  [9, 4, 4, 3, 0, 1, 7, 6, 5],
  [8, 0, 5, 2, 6, 1, 7, 5, 4],
  [0, 7, 1, 1, 2, 3, 0, 4, 4],
  [30, 2, 2, 2, 2, 2, 2, 0, 0],
]);

test.each([
  { estimator: "kept", metric: "sum" },
  { estimator: "kept", metric: "relative" },
  { estimator: "centred", metric: "sum" },
  { estimator: "centred", metric: "relative" },
] as const)("more loss gives no larger error while no further grid is taken up: $estimator, $metric", (options) => {
  const objective = makeObjective(bounds, options);
  let before: { error: number; setAside: number } | undefined;
  for (const loss of ["2", "2.5", "3", "4", "5", "6", "8", "11", "15", "20", "40", "80"]) {
    const made = planOf(occupancy, objective, parseDecimal(loss, "λ"));
    const { strategy } = made.plan;
    const now = { error: strategy.errorBound!.toNumberNearest(), setAside: strategy.setAside.length };
    if (before !== undefined) {
      expect(now.setAside).toBeLessThanOrEqual(before.setAside);
      if (now.setAside === before.setAside) expect(now.error).toBeLessThan(before.error * 1.01);
    }
    before = now;
  }
  expect(before).toMatchObject({ setAside: 0 });
});

describe("grids in which nothing can be had", () => {
  // One user alone in the first grid; a hundred with two records each in the second.
  const crowded = occupancyOf([
    [40, ...new Array<number>(100).fill(0)],
    [2, ...new Array<number>(100).fill(2)],
  ]);
  const loss = parseDecimal("0.2", "λ");

  test("centred: emptied, and its user pays for the other grid alone", () => {
    const made = planOf(crowded, makeObjective(bounds, { estimator: "centred" }), loss);
    expect(made.plan.strategy.setAside).toEqual([0]);
    expect(Array.from(made.evaluation.kept.ofGrid, (kept) => kept > 0)).toEqual([false, true]);
    expect(made.plan.noise[0]!.epsilon.isZero()).toBe(true);
    const summary = summarisePlan(crowded, made);
    expect(summary.setAside).toEqual(["g0"]);
    expect(summary.usefulGrids).toBe(1);
    expect(summary.perGrid[1]!.error).toBeLessThan(560);
    expect(verifyBound(crowded, made.plan)).toBe(true);
  });

  test("kept: it has no statistic", () => {
    const made = planOf(crowded, makeObjective(bounds, { estimator: "kept" }), loss);
    expect(made.plan.strategy.setAside).toEqual([0]);
    expect(made.evaluation.guarantees[0]).toBeUndefined();
    expect(summarisePlan(crowded, made).perGrid[0]).toMatchObject({ error: null, kept: 0, useful: false });
    expect(verifyBound(crowded, made.plan)).toBe(true);
  });

  test("all of them, centred: a plan that keeps nothing and costs nothing", () => {
    const made = planOf(crowded, makeObjective(bounds, { estimator: "centred" }), parseDecimal("0.0001", "λ"));
    expect(made.plan.loss.isZero()).toBe(true);
    expect(made.plan.strategy.setAside).toEqual([0, 1]);
    expect(summarisePlan(crowded, made)).toMatchObject({ loss: 0, keptSamples: 0, usefulGrids: 0 });
    expect(made.plan.bound).toBeNull();
  });

  test("all of them, kept: nothing is published, nothing is lost", () => {
    const made = planOf(crowded, makeObjective(bounds), parseDecimal("0.0001", "λ"));
    expect(made.plan.strategy.setAside).toHaveLength(crowded.grids.length);
    expect(made.plan.loss.isZero()).toBe(true);
    expect(summarisePlan(crowded, made)).toMatchObject({ worstError: null, usefulGrids: 0 });
  });

  test("some for the sake of others, where each could be had alone and all together cannot", () => {
    // Everyone is in every grid: what each costs alone adds up.
    const everywhere = occupancyOf(Array.from({ length: 12 }, () => new Array<number>(8).fill(6)));
    const objective = makeObjective(bounds, { estimator: "centred" });
    const made = planOf(everywhere, objective, parseDecimal("3", "λ"));
    const { errorBound, setAside } = made.plan.strategy;
    // An error beyond the data-free one is never a plan for the centred estimator.
    expect(errorBound!.toNumberNearest()).toBeLessThanOrEqual(560.625);
    expect(setAside.length === 12 || errorBound!.toNumberNearest() < 0.98 * 560.625).toBe(true);
  });

  test("grids that an error leaves empty at no cost do not count as records needed", () => {
    // A single record is 32.5 off at most, whatever is published.
    const singles = occupancyOf([
      [1, 0, 0, 0, 0, 0],
      [0, 1, 0, 0, 0, 0],
      [5, 5, 5, 5, 5, 5],
    ]);
    const made = planOf(singles, makeObjective(bounds, { estimator: "centred" }), parseDecimal("2.4", "λ"));
    expect(made.plan.strategy.errorBound!.toNumberNearest()).toBeGreaterThan(33);
    const open = [0, 1].filter((grid) => !made.plan.strategy.setAside.includes(grid));
    for (const grid of open) expect(made.evaluation.kept.ofGrid[grid]).toBe(0);
    expect(verifyBound(singles, made.plan)).toBe(true);
  });
});

test("out of time at once, it still keeps to the loss", () => {
  const objective = makeObjective(bounds, { estimator: "centred" });
  const loss = parseDecimal("6", "λ");
  const timeLimit = { seconds: 1, isOutOfTime: () => true };
  const { plan } = runNow(makePlan(occupancy, { objective, frontier: { kind: "loss", loss }, timeLimit }));
  checkPlan(occupancy, plan);
  expect(plan.loss.compare(loss)).toBeLessThanOrEqual(0);
  expect(verifyBound(occupancy, plan)).toBe(true);
});

test("the same input gives the same bytes", () => {
  const objective = makeObjective(bounds, { estimator: "centred" });
  const text = () => planText(planOf(occupancy, objective, parseDecimal("6", "λ")).plan);
  expect(text()).toBe(text());
});
