/** Holds the table of sines to the language's own. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { putOnSphere } from "./on-sphere.ts";

test("a point of the sphere to within 10^-15", () => {
  const point = new Float64Array(3);
  fc.assert(
    fc.property(
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
      (latitude, longitude) => {
        const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
        const expected = [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
        putOnSphere(latitude, longitude, point);
        expected.forEach((value, axis) => void expect(Math.abs(point[axis]! - value)).toBeLessThan(1e-15));
      },
    ),
    { numRuns: 5000 },
  );
});
