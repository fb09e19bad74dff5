/** The fast error model against exact rationals: values, order, and the line below every drop. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { everyStatistic } from "../../../test/support/statistic-references.ts";
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { ErrorModel, guaranteeOf, makeObjective, type Objective, parseBounds, splitEvenly } from "./index.ts";

function objectiveOf(keys: string, metric: Objective["metric"]): Objective {
  return makeObjective(parseBounds("-3,62"), { statistics: keys, metric });
}

const ALL = everyStatistic(parseBounds("-3,62"), { places: ["0", "9"] })
  .map(({ key }) => key)
  .join();
const objectives = ["mean,variance", "mean", "variance", ALL].flatMap((keys) => {
  return (["sum", "relative"] as const).map((metric) => [`${keys} by ${metric}`, objectiveOf(keys, metric)] as const);
});
const epsilons = fc.constantFrom("0.001", "0.2", "1", "50");

/** Kept counts of a grid's users and how many records were dropped before. */
const grids = fc.record({
  counts: fc.array(
    fc.oneof(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 1_000_000_000 }),
    ),
    {
      minLength: 1,
      maxLength: 12,
    },
  ),
  dropped: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 1_000_000_000 })),
});

function stateOf({ counts, dropped }: { counts: number[]; dropped: number }) {
  const kept = counts.reduce((sum, count) => sum + count, 0);
  return { total: kept + dropped, kept, largest: Math.max(...counts) };
}

describe.each(objectives)("%s", (_, objective) => {
  test("doubles are within 2^-48 of the exact error", () => {
    fc.assert(
      fc.property(grids, epsilons, (grid, epsilon) => {
        const model = new ErrorModel(objective, parseDecimal(epsilon, "ε"));
        const state = stateOf(grid);
        const exact = guaranteeOf(
          objective,
          state,
          splitEvenly(parseDecimal(epsilon, "ε"), objective.statistics.length),
        )!.error;
        const approximate = Rational.fromNumber(model.error(state.total, state.kept, state.largest));
        expect(
          approximate
            .subtract(exact)
            .absolute()
            .compare(exact.multiply(Rational.powerOfTwo(-48))),
        ).toBeLessThanOrEqual(0);
      }),
      { numRuns: 300 },
    );
  });

  test("the line lies below the error after dropping anyone but a sole heaviest user", () => {
    fc.assert(
      fc.property(grids, epsilons, (grid, epsilon) => {
        const model = new ErrorModel(objective, parseDecimal(epsilon, "ε"));
        const state = stateOf(grid);
        const line = new Float64Array(2);
        model.lineBelowDrop(state.total, state.kept, state.largest, line, 0);
        grid.counts.forEach((count, user) => {
          const left = grid.counts.filter((_count, other) => other !== user);
          if (left.length === 0 || Math.max(...left) < state.largest) return;
          const after = model.exactError({ total: state.total, kept: state.kept - count, largest: state.largest })!;
          expect(Rational.fromNumber(line[0]! + count * line[1]!).compare(after)).toBeLessThanOrEqual(0);
        });
      }),
      { numRuns: 500 },
    );
  });

  test("the line is close: within a thousandth for one of many light users", () => {
    const model = new ErrorModel(objective, Rational.of(1, 5));
    const line = new Float64Array(2);
    model.lineBelowDrop(100_000, 99_000, 80, line, 0);
    const after = model.error(100_000, 99_000 - 30, 80);
    const parts = model.parts({ total: 100_000, kept: 99_000 - 30, largest: 80 });
    expect(Math.max(...parts)).toBe(after);
    expect(line[0]! + 30 * line[1]!).toBeGreaterThan(0.999 * after);
  });

  test("comparison is that of exact arithmetic", () => {
    fc.assert(
      fc.property(grids, grids, (left, right) => {
        const model = new ErrorModel(objective, Rational.of(1, 3).floorToMultipleOf(Rational.of(1, 1000)));
        const [a, b] = [stateOf(left), stateOf(right)];
        const order = model.compare(
          a,
          model.error(a.total, a.kept, a.largest),
          b,
          model.error(b.total, b.kept, b.largest),
        );
        expect(Math.sign(order)).toBe(model.exactError(a)!.compare(model.exactError(b)!));
      }),
    );
  });
});

test("a grid down to its last user is closed", () => {
  const model = new ErrorModel(objectiveOf("mean,variance", "sum"), Rational.ONE);
  const line = new Float64Array(2);
  model.lineBelowDrop(9, 4, 4, line, 0);
  expect(line[0]).toBe(Number.POSITIVE_INFINITY);
  expect(model.error(9, 0, 0)).toBe(Number.POSITIVE_INFINITY);
});
