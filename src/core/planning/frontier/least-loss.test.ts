/** The least loss for an error: held against every plan of tiny arrays, and to what it promises exactly. */
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
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { VeilgridError } from "../../errors/index.ts";
import { makeObjective, parseBounds } from "../../influence/index.ts";
import type { Occupancy } from "../../occupancy/index.ts";
import { checkPlan } from "../check-plan.ts";
import { runCooperatively, runNow } from "../long-work.ts";
import { type MadePlan, makePlan } from "../make-plan.ts";
import type { Plan } from "../plan.ts";
import { planText, readPlan } from "../plan-file.ts";
import { summarisePlan } from "../plan-summary.ts";
import { verifyBound } from "../verify-bound.ts";
import type { ErrorTarget } from "./error-target.ts";
import { leastLoss } from "./frontier.ts";

type Asked = Pick<FrontierCase, "occupancy" | "objective" | "target">;

function planOf({ occupancy, objective, target }: Asked): MadePlan {
  return runNow(makePlan(occupancy, { objective, frontier: { kind: "error", target } }));
}

/** As a release would: from the plan's bytes, everything worked out again. */
function trusted(occupancy: Occupancy, plan: Plan) {
  const read = readPlan(planText(plan));
  return { read, ...checkPlan(occupancy, read) };
}

function expectTargetMet(each: Asked, plan: Plan): void {
  const { target } = each;
  for (const guarantee of trusted(each.occupancy, plan).guarantees) {
    const within =
      target.kind === "together"
        ? guarantee!.error.compare(target.error) <= 0
        : guarantee!.statisticError.every((error, index) => error.compare(target.errors[index]!) <= 0);
    if (!within) throw new Error(`misses its target: ${describeCase(each)}`);
  }
}

describe("tiny arrays, every plan tried", () => {
  test.each([
    { name: "few records", cases: frontierCases(), runs: 450, mean: 1.003 },
    { name: "few users, many records", cases: frontierCases(longGrids), runs: 120, mean: 1.003 },
  ])("$name", ({ cases, runs, mean }) => {
    const ratios: number[] = [];
    fc.assert(
      fc.property(cases, (each) => {
        const { plan } = planOf(each);
        const optimum = exhaustiveLeastLoss(each.occupancy, each.objective, each.target);
        const loss = plan.loss.toNumberNearest();
        const bound = plan.bound!.lowerBound.toNumberNearest();
        expectTargetMet(each, plan);
        if (loss < optimum.atLeast * (1 - 1e-9)) throw new Error(`${loss} is impossible: ${describeCase(each)}`);
        if (bound > optimum.atMost) throw new Error(`bound ${bound} is above the optimum: ${describeCase(each)}`);
        if (!verifyBound(each.occupancy, plan)) throw new Error(`bound does not convince: ${describeCase(each)}`);
        if (optimum.atMost === 0) expect(loss).toBe(0);
        else ratios.push(loss / optimum.atMost);
      }),
      { numRuns: runs, seed: 20_242 },
    );
    expect(ratios.reduce((left, right) => left + right, 0) / ratios.length).toBeLessThan(mean);
    expect(ratios.filter((ratio) => ratio > 1.1).length).toBeLessThanOrEqual(0.01 * ratios.length);
  });
});

const occupancy = occupancyOf([
  [9, 4, 4, 3, 0, 1, 7],
  [8, 0, 5, 2, 6, 1, 7],
  [0, 7, 1, 1, 2, 3, 0],
  [30, 2, 2, 2, 2, 2, 2],
]);
const bounds = parseBounds("0,65");
const together = (error: string): ErrorTarget => ({ kind: "together", error: parseDecimal(error, "E") });

describe("the data-free line", () => {
  const objective = makeObjective(bounds, { estimator: "centred" });

  test.each(["560.625", "561", "1000000"])("an error of %s costs nothing", (error) => {
    const made = planOf({ occupancy, objective, target: together(error) });
    expect(made.plan.loss.isZero()).toBe(true);
    expect(made.plan.suppressed.length).toBe(occupancy.entries);
    expect(trusted(occupancy, made.plan).kept.ofGrid.every((kept) => kept === 0)).toBe(true);
    expect(summarisePlan(occupancy, made)).toMatchObject({ loss: 0, lowerBound: 0, gap: 0, keptSamples: 0 });
  });

  test("just below it something is kept of grids with an even number of records only", () => {
    const made = planOf({ occupancy, objective, target: together("560.6249") });
    expect(made.plan.loss.sign()).toBe(1);
    const { kept } = trusted(occupancy, made.plan);
    const even = Array.from(occupancy.samplesOfGrid, (total) => total % 2 === 0);
    expect(Array.from(kept.ofGrid, (records) => records > 0)).toEqual(even);
  });

  test("the paper's estimator keeps something at any error", () => {
    const made = planOf({ occupancy, objective: makeObjective(bounds), target: together("1000000") });
    expect(trusted(occupancy, made.plan).kept.ofGrid.every((kept) => kept > 0)).toBe(true);
    expect(made.plan.loss.sign()).toBe(1);
  });
});

describe("extremes", () => {
  test.each(["kept", "centred"] as const)("an error of a millionth, %s", (estimator) => {
    const each = { occupancy, objective: makeObjective(bounds, { estimator }), target: together("0.000001") };
    const { plan } = planOf(each);
    expectTargetMet(each, plan);
    expect(plan.loss.toNumberNearest()).toBeGreaterThan(1e8);
    expect(verifyBound(occupancy, plan)).toBe(true);
  });

  test.each([
    "kept",
    "centred",
  ] as const)("a loss too large to be counted is refused in so many words, %s", (estimator) => {
    const each = { occupancy, objective: makeObjective(bounds, { estimator }), target: together("0.000000000001") };
    expect(() => planOf(each)).toThrow(VeilgridError);
    expect(() => planOf(each)).toThrow(/--error.*protects nothing; allow a larger one/);
  });

  test("one user, one record", () => {
    const alone = occupancyOf([[1]]);
    for (const estimator of ["kept", "centred"] as const) {
      const each = { occupancy: alone, objective: makeObjective(bounds, { estimator }), target: together("13") };
      const { plan } = planOf(each);
      expectTargetMet(each, plan);
      expect(plan.loss.toNumberNearest()).toBeCloseTo(5, 9);
      expect(verifyBound(alone, plan)).toBe(true);
    }
  });

  test("a variance that nobody can move is free", () => {
    const singles = occupancyOf([
      [1, 0],
      [0, 1],
    ]);
    const objective = makeObjective(bounds, { statistics: "variance", estimator: "kept" });
    const made = planOf({ occupancy: singles, objective, target: together("1") });
    expect(made.plan.loss.isZero()).toBe(true);
    expect(trusted(singles, made.plan).kept.ofGrid.every((kept) => kept === 1)).toBe(true);
    expect(verifyBound(singles, made.plan)).toBe(true);
  });
});

describe("the same input", () => {
  const asked = { occupancy, objective: makeObjective(bounds, { estimator: "centred" }), target: together("200") };

  test("gives the same bytes", () => {
    expect(planText(planOf(asked).plan)).toBe(planText(planOf(asked).plan));
  });

  test("out of time at once still gives a sound plan and a bound", () => {
    for (const estimator of ["kept", "centred"] as const) {
      const each = { ...asked, objective: makeObjective(bounds, { estimator }) };
      const timeLimit = { seconds: 1, isOutOfTime: () => true };
      const request = {
        objective: each.objective,
        frontier: { kind: "error", target: each.target } as const,
        timeLimit,
      };
      const { plan } = runNow(makePlan(occupancy, request));
      expectTargetMet(each, plan);
      expect(verifyBound(occupancy, plan)).toBe(true);
      expect(plan.strategy.timeLimitSeconds).toBe(1);
    }
  });

  test("can be cancelled on the way, and says how far it is", async () => {
    const abort = new AbortController();
    const steps = new Set<string>();
    const run = runCooperatively(makePlan(occupancy, { ...asked, frontier: { kind: "error", target: asked.target } }), {
      signal: abort.signal,
      onProgress: ({ step }) => {
        steps.add(step);
        if (steps.size === 2) abort.abort();
      },
    });
    await expect(run).rejects.toMatchObject({ code: "CANCELLED" });
    expect(steps).toContain("planning");
  });

  test("without the proof, keeps the same", () => {
    const proven = runNow(leastLoss(asked.occupancy, asked.objective, asked.target));
    const unproven = runNow(leastLoss(asked.occupancy, asked.objective, asked.target, { unproven: true }));
    expect(unproven.bound).toBeNull();
    expect(unproven.kept.ofEntry).toEqual(proven.kept.ofEntry);
  });
});

test.each([
  { statistics: "mean", power: 1 },
  { statistics: "variance", power: 2 },
  { statistics: "sum", power: 1 },
])("another unit changes neither what is kept nor what is lost: $statistics", ({ statistics, power }) => {
  for (const estimator of ["kept", "centred"] as const) {
    const inUnit = (factor: number) => {
      const objective = makeObjective(parseBounds(`0,${65 * factor}`), { statistics, estimator });
      const free = objective.statistics[0]!.dataFreeError(20);
      const error = free.multiply(Rational.of(3, 10));
      expect(error.toNumberNearest()).toBeCloseTo(
        makeObjective(bounds, { statistics, estimator }).statistics[0]!.dataFreeError(20).toNumberNearest() *
          0.3 *
          factor ** power,
        6,
      );
      return runNow(leastLoss(occupancy, objective, { kind: "together", error }));
    };
    const [one, ten] = [inUnit(1), inUnit(10)];
    expect(ten.kept.ofEntry).toEqual(one.kept.ofEntry);
    ten.noise.forEach((noise, grid) => {
      expect(noise.epsilon.toNumberNearest()).toBeCloseTo(one.noise[grid]!.epsilon.toNumberNearest(), 9);
    });
    expect(ten.bound!.lowerBound.toNumberNearest()).toBeCloseTo(one.bound!.lowerBound.toNumberNearest(), 6);
  }
});
