/** Totals and distances of weights against plain rationals, for arrays of any size and counts of four billion. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileArrays, weightsFor } from "../../../test/support/weighted-arrays.ts";
import { Rational, sum } from "../arithmetic/index.ts";
import { occupancyFromTriples } from "./builder.ts";
import type { Occupancy } from "./occupancy.ts";
import { MOST_WEIGHT, Weights } from "./weights.ts";

/** The same, entry by entry in exact arithmetic. */
function plainly({ byUser, grids }: Occupancy, weights: Uint32Array) {
  return Array.from({ length: grids.length }, (_, grid) => {
    const entries = Array.from(weights.keys()).filter((entry) => byUser.grid[entry] === grid);
    const counts = entries.map((entry) => Rational.of(byUser.count[entry]!));
    const amounts = entries.map((entry, at) => counts[at]!.multiply(Rational.of(weights[entry]!)));
    const [records, total] = [sum(counts), sum(amounts)];
    if (total.isZero()) return { total, distance: Rational.ONE };
    const apart = counts.map((count, at) => count.divide(records).subtract(amounts[at]!.divide(total)).absolute());
    return { total, distance: sum(apart).divide(Rational.of(2)) };
  });
}

test("totals and distances are those of plain rationals", () => {
  fc.assert(
    fc.property(hostileArrays, fc.nat(1_000_000), (occupancy, seed) => {
      const ofEntry = weightsFor(occupancy, seed);
      const weights = new Weights(occupancy, ofEntry);
      const expected = plainly(occupancy, ofEntry);
      expect(weights.ofGrid).toEqual(expected.map(({ total }) => total.numerator));
      expect(weights.distances()).toEqual(expected.map(({ distance }) => distance));
      for (const [entry, weight] of ofEntry.entries())
        expect(BigInt(weights.amount(entry))).toBe(BigInt(weight) * BigInt(occupancy.byUser.count[entry]!));
    }),
  );
});

test("sums above 2⁵³ lose nothing, odd weights among them", () => {
  const users = Array.from({ length: 9 }, (_, user) => [`u${user}`, "g", 2 ** 32 - 1 - user] as const);
  const occupancy = occupancyFromTriples([...users, ["tiny", "g", 1]]);
  const ofEntry = Uint32Array.from(occupancy.byUser.count, (count) => (count === 1 ? 1 : MOST_WEIGHT - 1));
  const large = users.reduce((total, [, , count]) => total + BigInt(count) * BigInt(MOST_WEIGHT - 1), 0n);
  expect(new Weights(occupancy, ofEntry).ofGrid).toEqual([large + 1n]);
  expect(large).toBeGreaterThan(2n ** 55n);
});

test("equal weights are as the records are; where nobody has any, all lies elsewhere", () => {
  const occupancy = occupancyFromTriples([
    ["ann", "east", 9],
    ["bob", "east", 1],
    ["bob", "west", 3],
  ]);
  const weights = new Weights(occupancy, Uint32Array.of(7, 7, 0));
  expect(weights.ofGrid).toEqual([70n, 0n]);
  expect(weights.distances()).toEqual([Rational.ZERO, Rational.ONE]);
});
