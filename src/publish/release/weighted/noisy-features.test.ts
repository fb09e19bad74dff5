/** Noise of a pass against its definition, with draws that are known beforehand, and its text read back. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { replayedBytes } from "../../../../test/support/replayed-bytes.ts";
import { Rational } from "../../../core/arithmetic/index.ts";
import { discreteLaplace, RandomBits } from "../../../core/noise/index.ts";
import { addLaplace, numbersOf, passText, readPass } from "./noisy-features.ts";

const fractions = fc
  .tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.bigInt({ min: 1n, max: 10n ** 12n }))
  .map(([numerator, denominator]) => Rational.of(numerator, denominator));
const scales = fractions.filter((each) => !each.isZero()).map((each) => each.absolute());

/** ⌊x + ½⌋ by integers only. */
function roundHalfUp({ numerator, denominator }: Rational): bigint {
  const [top, bottom] = [2n * numerator + denominator, 2n * denominator];
  return top / bottom - (top % bottom < 0n ? 1n : 0n);
}

test("steps are each number rounded half up plus a draw of exactly the claimed scale, on a lattice of 2⁴⁰ to 2⁴¹ steps in a scale", () => {
  fc.assert(
    fc.property(fc.array(fractions, { maxLength: 4 }), scales, fc.nat(1_000_000), (exact, scale, seed) => {
      const { steps, stepExponent } = addLaplace({ exact: exact, scale: scale }, new RandomBits(replayedBytes(seed)));
      const step = Rational.powerOfTwo(stepExponent);
      const inSteps = scale.divide(step);
      expect(inSteps.compare(Rational.powerOfTwo(40))).toBeGreaterThanOrEqual(0);
      expect(inSteps.compare(Rational.powerOfTwo(41))).toBeLessThan(0);
      const same = new RandomBits(replayedBytes(seed));
      expect(steps).toEqual(exact.map((each) => roundHalfUp(each.divide(step)) + discreteLaplace(same, inSteps)));
      expect(numbersOf({ steps, stepExponent }).map(String)).toEqual(
        steps.map((each) => String(Rational.of(each).multiply(step))),
      );
    }),
  );
});

test("a pass is read back as it was written, and only as that pass", () => {
  const numbers = [
    [
      { steps: [0n, -(2n ** 90n)], stepExponent: -31 },
      { steps: [7n], stepExponent: 3 },
    ],
    [],
  ];
  const text = passText("first", numbers);
  expect(readPass("first", text)).toEqual(numbers);
  expect(passText("first", readPass("first", text))).toBe(text);
  for (const broken of [text.slice(1), "null", "{}", passText("rings", numbers), text.replace('"7"', '"x"')])
    expect(() => readPass("first", broken)).toThrow(
      expect.objectContaining({ code: "INPUT_MALFORMED", message: expect.not.stringContaining("7") }),
    );
  expect(() => readPass("first", undefined)).toThrow("a pass is committed before the next is made from it");
});
