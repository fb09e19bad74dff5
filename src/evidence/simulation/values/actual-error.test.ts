/** Holds actual errors to a plain computation over lists of numbers, and to the guarantee that no values may break. */
import { describe, expect, test } from "vitest";
import { everyStatistic, givenOf, referenceOf } from "../../../../test/support/statistic-references.ts";
import { parseDecimal, Rational, sum as sumOf } from "../../../core/arithmetic/index.ts";
import { type EstimatorName, makeObjective, parseBounds } from "../../../core/influence/index.ts";
import { type MadePlan, makePlan, runNow } from "../../../core/planning/index.ts";
import { synthesise } from "../synthetic.ts";
import { actualErrors, Double, expectedError } from "./actual-error.ts";
import { type SimulatedValues, simulateValues, VALUE_MODELS } from "./value-models.ts";

const occupancy = synthesise({ gamma: 3, q: 0.1, seed: 4, grids: 5 });
const ALL = everyStatistic(parseBounds("-5,60"), { places: ["20", "40"] })
  .map(({ key }) => key)
  .join();

function frontier(estimator: EstimatorName, loss: string, statistics = "mean,variance"): MadePlan {
  const objective = makeObjective(parseBounds("-5,60"), { statistics, estimator });
  return runNow(
    makePlan(occupancy, { objective, frontier: { kind: "loss", loss: parseDecimal(loss) }, unproven: true }),
  );
}

/** As the definitions have it, user by user, on values in [−5, 60]. */
function plainly(values: SimulatedValues, { plan, evaluation }: MadePlan, grid: number): Record<string, number> {
  const all: number[] = [];
  const kept: number[] = [];
  let clamped = 0;
  for (let user = 0; user < occupancy.users.length; user++) {
    const entry = occupancy.entryOf(user, grid);
    if (entry < 0) continue;
    const own = Array.from(values.value.slice(values.start[entry], values.start[entry + 1]), (x) => -5 + 65 * x);
    const some = own.slice(0, evaluation.kept.ofEntry[entry]);
    all.push(...own);
    kept.push(...some);
    const middle = own.length * 27.5;
    const reach = some.length * 32.5;
    clamped += Math.min(middle + reach, Math.max(middle - reach, sum(own)));
  }
  const centred = plan.objective.estimator === "centred";
  const offset = evaluation.guarantees[grid]!.bias[1]!.toNumberNearest();
  const published = centred
    ? { mean: clamped / all.length, variance: (kept.length / all.length) * variance(kept) + offset }
    : { mean: sum(kept) / kept.length, variance: variance(kept) };
  const [meanScale, varianceScale] = plan.noise[grid]!.scales.map((scale) => scale.toNumberNearest());
  const mean = sum(all) / all.length;
  return {
    mean: expectedError({ bias: published.mean - mean, scale: meanScale!, below: mean + 5, above: 60 - mean }),
    variance: expectedError({
      bias: published.variance - variance(all),
      scale: varianceScale!,
      below: variance(all),
      above: 65 ** 2 / 4 - variance(all),
    }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((left, right) => left + right, 0);
}

function variance(numbers: readonly number[]): number {
  const mean = sum(numbers) / numbers.length;
  return numbers.length === 0 ? 0 : sum(numbers.map((each) => (each - mean) ** 2)) / numbers.length;
}

describe.each<EstimatorName>(["kept", "centred"])("the %s estimator", (estimator) => {
  test("agrees with a plain computation", () => {
    const made = frontier(estimator, "5");
    expect(made.evaluation.kept.ofGrid.reduce((left, right) => left + right, 0)).toBeLessThan(occupancy.samples);
    for (const model of VALUE_MODELS) {
      const values = simulateValues(occupancy, model, 7);
      const plain = made.plan.grids.map((_, grid) => plainly(values, made, grid));
      for (const { statistic, average, worst } of actualErrors(values, made)) {
        const own = plain.map((each) => each[statistic]!);
        expect(average).toBeCloseTo(sum(own) / own.length, 8);
        expect(worst).toBeCloseTo(Math.max(...own), 8);
      }
    }
  });

  test.each(["0.5", "3", "20"])("never errs more than guaranteed, at a loss of %s", (loss) => {
    const made = frontier(estimator, loss, ALL);
    const guarantees = made.evaluation.guarantees;
    if (guarantees.some((each) => each === undefined)) return;
    for (const model of VALUE_MODELS) {
      actualErrors(simulateValues(occupancy, model, 7), made).forEach(({ worst }, index) => {
        const guaranteed = Math.max(...guarantees.map((each) => each!.statisticError[index]!.toNumberNearest()));
        expect(worst).toBeLessThanOrEqual(guaranteed * (1 + 1e-9));
        expect(worst).toBeGreaterThan(0);
      });
    }
  });
});

test("the formulas in doubles are those of the definitions", () => {
  const bounds = parseBounds("-5,60");
  const values = [-5, -4.5, 0, 12.25, 20, 40, 59.875, 60].map((value) => Rational.fromNumber(value));
  const above = values.map((value) => value.subtract(bounds.lower));
  for (const estimator of ["kept", "centred"] as const)
    for (const statistic of everyStatistic(bounds, { places: ["20", "40"], estimator })) {
      const doubles = statistic.value({
        kept: values.length,
        total: values.length,
        sum: Double.of(sumOf(above)),
        sumOfSquares: Double.of(sumOf(above.map((y) => y.multiply(y)))),
        counts: statistic.cuts.map(({ at, inclusive }) =>
          Double.of(values.filter((value) => value.compare(at) >= (inclusive ? 0 : 1)).length),
        ),
        clampedSum: Double.of(sumOf(above)),
        of: Double.of,
      });
      const expected = referenceOf(statistic).of(values, givenOf(statistic, bounds));
      expect(doubles).toHaveLength(expected.length);
      doubles.forEach(({ value }, at) => {
        expect(value).toBeCloseTo(expected[at]!.toNumberNearest(), 8);
      });
    }
});

test("a balanced plan's averages are weighted, whatever the statistic", () => {
  const objective = makeObjective(parseBounds("-5,60"), { statistics: "mean,sum,variance", estimator: "weighted" });
  const balanced = { loss: Rational.of(2), passes: 1 } as const;
  const made = runNow(makePlan(occupancy, { objective, balanced }));
  const { weights } = made.evaluation.balanced!;
  for (const model of VALUE_MODELS) {
    const values = simulateValues(occupancy, model, 3);
    const errors = made.plan.grids.map((_, grid) => {
      let [n, all, squares, weight, weighted, weightedSquares] = [0, 0, 0, 0, 0, 0];
      for (let user = 0; user < occupancy.users.length; user++) {
        const entry = occupancy.entryOf(user, grid);
        if (entry < 0) continue;
        const r = weights.ofEntry[entry]!;
        for (const x of Array.from(
          values.value.slice(values.start[entry], values.start[entry + 1]),
          (x) => 65 * x - 5,
        )) {
          n += 1;
          all += x;
          squares += x * x;
          weight += r;
          weighted += r * x;
          weightedSquares += r * x * x;
        }
      }
      const [mean, published] = [all / n, weighted / weight];
      const [varianceOfAll, ofWeighted] = [squares / n - mean ** 2, weightedSquares / weight - published ** 2];
      const scales = made.plan.noise[grid]!.scales.map((scale) => scale.toNumberNearest());
      const off = (index: number, bias: number, below: number, above: number): number =>
        expectedError({ bias, scale: scales[index]!, below, above });
      return [
        off(0, published - mean, mean + 5, 60 - mean),
        off(1, n * (published - mean), n * (mean + 5), n * (60 - mean)),
        off(2, ofWeighted - varianceOfAll, varianceOfAll, 65 ** 2 / 4 - varianceOfAll),
      ];
    });
    for (const [index, { average }] of actualErrors(values, made).entries()) {
      const expected = errors.reduce((sum, each) => sum + each[index]!, 0) / errors.length;
      expect(average / expected).toBeCloseTo(1, 9);
    }
  }
});
