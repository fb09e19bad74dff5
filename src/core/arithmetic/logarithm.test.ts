/** Holds logarithms to e^ln(x) = x, with the exponential summed in integers once too low and once too high. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { divideCeil, divideFloor } from "./integers.ts";
import { naturalLogUp } from "./logarithm.ts";
import { Rational } from "./rational.ts";

const PLACES = 400n;

/** 1 + y + y²/2! + … for y ≥ 0 in units of 2⁻⁴⁰⁰, every term rounded down, or every term rounded up and the rest added. */
function exponential(y: Rational, towards: "down" | "up"): Rational {
  const divide = towards === "down" ? divideFloor : divideCeil;
  let term = 1n << PLACES;
  let sum = 0n;
  // From here on a term is less than half of the one before it, so all that follow are less than the last.
  const enough = 2n * y.ceilToInteger() + 200n;
  for (let index = 1n; index <= enough; index++) {
    sum += term;
    term = divide(term * y.numerator, y.denominator * index);
  }
  return Rational.of(towards === "down" ? sum : sum + 2n * term, 1n << PLACES);
}

function expectLogarithm(x: Rational): void {
  const up = naturalLogUp(x);
  expect(exponential(up, "up").compare(x)).toBeGreaterThanOrEqual(0);
  const powers = 1 + x.floorToPowerOfTwoExponent();
  const below = up.subtract(Rational.powerOfTwo(-120).multiply(Rational.of(powers)));
  if (below.sign() > 0) expect(exponential(below, "down").compare(x)).toBeLessThanOrEqual(0);
}

test("the exponential of the test has e between its two roundings, and nothing else", () => {
  const [down, up] = [exponential(Rational.ONE, "down"), exponential(Rational.ONE, "up")];
  expect(down.compare(up)).toBe(-1);
  expect(up.subtract(down).compare(Rational.powerOfTwo(-380))).toBe(-1);
  expect(down.toDecimalDown(30)).toBe("2.718281828459045235360287471352");
});

test("naturalLogUp(x) is at least ln x and at most 2^-120 more for every power of two in x", () => {
  const part = fc.bigInt(1n, 1n << 70n);
  fc.assert(
    fc.property(part, part, (a, b) => {
      expectLogarithm(Rational.of(a, b).add(Rational.ONE));
    }),
    { numRuns: 40 },
  );
});

test.each([1, 2, 3, 4, 20, 1_000_000])("ln %d", (x) => {
  expectLogarithm(Rational.of(x));
  expect(naturalLogUp(Rational.of(x)).toNumberNearest()).toBeCloseTo(Math.log(x), 13);
});

test("ln 1 is 0, and that of the numbers just above it is not below them by a unit", () => {
  expect(naturalLogUp(Rational.ONE)).toEqual(Rational.ZERO);
  for (const exponent of [-10, -60, -100, -126]) {
    const little = Rational.powerOfTwo(exponent);
    const up = naturalLogUp(Rational.ONE.add(little));
    // little − little²/2 < ln(1 + little) < little.
    const least = little.subtract(little.multiply(little).divide(Rational.of(2)));
    expect(up.compare(least)).toBe(1);
    expect(up.compare(little.add(Rational.powerOfTwo(-120)))).toBe(-1);
  }
});

test("ln 1e300, by digits", () => {
  // 300·ln 10 = 690.775527898213705205397436405309262280330446…
  const [low, high] = ["690775527898213705205397436405309262", "690775527898213705205397436405309263"] as const;
  const up = naturalLogUp(Rational.of(10n ** 300n));
  expect(up.compare(Rational.of(BigInt(low), 10n ** 33n))).toBe(1);
  expect(up.compare(Rational.of(BigInt(high), 10n ** 33n))).toBe(-1);
});

test("a logarithm of less than 1 is refused", () => {
  expect(() => naturalLogUp(Rational.of(999, 1000))).toThrow(/from 1 on/);
});
