/** Whether an error is within a bound, where doubles can tell and where only rationals can. */
import { expect, test } from "vitest";
import { Rational } from "../arithmetic/index.ts";
import { ErrorModel, makeObjective, parseBounds } from "../influence/index.ts";
import { ErrorLimit } from "./error-limit.ts";

/** The mean of three records, one of them anyone's most, at ε = 1 in [0, 1]: an error of 1/3, which no double is. */
const model = new ErrorModel(makeObjective(parseBounds("0,1"), { statistics: "mean" }), Rational.ONE);
const third = Rational.of(1, 3);
const hair = Rational.of(1n, 10n ** 30n);
const at = (bound: Rational): ErrorLimit => new ErrorLimit(model, bound);

test("the bound itself is within, a hair below it is not", () => {
  expect(at(third).allows(3, 3, 1)).toBe(true);
  expect(at(third.add(hair)).allows(3, 3, 1)).toBe(true);
  expect(at(third.subtract(hair)).allows(3, 3, 1)).toBe(false);
  expect(at(Rational.of(1, 2)).allows(3, 3, 1)).toBe(true);
  expect(at(Rational.of(1, 4)).allows(3, 3, 1)).toBe(false);
});

test("an empty grid is never within", () => {
  expect(at(Rational.of(1000)).allows(3, 0, 0)).toBe(false);
});

test("clearly is beyond what rounding can do, on either side", () => {
  for (const near of [third, third.add(hair), third.subtract(hair)]) {
    expect(at(near).clearlyMet(3, 3, 1, 1)).toBe(false);
    expect(at(near).clearlyExceeded(3, 3, 1, 1)).toBe(false);
  }
  // A third less a part in 10¹⁵ is 1/3 in doubles or next to it.
  expect(at(third).clearlyMet(3, 3, 1, 1 - 1e-15)).toBe(false);
  expect(at(third).clearlyExceeded(3, 3, 1, 1 + 1e-15)).toBe(false);
  expect(at(third).clearlyMet(3, 3, 1, 0.99)).toBe(true);
  expect(at(third).clearlyMet(3, 3, 1, 1.01)).toBe(false);
  expect(at(third).clearlyExceeded(3, 3, 1, 1.01)).toBe(true);
  expect(at(third).clearlyExceeded(3, 3, 1, 0.99)).toBe(false);
});
