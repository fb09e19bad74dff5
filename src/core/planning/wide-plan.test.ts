/** A plan of very many grids: in a file of its own because it takes longer than all that is said of small ones. */
import { expect, test } from "vitest";
import { parseDecimal } from "../arithmetic/index.ts";
import { makeObjective, parseBounds } from "../influence/index.ts";
import { occupancyFromTriples } from "../occupancy/index.ts";
import { runNow } from "./long-work.ts";
import { makePlan } from "./make-plan.ts";
import { summarisePlan } from "./plan-summary.ts";

test("a hundred and fifty thousand grids are summarised", () => {
  const wide = occupancyFromTriples(Array.from({ length: 150_000 }, (_, grid) => ["a", `g${grid}`, 1] as const));
  const objective = makeObjective(parseBounds("0,8"), { statistics: "mean" });
  const summary = summarisePlan(wide, runNow(makePlan(wide, { objective, epsilon: parseDecimal("100") })));
  // Beyond what one double holds in units of 10⁻¹⁸ or even 10⁻⁹.
  expect(summary.exact.loss).toBe("15000000");
});
