/** The planner's lower bound beside its definition: the least weighted loss, all choices of tiny grids tried. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeCase } from "../../../../test/support/frontier-cases.ts";
import { leastWeightedShare } from "../../../../test/support/least-weighted-loss.ts";
import { influencesAreLinear, WEIGHTED_SIZES, weightsAndLimits } from "../../../../test/support/weighted-cases.ts";
import { ActiveArray } from "./active-array.ts";
import { isMetByMidpoints } from "./error-target.ts";
import { weightedLossBelow } from "./lower-bound.ts";
import { PriceModel } from "./price-model.ts";

test.each(WEIGHTED_SIZES)("never above the least weighted loss, and near it where influences are linear: $name", ({
  cases,
  runs,
}) => {
  let near = 0;
  fc.assert(
    fc.property(cases, (each) => {
      const { occupancy, objective, target } = each;
      const array = new ActiveArray(occupancy, (grid) => {
        return !isMetByMidpoints(objective, target, occupancy.samplesOfGrid[grid]!);
      });
      const model = new PriceModel(objective, target);
      for (const { weights, limit } of weightsAndLimits(each)) {
        const truth = leastWeightedShare(occupancy, objective, target, { weights, limit: limit * (1 + 1e-8) });
        for (const tolerance of [5e-4, 0]) {
          const below = weightedLossBelow(array, model, Float64Array.from(weights), { limit, tolerance });
          const says = () => `${weights} at ${limit}: ${below}, the least is ${truth}: ${describeCase(each)}`;
          // Beyond the limit nobody asks: a grid alone may be worth no more than that.
          if (below > truth && truth < limit) throw new Error(`too high: ${says()}`);
          const wanted = Math.min(truth, limit) * (1 - tolerance - 1e-7);
          if (influencesAreLinear(each) && !(below >= wanted)) throw new Error(`too low: ${says()}`);
          if (below >= wanted) near += 1;
        }
      }
    }),
    { numRuns: runs, seed: 20_251 },
  );
  expect(near).toBeGreaterThan(2 * runs);
});
