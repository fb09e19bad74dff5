/** The first answer: as exact as any plan, within its goal, near the refined one, the same again. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { frontierCases } from "../../../../test/support/frontier-cases.ts";
import { Rational } from "../../arithmetic/index.ts";
import { makeObjective, parseBounds } from "../../influence/index.ts";
import { occupancyFromTriples } from "../../occupancy/index.ts";
import { checkPlan } from "../check-plan.ts";
import { runNow } from "../long-work.ts";
import { makePlan } from "../make-plan.ts";
import { planText, readPlan } from "../plan-file.ts";
import type { FrontierGoal } from "../strategies.ts";

test("on any small array: exact, and no more loss than asked for", () => {
  fc.assert(
    fc.property(frontierCases(), fc.constantFrom(30, 300, 2000, 20_000), fc.boolean(), (each, thousandths, hinted) => {
      const { occupancy, objective } = each;
      const loss = Rational.of(thousandths, 1000);
      const sketch = hinted ? { near: 7 } : {};
      const { plan } = runNow(makePlan(occupancy, { objective, frontier: { kind: "loss", loss }, sketch }));
      checkPlan(occupancy, readPlan(planText(plan)));
      expect(plan.loss.compare(loss)).toBeLessThanOrEqual(0);
      expect(plan.bound).toBeNull();
    }),
    { numRuns: 150 },
  );
});

describe("two thousand users in twelve grids, one of them heavy in each", () => {
  const occupancy = occupancyFromTriples(
    Array.from({ length: 2000 }, (_, user) => {
      const grids = 1 + Math.floor(12 / (1 + (user % 40)));
      return Array.from({ length: grids }, (_, at): [string, string, number] => {
        const grid = (user * 5 + at * 7) % 12;
        return [`u${user}`, `g${grid}`, (1 + ((user * 37 + grid * 101) % 97)) * (user < 12 ? 4 : 1)];
      }).filter(([, name], at, all) => all.findIndex((other) => other[1] === name) === at);
    }).flat(),
  );
  const objective = makeObjective(parseBounds("0,65"), { statistics: "mean", estimator: "centred" });
  const make = (frontier: FrontierGoal, sketch?: { near?: number }) =>
    runNow(makePlan(occupancy, { objective, frontier, sketch, unproven: true })).plan;

  test("a loss: the error is a little larger than the refined plan's", () => {
    const goal = { kind: "loss", loss: Rational.of(1, 2) } as const;
    const refined = make(goal).strategy.errorBound!.toNumberNearest();
    for (const sketch of [{}, { near: 3.3 }]) {
      const sketched = make(goal, sketch);
      expect(sketched.loss.compare(goal.loss)).toBeLessThanOrEqual(0);
      const error = sketched.strategy.errorBound!.toNumberNearest();
      expect(error).toBeGreaterThan(0.999 * refined);
      expect(error).toBeLessThan(1.25 * refined);
      expect(planText(make(goal, sketch))).toBe(planText(sketched));
    }
  });

  test("an error: the loss is a little larger than the refined plan's", () => {
    const goal = { kind: "error", target: { kind: "together", error: Rational.of(8) } } as const;
    const refined = make(goal).loss.toNumberNearest();
    const sketched = make(goal, {});
    checkPlan(occupancy, readPlan(planText(sketched)));
    expect(sketched.loss.toNumberNearest()).toBeGreaterThan(0.999 * refined);
    expect(sketched.loss.toNumberNearest()).toBeLessThan(1.35 * refined);
  });
});
