/** The verifier of bounds beside the definition of what it works out: the least weighted loss of every grid, all choices tried. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeCase, type FrontierCase, frontierCases, longGrids } from "../../test/support/frontier-cases.ts";
import { leastWeightedShare } from "../../test/support/least-weighted-loss.ts";
import { SeededRandom } from "../../test/support/random.ts";
import { wholeWeights } from "../../test/support/whole-weights.ts";
import { Rational } from "../arithmetic/index.ts";
import { spreadShape } from "../influence/index.ts";
import { noPlanLosesLess, rootDown } from "./verify-bound.ts";

function isProven({ occupancy, objective, target }: FrontierCase, weights: readonly number[], loss: number): boolean {
  return noPlanLosesLess(occupancy, objective, {
    loss: Rational.fromNumber(loss),
    weights,
    error: target.kind === "together" ? target.error : null,
    errors: target.kind === "each" ? target.errors : null,
    without: new Set(),
  });
}

test.each([
  { name: "tiny arrays", cases: frontierCases(), runs: 200 },
  { name: "long grids", cases: frontierCases(longGrids), runs: 60 },
])("it is convinced of a loss only up to the least weighted one, and nearly up to it where influences are linear: $name", ({
  cases,
  runs,
}) => {
  let near = 0;
  fc.assert(
    fc.property(cases, (each) => {
      const { occupancy, objective, target, seed } = each;
      const shares = target.kind === "together" && objective.metric === "sum" && objective.statistics.length > 1;
      const isExact = !shares && !objective.statistics.some(({ shape }) => shape === spreadShape);
      const random = new SeededRandom(seed);
      for (const weights of wholeWeights(occupancy.users.length, seed, 3)) {
        // With no limit, then with limits that bind.
        const free = leastWeightedShare(occupancy, objective, target, { weights, limit: 1e12 });
        if (free === 0) continue;
        const from = Number.isFinite(free) ? free : 3;
        for (const limit of [
          from * 0.999,
          from * (1 + random.below(1000) / 500),
          from * (1 + random.below(1000) / 100),
        ]) {
          const truth = leastWeightedShare(occupancy, objective, target, { weights, limit: limit * (1 + 1e-9) });
          const says = () => `${weights} at ${limit}, the least is ${truth}: ${describeCase(each)}`;
          const proven = isProven(each, weights, limit);
          if (proven && limit > truth * (1 + 1e-7)) throw new Error(`proves too much: ${says()}`);
          if (!proven && isExact && limit < truth * (1 - 2e-4)) throw new Error(`proves too little: ${says()}`);
          if (proven) near += 1;
        }
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
