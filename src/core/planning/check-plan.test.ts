/** One thing wrong at a time, each called by its name: plans that no planner writes, and plans that do not follow from the array. */
import { describe, expect, test } from "vitest";
import {
  BASELINE,
  CLIPPED,
  type Decisions,
  FRONTIER,
  OPTIMAL,
  objective,
  occupancy,
  planFor,
} from "../../../test/support/plan-content.ts";
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { makeObjective } from "../influence/index.ts";
import { occupancyFromTriples } from "../occupancy/index.ts";
import { checkPlan, checkPlanContent } from "./check-plan.ts";
import { guaranteesOf, keptUnderPlan } from "./evaluate-plan.ts";
import type { PlanBound, PlanContent, PlanNoise, PlanStrategy } from "./plan.ts";
import { freezePlan } from "./plan-file.ts";

const centred = makeObjective(objective.bounds, { estimator: "centred" });
const [half, two] = [Rational.of(1, 2), Rational.of(2)];

/** Eve is gone from the east. */
const DROP = { users: ["eve"], suppressed: [[0, 0]] } as const;
/** Two of Bob's three records in the west. */
const TRIM = { users: ["bob"], trimmed: [[0, 1, 2]] } as const;
/** Nothing of the west is kept. */
const EMPTY_WEST = {
  users: ["bob", "cyd"],
  suppressed: [
    [0, 1],
    [1, 1],
  ],
} as const;
const bound = (change: Partial<PlanBound>): PlanBound => ({
  of: "loss",
  lowerBound: Rational.ONE,
  weights: [],
  prices: null,
  ...change,
});
const noiseOf = (content: PlanContent, change: (noise: PlanNoise) => Partial<PlanNoise>): PlanContent => ({
  ...content,
  noise: content.noise.map((noise, grid) => (grid === 0 ? { ...noise, ...change(noise) } : noise)),
});

const baseline = planFor({});
const clipped = planFor({ ...DROP, strategy: CLIPPED });
const optimal = planFor({ ...DROP, strategy: OPTIMAL });
const frontier = planFor({ ...DROP, strategy: FRONTIER });
const trimmed = planFor({ ...TRIM, strategy: FRONTIER });
const capped = planFor({ caps: [3, 2], strategy: { ...BASELINE, caps: true } });

describe("what planners write", () => {
  test.each<[string, PlanContent]>([
    ["a baseline", baseline],
    ["a baseline with caps", capped],
    ["clip-user", clipped],
    ["clip-user with caps", planFor({ ...DROP, caps: [3, 2], strategy: { ...CLIPPED, caps: true } })],
    ["clip-user with caps of one record", planFor({ caps: [1, 1], strategy: { ...CLIPPED, caps: true } })],
    ["clip-user with a trim at its cap", planFor({ caps: [3, 2], ...TRIM, strategy: { ...CLIPPED, caps: true } })],
    ["clip-user in whole stages", planFor({ ...DROP, strategy: { ...CLIPPED, wholeStages: true } })],
    ["clip-user with a protected grid", planFor({ ...DROP, strategy: { ...CLIPPED, protectedGrid: 1 } })],
    ["the smallest K", optimal],
    ["the smallest K, bounded", { ...optimal, bound: bound({ of: "degradation" }) }],
    ["the smallest K, proven", { ...optimal, bound: bound({ of: "degradation", prices: [1n, 0n] }) }],
    ["the frontier", frontier],
    ["the frontier, bounded", { ...frontier, bound: bound({ weights: [[0, 1]] }) }],
    ["the frontier with a bound of 0", { ...frontier, bound: bound({ lowerBound: Rational.ZERO }) }],
    [
      "the frontier for a loss, bounded",
      { ...planFor({ ...DROP, strategy: { ...FRONTIER, lossTarget: two } }), bound: bound({ of: "error" }) },
    ],
    ["the frontier at ε", planFor({ ...DROP, strategy: { ...FRONTIER, epsilon: Rational.of(3) } })],
    [
      "the frontier by statistic",
      planFor({
        ...DROP,
        strategy: { ...FRONTIER, errorBound: null, errorTargets: [Rational.of(5000), Rational.of(5000)] },
      }),
    ],
    ["the frontier with a trim", trimmed],
    ["the frontier with a grid set aside", planFor({ ...EMPTY_WEST, strategy: { ...FRONTIER, setAside: [1] } })],
    [
      "the frontier with all grids set aside and an error of 0",
      planFor({
        users: ["bob", "cyd", "eve"],
        suppressed: [
          [0, 0],
          [0, 1],
          [1, 0],
          [1, 1],
          [2, 0],
        ],
        strategy: { ...FRONTIER, errorBound: Rational.ZERO, setAside: [0, 1] },
      }),
    ],
    [
      "a user named for its weight alone",
      { ...frontier, users: ["bob", "eve"], suppressed: [[1, 0]], bound: bound({ weights: [[0, 7]] }) },
    ],
    ["the frontier with a trim to one record", planFor({ users: ["bob"], trimmed: [[0, 1, 1]], strategy: FRONTIER })],
  ])("%s passes", (_, content) => {
    expect(() => checkPlanContent(content)).not.toThrow();
    expect(checkPlan(occupancy, freezePlan(content)).joint.largest()).toEqual(content.loss);
  });
});

describe("what no planner writes", () => {
  const changed = (content: PlanContent, change: Partial<PlanContent>): PlanContent => ({ ...content, ...change });
  const strategy = (content: PlanContent, change: Partial<PlanStrategy>): PlanContent => ({
    ...content,
    strategy: { ...content.strategy, ...change },
  });
  const tooFine = Rational.of(1n, 10n ** 19n);

  test.each<[string, string, PlanContent]>([
    [
      "no grids",
      "grids do not match",
      changed(baseline, { grids: [], noise: [], occupancy: { ...baseline.occupancy, grids: 0 } }),
    ],
    ["a grid too many", "grids do not match", changed(baseline, { grids: ["east", "west", "x"] })],
    ["noise for one grid of two", "noise is not given", changed(baseline, { noise: baseline.noise.slice(1) })],
    ["a negative ε", "noise is out of range", noiseOf(frontier, ({ epsilon }) => ({ epsilon: epsilon.negate() }))],
    [
      "a negative ε_t",
      "noise is out of range",
      noiseOf(frontier, ({ epsilons }) => ({ epsilons: [epsilons[0]!, epsilons[1]!.negate()] })),
    ],
    [
      "ε finer than the unit",
      "noise is out of range",
      noiseOf(frontier, ({ epsilon }) => ({ epsilon: epsilon.add(tooFine) })),
    ],
    [
      "ε_t finer than the unit",
      "noise is out of range",
      noiseOf(frontier, ({ epsilons }) => ({ epsilons: [tooFine, epsilons[1]!] })),
    ],
    [
      "ε_t above ε together",
      "noise is out of range",
      noiseOf(frontier, ({ epsilon }) => ({ epsilons: [epsilon, Rational.of(1n, 10n ** 18n)] })),
    ],
    ["ε for one statistic of two", "noise is not given", noiseOf(frontier, () => ({ epsilons: [half] }))],
    ["a scale for one statistic of two", "noise is not given", noiseOf(frontier, () => ({ scales: [half] }))],
    [
      "a negative scale",
      "noise is out of range",
      noiseOf(frontier, ({ scales }) => ({ scales: [scales[0]!, scales[1]!.negate()] })),
    ],
    ["a grid with an ε of its own", "another epsilon", noiseOf(clipped, () => ({ epsilon: two }))],
    ["caps that the strategy has not", "caps are not what", changed(baseline, { caps: [3, 2] })],
    ["no caps where the strategy has them", "caps are not what", changed(capped, { caps: null })],
    ["a cap for one grid of two", "caps are not given", changed(capped, { caps: [3] })],
    ["a cap of 0", "a cap is below 1", changed(capped, { caps: [3, 0] })],
    ["a user outside the table", "a drop points outside", changed(clipped, { suppressed: [[1, 0]] })],
    ["a grid outside the table", "a drop points outside", changed(clipped, { suppressed: [[0, 2]] })],
    ["a trim outside the table", "a drop points outside", changed(trimmed, { trimmed: [[0, 2, 1]] })],
    ["a pair dropped and trimmed", "named twice", changed(trimmed, { suppressed: [[0, 1]] })],
    [
      "a pair dropped twice",
      "named twice",
      changed(clipped, {
        suppressed: [
          [0, 0],
          [0, 0],
        ],
      }),
    ],
    ["a weight of nobody", "the bound points", changed(frontier, { bound: bound({ weights: [[1, 1]] }) })],
    ["a weight of 0", "a weight of the bound", changed(frontier, { bound: bound({ weights: [[0, 0]] }) })],
    ["a user listed for nothing", "never named", changed(clipped, { users: ["eve", "fay"] })],
    [
      "users out of order",
      "ascending",
      changed(clipped, {
        users: ["eve", "bob"],
        suppressed: [
          [0, 0],
          [1, 0],
        ],
      }),
    ],
    [
      "a user listed twice",
      "ascending",
      changed(clipped, {
        users: ["eve", "eve"],
        suppressed: [
          [0, 0],
          [1, 0],
        ],
      }),
    ],
    ["a trim to nothing", "a trimmed number", changed(trimmed, { trimmed: [[0, 1, 0]] })],
    [
      "a trim above the cap",
      "a trimmed number",
      changed(planFor({ caps: [3, 2], strategy: { ...CLIPPED, caps: true } }), {
        users: ["bob"],
        trimmed: [[0, 1, 3]],
      }),
    ],
    ["a baseline without ε", "no epsilon", strategy(baseline, { epsilon: null })],
    ["clip-user without ε", "no epsilon", strategy(clipped, { epsilon: null })],
    ["clip-user with an error of 0", "the error bound", strategy(clipped, { errorBound: Rational.ZERO })],
    ["the frontier with an error below 0", "the error bound", strategy(frontier, { errorBound: half.negate() })],
    [
      "an error of one statistic below 0",
      "the error bound",
      strategy(frontier, { errorBound: null, errorTargets: [Rational.ONE, half.negate()] }),
    ],
    ["a baseline with an error", "the error bound", strategy(baseline, { errorBound: Rational.ONE })],
    ["a baseline with errors", "the error bound", strategy(baseline, { errorTargets: [half, half] })],
    ["clip-user without an error", "the error bound", strategy(clipped, { errorBound: null })],
    ["the frontier with both kinds", "the error bound", strategy(frontier, { errorTargets: [half, half] })],
    [
      "clip-user by statistic",
      "only the frontier",
      strategy(clipped, { errorBound: null, errorTargets: [Rational.ONE, Rational.ONE] }),
    ],
    ["clip-user for a loss", "only the frontier", strategy(clipped, { lossTarget: Rational.ONE })],
    ["clip-user with a grid set aside", "only the frontier", strategy(clipped, { setAside: [0] })],
    ["a grid set aside that is none", "set aside", strategy(frontier, { setAside: [2] })],
    ["a grid set aside twice", "set aside", strategy(frontier, { setAside: [1, 1] })],
    ["grids set aside in descending order", "set aside", strategy(frontier, { setAside: [1, 0] })],
    ["a baseline with a drop", "a baseline drops", changed(clipped, { strategy: BASELINE })],
    ["a baseline with a protected grid", "a baseline drops", strategy(baseline, { protectedGrid: 0 })],
    ["a baseline with a bound", "the bound does not", changed(baseline, { bound: bound({}) })],
    ["clip-user with a bound", "the bound does not", changed(clipped, { bound: bound({}) })],
    ["the smallest K with a bound of the loss", "the bound does not", changed(optimal, { bound: bound({}) })],
    [
      "the frontier for an error with a bound of the error",
      "the bound does not",
      changed(frontier, { bound: bound({ of: "error" }) }),
    ],
    [
      "the frontier for a loss with a bound of the loss",
      "the bound does not",
      { ...strategy(frontier, { lossTarget: Rational.ONE }), bound: bound({}) },
    ],
    ["a bound below 0", "the bound does not", changed(frontier, { bound: bound({ lowerBound: half.negate() }) })],
    ["prices of the frontier", "only the smallest K", changed(frontier, { bound: bound({ prices: [1n, 1n] }) })],
    ["a baseline in stages", "only clip-user has stages", strategy(baseline, { wholeStages: true })],
    ["the frontier in stages", "only clip-user has stages", strategy(frontier, { wholeStages: true })],
    ["the frontier with caps", "only baseline and clip-user", { ...strategy(frontier, { caps: true }), caps: [4, 3] }],
    ["the smallest K with caps", "only baseline and clip-user", { ...strategy(optimal, { caps: true }), caps: [4, 3] }],
  ])("%s: %s", (_, words, content) => {
    expect(() => checkPlanContent(content)).toThrow(
      expect.objectContaining({ code: "PLAN_MALFORMED", message: expect.stringContaining(words) }),
    );
  });

  test.each<[string, string, PlanContent]>([
    ["an ε of 0", "strategy epsilon", strategy(baseline, { epsilon: Rational.ZERO })],
    ["a loss of 0", "strategy loss", strategy(frontier, { lossTarget: Rational.ZERO })],
    [
      "a weight of 0",
      "weight",
      changed(baseline, { objective: { ...objective, weights: [Rational.ZERO, Rational.ONE] } }),
    ],
    ["a step that does not divide the range", "--step", changed(baseline, { latticeStep: Rational.of(2) })],
  ])("%s is out of range: %s", (_, words, content) => {
    expect(() => checkPlanContent(content)).toThrow(
      expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringContaining(words) }),
    );
  });
});

describe("what does not follow from the array", () => {
  const refused = (content: PlanContent, words: string): void => {
    expect(() => checkPlanContent(content)).not.toThrow();
    expect(() => checkPlan(occupancy, freezePlan(content))).toThrow(
      expect.objectContaining({ code: "PLAN_MISMATCH", message: expect.stringContaining(words) }),
    );
  };

  test.each(["users", "entries", "samples"] as const)("another number of %s", (size) => {
    refused({ ...baseline, occupancy: { ...baseline.occupancy, [size]: 99 } }, "another occupancy");
  });

  test("another array of the same size", () => {
    refused({ ...baseline, occupancy: { ...baseline.occupancy, sha256: "0".repeat(64) } }, "another occupancy");
  });

  test("other grids", () => refused({ ...baseline, grids: ["east", "wes"] }, "lists other grids"));

  test("a drop of who is not there", () => {
    refused({ ...clipped, users: ["zoe"] }, "where it has no records");
    refused({ ...clipped, suppressed: [[0, 1]] }, "where it has no records");
  });

  test("more kept than there is; all of it is no trim but passes", () => {
    refused({ ...trimmed, trimmed: [[0, 1, 4]] }, "more records than there are");
    const whole = planFor({ users: ["bob"], trimmed: [[0, 1, 3]], strategy: FRONTIER });
    expect(checkPlan(occupancy, freezePlan(whole)).joint.largest()).toEqual(baseline.loss);
  });

  test("no noise where it is needed, for one statistic of one grid", () => {
    refused(
      noiseOf(frontier, ({ epsilons, scales }) => ({
        epsilons: [Rational.ZERO, epsilons[1]!],
        scales: [Rational.ZERO, scales[1]!],
      })),
      "none where it is",
    );
  });

  test("noise where nobody can move anything: an emptied grid, and the variance of a single record", () => {
    const empty = planFor({ ...EMPTY_WEST, objective: centred, strategy: FRONTIER });
    const none = empty.noise[1]!;
    const spent: PlanNoise = { ...none, epsilon: Rational.ONE, epsilons: [half, half] };
    refused({ ...empty, noise: [empty.noise[0]!, spent] }, "has noise where none is needed");

    const single = occupancyFromTriples([["eve", "east", 1]]);
    const plan = planFor({ strategy: FRONTIER }, single);
    expect(() => checkPlan(single, freezePlan(plan))).not.toThrow();
    expect(plan.noise[0]!.epsilons[1]!.isZero()).toBe(true);
    const wasted = noiseOf(plan, () => ({ epsilons: [half, half] }));
    expect(() => checkPlan(single, freezePlan(wasted))).toThrow(expect.objectContaining({ code: "PLAN_MISMATCH" }));
  });

  test("a scale a little too small, of any statistic", () => {
    for (const index of [0, 1]) {
      const less = (scale: Rational, at: number) =>
        at === index ? scale.multiply(parseDecimal("0.999999999999")) : scale;
      refused(
        noiseOf(frontier, ({ scales }) => ({ scales: scales.map(less) })),
        "wrong noise scales",
      );
    }
  });

  test("either loss a little too small", () => {
    const less = (loss: Rational): Rational => loss.subtract(Rational.of(1n, 10n ** 18n));
    refused({ ...clipped, loss: less(clipped.loss) }, "a wrong loss");
    refused({ ...clipped, lossSimple: less(clipped.lossSimple) }, "a wrong loss");
  });
});

describe("the frontier's promises, met exactly and missed by a hair", () => {
  const hair = Rational.of(1n, 10n ** 12n);
  const promise = (decisions: Decisions, change: Partial<PlanStrategy>): (() => unknown) => {
    const content = planFor({ ...decisions, strategy: { ...FRONTIER, ...change } });
    return () => checkPlan(occupancy, freezePlan(content));
  };
  const mismatch = expect.objectContaining({
    code: "PLAN_MISMATCH",
    message: expect.stringContaining("its own error or loss"),
  });
  const guarantees = guaranteesOf(keptUnderPlan(occupancy, frontier), objective, frontier.noise);
  const worst = guarantees.map((each) => each!.error).reduce((one, other) => (one.compare(other) > 0 ? one : other));

  test("an error of all statistics together", () => {
    expect(promise(DROP, { errorBound: worst })).not.toThrow();
    expect(promise(DROP, { errorBound: worst.subtract(hair) })).toThrow(mismatch);
  });

  test("an error of each statistic", () => {
    const most = [0, 1].map((index) =>
      guarantees
        .map((each) => each!.statisticError[index]!)
        .reduce((one, other) => (one.compare(other) > 0 ? one : other)),
    );
    expect(promise(DROP, { errorBound: null, errorTargets: most })).not.toThrow();
    for (const index of [0, 1]) {
      const errorTargets = most.map((error, at) => (at === index ? error.subtract(hair) : error));
      expect(promise(DROP, { errorBound: null, errorTargets })).toThrow(mismatch);
    }
  });

  test("a loss", () => {
    expect(promise(DROP, { lossTarget: frontier.loss })).not.toThrow();
    expect(promise(DROP, { lossTarget: frontier.loss.subtract(Rational.of(1n, 10n ** 18n)) })).toThrow(mismatch);
  });

  test("a grid set aside keeps nothing, and need not keep to the error", () => {
    expect(promise(EMPTY_WEST, { setAside: [1] })).not.toThrow();
    expect(promise(EMPTY_WEST, { setAside: [0] })).toThrow(mismatch);
    expect(promise(DROP, { setAside: [1] })).toThrow(mismatch);
    // Under the paper's estimator an empty grid has no statistic, so it keeps to nothing.
    expect(promise(EMPTY_WEST, {})).toThrow(mismatch);
    expect(promise({ ...EMPTY_WEST, objective: centred }, {})).not.toThrow();
    expect(promise({ ...EMPTY_WEST, objective: centred }, { errorBound: worst, setAside: [1] })).not.toThrow();
  });

  test("CLIP-USER's bound is of the even split only, and is not held against a plan", () => {
    const content = planFor({ ...DROP, strategy: { ...CLIPPED, errorBound: hair } });
    expect(() => checkPlan(occupancy, freezePlan(content))).not.toThrow();
  });
});
