/**
 * Makes rows that people read of a result's exact numbers: clamped values, intervals and guaranteed errors, as doubles.
 *
 * The tables of fields say all there is about a field: an entry added here appears in JSON, CSV, GeoJSON, Parquet, the dictionary, the
 * page's table and the service's schemas.
 */
import { maximum, minimum, Rational } from "../../core/arithmetic/index.ts";
import { invariant, itemAt } from "../../core/errors/index.ts";
import type { Bounds, Statistic } from "../../core/influence/index.ts";
import type { ReleasedGrid, ReleaseResult } from "../release/index.ts";
import { type ModelledNumber, modelledNumbers } from "./modelled-numbers.ts";
import { type PublishedStatistic, publishedNumbers } from "./published-numbers.ts";
import {
  binNames,
  type ReleaseContext,
  type RowOptions,
  type RowPlace,
  releaseContext,
  rowPlace,
} from "./release-context.ts";

/** A field of what is said about a statistic, by its key in JSON. */
export interface Field<Exact, Value = number | boolean> {
  of(exact: Exact): Value;
  /** Its column in CSV, GeoJSON, Parquet and the dictionary; absent for fields of the JSON only. */
  readonly column?: FieldColumn;
  /** Its heading in the page's table, where numbers are rounded up. */
  readonly heading?: string;
  /** Explains it in the service's schemas, where it is a number unless this says otherwise. */
  readonly note?: string;
  readonly type?: "boolean";
}

/** `suffix` follows the statistic's name; `range` is the statistic's own, or what the text says. */
type FieldColumn = readonly [suffix: string, meaning: (about: AboutColumn) => string, range: string];

export const OWN_RANGE = "own";

export interface AboutColumn {
  readonly statistic: Statistic;
  readonly bin: string;
  /** The confidence of an interval: `95 %`. */
  readonly percent: string;
}

type Values<Fields extends Readonly<Record<string, Field<never>>>> = {
  readonly [Key in keyof Fields]: ReturnType<Fields[Key]["of"]>;
};

/** What a published number is made of, as exact numbers. */
interface ExactNumber {
  readonly raw: Rational;
  readonly value: Rational;
  /** How far the interval reaches to either side of the value. */
  readonly reach: Rational;
  readonly range: readonly [low: Rational, high: Rational];
  readonly scale: Rational;
  readonly bias: Rational;
}

/** Fields of each published number: a statistic, or one bin of a histogram. */
export const NUMBER_FIELDS = {
  value: {
    of: ({ value }: ExactNumber) => value.toNumberNearest(),
    column: [
      "",
      ({ statistic, bin }) => `${statistic.words.meaning(bin)}, with noise, clamped to its range.`,
      OWN_RANGE,
    ],
    note: "clamped to what it can be",
  },
  raw: {
    of: ({ raw }: ExactNumber) => raw.toNumberNearest(),
    column: [
      "_raw",
      () => "The same number before clamping; it may lie outside the range. Average this one, not the clamped one.",
      "",
    ],
  },
  low: {
    of: ({ value, reach, range }: ExactNumber) => clamp(value.subtract(reach), range).toNumberDown(),
    column: ["_low", ({ percent }) => `Lower end of the ${percent} interval, rounded outward.`, OWN_RANGE],
    note: "of the interval",
  },
  high: {
    of: ({ value, reach, range }: ExactNumber) => clamp(value.add(reach), range).toNumberUp(),
    column: ["_high", ({ percent }) => `Upper end of the ${percent} interval, rounded outward.`, OWN_RANGE],
  },
  scale: {
    of: ({ scale }: ExactNumber) => scale.toNumberNearest(),
    column: ["_scale", () => "Expected size of the noise.", "0 or more"],
    note: "expected size of the noise",
  },
  bias: {
    of: ({ bias }: ExactNumber) => bias.toNumberNearest(),
    column: [
      "_bias",
      ({ statistic }) =>
        `The most that ${statistic.estimator === "weighted" ? "weighting users" : "leaving records out"} can have moved the number.`,
      "0 or more",
    ],
    note: "the most that what was left out can have moved it",
  },
} as const satisfies Readonly<Record<string, Field<ExactNumber>>>;

/** Fields of each number of a balanced plan beside the others: what it is worth under the public model. Nothing of it is guaranteed. */
export const MODEL_FIELDS = {
  typical: {
    of: ({ typical }: ModelledNumber) => typical,
    column: ["_typical", () => "Typical error under the stated model: of noise and of weighting users.", "0 or more"],
    note: "typical error under the stated model",
  },
  modelLow: {
    of: ({ model }: ModelledNumber) => model.low,
    column: ["_model_low", ({ percent }) => `Lower end of the ${percent} interval under the stated model.`, OWN_RANGE],
    note: "of the interval under the stated model",
  },
  modelHigh: {
    of: ({ model }: ModelledNumber) => model.high,
    column: ["_model_high", ({ percent }) => `Upper end of the ${percent} interval under the stated model.`, OWN_RANGE],
  },
  smoothed: {
    of: ({ smoothed }: ModelledNumber) => smoothed.value,
    column: [
      "_smoothed",
      () => "The number drawn towards those of other groups, as far as its noise suggests.",
      OWN_RANGE,
    ],
    note: "drawn towards other groups' numbers",
  },
  smoothedLow: {
    of: ({ smoothed }: ModelledNumber) => smoothed.low,
    column: ["_smoothed_low", ({ percent }) => `Lower end of the smoothed number's ${percent} interval.`, OWN_RANGE],
  },
  smoothedHigh: {
    of: ({ smoothed }: ModelledNumber) => smoothed.high,
    column: ["_smoothed_high", ({ percent }) => `Upper end of the smoothed number's ${percent} interval.`, OWN_RANGE],
  },
} as const satisfies Readonly<Record<string, Field<ModelledNumber>>>;

/** `key`: `mean`, `share:50`, `histogram:10/20[0,10)`. */
export type ReleasedNumber = { readonly key: string } & Values<typeof NUMBER_FIELDS> &
  Partial<Values<typeof MODEL_FIELDS>>;

interface ExactStatistic {
  readonly kept: number;
  /** bias + expected |noise| + rounding, over all bins together. */
  readonly error: Rational;
  readonly dataFreeError: Rational;
}

/** Fields of each statistic as a whole. */
export const STATISTIC_FIELDS = {
  error: {
    of: ({ error }: ExactStatistic) => error.toNumberUp(),
    column: [
      "_error",
      ({ statistic: { bins, words, dataFreeError } }) =>
        `Guaranteed error${bins === null ? "" : " over all bins together"}: bias, expected noise and rounding added. Publishing the middle of the range, without any data, errs by at most ${words.dataFreeError ?? dataFreeError(1).toShortString()}.`,
      "0 or more",
    ],
    heading: "error",
    note: "guaranteed: bias, noise and rounding",
  },
  dataFreeError: {
    of: ({ dataFreeError }: ExactStatistic) => dataFreeError.toNumberNearest(),
    note: "of publishing the middle of the range",
  },
  useful: {
    // The middle that stands for an emptied grid is no better than itself, though an odd number of records has less spread.
    of: ({ kept, error, dataFreeError }: ExactStatistic) => kept > 0 && error.compare(dataFreeError) < 0,
    type: "boolean",
  },
} as const satisfies Readonly<Record<string, Field<ExactStatistic>>>;

/** Fields of the standard deviation, which is the root of the clamped variance. */
export const DEVIATION_FIELDS = {
  value: {
    of: ({ value }: ReleasedNumber) => Math.sqrt(value),
    column: ["", () => "Standard deviation: the square root of the clamped variance.", OWN_RANGE],
  },
  low: {
    of: ({ low }: ReleasedNumber) => rootDown(low),
    column: ["_low", ({ percent }) => `Lower end of its ${percent} interval, rounded outward.`, OWN_RANGE],
  },
  high: {
    of: ({ high }: ReleasedNumber) => rootUp(high),
    column: ["_high", ({ percent }) => `Upper end of its ${percent} interval, rounded outward.`, OWN_RANGE],
  },
} as const satisfies Readonly<Record<string, Field<ReleasedNumber>>>;

/** Of a balanced plan's standard deviation beside the others: roots of what the model says of the variance. */
export const DEVIATION_MODEL_FIELDS = {
  modelLow: {
    of: ({ modelLow }: ModelledVariance) => Math.sqrt(modelLow),
    column: MODEL_FIELDS.modelLow.column,
  },
  modelHigh: {
    of: ({ modelHigh }: ModelledVariance) => Math.sqrt(modelHigh),
    column: MODEL_FIELDS.modelHigh.column,
  },
  smoothed: {
    of: ({ smoothed }: ModelledVariance) => Math.sqrt(smoothed),
    column: ["_smoothed", () => "The square root of the smoothed variance.", OWN_RANGE],
  },
  smoothedLow: {
    of: ({ smoothedLow }: ModelledVariance) => Math.sqrt(smoothedLow),
    column: MODEL_FIELDS.smoothedLow.column,
  },
  smoothedHigh: {
    of: ({ smoothedHigh }: ModelledVariance) => Math.sqrt(smoothedHigh),
    column: MODEL_FIELDS.smoothedHigh.column,
  },
} as const satisfies Readonly<Record<string, Field<ModelledVariance>>>;

type ModelledVariance = Values<typeof MODEL_FIELDS>;

const KEPT_MEANINGS = {
  kept: "Records that the statistics are made of; the others, if any, were left out by the plan.",
  centred:
    "Records that count in full; the others, if any, were left out by the plan and count as the middle of what they could be.",
  weighted: "Records of users whose averages have a weight above 0. No record of theirs is left out.",
};

/** The public counts of every row: what they mean in the dictionary, and their headings in the page's table. */
export const COUNT_FIELDS = {
  users: { meaning: () => "Users with records in the grid. Exact: not protected.", heading: "users" },
  samples: { meaning: () => "Records in the grid. Exact: not protected.", heading: "records" },
  kept: {
    meaning: (estimator: string) => KEPT_MEANINGS[estimator as keyof typeof KEPT_MEANINGS] ?? KEPT_MEANINGS.kept,
    heading: "kept",
  },
} as const;

export type StatisticRow = Values<typeof STATISTIC_FIELDS> & {
  readonly key: string;
  /** `mean`, `share`. */
  readonly kind: string;
  /** Whether it is several numbers, which have names. */
  readonly hasBins: boolean;
  /** One, or one per bin. */
  readonly numbers: readonly [ReleasedNumber, ...ReleasedNumber[]];
  /** Of a variance; null for other statistics. */
  readonly sd: (Values<typeof DEVIATION_FIELDS> & Partial<Values<typeof DEVIATION_MODEL_FIELDS>>) | null;
};

export interface ReleasedRow extends RowPlace, Readonly<Record<keyof typeof COUNT_FIELDS, number>> {
  readonly grid: string;
  /** In the order of the result's statistics; null where nothing is kept, unless the estimator is centred. */
  readonly statistics: readonly StatisticRow[] | null;
}

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

function valuesOf<Exact, Fields extends Readonly<Record<string, Field<Exact>>>>(
  fields: Fields,
  exact: Exact,
): Values<Fields> {
  return Object.fromEntries(Object.entries(fields).map(([key, { of }]) => [key, of(exact)])) as Values<Fields>;
}

function clamp(value: Rational, [low, high]: readonly [Rational, Rational]): Rational {
  return minimum(high, maximum(low, value));
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

/** A double not above √x. Math.sqrt is the nearest one, so one step of its last place is enough. */
function rootDown(x: number): number {
  const root = Math.sqrt(x);
  return compareSquare(root, x) > 0 ? root * (1 - Number.EPSILON) : root;
}

/** A double not below √x. */
function rootUp(x: number): number {
  const root = Math.sqrt(x);
  return compareSquare(root, x) < 0 ? root * (1 + Number.EPSILON) : root;
}

function compareSquare(root: number, x: number): -1 | 0 | 1 {
  const exact = Rational.fromNumber(root);
  return exact.multiply(exact).compare(Rational.fromNumber(x));
}
