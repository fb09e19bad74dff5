/** Units, budgets and factors rounded down. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { budgetUnits, lossOfUnits, threeDigitsDown } from "./loss-units.ts";

test("units and losses are the same thing", () => {
  fc.assert(fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), (units) => budgetUnits(lossOfUnits(units)) === units));
});

test("a factor is never rounded up, and by less than a hundredth of itself", () => {
  const positive = fc.bigInt({ min: 1n, max: 10n ** 15n });
  fc.assert(
    fc.property(positive, positive, (top, bottom) => {
      const value = Rational.of(top, bottom);
      const shown = parseDecimal(threeDigitsDown(value));
      expect(shown.compare(value)).toBeLessThanOrEqual(0);
      expect(value.subtract(shown).multiply(Rational.of(100)).compare(value)).toBeLessThan(0);
    }),
  );
  expect([parseDecimal("0.42999"), parseDecimal("0.5"), Rational.of(1, 3000)].map(threeDigitsDown)).toEqual([
    "0.429",
    "0.5",
    "0.000333",
  ]);
});
