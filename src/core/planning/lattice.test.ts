/** The value lattice: which steps divide the range, what each statistic's error gains, and how a value is rounded, clamped or refused. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { parseBounds, parseStatistic } from "../influence/index.ts";
import { inputLattice, latticeInteger, latticeStep } from "./lattice.ts";

test("a step that divides the range is taken, up to 2^32 steps; none means 2^20", () => {
  expect(latticeStep(parseBounds("-1,64"), undefined)).toEqual(Rational.of(65, 2 ** 20));
  expect(latticeStep(parseBounds("0,65"), parseDecimal("0.5"))).toEqual(Rational.of(1, 2));
  expect(latticeStep(parseBounds("0,4294967296"), Rational.ONE)).toEqual(Rational.ONE);
});

test.each([
  ["0,65", "0"],
  ["0,65", "-1"],
  ["0,65", "64"],
  ["0,65", "130"],
  ["0,4294967297", "1"],
])("bounds %s, step %s: refused", (bounds, step) => {
  expect(() => latticeStep(parseBounds(bounds), parseDecimal(step))).toThrow(
    expect.objectContaining({ code: "PARAMETER_INVALID" }),
  );
});

test("a step of 0 is told apart from one that does not divide", () => {
  expect(() => latticeStep(parseBounds("0,65"), Rational.ZERO)).toThrow(/must be above 0/);
});

test("rounding to a step of 1/2 moves a mean by 1/4, a variance by U/4 + 1/16, a sum of 7 by 7/4, shares not at all", () => {
  const bounds = parseBounds("0,8");
  const part = (key: string) => parseStatistic(key, bounds).latticeError(Rational.of(1, 2), 7);
  expect(part("mean")).toEqual(Rational.of(1, 4));
  expect(part("variance")).toEqual(Rational.of(33, 16));
  expect(part("sum")).toEqual(Rational.of(7, 4));
  expect(part("share:3")).toEqual(Rational.ZERO);
  expect(part("histogram:3")).toEqual(Rational.ZERO);
});

test("bounds and step as doubles, the number of steps and the middle exactly", () => {
  const lattice = inputLattice(parseBounds("-1,2.5"), parseDecimal("0.5"));
  expect(lattice).toEqual({ lower: -1, upper: 2.5, step: 0.5, steps: 7n, midpoint: 4n });
  expect(inputLattice(parseBounds("0,2"), parseDecimal("0.5"))).toMatchObject({ steps: 4n, midpoint: 2n });
});

test.each([
  [-7, 0n],
  [-1, 0n],
  [-0.76, 0n],
  [-0.75, 1n],
  [0, 2n],
  [0.24, 2n],
  [0.25, 3n],
  [2.24, 6n],
  [2.25, 7n],
  [2.5, 7n],
  [1e300, 7n],
  [Number.POSITIVE_INFINITY, 7n],
  [Number.NEGATIVE_INFINITY, 0n],
])("%d in steps of 1/2 from -1 to 2.5 is number %d", (value, integer) => {
  expect(latticeInteger(value, inputLattice(parseBounds("-1,2.5"), parseDecimal("0.5")))).toBe(integer);
});

test("no integer is farther than half a step from a value within the bounds", () => {
  const [bounds, step] = [parseBounds("-20,45"), Rational.of(65, 1 << 20)];
  const lattice = inputLattice(bounds, step);
  fc.assert(
    fc.property(fc.double({ min: -20, max: 45, noNaN: true }), (value) => {
      const back = bounds.lower.add(step.multiply(Rational.of(latticeInteger(value, lattice))));
      const away = Math.abs(back.subtract(Rational.fromNumber(value)).toNumberNearest());
      expect(away).toBeLessThanOrEqual((65 / 2 ** 21) * (1 + 1e-6));
    }),
  );
});

test("bounds up to 2^40 steps from 0 are taken, on either side; farther ones are refused", () => {
  const far = 2 ** 40;
  const take = (lower: number, upper: number, step = 1) =>
    inputLattice(parseBounds(`${lower},${upper}`), Rational.fromNumber(step));
  expect(take(far - 8, far).steps).toBe(8n);
  expect(take(-far, 8 - far).steps).toBe(8n);
  expect(take(2 * far - 8, 2 * far, 2).steps).toBe(4n);
  expect(take(far / 2 - 8, far / 2, 0.5).steps).toBe(16n);
  expect(() => take(far - 8, far, 0.5)).toThrow(/too far from 0/);
  for (const [lower, upper] of [
    [far - 8, far + 1],
    [-far - 1, 8 - far],
  ] as const)
    expect(() => take(lower, upper)).toThrow(
      expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringContaining("too far from 0") }),
    );
});
