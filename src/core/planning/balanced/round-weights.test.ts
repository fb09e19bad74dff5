/** Rounded weights and rates: nobody's exact loss is above the budget, somebody's nearly is, and shares stay what they were. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { SeededRandom } from "../../../../test/support/random.ts";
import { hostileArrays } from "../../../../test/support/weighted-arrays.ts";
import { Rational } from "../../arithmetic/index.ts";
import { MOST_WEIGHT } from "../../occupancy/index.ts";
import { roundWeights } from "./round-weights.ts";

test("no user's exact loss is above the budget, the largest is hardly below it, and weights fit", () => {
  fc.assert(
    fc.property(
      hostileArrays,
      fc.constantFrom(1e-9, 0.001, 1, 50, 1000),
      fc.nat(1_000_000),
      (occupancy, budget, seed) => {
        const random = new SeededRandom(seed);
        const { start, grid, count } = occupancy.byUser;
        const x = Float64Array.from({ length: occupancy.entries }, () => 10 ** (-12 * random.uniform()));
        const { weights, rates } = roundWeights(occupancy, x, budget);
        const exact = Rational.fromNumber(budget);
        let most = Rational.ZERO;
        for (let user = 0; user < occupancy.users.length; user++) {
          let loss = Rational.ZERO;
          for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
            const share = Rational.of(BigInt(weights.amount(entry)), weights.ofGrid[grid[entry]!]!);
            loss = loss.add(share.multiply(rates[grid[entry]!]!));
          }
          if (loss.compare(most) > 0) most = loss;
        }
        // Doubles add up to within 10⁻¹² of it, which whoever sets the budget keeps back.
        expect(most.toNumberNearest() / budget).toBeLessThan(1 + 1e-12);
        expect(most.toNumberNearest() / budget).toBeGreaterThan(1 - 1e-9);
        expect(
          rates.every(
            (rate) => rate.sign() > 0 && rate.compare(exact.multiply(Rational.of(occupancy.users.length))) <= 0,
          ),
        ).toBe(true);
        const largest = new Float64Array(occupancy.grids.length);
        for (const [entry, each] of x.entries())
          largest[grid[entry]!] = Math.max(largest[grid[entry]!]!, each / count[entry]!);
        for (const [entry, weight] of weights.ofEntry.entries()) {
          const wanted = (MOST_WEIGHT * x[entry]!) / count[entry]! / largest[grid[entry]!]!;
          expect(weight).toBeLessThanOrEqual(MOST_WEIGHT);
          expect(Math.abs(weight - wanted)).toBeLessThanOrEqual(1);
        }
      },
    ),
  );
});
