/** A frontier plan as a file: it comes back as it went, and what was altered in it is noticed although its hash is right. */
import { describe, expect, test } from "vitest";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import type { VeilgridError } from "../../errors/index.ts";
import { makeObjective, parseBounds } from "../../influence/index.ts";
import { occupancyFromTriples } from "../../occupancy/index.ts";
import { checkPlan } from "../check-plan.ts";
import { runNow } from "../long-work.ts";
import { makePlan } from "../make-plan.ts";
import type { Plan } from "../plan.ts";
import { freezePlan, planText, readPlan } from "../plan-file.ts";
import { summarisePlan } from "../plan-summary.ts";
import { verifyBound } from "../verify-bound.ts";

/** 400 users, most in a few of nine grids with up to a hundred records; the first user of each grid has four times as many. */
const occupancy = occupancyFromTriples(
  Array.from({ length: 400 }, (_, user) =>
    Array.from({ length: 9 }, (_, grid): [string, string, number] | undefined => {
      if ((user * 7 + grid * 13) % 5 > 1) return undefined;
      return [`u${user}`, `g${grid}`, (1 + ((user * 37 + grid * 101) % 97)) * (user < 9 ? 4 : 1)];
    }).filter((triple) => triple !== undefined),
  ).flat(),
);
const objective = makeObjective(parseBounds("0,65"), { estimator: "centred" });
const made = runNow(makePlan(occupancy, { objective, frontier: { kind: "loss", loss: parseDecimal("2", "λ") } }));
const { plan } = made;

function refusal(altered: Plan): string | undefined {
  try {
    checkPlan(occupancy, readPlan(planText(altered)));
    return undefined;
  } catch (error) {
    return (error as VeilgridError).code;
  }
}

/** Frozen anew: the hash is right. */
const altered = (changes: Partial<Plan>): Plan => freezePlan({ ...plan, ...changes });

test("it comes back as it went, keeps to its goal and beats the baseline", () => {
  expect(planText(readPlan(planText(plan)))).toBe(planText(plan));
  const { guarantees, joint } = checkPlan(occupancy, plan);
  expect(plan.loss.compare(Rational.of(2))).toBeLessThanOrEqual(0);
  expect(joint.largest()).toEqual(plan.loss);
  for (const guarantee of guarantees)
    expect(guarantee!.error.compare(plan.strategy.errorBound!)).toBeLessThanOrEqual(0);
  expect(plan.trimmed.length).toBeGreaterThan(0);
  const summary = summarisePlan(occupancy, made);
  expect(summary.baselineLoss).toBeGreaterThan(1.5 * summary.loss);
  expect(summary.gap).toBeLessThan(0.1);
  expect(verifyBound(occupancy, plan)).toBe(true);
});

describe("altered, with the right hash", () => {
  const { strategy } = plan;
  const less = (value: Rational): Rational => value.multiply(Rational.of(99, 100));
  const [first, ...rest] = plan.trimmed;
  test.each<[what: string, changes: Partial<Plan>, code: string]>([
    [
      "a smaller error than it has",
      { strategy: { ...strategy, errorBound: less(strategy.errorBound!) } },
      "PLAN_MISMATCH",
    ],
    [
      "a smaller loss than it has",
      { strategy: { ...strategy, lossTarget: less(plan.loss).floorToMultipleOf(Rational.of(1n, 10n ** 18n)) } },
      "PLAN_MISMATCH",
    ],
    ["a smaller loss stated", { loss: less(plan.loss) }, "PLAN_MISMATCH"],
    ["a trimmed user kept whole", { trimmed: [[first![0], first![1], first![2] + 1], ...rest] }, "PLAN_MISMATCH"],
    ["a trimmed user twice", { trimmed: [...plan.trimmed, first!] }, "PLAN_MALFORMED"],
    ["a weight of nobody", { bound: { ...plan.bound!, weights: [[plan.users.length, 1]] } }, "PLAN_MALFORMED"],
    ["grids set aside twice", { strategy: { ...strategy, setAside: [1, 1] } }, "PLAN_MALFORMED"],
    [
      "both kinds of target",
      { strategy: { ...strategy, errorTargets: [Rational.ONE, Rational.ONE] } },
      "PLAN_MALFORMED",
    ],
    ["targets for a baseline", { strategy: { ...strategy, name: "baseline" } }, "PLAN_MALFORMED"],
  ])("%s", (_, changes, code) => {
    expect(refusal(altered(changes))).toBe(code);
  });

  test("a bound that is too good does not convince", () => {
    const lowerBound = plan.bound!.lowerBound.multiply(Rational.of(11, 10));
    expect(verifyBound(occupancy, altered({ bound: { ...plan.bound!, lowerBound } }))).toBe(false);
  });
});
