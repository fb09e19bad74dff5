/** Checks the integer helpers against the inequalities that define them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { bitLength, divideCeil, divideFloor, greatestCommonDivisor } from "./integers.ts";

const integer = fc.oneof(fc.bigInt(-20n, 20n), fc.bigInt(-(1n << 200n), 1n << 200n));
const nonZero = integer.filter((value) => value !== 0n);

test("divideFloor is the only integer q with 0 ≤ (n − q·d)/d < 1", () => {
  fc.assert(
    fc.property(integer, nonZero, (numerator, denominator) => {
      const rest = numerator - divideFloor(numerator, denominator) * denominator;
      if (denominator > 0n) expect(rest >= 0n && rest < denominator).toBe(true);
      else expect(rest <= 0n && rest > denominator).toBe(true);
    }),
  );
});

test("divideCeil is the only integer q with 0 ≤ (q·d − n)/d < 1", () => {
  fc.assert(
    fc.property(integer, nonZero, (numerator, denominator) => {
      const excess = divideCeil(numerator, denominator) * denominator - numerator;
      if (denominator > 0n) expect(excess >= 0n && excess < denominator).toBe(true);
      else expect(excess <= 0n && excess > denominator).toBe(true);
    }),
  );
});

test.each([
  [7n, 2n, 3n, 4n],
  [-7n, 2n, -4n, -3n],
  [7n, -2n, -4n, -3n],
  [-7n, -2n, 3n, 4n],
  [6n, 3n, 2n, 2n],
  [-6n, 3n, -2n, -2n],
  [0n, -5n, 0n, 0n],
])("%s / %s floors to %s, ceils to %s", (numerator, denominator, floor, ceil) => {
  expect(divideFloor(numerator, denominator)).toBe(floor);
  expect(divideCeil(numerator, denominator)).toBe(ceil);
});

test("bitLength is the length of the binary text", () => {
  expect(bitLength(0n)).toBe(0);
  fc.assert(
    fc.property(nonZero, (value) => {
      const binary = (value < 0n ? -value : value).toString(2);
      expect(bitLength(value)).toBe(binary.length);
    }),
  );
  for (let exponent = 0; exponent < 70; exponent++) {
    expect(bitLength(1n << BigInt(exponent))).toBe(exponent + 1);
    expect(bitLength((1n << BigInt(exponent)) - 1n)).toBe(exponent);
  }
});

test("greatestCommonDivisor is the largest common divisor, by trial", () => {
  fc.assert(
    fc.property(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -300, max: 300 }), (a, b) => {
      fc.pre(a !== 0 || b !== 0);
      let largest = 1;
      for (let divisor = 1; divisor <= 300; divisor++) if (a % divisor === 0 && b % divisor === 0) largest = divisor;
      expect(greatestCommonDivisor(BigInt(a), BigInt(b))).toBe(BigInt(largest));
    }),
  );
});

test("greatestCommonDivisor of large numbers divides both and leaves coprime parts", () => {
  fc.assert(
    fc.property(nonZero, nonZero, nonZero, (a, b, common) => {
      const divisor = greatestCommonDivisor(a * common, b * common);
      expect(divisor > 0n).toBe(true);
      expect(divisor % common).toBe(0n);
      expect((a * common) % divisor).toBe(0n);
      expect((b * common) % divisor).toBe(0n);
      expect(greatestCommonDivisor((a * common) / divisor, (b * common) / divisor)).toBe(1n);
    }),
  );
});

test("greatestCommonDivisor with zero is the other number", () => {
  expect(greatestCommonDivisor(0n, 0n)).toBe(0n);
  expect(greatestCommonDivisor(0n, -7n)).toBe(7n);
  expect(greatestCommonDivisor(-7n, 0n)).toBe(7n);
});
