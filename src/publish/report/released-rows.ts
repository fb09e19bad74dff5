/** Makes rows that people read of a result's exact numbers: clamped values, intervals and guaranteed errors, as doubles. */
import { Rational } from "../../core/arithmetic/index.ts";
import { invariant, itemAt } from "../../core/errors/index.ts";
import type { Bounds, Statistic } from "../../core/influence/index.ts";
import type { ReleasedGrid, ReleaseResult } from "../release/index.ts";
import { type ModelledNumber, modelledNumbers } from "./modelled-numbers.ts";
import { type PublishedStatistic, publishedNumbers } from "./published-numbers.ts";
import { binNames, type ReleaseContext, type RowOptions, releaseContext, rowPlace } from "./release-context.ts";
import {
  clamp,
  DEVIATION_FIELDS,
  DEVIATION_MODEL_FIELDS,
  MODEL_FIELDS,
  type ModelledVariance,
  NUMBER_FIELDS,
  type ReleasedNumber,
  type ReleasedRow,
  STATISTIC_FIELDS,
  type StatisticRow,
  valuesOf,
} from "./row-fields.ts";

export function releasedRows(result: ReleaseResult, options: RowOptions = {}): ReleasedRow[] {
  return rowsOf(releaseContext(result, options));
}

export function rowsOf(context: ReleaseContext): ReleasedRow[] {
  const { result, statistics, shape } = context;
  const published = result.rows.map((row) => publishedNumbers(row, context));
  const modelled = modelledNumbers(published, context);
  return result.rows.map((row, at) => ({
    grid: row.grid,
    ...rowPlace(row.grid, shape),
    users: row.users,
    samples: row.samples,
    kept: row.kept,
    statistics:
      published[at]?.map((own, index) => {
        const model = modelled?.[index]?.map((numbers) => itemAt(numbers, at));
        return statisticRow(own, { row, of: itemAt(statistics, index), context, model });
      }) ?? null,
  }));
}

function statisticRow(
  { raw: numbers, held, noise, scale, bias: biasOfAll, latticeError }: PublishedStatistic,
  {
    row,
    of,
    context,
    model,
  }: { row: ReleasedGrid; of: Statistic; context: ReleaseContext; model: readonly ModelledNumber[] | undefined },
): StatisticRow {
  const range = of.range(row.samples);
  const bias = of.bins === null ? biasOfAll : biasOfAll.multiply(of.bins.largestBiasShare);
  const reach = bias.add(latticeError).add(noise);
  const bins = binNames(of);
  invariant(numbers.length === bins.length, "a statistic lacks a number");
  const [first, ...others] = numbers.map((raw, index): ReleasedNumber => {
    // Clamping brings the number no farther from the true one, so the interval may be laid around the clamped number.
    const exact = { raw, value: clamp(itemAt(held, index), range), reach, range, scale, bias };
    const own = { key: of.key + itemAt(bins, index), ...valuesOf(NUMBER_FIELDS, exact) };
    return model === undefined ? own : { ...own, ...valuesOf(MODEL_FIELDS, itemAt(model, index)) };
  });
  invariant(first !== undefined, "a statistic has a number");
  const error = biasOfAll.add(scale.multiply(Rational.of(of.coordinates))).add(latticeError);
  return {
    key: of.key,
    kind: of.kind.name,
    hasBins: of.bins !== null,
    numbers: [first, ...others],
    sd: of.kind.hasDeviation ? standardDeviation(first, context.bounds) : null,
    ...valuesOf(STATISTIC_FIELDS, {
      statistic: of,
      kept: row.kept,
      error,
      dataFreeError: of.dataFreeError(row.samples),
    }),
  };
}

function standardDeviation(variance: ReleasedNumber, { width }: Bounds): NonNullable<StatisticRow["sd"]> {
  const most = width.divide(Rational.of(2)).toNumberUp();
  const { value, low, high } = valuesOf(DEVIATION_FIELDS, variance);
  const own = { value: Math.min(most, value), low: Math.min(most, low), high: Math.min(most, high) };
  return isModelled(variance) ? { ...own, ...valuesOf(DEVIATION_MODEL_FIELDS, variance) } : own;
}

function isModelled(number: ReleasedNumber): number is ReleasedNumber & ModelledVariance {
  return number.typical !== undefined;
}
