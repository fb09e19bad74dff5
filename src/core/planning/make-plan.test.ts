/** From options to a plan: what each option becomes, what is assumed without one, and which options do not go together. */
import { describe, expect, test } from "vitest";
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { ErrorModel, makeObjective, parseBounds } from "../influence/index.ts";
import { Kept, occupancyFromTriples, occupancyHash } from "../occupancy/index.ts";
import { chooseCaps } from "./caps.ts";
import { checkPlan } from "./check-plan.ts";
import { clipUser } from "./clip-user/clip-user.ts";
import { worstBaselineError } from "./evaluate-plan.ts";
import { type Progress, runNow } from "./long-work.ts";
import { makePlan, type PlanRequest } from "./make-plan.ts";
import { provesImpossible } from "./smallest-k/impossible-k.ts";
import type { LinearSolver } from "./smallest-k/linear-solver.ts";

const array = occupancyFromTriples([
  ["ann", "east", 9],
  ["ann", "north", 1],
  ["ann", "west", 3],
  ["bob", "east", 4],
  ["bob", "west", 8],
  ["cyd", "east", 5],
  ["cyd", "north", 2],
  ["cyd", "west", 2],
  ["dot", "east", 4],
  ["dot", "north", 2],
]);
const objective = makeObjective(parseBounds("0,65"));
const centred = makeObjective(parseBounds("0,65"), { estimator: "centred" });
const epsilon = Rational.ONE;
/** Finds nothing in no time: prices have to decide. */
const solver: LinearSolver = {
  name: "none",
  solve: () => ({ status: "stopped", values: undefined, rowDuals: undefined, seconds: 0 }),
};

function planOf(request: Partial<PlanRequest>) {
  const made = runNow(makePlan(array, { objective, ...request }));
  const checked = checkPlan(array, made.plan);
  expect(checked.guarantees).toEqual(made.evaluation.guarantees);
  expect([...checked.kept.ofEntry]).toEqual([...made.evaluation.kept.ofEntry]);
  expect(checked.joint.largest()).toEqual(made.evaluation.joint.largest());
  return made.plan;
}

test("without options: the baseline, evenly split, 2^20 steps, records spread over time", () => {
  const plan = planOf({ epsilon });
  expect(plan).toMatchObject({
    latticeStep: Rational.of(65, 2 ** 20),
    split: "even",
    partition: null,
    keep: "spread",
    occupancy: { sha256: occupancyHash(array), users: 4, grids: 3, entries: 10, samples: 40 },
    grids: ["east", "north", "west"],
    caps: null,
    users: [],
    suppressed: [],
    trimmed: [],
    bound: null,
  });
  expect(plan.strategy).toEqual({
    name: "baseline",
    epsilon,
    errorBound: null,
    errorTargets: null,
    lossTarget: null,
    setAside: [],
    timeLimitSeconds: null,
    protectedGrid: null,
    wholeStages: false,
    caps: false,
  });
  expect(plan.lossSimple).toEqual(Rational.of(3));
});

test("what is asked for is in the plan", () => {
  const partition = { "--slot": "3600" };
  const plan = planOf({ epsilon, split: "best", step: parseDecimal("0.5"), keep: "first", partition });
  expect(plan).toMatchObject({ latticeStep: parseDecimal("0.5"), split: "best", keep: "first", partition });
});

test("clip-user and caps: what each decides, in this order", () => {
  const model = new ErrorModel(objective, epsilon);
  const options = { errorBound: parseDecimal("20000"), protectLowest: true, wholeStages: true };
  const clipped = runNow(clipUser(array, model, options));
  expect(clipped.suppressed.length).toBeGreaterThan(0);
  const plan = planOf({ epsilon, clipUser: options });
  expect(plan.strategy).toMatchObject({
    name: "clip-user",
    errorBound: options.errorBound,
    protectedGrid: clipped.protectedGrid,
    wholeStages: true,
    caps: false,
  });
  const named = plan.suppressed.map(([user, grid]) => [plan.users[user], plan.grids[grid]]);
  const { userOfEntry, byUser } = { userOfEntry: (entry: number) => array.userOfEntry(entry), byUser: array.byUser };
  expect(named).toEqual(
    Array.from(clipped.suppressed, (entry) => [
      array.users.get(userOfEntry(entry)),
      array.grids.get(byUser.grid[entry]!),
    ]),
  );
  const { caps } = runNow(chooseCaps(clipped.kept, model));
  expect(planOf({ epsilon, clipUser: options, caps: true })).toMatchObject({ caps: [...caps], trimmed: [] });
  expect(planOf({ epsilon, clipUser: {} }).strategy).toMatchObject({ wholeStages: false, protectedGrid: null });
  // With much noise it pays to cap: what is above its cap is not listed one by one.
  const little = parseDecimal("0.01");
  const { caps: alone } = runNow(chooseCaps(Kept.all(array), new ErrorModel(objective, little)));
  expect(alone[0]).toBeLessThan(9);
  const capped = planOf({ epsilon: little, caps: true });
  expect(capped).toMatchObject({ users: [], trimmed: [] });
  expect(capped).toMatchObject({ caps: [...alone], suppressed: [], strategy: { name: "baseline", caps: true } });
});

test("the smallest K: a bound with prices, and the limit on time", () => {
  const errorBound = worstBaselineError(array, objective, epsilon);
  const plan = planOf({ epsilon, optimal: { errorBound, solver, timeLimitSeconds: 7 } });
  expect(plan.strategy).toMatchObject({ name: "clip-user-optimal", epsilon, errorBound, timeLimitSeconds: 7 });
  expect(plan.bound).toMatchObject({ of: "degradation", weights: [] });
  expect(plan.bound!.prices).toHaveLength(3);
  const untimed = planOf({ epsilon, optimal: { errorBound, protectLowest: true, solver } });
  expect(untimed.strategy.timeLimitSeconds).toBeNull();
  expect(untimed.strategy.protectedGrid).not.toBeNull();
});

test("the smallest K with a proof: its prices are in the plan, and prove it", () => {
  // Ten users with one record in each of three grids, none of which can lose more than two.
  const users = Array.from({ length: 10 }, (_, user) => `u${user}`);
  const even = occupancyFromTriples(users.flatMap((user) => ["a", "b", "c"].map((grid) => [user, grid, 1] as const)));
  const mean = makeObjective(parseBounds("0,1"), { statistics: "mean" });
  const errorBound = parseDecimal("0.3");
  const { plan } = runNow(makePlan(even, { objective: mean, epsilon, optimal: { errorBound, solver } }));
  expect(plan.bound).toMatchObject({ of: "degradation", lowerBound: Rational.of(3) });
  const alone = occupancyFromTriples([["u0", "a", 1]]);
  const trivial = runNow(makePlan(alone, { objective: mean, epsilon, optimal: { solver } })).plan;
  expect(trivial.bound).toEqual({ of: "degradation", lowerBound: Rational.ONE, weights: [], prices: null });
  const proof = { k: 2, prices: plan.bound!.prices! };
  const model = new ErrorModel(mean, epsilon);
  expect(provesImpossible(even, model, { errorBound, protectedGrid: undefined, proof })).toBe(true);
});

describe("the frontier", () => {
  const error = Rational.of(400);

  test("for an error, of all statistics or of each", () => {
    const together = planOf({ objective: centred, frontier: { kind: "error", target: { kind: "together", error } } });
    expect(together).toMatchObject({ split: "best", caps: null, bound: { of: "loss", prices: null } });
    expect(together.strategy).toMatchObject({ name: "frontier", epsilon: null, errorBound: error, errorTargets: null });
    expect(together.strategy).toMatchObject({ lossTarget: null, timeLimitSeconds: null });
    const errors = [Rational.of(15), Rational.of(400)];
    const each = planOf({ objective: centred, frontier: { kind: "error", target: { kind: "each", errors } } });
    expect(each.strategy).toMatchObject({ errorBound: null, errorTargets: errors });
    for (const plan of [together, each]) {
      // Whoever is named is dropped, trimmed or weighed, and the weights are by those names.
      expect(plan.bound!.weights.length).toBeGreaterThan(0);
      for (const [user, weight] of plan.bound!.weights) {
        expect(plan.users[user]).toMatch(/^(ann|bob|cyd|dot)$/);
        expect(weight).toBeGreaterThan(0);
      }
      const emptied = plan.suppressed.map(([user, grid]) =>
        array.entryOf(array.users.indexOf(plan.users[user]!), grid),
      );
      expect(emptied.every((entry) => entry >= 0)).toBe(true);
    }
  });

  test("for the error that the baseline has at ε: never at more loss than it", () => {
    const goal = Rational.of(3);
    const plan = planOf({ frontier: { kind: "epsilon", epsilon: goal }, split: "even" });
    expect(plan.split).toBe("best");
    expect(plan.strategy).toMatchObject({ epsilon: goal, errorBound: worstBaselineError(array, objective, goal) });
    expect(plan.loss.compare(planOf({ epsilon: goal }).loss)).toBeLessThanOrEqual(0);
  });

  test("for a loss, with a limit on time, without a proof, and as a sketch", () => {
    const loss = Rational.of(6);
    const frontier = { kind: "loss", loss } as const;
    const timeLimit = { seconds: 5, isOutOfTime: () => false };
    const plan = planOf({ objective: centred, frontier, timeLimit });
    expect(plan.strategy).toMatchObject({ lossTarget: loss, epsilon: null, timeLimitSeconds: 5 });
    expect(plan.bound!.of).toBe("error");
    expect(planOf({ objective: centred, frontier, unproven: true }).bound).toBeNull();
    expect(planOf({ objective: centred, frontier, sketch: {} }).bound).toBeNull();
  });
});

describe("refused", () => {
  const refusal = (request: Partial<PlanRequest>, words: string): void => {
    expect(() => planOf(request)).toThrow(
      expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringContaining(words) }),
    );
  };

  test("no ε, or one out of range", () => {
    refusal({}, "--epsilon is missing");
    refusal({ epsilon: Rational.ZERO }, "--epsilon");
    refusal({ frontier: { kind: "epsilon", epsilon: Rational.ZERO } }, "--epsilon");
    refusal({ frontier: { kind: "loss", loss: Rational.ZERO } }, "--loss");
  });

  test("a step that does not divide the range, weights of 0", () => {
    refusal({ epsilon, step: Rational.of(2) }, "--step");
    refusal({ epsilon, objective: { ...objective, weights: [Rational.ZERO, Rational.ONE] } }, "weight");
  });

  test("strategies of the paper under the centred estimator", () => {
    for (const asked of [{ clipUser: {} }, { optimal: { solver } }, { caps: true }])
      refusal({ objective: centred, epsilon, ...asked }, "use --estimator kept or --strategy frontier");
    expect(planOf({ objective: centred, epsilon, caps: false }).strategy.name).toBe("baseline");
  });
});

test("progress is told in words", () => {
  const told: Progress[] = [];
  const work = makePlan(array, { objective, epsilon, clipUser: {}, caps: true });
  for (let next = work.next(); !next.done; next = work.next()) told.push(next.value);
  expect(told).toContainEqual({ step: "dropping users from 3 to 2 grids", done: 0 });
  expect(told).toContainEqual({ step: "choosing caps", done: 0, of: 3 });
  expect(told.at(-1)).toEqual({ step: "working out noise and losses", done: 0 });
});
