/** The plan as a file: the same bytes for the same occupancy, read back whole, refused when malformed, altered or for other data. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SeededRandom } from "../../../test/support/random.ts";
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { VeilgridError } from "../errors/index.ts";
import { makeObjective, parseBounds } from "../influence/index.ts";
import { Kept, type Occupancy, occupancyFromTriples } from "../occupancy/index.ts";
import { checkPlan, checkPlanContent } from "./check-plan.ts";
import { runNow } from "./long-work.ts";
import { makePlan, type PlanRequest } from "./make-plan.ts";
import type { PlanContent, PlanNoise } from "./plan.ts";
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

  test.each([
    ["a lower loss", /"loss":"[^"]*"/, '"loss":"0.1"'],
    ["another ε", /"epsilon":"0.7"/, '"epsilon":"0.8"'],
    ["a drop less", /"suppressed":\[\[\d+,\d+\],/, '"suppressed":['],
    ["another bound", /"62.5"/, '"62"'],
  ])("%s is an altered plan", (_, pattern, replacement) => {
    expect(text).toMatch(pattern);
    expect(refusal(text.replace(pattern, replacement))).toBe("PLAN_ALTERED");
  });

  test.each([
    ["nothing", ""],
    ["no JSON", "user,grid,count\n"],
    ["a list", "[]"],
    ["null", "null"],
    ["half of it", text.slice(0, text.length / 2)],
    ["an extra key", text.replace('{"format"', '{"extra":1,"format"')],
    ["a missing key", text.replace(/"split":"best",/, "")],
    ["another format", text.replace("veilgrid-plan/2", "veilgrid-plan/3")],
    ["an unknown metric", text.replace('"metric":"sum"', '"metric":"most"')],
    ["a number that is not exact", text.replace(/"loss":"[^"]*"/, '"loss":0.5')],
    ["a division by zero", text.replace(/"loss":"[^"]*"/, '"loss":"1/0"')],
    ["a drop outside the tables", text.replace(/"suppressed":\[\[\d+,/, '"suppressed":[[999999,')],
    ["a negative cap", text.replace(/"caps":\[\d+/, '"caps":[-1')],
  ])("%s is no plan", (_, altered) => {
    expect(altered).not.toBe(text);
    expect(refusal(altered)).toBe("PLAN_MALFORMED");
  });

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

  const { hash: _hash, ...content } = made.plan;
  const noiseWith = (change: (noise: PlanNoise) => Partial<PlanNoise>) => ({
    noise: content.noise.map((noise) => ({ ...noise, ...change(noise) })),
  });
  const zeros = content.objective.statistics.map(() => Rational.ZERO);
  const refusalOf = (change: Partial<PlanContent>): string => {
    try {
      checkPlan(occupancy, freezePlan({ ...content, ...change }));
    } catch (error) {
      if (error instanceof VeilgridError) return error.code;
      throw error;
    }
    return "accepted";
  };

  // Two users who hold records in grid 0, with how many.
  const [one, two] = [0, 1].map((position) => {
    const entry = occupancy.byGrid.entry[position]!;
    return { id: occupancy.users.get(occupancy.byGrid.user[position]!), count: occupancy.byUser.count[entry]! };
  }) as [{ id: string; count: number }, { id: string; count: number }];
  const uncapped = { caps: null, strategy: { ...content.strategy, caps: false } };

  test.each<[string, Partial<PlanContent>]>([
    ["half the noise", noiseWith(({ scales }) => ({ scales: scales.map((scale) => scale.divide(Rational.of(2))) }))],
    [
      "no noise, and a loss to match",
      { ...noiseWith(() => ({ epsilons: zeros, scales: zeros })), loss: Rational.ZERO },
    ],
    ["a loss that is too low", { loss: content.loss.divide(Rational.of(2)) }],
    ["a simple loss that is too low", { lossSimple: content.loss }],
    [
      "a drop that the loss does not know of",
      { suppressed: content.suppressed.slice(0, -1), users: usersOf(content.suppressed.slice(0, -1)) },
    ],
    ["a user without records there", { users: ["nobody"], suppressed: [[0, 0]] }],
    [
      "one record more than there is",
      { ...uncapped, users: [one.id], suppressed: [], trimmed: [[0, 0, one.count + 1]] },
    ],
    ["another number of users", { occupancy: { ...content.occupancy, users: content.occupancy.users + 1 } }],
    ["other grids", { grids: content.grids.map((id) => `${id}x`) }],
  ])("%s is refused even with a hash of its own", (_, change) => {
    expect(refusalOf(change)).toBe("PLAN_MISMATCH");
  });

  /** Ids of the users that some of the plan's own drops speak of, if they are all of them. */
  function usersOf(pairs: PlanContent["suppressed"]): readonly string[] {
    return content.users.filter((_id, user) => pairs.some(([named]) => named === user));
  }

  test.each<[string, Partial<PlanContent>]>([
    [
      "fewer grids than there are",
      { grids: content.grids.slice(1), noise: content.noise.slice(1), caps: content.caps!.slice(1) },
    ],
    ["noise for fewer grids", { noise: content.noise.slice(1) }],
    ["a pair dropped twice", { suppressed: [...content.suppressed, content.suppressed[0]!] }],
    ["a pair dropped and trimmed", { trimmed: [[content.suppressed[0]![0], content.suppressed[0]![1], 1]] }],
    ["a trim to nothing", { users: [one.id], suppressed: [], trimmed: [[0, 0, 0]] }],
    ["a trim above the cap", { users: [one.id], suppressed: [], trimmed: [[0, 0, content.caps![0]! + 1]] }],
    [
      "users out of order",
      {
        users: [two.id, one.id],
        suppressed: [
          [0, 0],
          [1, 0],
        ],
      },
    ],
    [
      "a user named twice",
      {
        users: [one.id, one.id],
        suppressed: [
          [0, 0],
          [1, 0],
        ],
      },
    ],
    ["a user listed for nothing", { users: [one.id, two.id], suppressed: [[0, 0]] }],
    ["a cap of 0", { caps: content.caps!.map(() => 0) }],
    ["caps that the strategy does not know of", { strategy: { ...content.strategy, caps: false } }],
    ["a negative ε", noiseWith(({ epsilon }) => ({ epsilon: epsilon.negate() }))],
    ["ε_t above ε", noiseWith(({ epsilon }) => ({ epsilons: zeros.map(() => epsilon) }))],
    ["an ε that the strategy does not know of", noiseWith(({ epsilon }) => ({ epsilon: epsilon.add(Rational.ONE) }))],
    [
      "ε_t finer than the unit",
      noiseWith(({ epsilons }) => ({ epsilons: epsilons.map((part) => part.divide(Rational.of(3))) })),
    ],
    ["a baseline with drops", { strategy: { ...content.strategy, name: "baseline", errorBound: null } }],
    ["clip-user without a bound", { strategy: { ...content.strategy, errorBound: null } }],
  ])("%s is no plan", (_, change) => {
    expect(refusalOf(change)).toBe("PLAN_MALFORMED");
  });

  test.each<[string, Partial<PlanContent>]>([
    ["a lattice step of 0", { latticeStep: Rational.ZERO }],
    ["a negative step", { latticeStep: Rational.of(-1) }],
    ["a step wider than the range", { latticeStep: Rational.of(130) }],
    ["a step that does not divide it", { latticeStep: Rational.of(64) }],
    ["no ε", { strategy: { ...content.strategy, epsilon: Rational.ZERO } }],
    ["statistics for other bounds", { objective: { ...content.objective, bounds: parseBounds("0,10") } }],
    ["a weight of 0", { objective: { ...content.objective, weights: zeros } }],
  ])("%s is out of range", (_, change) => {
    expect(refusalOf(change)).toBe("PARAMETER_INVALID");
  });

  test("what the planner writes passes", () => {
    expect(() => checkPlanContent(content)).not.toThrow();
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
