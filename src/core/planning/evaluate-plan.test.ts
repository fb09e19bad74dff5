/** What is kept, how much noise a grid gets and what is guaranteed, on an array small enough to do by hand. */
import { expect, test } from "vitest";
import { Rational } from "../arithmetic/index.ts";
import { makeObjective, parseBounds } from "../influence/index.ts";
import { occupancyFromTriples } from "../occupancy/index.ts";
import { guaranteesOf, keptUnderPlan, lossesOf, uniformNoise, worstBaselineError } from "./evaluate-plan.ts";

const array = occupancyFromTriples([
  ["a", "g", 5],
  ["b", "g", 9],
  ["c", "g", 7],
  ["c", "h", 2],
]);
const meanOnly = makeObjective(parseBounds("0,42"), { statistics: "mean" });
const everything = { caps: null, users: [], suppressed: [], trimmed: [] };

test("kept counts: 0 if suppressed, the trimmed number if listed, otherwise at most the cap", () => {
  expect([...keptUnderPlan(array, everything).ofEntry]).toEqual([5, 9, 7, 2]);
  const decisions = { users: ["a", "c"], suppressed: [[0, 0]], trimmed: [[1, 1, 1]] } as const;
  expect([...keptUnderPlan(array, { caps: [6, 6], ...decisions }).ofEntry]).toEqual([0, 6, 6, 1]);
  expect([...keptUnderPlan(array, { caps: null, ...decisions }).ofEntry]).toEqual([0, 9, 7, 1]);
  expect([...array.byUser.count]).toEqual([5, 9, 7, 2]);
});

test("a drop of nobody's records is another array's", () => {
  for (const [id, grid] of [
    ["z", 0],
    ["a", 1],
  ] as const)
    for (const pairs of [{ suppressed: [[0, grid]] as const }, { trimmed: [[0, grid, 1]] as const }])
      expect(() => keptUnderPlan(array, { ...everything, users: [id], ...pairs })).toThrow(
        expect.objectContaining({ code: "PLAN_MISMATCH" }),
      );
});

test("noise: Δ/ε where something is kept, and nothing is spent on an emptied grid", () => {
  const kept = keptUnderPlan(array, { ...everything, users: ["c"], suppressed: [[0, 1]] });
  const noise = uniformNoise(kept, meanOnly, { epsilon: Rational.of(2), split: "even" });
  // 42·9/21 over 2.
  expect(noise).toEqual([
    { epsilon: Rational.of(2), epsilons: [Rational.of(2)], scales: [Rational.of(9)] },
    { epsilon: Rational.ZERO, epsilons: [Rational.ZERO], scales: [Rational.ZERO] },
  ]);
  const { joint, simple } = lossesOf(kept, meanOnly, noise);
  // The heaviest user pays ε, the others their part of it; the paper counts ε for everyone.
  expect(joint.largest()).toEqual(Rational.of(2));
  expect(simple.largest()).toEqual(Rational.of(2));
  expect(guaranteesOf(kept, meanOnly, noise).map((each) => each?.error)).toEqual([Rational.of(9), undefined]);
});

test("the worst error of keeping everything is that of the grid where one user owns most", () => {
  // g: 42·9/21 = 18 at ε = 1; h: one user owns it all, 42.
  expect(worstBaselineError(array, meanOnly, Rational.ONE)).toEqual(Rational.of(42));
  expect(worstBaselineError(array, meanOnly, Rational.of(3))).toEqual(Rational.of(14));
  const both = makeObjective(parseBounds("0,42"), { statistics: "mean,sum", metric: "relative" });
  // ε is split evenly: the mean of h has noise 84, its data-free error is 21.
  expect(worstBaselineError(array, both, Rational.ONE)).toEqual(Rational.of(4));
});
