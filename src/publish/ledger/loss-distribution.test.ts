/** Every user is in the one step that holds its loss, decided in exact numbers. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Rational } from "../../core/arithmetic/index.ts";
import { lossOfUnits } from "./loss-units.ts";
import { binOf, type LossBin, lossBins } from "./standing.ts";

function binsOf(losses: readonly bigint[], budget: bigint): LossBin[] {
  const counts = new Array<number>(20).fill(0);
  for (const units of losses) counts[binOf(units, budget)]! += 1;
  return lossBins(counts, budget);
}

test("twenty steps of one width from 0 to the budget; a loss at an edge belongs below it", () => {
  const budget = 3_000_000_000_000_000_000n;
  const bins = binsOf([1n, budget / 20n, budget / 20n + 1n, budget - 1n, budget], budget);
  expect(bins).toHaveLength(20);
  expect([bins[0]!.from, bins[0]!.to, bins[19]!.to].map(String)).toEqual(["0", "0.15", "3"]);
  for (const [index, { from }] of bins.entries()) if (index > 0) expect(from.equals(bins[index - 1]!.to)).toBe(true);
  expect(bins.map(({ users }) => users)).toEqual([2, 1, ...new Array(16).fill(0), 0, 2]);
});

test("a loss above the budget, as only an altered ledger has it, is in the last step", () => {
  expect(binsOf([101n, 1_000n], 100n).map(({ users }) => users)).toEqual([...new Array(19).fill(0), 2]);
});

test("any losses under any budget, counted by the definition", () => {
  const budgets = fc.bigInt({ min: 1n, max: 10n ** 20n });
  const cases = budgets.chain((budget) =>
    fc.tuple(fc.constant(budget), fc.array(fc.bigInt({ min: 1n, max: budget }), { maxLength: 30 })),
  );
  fc.assert(
    fc.property(cases, ([budget, losses]) => {
      binsOf(losses, budget).forEach(({ from, to, users }, bin) => {
        expect(to.equals(lossOfUnits(budget).multiply(Rational.of(bin + 1, 20)))).toBe(true);
        const inside = losses.map(lossOfUnits).filter((loss) => loss.compare(from) > 0 && loss.compare(to) <= 0);
        expect(users).toBe(inside.length);
      });
    }),
  );
});
