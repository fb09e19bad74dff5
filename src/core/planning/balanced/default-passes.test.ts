/** Holds the default number of passes to its rule: two where the rings of all windowed features together are more than noise. */
import { expect, test } from "vitest";
import { Rational } from "../../arithmetic/index.ts";
import { makeObjective, parseBounds } from "../../influence/index.ts";
import { occupancyFromTriples } from "../../occupancy/index.ts";
import { makePlan, runNow } from "../index.ts";

/** Rings of one feature have noise 2/(0.03·ΣX), ΣX = 300 at most: 0.22. */
const USERS = 300;

test.each([
  ["mean", 2],
  ["mean,second-moment", 1],
  ["mean,variance", 1],
  ["histogram:20/40", 1],
])("%s of 300 users is planned in %i passes", (statistics, passes) => {
  const occupancy = occupancyFromTriples(
    Array.from({ length: USERS }, (_, user) => [`u${user}`, user % 2 === 0 ? "a" : "b", 1] as const),
  );
  const objective = makeObjective(parseBounds("0,65"), { statistics, metric: "relative", estimator: "weighted" });
  const { plan } = runNow(makePlan(occupancy, { objective, balanced: { loss: Rational.ONE } }));
  expect(plan.balanced?.passes).toBe(passes);
});
