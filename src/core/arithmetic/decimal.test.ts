/** Checks which texts are decimals, that their values are exact, and that the rest is refused in one line. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { VeilgridError } from "../errors/index.ts";
import { parseDecimal, tryParseDecimal, tryParseExact } from "./decimal.ts";
import { Rational } from "./rational.ts";

function refusalOf(text: string): VeilgridError {
  try {
    parseDecimal(text, "--epsilon");
  } catch (error) {
    if (error instanceof VeilgridError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(text)} was accepted`);
}

test("0.1 + 0.2 is 0.3", () => {
  const total = parseDecimal("0.1", "x").add(parseDecimal("0.2", "x"));
  expect(total.equals(parseDecimal("0.3", "x"))).toBe(true);
  expect(total.toString()).toBe("0.3");
});

test.each([
  ["0", 0n, 1n],
  ["-0", 0n, 1n],
  ["0.0e5", 0n, 1n],
  ["7", 7n, 1n],
  ["007", 7n, 1n],
  ["+7", 7n, 1n],
  ["-3", -3n, 1n],
  ["0.1", 1n, 10n],
  [".5", 1n, 2n],
  ["-.5", -1n, 2n],
  ["5.", 5n, 1n],
  ["1.50", 3n, 2n],
  ["1e3", 1000n, 1n],
  ["1E3", 1000n, 1n],
  ["1e+3", 1000n, 1n],
  ["2.5e-1", 1n, 4n],
  ["1e-6", 1n, 1_000_000n],
  ["12.5e1", 125n, 1n],
  ["1e999", 10n ** 999n, 1n],
  ["1e-999", 1n, 10n ** 999n],
  [" 0.5 ", 1n, 2n],
  ["9007199254740993", 9007199254740993n, 1n],
])("%j is accepted", (text, numerator, denominator) => {
  const value = parseDecimal(text, "x");
  expect(value.numerator).toBe(numerator);
  expect(value.denominator).toBe(denominator);
});

test.each([
  "",
  " ",
  "NaN",
  "Infinity",
  "-Infinity",
  "0x10",
  "0b1",
  "1n",
  "1/2",
  "1e9999",
  "1e",
  "e5",
  "1e1.5",
  "--1",
  "+-1",
  "1,5",
  "1_000",
  "1 000",
  ".",
  "-",
  "1.2.3",
  "½",
  "٣",
  "1\n2",
  "\u001b[31m1",
  "null",
  "1".repeat(401),
])("%j is refused in one line that names flag and text", (text) => {
  expect(tryParseDecimal(text)).toBeUndefined();
  const error = refusalOf(text);
  expect(error.code).toBe("PARAMETER_INVALID");
  expect(error.exitStatus).toBe(2);
  expect(error.message).toMatch(/^--epsilon '.*' is not a decimal number; write it like 0\.5$/);
  expect(error.message).not.toContain("\u001b");
  if (/^[\x20-\x7e]{0,60}$/.test(text)) expect(error.message).toContain(`'${text}'`);
});

test("text of up to 400 characters is read", () => {
  expect(parseDecimal("1".repeat(400)).toString()).toBe("1".repeat(400));
});

test("a parameter without a name is called a number", () => {
  expect(() => parseDecimal("x")).toThrow(/^number 'x' is not a decimal number/);
});

test("digits, point and exponent mean digits · 10^(exponent − places)", () => {
  fc.assert(
    fc.property(
      fc.bigInt(-(10n ** 30n), 10n ** 30n),
      fc.integer({ min: 0, max: 35 }),
      fc.integer({ min: -40, max: 40 }),
      (digits, places, exponent) => {
        const magnitude = (digits < 0n ? -digits : digits).toString().padStart(places + 1, "0");
        const point = magnitude.length - places;
        const text = `${digits < 0n ? "-" : ""}${magnitude.slice(0, point)}.${magnitude.slice(point)}e${exponent}`;
        const value = parseDecimal(text, "x");
        // value · 10^80 is an integer that both sides can state without a fraction.
        const power = BigInt(80 + exponent - places);
        expect(value.numerator * 10n ** 80n).toBe(digits * 10n ** power * value.denominator);
      },
    ),
  );
});

test("tryParseExact reads fractions in any terms", () => {
  expect(tryParseExact("1/3")!.equals(Rational.of(1, 3))).toBe(true);
  expect(tryParseExact("-2/6")!.equals(Rational.of(-1, 3))).toBe(true);
  expect(tryParseExact("0/5")!.isZero()).toBe(true);
  expect(tryParseExact("0.25")!.equals(Rational.of(1, 4))).toBe(true);
});

test.each([
  "1/0",
  "1/-3",
  "1/",
  "/3",
  "1/2/3",
  "0.5/2",
  "1 / 2",
  "+1/2",
  "+1",
  ".5",
  "5.",
  "1e3",
  " 1",
  "x",
  "",
])("tryParseExact refuses %j", (text) => {
  expect(tryParseExact(text)).toBeUndefined();
});
