/** Holds the closed form of the expected error to the definition by adding up small steps. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { expectedError } from "./actual-error.ts";

const bias = fc.double({ min: -1, max: 1, noNaN: true });
const scale = fc.double({ min: 0.05, max: 3, noNaN: true });
const room = fc.double({ min: 0, max: 2, noNaN: true });

test("in an endless range it is |bias| + b·exp(−|bias|/b)", () => {
  fc.assert(
    fc.property(bias, scale, (shift, b) => {
      const found = expectedError({ bias: shift, scale: b, below: 1e6, above: 1e6 });
      expect(found).toBeCloseTo(Math.abs(shift) + b * Math.exp(-Math.abs(shift) / b), 10);
    }),
  );
});

test("clamped it is the mean of what clamping leaves, over quantiles of the noise", () => {
  const quantiles = 20_000;
  fc.assert(
    fc.property(bias, scale, room, room, (shift, b, below, above) => {
      let sum = 0;
      for (let at = 0; at < quantiles; at++) {
        const share = (at + 0.5) / quantiles - 0.5;
        const noise = -b * Math.sign(share) * Math.log(1 - 2 * Math.abs(share));
        sum += Math.abs(Math.min(above, Math.max(-below, shift + noise)));
      }
      expect(expectedError({ bias: shift, scale: b, below, above })).toBeCloseTo(sum / quantiles, 3);
    }),
    { numRuns: 40 },
  );
});

test("without noise it is the clamped bias, and it is never more than without the clamp", () => {
  expect(expectedError({ bias: -0.5, scale: 0, below: 2, above: 0 })).toBe(0.5);
  expect(expectedError({ bias: -0.5, scale: 0, below: 0.2, above: 0 })).toBeCloseTo(0.2, 15);
  fc.assert(
    fc.property(bias, scale, room, room, (shift, b, below, above) => {
      const clamped = expectedError({ bias: shift, scale: b, below, above });
      expect(clamped).toBeLessThanOrEqual(expectedError({ bias: shift, scale: b, below: 1e6, above: 1e6 }) + 1e-12);
      expect(clamped).toBeGreaterThanOrEqual(0);
    }),
  );
});
