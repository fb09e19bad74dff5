/** Tests that the offered loss always fits, and wastes less than a hundredth. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { affordableLoss } from "./affordable-loss.ts";

test("three digits, rounded down", () => {
  expect([2.000000000707, 0.99999, 0.12345, 65.4321, 123456].map(affordableLoss)).toEqual([
    "2",
    "0.999",
    "0.123",
    "65.4",
    "123456",
  ]);
  expect([0, -1, 1e-9, Number.NaN].map(affordableLoss)).toEqual([null, null, null, null]);
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (left) => {
      const text = affordableLoss(left)!;
      if (/e/.test(text)) return;
      expect(Number(text)).toBeLessThanOrEqual(left);
      expect(Number(text)).toBeGreaterThan(0.98 * left);
    }),
  );
});
