/** Whether an error is within a bound, where doubles can tell and where only rationals can. */
import { expect, test } from "vitest";
import { Rational } from "../arithmetic/index.ts";
import { ErrorLimit, ErrorModel, makeObjective, parseBounds } from "./index.ts";

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

test("a sign is clear only beyond what rounding can do, on either side", () => {
  // 1/3, less a part in 10¹⁵ and more by one, is 1/3 in doubles or next to it.
  for (const bound of [third, third.add(hair), third.subtract(hair)])
    for (const error of [1 / 3, (1 - 1e-15) / 3, (1 + 1e-15) / 3]) expect(at(bound).clearSign(error)).toBe(0);
  expect(at(third).clearSign(0.33)).toBe(-1);
  expect(at(third).clearSign(0.34)).toBe(1);
});
