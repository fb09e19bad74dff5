/** The plan as a file: the same bytes for the same occupancy, read back whole, refused when malformed, altered or for other data. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SeededRandom } from "../../../test/support/random.ts";
import { parseDecimal } from "../arithmetic/index.ts";
import { VeilgridError } from "../errors/index.ts";
import { makeObjective, parseBounds } from "../influence/index.ts";
import { Kept, type Occupancy, occupancyFromTriples } from "../occupancy/index.ts";
import { checkPlan } from "./check-plan.ts";
import { runNow } from "./long-work.ts";
import { makePlan, type PlanRequest } from "./make-plan.ts";
import { freezePlan, planText, readPlan } from "./plan-file.ts";
import { summarisePlan } from "./plan-summary.ts";

const objective = makeObjective(parseBounds("-2.5,62.5"), {
  statistics: "mean,variance,share:10",
  weights: "share:10=7",
});
const request: PlanRequest = {
  objective,
  epsilon: parseDecimal("0.7", "ε"),
  clipUser: { protectLowest: true },
  caps: true,
  split: "best",
};

function triples(seed: number): Array<[string, string, number]> {
  const random = new SeededRandom(seed);
  const rows: Array<[string, string, number]> = [];
  for (let user = 0; user < 40; user++) {
    for (let grid = 0; grid < 6; grid++)
      if (random.below(4) > 0) rows.push([`ü"${user}`, `g/${grid}%`, 1 + random.below(20)]);
  }
  return rows;
}

function planOf(occupancy: Occupancy, options: PlanRequest = request) {
  return runNow(makePlan(occupancy, options));
}

const occupancy = occupancyFromTriples(triples(1));
const made = planOf(occupancy);
const text = planText(made.plan);

describe("canonical form", () => {
  test("the same occupancy in any row order gives the same bytes; another gives others", () => {
    expect(planText(planOf(occupancyFromTriples(triples(1).reverse())).plan)).toBe(text);
    expect(planText(planOf(occupancyFromTriples(triples(2))).plan)).not.toBe(text);
  });

  test("the hash is the SHA-256 of the text without it", () => {
    const content = text.replace(/,"hash":"[0-9a-f]{64}"\}\n$/, "}");
    expect(content).not.toBe(text);
    expect(createHash("sha256").update(content).digest("hex")).toBe(made.plan.hash);
  });

  test("it is frozen", () => {
    const parts: object[] = [
      made.plan,
      made.plan.noise,
      made.plan.noise[0]!.scales,
      made.plan.suppressed[0]!,
      made.plan.strategy,
    ];
    for (const part of parts) expect(Object.isFrozen(part)).toBe(true);
  });

  test("reading gives the plan back", () => {
    const read = readPlan(text);
    expect(planText(read)).toBe(text);
    expect(read.loss).toEqual(made.plan.loss);
    expect(read.suppressed).toEqual(made.plan.suppressed);
    expect(made.plan.suppressed.length).toBeGreaterThan(0);
  });
});

describe("refusals", () => {
  const refusal = (altered: string): string => {
    try {
      readPlan(altered, "p.json");
    } catch (error) {
      expect(error).toBeInstanceOf(VeilgridError);
      expect((error as VeilgridError).message).toMatch(/^p\.json: [^\n]*$/);
      return (error as VeilgridError).code;
    }
    return "accepted";
  };

  test("any changed byte is refused, never a crash", () => {
    fc.assert(
      fc.property(fc.nat(text.length - 2), fc.constantFrom("0", "9", '"', "x", "]", "-", " "), (at, replacement) => {
        fc.pre(text[at] !== replacement);
        const altered = text.slice(0, at) + replacement + text.slice(at + 1);
        expect(refusal(altered)).toMatch(/^PLAN_(MALFORMED|ALTERED)$/);
      }),
      { numRuns: 500 },
    );
  });
});

describe("check against the occupancy", () => {
  test("what was planned passes, with the same losses and guarantees", () => {
    const evaluation = checkPlan(occupancy, readPlan(text));
    expect(evaluation.joint.largest()).toEqual(made.plan.loss);
    expect(evaluation.guarantees).toEqual(made.evaluation.guarantees);
    expect([...evaluation.kept.ofEntry]).toEqual([...made.evaluation.kept.ofEntry]);
  });

  test("other data is refused", () => {
    expect(() => checkPlan(occupancyFromTriples(triples(2)), made.plan)).toThrow(
      expect.objectContaining({ code: "PLAN_MISMATCH" }),
    );
    const [first, ...rest] = triples(1);
    const oneMore = occupancyFromTriples([[first![0], first![1], first![2] + 1], ...rest]);
    expect(() => checkPlan(oneMore, made.plan)).toThrow(expect.objectContaining({ code: "PLAN_MISMATCH" }));
  });

  test("a drop that the noise and the loss do not know of is refused even with a hash of its own", () => {
    const suppressed = made.plan.suppressed.slice(0, -1);
    const users = made.plan.users.filter((_, user) => suppressed.some(([named]) => named === user));
    expect(() => checkPlan(occupancy, freezePlan({ ...made.plan, suppressed, users }))).toThrow(
      expect.objectContaining({ code: "PLAN_MISMATCH" }),
    );
  });

  test("what the planner writes passes", () => {
    for (const options of [
      { ...request, clipUser: undefined },
      { ...request, caps: false },
      { ...request, clipUser: { errorBound: parseDecimal("1e500") } },
    ]) {
      const written = planText(planOf(occupancy, options).plan);
      expect(planText(readPlan(written))).toBe(written);
    }
  });
});

describe("summary", () => {
  test("the baseline of a plan is what the baseline strategy plans", () => {
    const summary = summarisePlan(occupancy, made);
    const baseline = summarisePlan(
      occupancy,
      planOf(occupancy, { ...request, clipUser: undefined, caps: false, split: "even" }),
    );
    expect(summary.baselineLoss).toBe(baseline.loss);
    expect(summary.baselineLossSimple).toBe(baseline.lossSimple);
    expect(summary.perGrid.map((grid) => grid.initialError)).toEqual(baseline.perGrid.map((grid) => grid.error));
    expect(summary.initialWorstError).toBe(baseline.worstError);
    expect(baseline).toMatchObject({
      strategy: "baseline",
      errorBound: null,
      suppressed: [],
      degradation: summary.maxGridsPerUser,
    });
  });

  test("totals agree with the parts", () => {
    const summary = summarisePlan(occupancy, made);
    expect(summary.keptSamples).toBe(summary.perGrid.reduce((sum, grid) => sum + grid.kept, 0));
    expect(summary.worstError).toBe(Math.max(...summary.perGrid.map((grid) => grid.error!)));
    for (const each of summary.perStatistic) {
      expect(each.worstError).toBe(Math.max(...summary.perGrid.map((grid) => grid.statisticErrors[each.statistic]!)));
      expect(each.worstBias + each.worstNoise).toBeCloseTo(each.worstError, 9);
    }
    expect(summary.usefulGrids).toBe(summary.perGrid.filter((grid) => grid.error! < grid.dataFreeError).length);
    expect(Kept.all(occupancy).maxGridsPerUser()).toBe(summary.maxGridsPerUser);
  });

  test("a share's data-free error and the lattice's part are told in its own unit", () => {
    const summary = summarisePlan(occupancy, made);
    expect(summary.perStatistic[2]).toMatchObject({ statistic: "share:10", dataFreeError: 0.5 });
    // mean h/2, variance U·h/2 + h²/4 with h = 65/2^20
    expect(summary.latticeError["mean"]).toBeCloseTo(65 / 2 ** 21, 12);
    expect(summary.latticeError["variance"]).toBeCloseTo((65 * 65) / 2 ** 21 + (65 / 2 ** 21) ** 2, 12);
  });
});

test("unit, title and description stand in the plan and its hash; without them its text has no such key", () => {
  const about = { description: "Speeds of buses, by stop", unit: "km/h" };
  const { plan } = planOf(occupancy, { ...request, about });
  expect(readPlan(planText(plan))).toMatchObject({ about, hash: plan.hash });
  expect(plan.hash).not.toBe(planOf(occupancy).plan.hash);
  expect(planText(planOf(occupancy).plan)).not.toContain("about");
  const steered = freezePlan({ ...plan, about: { title: "a\u001b[2J" } });
  expect(() => readPlan(planText(steered))).toThrow("--title");
});
