/** The error model where doubles do not decide: what counts as apart, exact parts and comparisons, empty grids, and the line below a drop as Lemma 6 has it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maximum, Rational, sum } from "../arithmetic/index.ts";
import {
  areClearlyApart,
  ErrorModel,
  type GridCounts,
  guaranteeOf,
  makeObjective,
  type Objective,
  parseBounds,
  type Statistic,
} from "./index.ts";
import { countShape, fractionShape, shapeValue, spreadShape } from "./shape.ts";

const KEYS = "mean,variance,sum,histogram:0/9";
const objectiveOf = (metric: Objective["metric"], statistics = KEYS): Objective =>
  makeObjective(parseBounds("-3,62"), { statistics, metric });

describe("whether doubles can tell two errors apart", () => {
  const near = 2 ** -45;

  test.each([1, 2 ** 40, 2 ** -40, 3e60])("around %d it takes a relative 2^-45, either way round", (error) => {
    const [same, apart] = [error * (1 - near / 2), error * (1 - 2 * near)];
    expect([areClearlyApart(error, same), areClearlyApart(same, error)]).toEqual([false, false]);
    expect([areClearlyApart(error, apart), areClearlyApart(apart, error)]).toEqual([true, true]);
    expect(areClearlyApart(error, error)).toBe(false);
  });

  test("2^-45 of the larger one is not enough, a little more is", () => {
    expect(areClearlyApart(1, 1 - near)).toBe(false);
    expect(areClearlyApart(1 - near, 1)).toBe(false);
    expect(areClearlyApart(1, 1 - near - 2 ** -53)).toBe(true);
  });

  test("an infinite error is apart from every other, and not from itself", () => {
    const infinite = Number.POSITIVE_INFINITY;
    expect([areClearlyApart(infinite, 1), areClearlyApart(1, infinite)]).toEqual([true, true]);
    expect(areClearlyApart(infinite, infinite)).toBe(false);
    expect(areClearlyApart(0, 0)).toBe(false);
  });
});

test("there is none for the centred estimator", () => {
  const centred = makeObjective(parseBounds("0,1"), { estimator: "centred" });
  expect(() => new ErrorModel(centred, Rational.ONE)).toThrow("the error model is that of the paper's estimator");
});

describe.each(["sum", "relative"] as const)("by %s", (metric) => {
  const counts = { total: 40, kept: 30, largest: 4 };

  test("exact parts are those of the guarantee, the largest is the error, and doubles are next to them", () => {
    const model = new ErrorModel(objectiveOf(metric), Rational.ONE);
    const { statisticError, error } = guaranteeOf(model.objective, counts, model.epsilons)!;
    const parts = model.exactParts(counts);
    const ratios = statisticError.map((each, index) =>
      each.divide(model.objective.statistics[index]!.dataFreeError(counts.total)),
    );
    expect(parts).toEqual(metric === "sum" ? [sum(statisticError)] : ratios);
    expect(maximum(parts[0]!, ...parts)).toEqual(error);
    expect(model.exactError(counts)).toEqual(error);
    expect(model.parts(counts)).toHaveLength(parts.length);
    model.parts(counts).forEach((part, at) => {
      expect(part / parts[at]!.toNumberNearest()).toBeCloseTo(1, 12);
    });
  });

  test("an empty grid has no exact error and no parts", () => {
    const model = new ErrorModel(objectiveOf(metric), Rational.ONE);
    const empty = { total: 3, kept: 0, largest: 0 };
    expect(model.exactError(empty)).toBeUndefined();
    expect(() => model.exactParts(empty)).toThrow("an empty grid has no error");
  });

  test("grids that differ in one count alone are not the same", () => {
    const model = new ErrorModel(objectiveOf(metric), Rational.ONE);
    expect(model.compareExactly(counts, { ...counts })).toBe(0);
    // More noise; fewer kept; and of more records as many kept, so more are left out.
    for (const worse of [{ largest: 5 }, { kept: 29 }, { total: 41 }].map((more) => ({ ...counts, ...more }))) {
      const isWorse = Math.sign(model.exactError(worse)!.compare(model.exactError(counts)!));
      // Relative to a sum's own size, a sum of more records may be better.
      if (metric === "sum") expect(isWorse).toBe(1);
      expect(isWorse).not.toBe(0);
      expect(Math.sign(model.compareExactly(worse, counts))).toBe(isWorse);
      expect(Math.sign(model.compareExactly(counts, worse))).toBe(-isWorse);
    }
  });

  test("errors that doubles take for the same are compared exactly", () => {
    const model = new ErrorModel(objectiveOf(metric, "mean"), Rational.ONE);
    const better = { total: 4e12, kept: 4e12, largest: 2e12 };
    const worse = { ...better, kept: better.kept - 1 };
    expect(Math.sign(model.compare(worse, 1, better, 1))).toBe(1);
    expect(Math.sign(model.compare(better, 1, worse, 1))).toBe(-1);
    expect(model.compare(better, 1, better, 1)).toBe(0);
  });

  test.each(["mean", "variance", "sum", "mean,variance", KEYS])("the line below a drop of %s is Lemma 6's", (keys) => {
    const objective = objectiveOf(metric, keys);
    const grids = fc
      .record({
        largest: fc.integer({ min: 1, max: 40 }),
        others: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 400 })),
        dropped: fc.integer({ min: 0, max: 60 }),
      })
      .map(({ largest, others, dropped }) => ({ largest, kept: largest + others, total: largest + others + dropped }));
    fc.assert(
      fc.property(grids, (grid) => {
        const model = new ErrorModel(objective, Rational.of(2));
        const line = new Float64Array([7, 7, 7, 7, 7, 7]);
        model.lineBelowDrop(grid.total, grid.kept, grid.largest, line, 2);
        const lines = linesOfLemma(model, grid);
        const highest = Math.max(...lines.map(({ start }) => start));
        expect(close(line[2]!, highest), `${line[2]} is not ${highest}`).toBe(true);
        const slopes = lines.filter(({ start }) => close(start, highest)).map(({ slope }) => slope);
        expect(
          slopes.some((slope) => close(line[3]!, slope)),
          `${line[3]} is not ${slopes}`,
        ).toBe(true);
        expect([line[0], line[1], line[4], line[5]]).toEqual([7, 7, 7, 7]);
      }),
      {
        examples: [
          [{ largest: 8, kept: 10, total: 13 }],
          [{ largest: 2, kept: 8, total: 9 }],
          [{ largest: 3, kept: 40, total: 90 }],
          [{ largest: 1, kept: 2, total: 2 }],
        ],
      },
    );
  });

  test("of a grid down to its last user nothing else is written", () => {
    const line = new Float64Array([7, 7, 7, 7, 7, 7]);
    new ErrorModel(objectiveOf(metric), Rational.ONE).lineBelowDrop(9, 4, 4, line, 2);
    expect([...line]).toEqual([7, 7, Number.POSITIVE_INFINITY, 0, 7, 7]);
  });
});

test("where two users have a record each, the line of the variance goes from nothing to the whole bias", () => {
  // Without either of them there is no noise, and half of the records are gone: U²/4.
  const model = new ErrorModel(objectiveOf("sum", "variance"), Rational.ONE);
  const line = new Float64Array(2);
  model.lineBelowDrop(2, 2, 1, line, 0);
  expect(line[0]).toBe(0);
  expect(line[1]! / (65 ** 2 / 4)).toBeCloseTo(1, 12);
});

function close(left: number, right: number): boolean {
  return Math.abs(left - right) <= 1e-11 * Math.max(left, right);
}

/** The lines of docs/mathematics.md, Lemma 6, in rationals: one in all by `sum`, one per statistic by `relative`. */
function linesOfLemma(model: ErrorModel, grid: GridCounts): Array<{ start: number; slope: number }> {
  const lines = model.objective.statistics.map((statistic, index) => {
    const bias = biasLine(statistic, grid).map((part) => part.multiply(statistic.biasFactor));
    const factor = statistic.sensitivityFactor.multiply(Rational.of(statistic.coordinates));
    const noise = noiseLine(statistic, grid).map((part) => part.multiply(factor).divide(model.epsilons[index]!));
    return [bias[0]!.add(noise[0]!), bias[1]!.add(noise[1]!)] as const;
  });
  const numbers = (start: Rational, slope: Rational) => ({
    start: start.toNumberNearest(),
    slope: slope.toNumberNearest(),
  });
  if (model.objective.metric === "sum")
    return [numbers(sum(lines.map(([start]) => start)), sum(lines.map(([, slope]) => slope)))];
  return lines.map(([start, slope], index) => {
    const unit = model.objective.statistics[index]!.dataFreeError(grid.total);
    return numbers(start.divide(unit), slope.divide(unit));
  });
}

/** The bias now and what each record adds: linear, of the variance the chord up to the most that anyone else can have. */
function biasLine({ shape }: Statistic, { total, kept, largest }: GridCounts): Rational[] {
  const most = shape === spreadShape ? Math.min(largest, kept - largest) : 1;
  const now = shapeValue(shape, total - kept, total);
  return [
    now,
    shapeValue(shape, total - kept + most, total)
      .subtract(now)
      .divide(Rational.of(most)),
  ];
}

/** The tangent of Γ/k and of Γ/k − Γ²/k² in k, nothing for a sum; of a variance that one user may saturate its least value. */
function noiseLine({ shape }: Statistic, { kept, largest }: GridCounts): Rational[] {
  const now = shapeValue(shape, largest, kept);
  if (shape === countShape) return [now, Rational.ZERO];
  const tangent = Rational.of(largest, kept * kept);
  if (shape === fractionShape) return [now, tangent];
  if (kept >= 4 * largest) return [now, tangent.subtract(Rational.of(2 * largest * largest, kept ** 3))];
  const saturated = Rational.of(largest * largest - 1, 4 * largest * largest);
  return [2 * largest > kept || saturated.compare(now) < 0 ? saturated : now, Rational.ZERO];
}
