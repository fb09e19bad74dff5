/** What the deciding users lose, grid by grid, on an array small enough to do by hand. */
import { expect, test } from "vitest";
import { FRONTIER, planFor } from "../../../test/support/plan-content.ts";
import { Rational } from "../arithmetic/index.ts";
import { makeObjective, parseBounds } from "../influence/index.ts";
import { occupancyFromTriples } from "../occupancy/index.ts";
import { keptUnderPlan } from "./evaluate-plan.ts";
import type { PlanContent } from "./plan.ts";
import { freezePlan } from "./plan-file.ts";
import { lossShares } from "./plan-summary.ts";

const array = occupancyFromTriples([
  ["ann", "east", 8],
  ["bob", "east", 4],
  ["cyd", "east", 2],
  ["bob", "west", 3],
  ["cyd", "west", 6],
  ["cyd", "zoo", 1],
]);
const objective = makeObjective(parseBounds("0,65"), { statistics: "mean" });
const sharesOf = (content: PlanContent, weights: ReadonlyArray<readonly [number, number]>): number[] | undefined => {
  const plan = freezePlan({ ...content, bound: { of: "loss", lowerBound: Rational.ONE, weights, prices: null } });
  const shares = lossShares(keptUnderPlan(array, plan), plan);
  return shares && [...shares];
};

test("a user loses ε times its records over the heaviest user's; weights say how much it counts", () => {
  const content = planFor({ users: ["bob", "cyd"], objective, strategy: FRONTIER }, array);
  // Bob loses 4/8 in the east and 3/6 in the west; Cyd 2/8, 1 and 1.
  const rounded = (weights: ReadonlyArray<readonly [number, number]>) =>
    sharesOf(content, weights)!.map((share) => Number(share.toFixed(12)));
  expect(rounded([[0, 7]])).toEqual([0.5, 0.5, 0]);
  const [east, west, zoo] = rounded([
    [0, 1],
    [1, 2],
  ]) as [number, number, number];
  expect(east).toBeCloseTo(1 / 5.5, 12);
  expect(west).toBeCloseTo(2.5 / 5.5, 12);
  expect(zoo).toBeCloseTo(2 / 5.5, 12);
});

test("statistics add up, and what nobody can move costs nothing", () => {
  const both = makeObjective(parseBounds("0,65"), { statistics: "mean,variance" });
  const content = planFor({ users: ["cyd"], objective: both, strategy: FRONTIER }, array);
  // The zoo has one record: ε/2 for its mean, nothing for its variance. Whoever is heaviest pays ε in all.
  const [, west, zoo] = sharesOf(content, [[0, 1]]) as [number, number, number];
  expect(west / zoo).toBeCloseTo(2, 12);
});

test("who was dropped loses nothing there", () => {
  const dropped = planFor({ users: ["bob"], suppressed: [[0, 0]], objective, strategy: FRONTIER }, array);
  expect(sharesOf(dropped, [[0, 1]])).toEqual([0, 1, 0]);
});

test("without a bound, without weights, or where nothing is lost, there are none", () => {
  const content = planFor({ users: ["bob"], objective, strategy: FRONTIER }, array);
  expect(lossShares(keptUnderPlan(array, content), freezePlan(content))).toBeUndefined();
  expect(sharesOf(content, [])).toBeUndefined();
  const gone = planFor(
    {
      users: ["bob"],
      suppressed: [
        [0, 0],
        [0, 1],
      ],
      objective,
      strategy: FRONTIER,
    },
    array,
  );
  expect(sharesOf(gone, [[0, 1]])).toBeUndefined();
});
