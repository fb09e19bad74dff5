/** Checks exact rationals by the laws of a field, and each rounding by the inequalities that its name promises. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDecimal, tryParseExact } from "./decimal.ts";
import { greatestCommonDivisor } from "./integers.ts";
import { maximum, minimum, Rational, sum } from "./rational.ts";

const integer = fc.oneof(fc.bigInt(-12n, 12n), fc.bigInt(-(1n << 90n), 1n << 90n));
const positive = fc.oneof(fc.bigInt(1n, 12n), fc.bigInt(1n, 1n << 90n));
const rational = fc.tuple(integer, positive).map(([numerator, denominator]) => Rational.of(numerator, denominator));
const positiveRational = fc.tuple(positive, positive).map(([top, bottom]) => Rational.of(top, bottom));
const finiteDouble = fc.double({ noNaN: true, noDefaultInfinity: true });

/** a/b < c/d by cross-multiplication of plain integers, for positive b and d. */
function isBelow(left: Rational, right: Rational): boolean {
  return left.numerator * right.denominator < right.numerator * left.denominator;
}

function isAtMost(left: Rational, right: Rational): boolean {
  return !isBelow(right, left);
}

/** The double whose bits, read as an integer, come next: adjacent by IEEE 754's layout. */
function doubleAbove(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0]! += value > 0 ? 1n : -1n;
  return new Float64Array(bits.buffer)[0]!;
}

test("of reduces to lowest terms with a positive denominator", () => {
  fc.assert(
    fc.property(
      integer,
      integer.filter((value) => value !== 0n),
      (top, bottom) => {
        const { numerator, denominator } = Rational.of(top, bottom);
        expect(numerator * bottom).toBe(top * denominator);
        expect(denominator > 0n).toBe(true);
        expect(greatestCommonDivisor(numerator, denominator)).toBe(1n);
      },
    ),
  );
});

test("of refuses a zero denominator and numbers that are no safe integers", () => {
  const refusal = expect.objectContaining({ code: "PARAMETER_INVALID" });
  expect(() => Rational.of(1, 0)).toThrow(refusal);
  expect(() => Rational.of(0.5)).toThrow(refusal);
  expect(() => Rational.of(2 ** 53)).toThrow(refusal);
  expect(() => Rational.of(Number.NaN)).toThrow(refusal);
  expect(() => Rational.of(1, Number.POSITIVE_INFINITY)).toThrow(refusal);
  expect(() => Rational.ONE.divide(Rational.ZERO)).toThrow(refusal);
});

test("subtracting and dividing undo adding and multiplying", () => {
  fc.assert(
    fc.property(rational, rational, (a, b) => {
      expect(a.add(a.negate())).toEqual(Rational.ZERO);
      expect(a.subtract(b).add(b)).toEqual(a);
      if (!b.isZero()) expect(a.divide(b).multiply(b)).toEqual(a);
    }),
  );
});

test("addition and multiplication of fractions are those of school", () => {
  fc.assert(
    fc.property(integer, positive, integer, positive, (a, b, c, d) => {
      const added = Rational.of(a, b).add(Rational.of(c, d));
      expect(added.numerator * b * d).toBe((a * d + c * b) * added.denominator);
      const product = Rational.of(a, b).multiply(Rational.of(c, d));
      expect(product.numerator * b * d).toBe(a * c * product.denominator);
    }),
  );
});

test("compare, equals, sign and absolute agree with cross-multiplication", () => {
  fc.assert(
    fc.property(rational, rational, (a, b) => {
      expect(a.compare(b)).toBe(isBelow(a, b) ? -1 : isBelow(b, a) ? 1 : 0);
      expect(a.equals(b)).toBe(!isBelow(a, b) && !isBelow(b, a));
      // Equal in one part only.
      expect(a.equals(Rational.of(a.numerator, a.denominator + 1n))).toBe(a.isZero());
      expect(a.equals(Rational.of(3n * a.numerator, 3n * a.denominator))).toBe(true);
      expect(a.sign()).toBe(a.numerator === 0n ? 0 : a.numerator < 0n ? -1 : 1);
      expect(a.isZero()).toBe(a.sign() === 0);
      expect(a.absolute()).toEqual(a.sign() < 0 ? a.negate() : a);
    }),
  );
});

test("minimum, maximum and sum of a list", () => {
  const list = [Rational.of(1, 2), Rational.of(-1, 3), Rational.of(5), Rational.of(-1, 3), Rational.of(2)] as const;
  expect(minimum(...list).toString()).toBe("-1/3");
  expect(maximum(...list).toString()).toBe("5");
  expect(sum(list)).toEqual(Rational.of(41, 6));
  expect(sum([])).toEqual(Rational.ZERO);
});

test("floor, ceil and round half up to an integer", () => {
  fc.assert(
    fc.property(rational, (value) => {
      const { numerator: n, denominator: d } = value;
      const floor = value.floorToInteger();
      expect(floor * d <= n && n < (floor + 1n) * d).toBe(true);
      const ceil = value.ceilToInteger();
      expect((ceil - 1n) * d < n && n <= ceil * d).toBe(true);
      // r − 1/2 ≤ value < r + 1/2: a half belongs to the integer above it.
      const round = value.roundHalfUpToInteger();
      expect((2n * round - 1n) * d <= 2n * n && 2n * n < (2n * round + 1n) * d).toBe(true);
    }),
  );
});

test("floorToMultipleOf and ceilToMultipleOf bracket the value by less than a step", () => {
  fc.assert(
    fc.property(rational, positiveRational, (value, step) => {
      const below = value.floorToMultipleOf(step);
      const above = value.ceilToMultipleOf(step);
      expect(below.divide(step).denominator).toBe(1n);
      expect(above.divide(step).denominator).toBe(1n);
      expect(isAtMost(below, value) && isBelow(value, below.add(step))).toBe(true);
      expect(isAtMost(value, above) && isBelow(above.subtract(step), value)).toBe(true);
    }),
  );
});

test("floorToPowerOfTwoExponent: 2^e ≤ value < 2^(e + 1)", () => {
  fc.assert(
    fc.property(positiveRational, fc.integer({ min: -1200, max: 1200 }), (factor, shift) => {
      const value = factor.multiply(Rational.powerOfTwo(shift));
      const exponent = value.floorToPowerOfTwoExponent();
      expect(isAtMost(Rational.powerOfTwo(exponent), value)).toBe(true);
      expect(isBelow(value, Rational.powerOfTwo(exponent + 1))).toBe(true);
    }),
  );
  for (const exponent of [-1074, -1, 0, 1, 1023]) {
    expect(Rational.powerOfTwo(exponent).toNumberNearest()).toBe(2 ** exponent);
    expect(Rational.powerOfTwo(exponent).floorToPowerOfTwoExponent()).toBe(exponent);
  }
  expect(() => Rational.ZERO.floorToPowerOfTwoExponent()).toThrow(
    expect.objectContaining({ code: "PARAMETER_INVALID" }),
  );
  expect(() => Rational.of(-1).floorToPowerOfTwoExponent()).toThrow(
    expect.objectContaining({ code: "PARAMETER_INVALID" }),
  );
});

test("fromNumber and toNumber* return every finite double", () => {
  fc.assert(
    fc.property(finiteDouble, (value) => {
      const exact = Rational.fromNumber(value);
      // + 0: a rational has one zero.
      expect(exact.toNumberNearest()).toBe(value + 0);
      expect(exact.toNumberDown()).toBe(value + 0);
      expect(exact.toNumberUp()).toBe(value + 0);
    }),
    { numRuns: 500 },
  );
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    expect(() => Rational.fromNumber(value)).toThrow(expect.objectContaining({ code: "PARAMETER_INVALID" }));
  }
});

test("fromNumber is exact: 0.1 is the double's binary fraction", () => {
  expect(Rational.fromNumber(0.1)).toEqual(Rational.of(3602879701896397n, 1n << 55n));
  expect(Rational.fromNumber(-2.5)).toEqual(Rational.of(-5, 2));
  expect(Rational.fromNumber(Number.MIN_VALUE)).toEqual(Rational.of(1n, 1n << 1074n));
  expect(Rational.fromNumber(Number.MAX_VALUE)).toEqual(Rational.of(((1n << 53n) - 1n) << 971n));
});

test("toNumberNearest agrees with the language's own reading of decimal text", () => {
  const text = fc
    .tuple(fc.bigInt(-(10n ** 25n), 10n ** 25n), fc.integer({ min: -365, max: 320 }))
    .map(([digits, exponent]) => `${digits}e${exponent}`);
  fc.assert(
    fc.property(text, (decimal) => {
      expect(parseDecimal(decimal, "x").toNumberNearest() + 0).toBe(Number(decimal) + 0);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  "5e-324",
  "2.4703282292062327e-324", // just below half the least subnormal
  "2.4703282292062328e-324", // just above
  "-2.4703282292062328e-324",
  "2.2250738585072011e-308", // largest subnormal
  "2.2250738585072012e-308",
  "2.2250738585072014e-308", // least normal
  "4.4501477170144023e-308",
  "1.7976931348623157e308",
  "1.7976931348623158e308",
  "1.7976931348623159e308",
  "1e309",
  "-1e309",
  "1e-400",
  "9007199254740993", // halfway, to even below
  "9007199254740995", // halfway, to even above
  "9007199254740993.0000000000000000000000000000001",
  "0.1",
  "1e23",
  "123456789012345678901234567890",
])("toNumberNearest of %s", (decimal) => {
  expect(parseDecimal(decimal, "x").toNumberNearest() + 0).toBe(Number(decimal) + 0);
});

test("toNumberNearest breaks an exact tie to the even neighbour and anything beyond it away", () => {
  const magnitude = fc
    .oneof(
      finiteDouble.map(Math.abs),
      fc.integer({ min: 0, max: 40 }).map((steps) => steps * Number.MIN_VALUE),
    )
    .filter((value) => value < Number.MAX_VALUE);
  const nudge = Rational.powerOfTwo(-1300);
  fc.assert(
    fc.property(magnitude, fc.boolean(), (lower, isNegative) => {
      const upper = doubleAbove(lower);
      const half = Rational.fromNumber(lower).add(Rational.fromNumber(upper)).divide(Rational.of(2));
      const isLowerEven = (new BigInt64Array(new Float64Array([lower]).buffer)[0]! & 1n) === 0n;
      const signed = (value: Rational) =>
        (isNegative ? value.negate() : value).toNumberNearest() * (isNegative ? -1 : 1);
      expect(signed(half)).toBe(isLowerEven ? lower : upper);
      expect(signed(half.subtract(nudge))).toBe(lower);
      expect(signed(half.add(nudge))).toBe(upper);
    }),
    { numRuns: 300 },
  );
});

test("the tie between the largest double and infinity goes to infinity", () => {
  const tie = Rational.of(((1n << 54n) - 1n) << 970n);
  expect(tie.toNumberNearest()).toBe(Number.POSITIVE_INFINITY);
  expect(tie.subtract(Rational.powerOfTwo(-50)).toNumberNearest()).toBe(Number.MAX_VALUE);
  expect(tie.negate().toNumberNearest()).toBe(Number.NEGATIVE_INFINITY);
});

test("toNumberDown and toNumberUp are adjacent doubles around the value", () => {
  const value = fc.oneof(
    rational,
    fc
      .tuple(rational, fc.integer({ min: -1200, max: 900 }))
      .map(([factor, shift]) => factor.multiply(Rational.powerOfTwo(shift))),
  );
  fc.assert(
    fc.property(value, (exact) => {
      const down = exact.toNumberDown();
      const up = exact.toNumberUp();
      expect(isAtMost(Rational.fromNumber(down), exact)).toBe(true);
      expect(isAtMost(exact, Rational.fromNumber(up))).toBe(true);
      if (down === up) expect(Rational.fromNumber(down)).toEqual(exact);
      else expect(doubleAbove(down) + 0).toBe(up);
      expect([down, up]).toContain(exact.toNumberNearest() + 0);
    }),
    { numRuns: 1000 },
  );
});

test("beyond the doubles, down and up are the largest double and infinity", () => {
  const huge = Rational.of(10n ** 400n);
  expect(huge.toNumberDown()).toBe(Number.MAX_VALUE);
  expect(huge.toNumberUp()).toBe(Number.POSITIVE_INFINITY);
  expect(huge.negate().toNumberDown()).toBe(Number.NEGATIVE_INFINITY);
  expect(huge.negate().toNumberUp()).toBe(-Number.MAX_VALUE);
  const justAbove = Rational.fromNumber(Number.MAX_VALUE).add(Rational.ONE);
  expect(justAbove.toNumberDown()).toBe(Number.MAX_VALUE);
  expect(justAbove.toNumberUp()).toBe(Number.POSITIVE_INFINITY);
});

test("zero rounds to plain zero, never to negative zero", () => {
  expect(Rational.ZERO.toNumberNearest()).toBe(0);
  expect(Rational.ZERO.toNumberDown()).toBe(0);
  expect(Rational.ZERO.toNumberUp()).toBe(0);
  expect(Rational.powerOfTwo(-1200).negate().toNumberUp()).toBe(0);
  expect(Rational.powerOfTwo(-1200).toNumberDown()).toBe(0);
});

test("toDecimalDown, Up and Nearest have the places asked for and err to the side of their name", () => {
  fc.assert(
    fc.property(rational, fc.integer({ min: 0, max: 30 }), (value, places) => {
      const unit = Rational.of(1n, 10n ** BigInt(places));
      const texts = {
        down: value.toDecimalDown(places),
        up: value.toDecimalUp(places),
        nearest: value.toDecimalNearest(places),
      };
      for (const text of Object.values(texts)) {
        expect(text).toMatch(places === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${places}}$`));
        expect(text).not.toMatch(/^-[0.]+$/);
      }
      const down = parseDecimal(texts.down, "down");
      const up = parseDecimal(texts.up, "up");
      const nearest = parseDecimal(texts.nearest, "nearest");
      expect(isAtMost(down, value) && isBelow(value, down.add(unit))).toBe(true);
      expect(isAtMost(value, up) && isBelow(up.subtract(unit), value)).toBe(true);
      const half = unit.divide(Rational.of(2));
      expect(isAtMost(nearest.subtract(half), value) && isBelow(value, nearest.add(half))).toBe(true);
    }),
  );
});

test("toString and tryParseExact are inverse", () => {
  const decimal = fc
    .tuple(integer, fc.integer({ min: 0, max: 80 }))
    .map(([digits, places]) => Rational.of(digits, 10n ** BigInt(places)));
  fc.assert(
    fc.property(fc.oneof(rational, decimal, finiteDouble.map(Rational.fromNumber)), (value) => {
      expect(tryParseExact(value.toString())).toEqual(value);
      expect(JSON.stringify({ value })).toBe(`{"value":"${value.toString()}"}`);
    }),
  );
});

test.each([
  [3, 10, "0.3"],
  [-1, 8, "-0.125"],
  [10, 2, "5"],
  [0, 7, "0"],
  [2, 3, "2/3"],
  [-7, 30, "-7/30"],
])("%i/%i is written %s", (numerator, denominator, text) => {
  expect(Rational.of(numerator, denominator).toString()).toBe(text);
});

test("a decimal of more than 60 places is written as a fraction", () => {
  const places = Rational.powerOfTwo(-60);
  expect(places.toString()).toBe(places.toDecimalDown(60));
  expect(Rational.powerOfTwo(-61).toString()).toBe(`1/${2n ** 61n}`);
});

test("toShortString is exact up to 40 characters, six digits beyond", () => {
  expect(Rational.of(2, 3).toShortString()).toBe("2/3");
  expect(Rational.of(-1, 8).toShortString()).toBe("-0.125");
  const forty = Rational.of(10n ** 37n, 3n);
  expect(forty.toShortString()).toBe(`1${"0".repeat(37)}/3`);
  expect(forty.toShortString()).toHaveLength(40);
  expect(forty.multiply(Rational.of(10)).toShortString()).toBe("3.33333e+37");
  expect(Rational.of(1n, 3n ** 90n).toShortString()).toBe((3 ** -90).toPrecision(6));
});
