/** Plans for the centred estimator: read back whole, recomputed before use, emptied grids with a guarantee of their own. */
import { expect, test } from "vitest";
import { trimmedPlan } from "../../../test/support/trimmed-plan.ts";
import { Rational } from "../arithmetic/index.ts";
import { dataFreeError, makeObjective, parseBounds } from "../influence/index.ts";
import { occupancyFromTriples } from "../occupancy/index.ts";
import { checkPlan } from "./check-plan.ts";
import { runNow } from "./long-work.ts";
import { makePlan } from "./make-plan.ts";
import { freezePlan, planText, readPlan } from "./plan-file.ts";
import { summarisePlan } from "./plan-summary.ts";

const occupancy = occupancyFromTriples([
  ["ann", "east", 9],
  ["bob", "east", 4],
  ["cyd", "east", 5],
  ["ann", "west", 3],
  ["cyd", "west", 2],
]);
const objective = makeObjective(parseBounds("0,65"), { estimator: "centred" });
const epsilon = Rational.ONE;
/** Ann is trimmed in the east; nothing of the west is kept. */
const made = trimmedPlan(occupancy, {
  objective,
  epsilon,
  kept: (user, grid, records) => (grid === "west" ? 0 : user === "ann" ? 4 : records),
});

test("a centred plan is read back whole, statistics and all, and passes", () => {
  const read = readPlan(planText(made.plan));
  expect(planText(read)).toBe(planText(made.plan));
  expect(read.objective.estimator).toBe("centred");
  expect(read.objective.statistics.map(({ estimator }) => estimator)).toEqual(["centred", "centred"]);
  const { guarantees, joint } = checkPlan(occupancy, read);
  expect(guarantees).toEqual(made.evaluation.guarantees);
  expect(joint.largest()).toEqual(read.loss);
});

test("a plan made for the paper's estimator and called centred has too much noise, and is refused; so is the reverse", () => {
  const decisions = { epsilon, kept: (user: string, _: string, records: number) => (user === "ann" ? 2 : records) };
  const paper = trimmedPlan(occupancy, { ...decisions, objective: makeObjective(objective.bounds) });
  const centred = trimmedPlan(occupancy, { ...decisions, objective });
  expect(centred.plan.noise[0]!.scales[0]!.compare(paper.plan.noise[0]!.scales[0]!)).toBe(-1);
  for (const [plan, other] of [
    [paper.plan, objective],
    [centred.plan, makeObjective(objective.bounds)],
  ] as const) {
    expect(() => checkPlan(occupancy, freezePlan({ ...plan, objective: other }))).toThrow(
      expect.objectContaining({ code: "PLAN_MISMATCH" }),
    );
  }
});

test("an emptied grid has a finite error at the data-free line, is not called useful, and costs nobody anything", () => {
  const summary = summarisePlan(occupancy, made);
  const [east, west] = summary.perGrid;
  const line = dataFreeError(objective, 5).toNumberNearest();
  expect(summary).toMatchObject({ estimator: "centred", worstError: expect.any(Number) });
  expect(west).toMatchObject({ kept: 0, epsilon: 0, scales: { mean: 0, variance: 0 }, useful: false });
  // Five records: their variance is at most 6/25 of 65².
  expect(west!.bias).toEqual({ mean: 32.5, variance: (65 ** 2 * 3) / 25 });
  expect(west!.error).toBeLessThan(line);
  expect(east!.error).toBeGreaterThan(0);
  const onlyEast = trimmedPlan(
    occupancyFromTriples([
      ["ann", "east", 9],
      ["bob", "east", 4],
      ["cyd", "east", 5],
    ]),
    { objective, epsilon, kept: (user, _, records) => (user === "ann" ? 4 : records) },
  );
  expect(made.plan.loss).toEqual(onlyEast.plan.loss);
  expect(made.plan.lossSimple).toEqual(epsilon);
});

test("the baseline can be planned, and is that of the paper's estimator; CLIP-USER and caps cannot", () => {
  const { plan } = runNow(makePlan(occupancy, { objective, epsilon }));
  const paper = runNow(makePlan(occupancy, { objective: makeObjective(objective.bounds), epsilon })).plan;
  expect(plan.noise).toEqual(paper.noise);
  expect(plan.loss).toEqual(paper.loss);
  for (const request of [{ clipUser: {} }, { caps: true }]) {
    expect(() => runNow(makePlan(occupancy, { objective, epsilon, ...request }))).toThrow(
      expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringContaining("--estimator kept") }),
    );
  }
});
