/** Tests the attacker's chances and the count of releases against their definitions, in exact arithmetic. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDecimal, Rational } from "../../../src/core/arithmetic/index.ts";
import { budgetBlocks, releasesThatFit, rightInHundred, STRENGTHS, strengthOf } from "./loss-in-words.ts";

test("an attacker's chances are e^λ/(1 + e^λ), rounded up, from 50 to 100", () => {
  expect(rightInHundred(0)).toBe(50);
  expect(rightInHundred(Math.log(3))).toBe(75);
  expect(rightInHundred(1)).toBe(74);
  expect(rightInHundred(1e-9)).toBe(51);
  expect(rightInHundred(1e6)).toBe(100);
  expect(rightInHundred(Number.POSITIVE_INFINITY)).toBe(100);
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 700, noNaN: true }), (loss) => {
      const chance = (100 * Math.exp(loss)) / (1 + Math.exp(loss));
      expect(rightInHundred(loss)).toBeGreaterThanOrEqual(chance - 1e-9);
      expect(rightInHundred(loss)).toBeLessThan(chance + 1);
    }),
  );
});

test("strengths are named by their upper ends", () => {
  expect([0, 0.5, 0.51, 1, 1.01, 2, 4, 4.1, 1e9].map((loss) => strengthOf(loss).name)).toEqual([
    "strong",
    "strong",
    "good",
    "good",
    "modest",
    "modest",
    "weak",
    "hardly any",
    "hardly any",
  ]);
  expect(STRENGTHS.map(({ upTo }) => upTo)).toEqual([...STRENGTHS.map(({ upTo }) => upTo)].sort((a, b) => a - b));
});

test("as many releases fit as decimals say, and never one more", () => {
  expect(releasesThatFit({ left: 0.3, loss: 0.1 })).toBe(3);
  expect(releasesThatFit({ left: 3, loss: 1 })).toBe(3);
  expect(releasesThatFit({ left: 0.9999, loss: 1 })).toBe(0);
  expect(releasesThatFit({ left: 0, loss: 0.1 })).toBe(0);
  expect(releasesThatFit({ left: -1, loss: 0.1 })).toBe(0);
  expect(releasesThatFit({ left: 3, loss: 0 })).toBe(Number.POSITIVE_INFINITY);
  const size = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(size, size, (left, loss) => {
      const [whole, part] = [parseDecimal(String(left)), parseDecimal(String(loss))];
      const count = Rational.of(BigInt(releasesThatFit({ left, loss })));
      expect(count.multiply(part).compare(whole)).toBeLessThanOrEqual(0);
      expect(count.add(Rational.ONE).multiply(part).compare(whole)).toBe(1);
    }),
  );
});

test("blocks add up to the budget, or show by how much it is exceeded", () => {
  const some = budgetBlocks({ loss: 0.9, budget: 3, left: 2 });
  expect(some).toMatchObject({ more: 1, fits: true });
  expect(some.spent + some.now * (1 + some.more) + some.rest).toBeCloseTo(1, 12);
  const over = budgetBlocks({ loss: 2, budget: 3, left: 1 });
  expect(over).toMatchObject({ more: 0, fits: false, spent: 0.5, now: 0.5, rest: 0 });
  expect(budgetBlocks({ loss: 0, budget: 3, left: 3 })).toMatchObject({ now: 0, more: 0, fits: true, rest: 1 });
  expect(budgetBlocks({ loss: 0, budget: 0, left: 0 })).toMatchObject({ spent: 0, now: 0 });
});
