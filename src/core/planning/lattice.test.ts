/** The value lattice: what divides the range, and what each statistic's error gains by it. */
import { expect, test } from "vitest";
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { parseBounds, parseStatistic } from "../influence/index.ts";
import { latticeStep } from "./lattice.ts";

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
