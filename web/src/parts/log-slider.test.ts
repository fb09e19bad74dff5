/** Tests the decimal text of sliders: short, without exponents, and exact enough. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { shortDecimal } from "./log-slider.tsx";

test.each([
  [1, "1"],
  [0.123456, "0.123"],
  [0.1, "0.1"],
  [12345, "12300"],
  [9.999, "10"],
  [0.00001234, "0.0000123"],
])("%d is %s", (value, text) => {
  expect(shortDecimal(value)).toBe(text);
});

test("within half a per cent of the number, and plain", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (value) => {
      const text = shortDecimal(value);
      expect(text).toMatch(/^\d+(\.\d*[1-9])?$/);
      expect(Math.abs(Number(text) / value - 1)).toBeLessThanOrEqual(0.00501);
    }),
  );
});
