/** The verifier of bounds beside the definition of what it works out: the least weighted loss of every grid, all choices tried. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeCase } from "../../../test/support/frontier-cases.ts";
import { leastWeightedShare } from "../../../test/support/least-weighted-loss.ts";
import {
  influencesAreLinear,
  isProven,
  WEIGHTED_SIZES,
  weightsAndLimits,
} from "../../../test/support/weighted-cases.ts";
import { rootDown } from "./verify-bound.ts";

test.each(
  WEIGHTED_SIZES,
)("it is convinced of a loss only up to the least weighted one, and nearly up to it where influences are linear: $name", ({
  cases,
  runs,
}) => {
  let near = 0;
  fc.assert(
    fc.property(cases, (each) => {
      const { occupancy, objective, target } = each;
      for (const { weights, limit } of weightsAndLimits(each)) {
        // A plan that loses the limit to the last digit is within it for one and beyond it for the other.
        const leastWithin = (more: number) =>
          leastWeightedShare(occupancy, objective, target, { weights, limit: limit * (1 + more) });
        const truth = leastWithin(1e-9);
        const says = () => `${weights} at ${limit}, the least is ${truth}: ${describeCase(each)}`;
        const proven = isProven(each, weights, limit);
        if (proven && limit > leastWithin(-1e-9) * (1 + 1e-7)) throw new Error(`proves too much: ${says()}`);
        if (!proven && influencesAreLinear(each) && limit < truth * (1 - 2e-4))
          throw new Error(`proves too little: ${says()}`);
        if (proven) near += 1;
      }
    }),
    { numRuns: runs, seed: 20_250 },
  );
  expect(near).toBeGreaterThan(runs);
});

test("a root is the largest whole number whose square is not above", () => {
  const large = [2n ** 64n, 2n ** 105n, 3n * 2n ** 130n, 10n ** 60n, 7n ** 90n].flatMap((value) => {
    return [value - 1n, value, value + 1n, value * value - 1n, value * value, value * value + 1n];
  });
  for (const value of [...Array.from({ length: 70 }, (_, each) => BigInt(each)), ...large]) {
    const root = rootDown(value);
    expect(root * root <= value && (root + 1n) * (root + 1n) > value, `${value}`).toBe(true);
  }
});
