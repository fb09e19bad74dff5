/** Units, budgets and factors rounded down. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { budgetUnits, lossOfUnits, threeDigitsDown } from "./loss-units.ts";

test("units and losses are the same thing", () => {
  fc.assert(fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), (units) => budgetUnits(lossOfUnits(units)) === units));
  expect([budgetUnits(parseDecimal("1e-18")), String(lossOfUnits(15n * 10n ** 17n))]).toEqual([1n, "1.5"]);
});

test("a budget is above 0 and has at most 18 decimal places", () => {
  for (const budget of ["0", "-1", "-1e-19"])
    expect(() => budgetUnits(parseDecimal(budget))).toThrow(
      expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringContaining("is not above 0") }),
    );
  for (const budget of [parseDecimal("1e-19"), parseDecimal("1.0000000000000000001"), Rational.of(1, 3)])
    expect(() => budgetUnits(budget)).toThrow(
      expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringContaining("18 decimal places") }),
    );
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
});

test.each([
  ["0.42999", "0.429"],
  ["0.5", "0.5"],
  ["0.1", "0.1"],
  ["0.1005", "0.1"],
  ["0.1015", "0.101"],
  ["0.99999", "0.999"],
  ["0.000333333", "0.000333"],
  ["1e-19", "0.0000000000000000001"],
  ["1.239e-19", "0.000000000000000000123"],
  ["1.239e-20", "0.000000000000000000012"],
])("%s is shown as %s", (value, shown) => {
  expect(threeDigitsDown(parseDecimal(value))).toBe(shown);
});
