/** Units, budgets, and losses and factors as people read them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { budgetUnits, lossOfUnits, threeDigitsDown, threeDigitsUp } from "./loss-units.ts";

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

test("what may be spent is never rounded up, what it costs never down, either by less than a hundredth of itself", () => {
  const positive = fc.bigInt({ min: 1n, max: 10n ** 15n });
  fc.assert(
    fc.property(positive, positive, (top, bottom) => {
      const value = Rational.of(top, bottom);
      const [down, up] = [threeDigitsDown, threeDigitsUp].map((shown) => parseDecimal(shown(value)));
      expect(down!.compare(value)).toBeLessThanOrEqual(0);
      expect(up!.compare(value)).toBeGreaterThanOrEqual(0);
      expect(up!.subtract(down!).multiply(Rational.of(100)).compare(value)).toBeLessThan(0);
    }),
  );
});

test.each([
  ["0", "0", "0"],
  ["0.42999", "0.429", "0.43"],
  ["0.5", "0.5", "0.5"],
  ["0.1", "0.1", "0.1"],
  ["0.1005", "0.1", "0.101"],
  ["0.1015", "0.101", "0.102"],
  ["0.99999", "0.999", "1"],
  ["0.999999999671038142", "0.999", "1"],
  ["1.000000000000000001", "1", "1.01"],
  ["12345.5", "12345", "12346"],
  ["0.000333333", "0.000333", "0.000334"],
  ["1e-19", "0.0000000000000000001", "0.0000000000000000001"],
  ["1.239e-19", "0.000000000000000000123", "0.000000000000000000124"],
  ["1.239e-20", "0.000000000000000000012", "0.000000000000000000013"],
])("%s is shown as %s or %s", (value, down, up) => {
  expect([threeDigitsDown(parseDecimal(value)), threeDigitsUp(parseDecimal(value))]).toEqual([down, up]);
});
