/** Splits add up exactly, and the best one is best. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDecimal, Rational, sum } from "../arithmetic/index.ts";
import {
  checkEpsilon,
  guaranteeOf,
  LOSS_UNIT,
  type Metric,
  makeObjective,
  parseBounds,
  splitBudget,
  splitEvenly,
} from "./index.ts";

const grids = fc
  .record({
    largest: fc.integer({ min: 1, max: 1000 }),
    others: fc.integer({ min: 0, max: 10_000 }),
    dropped: fc.integer({ min: 0, max: 5000 }),
  })
  .map(({ largest, others, dropped }) => ({ largest, kept: largest + others, total: largest + others + dropped }));
const epsilons = fc.constantFrom("0.1", "1", "0.3333333333333333", "7.000000000000000001", "100");

test("even parts are multiples of the unit and add up exactly", () => {
  fc.assert(
    fc.property(epsilons, fc.integer({ min: 1, max: 7 }), (text, parts) => {
      const epsilon = parseDecimal(text, "ε");
      const split = splitEvenly(epsilon, parts);
      expect(sum(split)).toEqual(epsilon);
      for (const part of split) {
        expect(part.floorToMultipleOf(LOSS_UNIT)).toEqual(part);
        expect(
          part
            .subtract(epsilon.divide(Rational.of(parts)))
            .absolute()
            .compare(LOSS_UNIT),
        ).toBeLessThan(0);
      }
    }),
  );
});

describe.each(["sum", "relative"] as const)("best split by %s", (metric: Metric) => {
  const objective = makeObjective(parseBounds("0,65"), {
    statistics: "mean,variance,histogram:10/20",
    weights: metric === "sum" ? "variance=0.2" : undefined,
    metric,
  });

  test("adds up exactly and beats the even split and every split near it", () => {
    fc.assert(
      fc.property(
        grids,
        epsilons,
        fc.nat(5),
        fc.double({ min: 0.01, max: 0.2, noNaN: true }),
        (counts, text, pairing, share) => {
          const epsilon = parseDecimal(text, "ε");
          const best = splitBudget(objective, counts, { epsilon, split: "best" });
          const even = splitBudget(objective, counts, { epsilon, split: "even" });
          const noisy = best.flatMap((part, index) => (part.isZero() ? [] : [index]));
          expect(sum(best)).toEqual(epsilon);
          const errorOf = (split: Rational[]): number => guaranteeOf(objective, counts, split)!.error.toNumberNearest();
          expect(errorOf(best)).toBeLessThanOrEqual(errorOf(even) * (1 + 1e-12));
          if (noisy.length < 2) return;
          const from = noisy[pairing % noisy.length]!;
          const to = noisy[(pairing + 1) % noisy.length]!;
          const moved = best[from]!.multiply(Rational.fromNumber(share)).floorToMultipleOf(LOSS_UNIT);
          const nearby = best.map((part, index) =>
            index === from ? part.subtract(moved) : index === to ? part.add(moved) : part,
          );
          expect(errorOf(best)).toBeLessThanOrEqual(errorOf(nearby) * (1 + 1e-12));
        },
      ),
    );
  });
});

test("left-over units go to the first statistics, and everyone gets at least one", () => {
  const units = (count: number): Rational => LOSS_UNIT.multiply(Rational.of(count));
  expect(splitEvenly(units(5), 3)).toEqual([units(2), units(2), units(1)]);
  const objective = makeObjective(parseBounds("0,65"), {
    statistics: "mean,sum,share:1,share:2,share:3",
    weights: "mean=1e20,sum=1e19",
  });
  const counts = { total: 9, kept: 9, largest: 4 };
  for (const count of [5, 6, 10]) {
    const split = splitBudget(objective, counts, { epsilon: units(count), split: "best" });
    expect(sum(split)).toEqual(units(count));
    for (const part of split) expect(part.compare(LOSS_UNIT)).toBeGreaterThanOrEqual(0);
  }
});

test("nobody can move the variance of one record: no ε is spent on it", () => {
  const objective = makeObjective(parseBounds("0,65"));
  const single = { total: 4, kept: 1, largest: 1 };
  expect(splitBudget(objective, single, { epsilon: Rational.ONE, split: "even" })).toEqual([
    Rational.of(1, 2),
    Rational.ZERO,
  ]);
  expect(splitBudget(objective, single, { epsilon: Rational.ONE, split: "best" })).toEqual([
    Rational.ONE,
    Rational.ZERO,
  ]);
});

test("by relative every part is positive and all errors meet, also where biases differ", () => {
  const objective = makeObjective(parseBounds("0,65"), {
    statistics: "mean,variance,histogram:10/20",
    metric: "relative",
  });
  for (const counts of [
    { total: 100, kept: 60, largest: 3 },
    { total: 1000, kept: 400, largest: 10 },
    { total: 50, kept: 50, largest: 2 },
  ]) {
    const split = splitBudget(objective, counts, { epsilon: Rational.of(100), split: "best" });
    for (const part of split) expect(part.sign()).toBe(1);
    const { statisticError } = guaranteeOf(objective, counts, split)!;
    const ratios = statisticError.map((error, index) =>
      error.divide(objective.statistics[index]!.dataFreeError(counts.total)).toNumberNearest(),
    );
    for (const ratio of ratios) expect(ratio / ratios[0]!).toBeCloseTo(1, 9);
  }
});

test("what rounding leaves over goes to the statistic with the largest share", () => {
  const units = (count: number): Rational => LOSS_UNIT.multiply(Rational.of(count));
  const objective = makeObjective(parseBounds("0,65"), {
    statistics: "share:1,share:2,share:3",
    weights: "share:2=4",
  });
  // Shares 1 : 2 : 1 of the 7 units that are left when everyone has one: 1.75, 3.5 and 1.75.
  const counts = { total: 9, kept: 9, largest: 4 };
  expect(splitBudget(objective, counts, { epsilon: units(10), split: "best" })).toEqual([units(2), units(6), units(2)]);
});

test("ε of 1000 and of one unit are taken, an ε with fewer units than statistics is refused", () => {
  expect(splitEvenly(Rational.of(1000), 2)).toEqual([Rational.of(500), Rational.of(500)]);
  expect(splitEvenly(LOSS_UNIT, 1)).toEqual([LOSS_UNIT]);
  const two = LOSS_UNIT.multiply(Rational.of(2));
  expect(splitEvenly(two, 2)).toEqual([LOSS_UNIT, LOSS_UNIT]);
  expect(() => splitEvenly(two, 3)).toThrow(expect.objectContaining({ code: "PARAMETER_INVALID" }));
  expect(() => splitEvenly(Rational.of(-1), 3)).toThrow("ε -1 must be above 0");
});

test.each(["0", "-1", "1001", "0.0000000000000000001"])("ε %s is refused", (text) => {
  expect(() => checkEpsilon(parseDecimal(text, "ε"), "--epsilon")).toThrow(
    expect.objectContaining({ code: "PARAMETER_INVALID" }),
  );
});
