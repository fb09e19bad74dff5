/** Losses of weighted averages: to the last unit those of plain rationals, and what single grids cost adds up. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostileArrays, weightsFor } from "../../../test/support/weighted-arrays.ts";
import { Rational } from "../arithmetic/index.ts";
import { type Occupancy, occupancyFromTriples, Weights } from "../occupancy/index.ts";
import { lossOfWeight, type PassCost, weightedLosses } from "./index.ts";

const UNIT = Rational.of(1n, 10n ** 18n);

/** From rates that are hardly anything to such that protect nothing, with few digits and with many. */
const rate = fc.oneof(
  fc.constantFrom("1/1000000000000", "1/1000", "1/3", "1", "50", "999").map((text) => {
    const [numerator = "", denominator = "1"] = text.split("/");
    return Rational.of(BigInt(numerator), BigInt(denominator));
  }),
  fc.tuple(fc.bigInt(1n, 10n ** 8n), fc.bigInt(1n, 10n ** 13n)).map(([top, bottom]) => Rational.of(top, bottom)),
);
const cases = fc
  .record({
    occupancy: hostileArrays,
    seed: fc.nat(1_000_000),
    rates: fc.array(rate, { minLength: 12, maxLength: 12 }),
  })
  .map(({ occupancy, seed, rates }) => ({
    occupancy,
    weights: new Weights(occupancy, weightsFor(occupancy, seed)),
    rates: rates.slice(0, occupancy.grids.length),
  }));
const numbers = fc.constantFrom(1, 2, 24, 1000);

/** a·R + numbers·2⁻⁴⁰ rounded up; nothing for a weight of 0. */
function plainLoss({ byUser }: Occupancy, weights: Weights, cost: PassCost & { readonly entry: number }): Rational {
  const amount = BigInt(weights.ofEntry[cost.entry]!) * BigInt(byUser.count[cost.entry]!);
  if (amount === 0n) return Rational.ZERO;
  const grid = byUser.grid[cost.entry]!;
  return Rational.of(amount, weights.ofGrid[grid]!)
    .multiply(cost.rates[grid]!)
    .add(Rational.of(BigInt(cost.numbers), 1n << 40n))
    .ceilToMultipleOf(UNIT);
}

describe("what users lose", () => {
  test("in all grids and in some is a·R + numbers·2⁻⁴⁰ of each, rounded up", () => {
    fc.assert(
      fc.property(cases, numbers, fc.nat(4095), ({ occupancy, weights, rates }, many, chosen) => {
        const cost = { rates, numbers: many };
        const { start, grid } = occupancy.byUser;
        const some = rates.flatMap((_, at) => ((chosen >> at) & 1 ? [at] : []));
        for (const grids of [undefined, some]) {
          const losses = weightedLosses(weights, cost, grids);
          for (let user = 0; user < occupancy.users.length; user++) {
            let expected = Rational.ZERO;
            for (let entry = start[user]!; entry < start[user + 1]!; entry++)
              if (grids?.includes(grid[entry]!) ?? true)
                expected = expected.add(plainLoss(occupancy, weights, { ...cost, entry }));
            expect(losses.of(user)).toEqual(expected);
          }
        }
      }),
    );
  });

  test("in one grid after the other adds up to the whole, and one entry's is that of its weight", () => {
    fc.assert(
      fc.property(cases, numbers, ({ occupancy, weights, rates }, many) => {
        const cost = { rates, numbers: many };
        const whole = weightedLosses(weights, cost);
        const single = rates.map((_, grid) => weightedLosses(weights, cost, [grid]));
        const { start, grid } = occupancy.byUser;
        for (let user = 0; user < occupancy.users.length; user++) {
          expect(single.reduce((sum, losses) => sum + losses.unitsOf(user), 0n)).toBe(whole.unitsOf(user));
          for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
            const total = weights.ofGrid[grid[entry]!]!;
            if (weights.amount(entry) === 0) continue;
            const share = Rational.of(BigInt(weights.amount(entry)), total);
            expect(single[grid[entry]!]!.of(user)).toEqual(lossOfWeight(cost, grid[entry]!, share));
          }
        }
      }),
    );
  });

  test("of billions of records, of losses beyond a billion and of whole units is exact", () => {
    const one = fc.record({
      count: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
      weight: fc.integer({ min: 0, max: 2 ** 20 }),
    });
    const even = fc.constantFrom({ count: 1, weight: 1 }, { count: 2 ** 20, weight: 2 ** 20 });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(one, even), { minLength: 1, maxLength: 6 }),
        fc.oneof(rate, fc.constantFrom(Rational.of(10n ** 9n), Rational.of(1n, 10n ** 17n))),
        numbers,
        (entries, each, many) => {
          const occupancy = occupancyFromTriples(entries.map(({ count }, user) => [`u${user}`, "g", count]));
          const weights = new Weights(
            occupancy,
            Uint32Array.from(entries, ({ weight }) => weight),
          );
          const cost = { rates: [each], numbers: many };
          const losses = weightedLosses(weights, cost);
          for (const entry of entries.keys())
            expect(losses.of(entry)).toEqual(plainLoss(occupancy, weights, { ...cost, entry }));
        },
      ),
    );
  });
});
