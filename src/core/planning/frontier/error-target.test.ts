/** Errors asked for: read from text, divided between statistics or not, what bias leaves of them, and when they cost nothing. */
import { describe, expect, test } from "vitest";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { makeObjective, parseBounds } from "../../influence/index.ts";
import { roundDown, roundUp } from "../numbers.ts";
import { freeError, isMetByMidpoints, isPooled, limitsOf, parseErrorTarget, roomFor } from "./error-target.ts";

const bounds = parseBounds("0,8");
const objective = makeObjective(bounds, { statistics: "mean,variance", weights: "variance=3" });
const centred = makeObjective(bounds, { statistics: "mean,variance", weights: "variance=3", estimator: "centred" });
const relative = makeObjective(bounds, { statistics: "mean,variance", metric: "relative" });
const together = { kind: "together", error: Rational.of(10) } as const;
const each = { kind: "each", errors: [Rational.of(3), Rational.of(5)] } as const;

describe("the text of --error", () => {
  test("one number is for all together", () => {
    expect(parseErrorTarget("12.5", objective)).toEqual({ kind: "together", error: parseDecimal("12.5") });
  });

  test("names give each its own, in any order and with any spaces; sd is squared", () => {
    const expected = { kind: "each", errors: [Rational.of(2), Rational.of(25)] };
    expect(parseErrorTarget("mean=2,variance=25", objective)).toEqual(expected);
    expect(parseErrorTarget(" sd = 5 , mean = 2", objective)).toEqual(expected);
  });

  test.each([
    ["0", "--error '0' must be above 0"],
    ["-1", "--error '-1' must be above 0"],
    ["mean=2,variance=0", "--error variance '0' must be above 0"],
    ["mean=2,sd=-5", "--error sd '-5' must be above 0"],
    ["mean=2,sum=5", "--error 'sum=5' names no chosen statistic; chosen: mean, variance"],
    ["mean=2,5", "--error '5' names no chosen statistic"],
    ["means,variance=5", "--error 'means' names no chosen statistic"],
    ["mean=2,mean=3", "--error 'mean=3': mean has an error already"],
    ["mean=2,sd=3,variance=9", "--error 'variance=9': variance has an error already"],
    ["mean=2", "--error is missing for variance"],
    ["variance=2", "--error is missing for mean"],
    ["x", "--error"],
  ])("%s: %s", (text, words) => {
    expect(() => parseErrorTarget(text, objective)).toThrow(
      expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringContaining(words) }),
    );
  });

  test("a statistic whose name has an equals sign of its own would still be read to the last one", () => {
    const share = makeObjective(bounds, { statistics: "share:3" });
    expect(parseErrorTarget("share:3=0.25", share)).toEqual({ kind: "each", errors: [Rational.of(1, 4)] });
  });
});

test("only one error in the metric of sums is shared", () => {
  expect(isPooled(objective, together)).toBe(true);
  expect(isPooled(objective, each)).toBe(false);
  expect(isPooled(relative, together)).toBe(false);
  expect(isPooled(relative, each)).toBe(false);
});

test("the most that each statistic may be off: as asked, or in parts of its data-free error", () => {
  expect(limitsOf(objective, each, 4)).toEqual(each.errors);
  // U/2 and U²/8 in [0, 8].
  expect(limitsOf(relative, together, 4)).toEqual([Rational.of(40), Rational.of(80)]);
});

test("what the bias of dropping one of four leaves", () => {
  const counts = { kept: 3, total: 4 };
  // Mean: 8/4. Variance: 64·(1·3)/16.
  expect(roomFor(objective, together, counts)).toEqual([Rational.of(10 - 2 - 3 * 12)]);
  expect(roomFor(objective, each, counts)).toEqual([Rational.of(3 - 2), Rational.of(5 - 12)]);
  expect(roomFor(relative, together, counts)).toEqual([Rational.of(40 - 2), Rational.of(80 - 12)]);
  expect(roomFor(objective, together, { kept: 4, total: 4 })).toEqual([Rational.of(10)]);
});

test("midpoints meet a target under the centred estimator, at the data-free error exactly and not below", () => {
  // Nothing of four: 4 + 3·8 in the metric.
  const at = (error: Rational) => isMetByMidpoints(centred, { kind: "together", error }, 4);
  expect(at(Rational.of(28))).toBe(true);
  expect(at(Rational.of(28).subtract(Rational.of(1n, 10n ** 18n)))).toBe(false);
  expect(isMetByMidpoints(centred, { kind: "each", errors: [Rational.of(4), Rational.of(8)] }, 4)).toBe(true);
  expect(isMetByMidpoints(centred, { kind: "each", errors: [Rational.of(4), Rational.of(7)] }, 4)).toBe(false);
  expect(isMetByMidpoints(centred, { kind: "each", errors: [Rational.of(3), Rational.of(8)] }, 4)).toBe(false);
  expect(isMetByMidpoints(objective, { kind: "together", error: Rational.of(1000) }, 4)).toBe(false);
});

test("the error that costs nothing: with nothing kept, or publishing midpoints instead", () => {
  expect(freeError(centred, 4)).toEqual(Rational.of(28));
  expect(freeError(objective, 4)).toEqual(Rational.of(28));
  // Three records have a variance of at most 64·2/9, half of which is the midpoint's error.
  expect(freeError(centred, 3)).toEqual(Rational.of(4).add(Rational.of(3 * 64, 9)));
  expect(freeError(objective, 3)).toEqual(Rational.of(28));
});

test("ten digits, up and down", () => {
  expect(roundUp(1 / 3)).toEqual(parseDecimal("0.3333333334"));
  expect(roundDown(1 / 3)).toEqual(parseDecimal("0.3333333333"));
  expect(roundUp(1.5)).toEqual(parseDecimal("1.5"));
  expect(roundDown(1.5)).toEqual(parseDecimal("1.5"));
  expect(roundUp(123_456_789_012_345)).toEqual(Rational.of(123_456_789_100_000));
  expect(roundDown(123_456_789_012_345)).toEqual(Rational.of(123_456_789_000_000));
  // Ten digits before the point: whole numbers.
  expect(roundUp(1_234_567_890.5)).toEqual(Rational.of(1_234_567_891));
  expect(roundDown(1_234_567_890.5)).toEqual(Rational.of(1_234_567_890));
});
