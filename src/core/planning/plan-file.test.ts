/** Reading a plan file: whatever a planner writes comes back, and one wrong value anywhere is called by its name. */
import { describe, expect, test } from "vitest";
import { CLIPPED, FRONTIER, OPTIMAL, planFor } from "../../../test/support/plan-content.ts";
import { Rational } from "../arithmetic/index.ts";
import type { PlanContent } from "./plan.ts";
import { freezePlan, planText, readPlan } from "./plan-file.ts";

const eveGone = { users: ["eve"], suppressed: [[0, 0]] } as const;

/** Two grids, two statistics, one user; every part filled in. */
const full: PlanContent = {
  ...planFor({
    ...eveGone,
    caps: [3, 2],
    strategy: { ...CLIPPED, protectedGrid: 1, wholeStages: true, caps: true, timeLimitSeconds: 9 },
  }),
  keep: "first",
  partition: { "--slot": "3600" },
};
const bounded: PlanContent = {
  ...planFor({ ...eveGone, trimmed: [], strategy: { ...FRONTIER, lossTarget: Rational.of(2), setAside: [] } }),
  split: "best",
  bound: { of: "error", lowerBound: Rational.of(1, 3), weights: [[0, 5]], prices: null },
};
const proven: PlanContent = {
  ...planFor({ ...eveGone, strategy: { ...OPTIMAL, timeLimitSeconds: 60 } }),
  bound: { of: "degradation", lowerBound: Rational.ONE, weights: [], prices: [12_345_678_901_234_567_890n, 0n] },
};
const byStatistic = planFor({
  users: ["bob", "eve"],
  suppressed: [[1, 0]],
  trimmed: [[0, 1, 2]],
  strategy: { ...FRONTIER, errorBound: null, errorTargets: [Rational.of(5000), Rational.of(10_001, 2)] },
});
const aside = planFor({
  users: ["bob", "cyd"],
  suppressed: [
    [0, 1],
    [1, 1],
  ],
  strategy: { ...FRONTIER, setAside: [1] },
});
const textOf = (content: PlanContent): string => planText(freezePlan(content));

describe("what planners write", () => {
  test.each([
    { name: "everything of clip-user", content: full },
    { name: "a bound with weights", content: bounded },
    { name: "a bound with prices", content: proven },
    { name: "errors by statistic, a trim", content: byStatistic },
    { name: "a grid set aside", content: aside },
  ])("$name comes back whole, and frozen", ({ content }) => {
    const text = textOf(content);
    const read = readPlan(text);
    expect(planText(read)).toBe(text);
    // Statistics are functions too, which no two of are equal: their keys are in the text.
    const { hash, objective, ...rest } = read;
    const { objective: written, ...others } = content;
    expect(rest).toEqual(others);
    expect({ ...objective, statistics: [] }).toEqual({ ...written, statistics: [] });
    expect(text).toContain(`"hash":"${hash}"`);
    for (const part of [
      read,
      read.strategy,
      read.noise[0],
      read.noise[0]!.epsilons,
      read.suppressed[0],
      read.occupancy,
    ])
      expect(Object.isFrozen(part)).toBe(true);
  });

  test("with or without the newline at its end", () => {
    const text = textOf(full);
    expect(planText(readPlan(text.trimEnd()))).toBe(text);
    expect(planText(readPlan(`${text}\n`))).toBe(text);
  });
});

/** The JSON of `content` with one value replaced, or taken out. */
function edited(content: PlanContent, path: string, value: unknown): string {
  const root = JSON.parse(textOf(content));
  const steps = path.split(".");
  const last = steps.pop()!;
  const at = steps.reduce((inner, step) => inner[step], root);
  if (value === undefined) delete at[last];
  else at[last] = value;
  return JSON.stringify(root);
}

const refusing = (code: string, words: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(words) });
const malformed = (words: string) => refusing("PLAN_MALFORMED", `p.json: not a plan: ${words}; make one with`);

describe("one wrong value", () => {
  const notCount = "is not a whole number from 0";
  const notExact = "is not an exact number";

  test.each<[path: string, value: unknown, words: string]>([
    ["format", "veilgrid-plan/1", "format is not one of veilgrid-plan/2"],
    ["bounds", "0,65", "bounds is not a list"],
    ["bounds", ["0"], "bounds has not 2 items"],
    ["bounds", ["0", "65", "70"], "bounds has not 2 items"],
    ["bounds.0", 0, `bounds ${notExact}`],
    ["bounds.0", "1/0", `bounds ${notExact}`],
    ["latticeStep", 1, `latticeStep ${notExact}`],
    ["statistics", "mean", "statistics is not a list"],
    ["statistics", [], "statistics is empty"],
    ["statistics.1", 7, "statistics is not text"],
    ["weights", "1", "weights is not a list"],
    ["weights", ["1"], "weights are not given for every statistic"],
    ["weights.0", 1, `weights ${notExact}`],
    ["metric", "most", "metric is not one of sum, relative"],
    ["metric", null, "metric is not one of sum, relative"],
    ["estimator", "mine", "estimator is not one of kept, centred, weighted"],
    ["split", "odd", "split is not one of even, best"],
    ["partition", "--slot", "partition is not an object"],
    ["partition", ["--slot"], "partition is not an object"],
    ["partition.--slot", 3600, "partition.--slot is not text"],
    ["keep", "last", "keep is not one of spread, first"],
    ["occupancy", "o.csv", "occupancy is not an object"],
    ["occupancy", null, "occupancy is not an object"],
    ["occupancy", [], "occupancy is not an object"],
    ["occupancy.sha256", 5, "occupancy.sha256 is not text"],
    ["occupancy.users", -1, `occupancy.users ${notCount}`],
    ["occupancy.grids", 1.5, `occupancy.grids ${notCount}`],
    ["occupancy.entries", "5", `occupancy.entries ${notCount}`],
    ["occupancy.samples", 2 ** 53, `occupancy.samples ${notCount}`],
    ["strategy", "clip-user", "strategy is not an object"],
    ["strategy.name", "mine", "strategy.name is not one of baseline, clip-user, clip-user-optimal, frontier, balanced"],
    ["strategy.epsilon", 1, `strategy.epsilon ${notExact}`],
    ["strategy.errorBound", 1, `strategy.errorBound ${notExact}`],
    ["strategy.errorTargets", "1", "strategy.errorTargets is not a list"],
    ["strategy.errorTargets", ["1"], "errors are not given for every statistic"],
    ["strategy.errorTargets", ["1", 1], `strategy.errorTargets ${notExact}`],
    ["strategy.lossTarget", 1, `strategy.lossTarget ${notExact}`],
    ["strategy.setAside", 1, "strategy.setAside is not a list"],
    ["strategy.setAside", ["1"], `strategy.setAside ${notCount}`],
    ["strategy.timeLimitSeconds", 0.5, `strategy.timeLimitSeconds ${notCount}`],
    ["strategy.protectedGrid", -1, `strategy.protectedGrid ${notCount}`],
    ["strategy.protectedGrid", 2, "the protected grid is none of the grids"],
    ["strategy.wholeStages", 1, "strategy.wholeStages is not true or false"],
    ["strategy.caps", null, "strategy.caps is not true or false"],
    ["grids", "east", "grids is not a list"],
    ["grids.0", 1, "grids is not text"],
    ["noise", {}, "noise is not a list"],
    ["noise", [], "noise is not given for every grid"],
    ["noise.0", "1", "noise is not an object"],
    ["noise.0.epsilon", 1, `noise.epsilon ${notExact}`],
    ["noise.0.epsilons", "1", "noise.epsilons is not a list"],
    ["noise.0.epsilons", ["1"], "noise is not given for every statistic"],
    ["noise.0.epsilons.1", 1, `noise.epsilons ${notExact}`],
    ["noise.0.scales", "1", "noise.scales is not a list"],
    ["noise.0.scales", ["1"], "noise is not given for every statistic"],
    ["noise.0.scales.1", 1, `noise.scales ${notExact}`],
    ["caps", 3, "caps is not a list"],
    ["caps", [3], "caps are not given for every grid"],
    ["caps.0", "3", `caps ${notCount}`],
    ["users", "eve", "users is not a list"],
    ["users.0", 1, "users is not text"],
    ["suppressed", 1, "suppressed is not a list"],
    ["suppressed.0", 1, "suppressed is not a list"],
    ["suppressed.0", [0], "suppressed has not 2 items"],
    ["suppressed.0", [0, "0"], `suppressed ${notCount}`],
    ["suppressed.0", [1, 0], "a drop points outside its tables"],
    ["suppressed.0", [0, 2], "a drop points outside its tables"],
    ["trimmed", 1, "trimmed is not a list"],
    ["trimmed", [[0, 0]], "trimmed has not 3 items"],
    ["trimmed", [[0, 0, "1"]], `trimmed ${notCount}`],
    ["trimmed", [[1, 0, 1]], "a drop points outside its tables"],
    ["loss", 1, `loss ${notExact}`],
    ["lossSimple", 1, `lossSimple ${notExact}`],
    ["bound", 1, "bound is not an object"],
    ["hash", 1, "hash is not text"],
  ])("%s = %j: %s", (path, value, words) => {
    expect(() => readPlan(edited(full, path, value), "p.json")).toThrow(malformed(words));
  });

  test.each<[path: string, value: unknown, words: string]>([
    ["bound.of", "K", "bound.of is not one of loss, error, degradation"],
    ["bound.lowerBound", 1, `bound.lowerBound ${notExact}`],
    ["bound.weights", 1, "bound.weights is not a list"],
    ["bound.weights.0", 1, "bound.weights is not a list"],
    ["bound.weights.0", [0], "bound.weights has not 2 items"],
    ["bound.weights.0", [0, 0.5], `bound.weights ${notCount}`],
    ["bound.weights.0", [1, 5], "the bound points outside its table"],
    ["bound.prices", "1", "bound.prices is not a list"],
    ["bound.prices", [1], "bound.prices is not a whole number"],
    ["bound.prices", ["-1"], "bound.prices is not a whole number"],
    ["bound.prices", ["1."], "bound.prices is not a whole number"],
    ["bound.prices", [""], "bound.prices is not a whole number"],
  ])("%s = %j: %s", (path, value, words) => {
    expect(() => readPlan(edited(bounded, path, value), "p.json")).toThrow(malformed(words));
  });

  test("a key too few or too many, wherever keys are", () => {
    const root = JSON.parse(textOf(bounded));
    const places = {
      "the file": "",
      occupancy: "occupancy.",
      strategy: "strategy.",
      noise: "noise.1.",
      bound: "bound.",
    };
    let tried = 0;
    for (const [name, path] of Object.entries(places)) {
      const inner = path
        .split(".")
        .slice(0, -1)
        .reduce((at, step) => at[step], root);
      for (const key of Object.keys(inner)) {
        expect(() => readPlan(edited(bounded, path + key, undefined), "p.json")).toThrow(
          malformed(`${name} lacks ${key}`),
        );
        tried += 1;
      }
      expect(() => readPlan(edited(bounded, `${path}more`, 1), "p.json")).toThrow(
        malformed(`${name} has keys that no plan has`),
      );
    }
    expect(tried).toBe(22 + 5 + 10 + 3 + 4);
  });
});

describe("the file as a whole", () => {
  const text = textOf(full);

  test("what is no JSON is not quoted", () => {
    expect(() => readPlan("user,grid,count\nalice,7,3\n", "p.json")).toThrow(malformed("it is not JSON"));
  });

  test("lists and nothing are no plans", () => {
    for (const other of ["[]", "null", '"plan"'])
      expect(() => readPlan(other, "p.json")).toThrow(malformed("the file is not an object"));
  });

  test("a sound value that was not planned does not match the hash", () => {
    for (const [path, value] of [
      ["loss", "0.1"],
      ["strategy.timeLimitSeconds", null],
      ["partition", null],
      ["caps.0", 4],
      ["hash", "0".repeat(64)],
    ] as const)
      expect(() => readPlan(edited(full, path, value), "p.json")).toThrow(
        refusing("PLAN_ALTERED", "p.json: the plan was altered"),
      );
  });

  test("a plan that no planner writes is refused although its hash is right", () => {
    const unsound = textOf({ ...full, strategy: { ...full.strategy, errorBound: null } });
    expect(() => readPlan(unsound, "p.json")).toThrow(malformed("the error bound does not fit the strategy"));
    const outOfRange = textOf({ ...full, latticeStep: Rational.ZERO });
    expect(() => readPlan(outOfRange)).toThrow(refusing("PLAN_MALFORMED", "plan: not a plan: --step 0"));
  });

  test("the same JSON in other words is refused", () => {
    const words = "its text was rewritten and is not in canonical form";
    expect(() => readPlan(JSON.stringify(JSON.parse(text), undefined, 1), "p.json")).toThrow(malformed(words));
    expect(() => readPlan(` ${text}`, "p.json")).toThrow(malformed(words));
  });

  test("what is wrong with the machine is not blamed on the plan", () => {
    const unreadable = {
      toString(): string {
        throw new Error("the disk is gone");
      },
    };
    expect(() => readPlan(unreadable as never)).toThrow(new Error("the disk is gone"));
  });
});
