/**
 * Makes rows that people read of a result's exact numbers: clamped values, intervals and guaranteed errors, as doubles.
 *
 * The tables of fields say all there is about a field: an entry added here appears in JSON, CSV, GeoJSON, Parquet, the dictionary, the
 * page's table and the service's schemas.
 */
import { maximum, minimum, Rational } from "../../core/arithmetic/index.ts";
import { invariant, itemAt, VeilgridError } from "../../core/errors/index.ts";
import {
  type Bounds,
  growsWithRecords,
  makeBounds,
  parseStatistics,
  type Statistic,
} from "../../core/influence/index.ts";
import { tailSteps } from "../../core/noise/index.ts";
import { parseGridId, partitionDepth, type Recipe, readRecipe } from "../../data/partition/index.ts";
import type { ReleasedGrid, ReleasedStatistic, ReleaseResult } from "../release/index.ts";

export interface RowOptions {
  /** Of each interval by itself; 0.95 by default. */
  readonly confidence?: Rational | undefined;
}

const DEFAULT_CONFIDENCE = Rational.of(19, 20);

/** A result with what every rendering of it needs to know. */
export interface ReleaseContext {
  readonly result: ReleaseResult;
  readonly shape: ReleaseShape;
  readonly bounds: Bounds;
  readonly statistics: readonly Statistic[];
  readonly confidence: Rational;
}

export function releaseContext(
  result: ReleaseResult,
  { confidence = DEFAULT_CONFIDENCE }: RowOptions = {},
): ReleaseContext {
  if (confidence.sign() <= 0 || confidence.compare(Rational.ONE) >= 0)
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `confidence ${confidence.toShortString()} must lie between 0 and 1; write it like 0.95`,
    );
  const bounds = makeBounds(...result.bounds);
  return { result, shape: releaseShape(result), bounds, statistics: releaseStatistics(result), confidence };
}

export function releaseStatistics(result: Pick<ReleaseResult, "bounds" | "statistics" | "estimator">): Statistic[] {
  const estimator = result.estimator === "centred" ? "centred" : "kept";
  return parseStatistics(result.statistics.join(","), makeBounds(...result.bounds), estimator);
}

/** The bins of a statistic's numbers; one without a name where there is a single number. */
export function binNames({ bins }: Statistic): readonly string[] {
  return bins?.names ?? [""];
}

/** What a release's partition says about its grids: named columns, cells, slots, and what became of missing values. */
export interface ReleaseShape extends Partial<Pick<Recipe, "user" | "value" | "missing" | "emptyUser">> {
  readonly by: readonly string[];
  readonly cell: boolean;
  readonly slot: boolean;
}

/** The recipe's fields are absent for grids that came without records. */
export function releaseShape({ partition }: Pick<ReleaseResult, "partition">): ReleaseShape {
  if (Object.keys(partition).length === 0) return { by: [], cell: false, slot: false };
  const recipe = readRecipe(partition);
  return { ...recipe, ...partitionDepth(recipe) };
}

/** Where a grid lies, from its id. */
export interface RowPlace {
  /** One per `by` column. */
  readonly by: ReadonlyArray<string | null>;
  readonly cell: string | null;
  readonly slot: string | null;
}

function rowPlace(grid: string, { by, cell, slot }: ReleaseShape): RowPlace {
  if (by.length === 0 && !cell && !slot) return { by: [], cell: null, slot: null };
  const parts = parseGridId(grid, { columns: by.length, cell, slot });
  return { by: parts.columns, cell: parts.cell ?? null, slot: parts.slot ?? null };
}

/** One field of what is said about a statistic, by its key in JSON. */
export interface Field<Exact, Value = number | boolean> {
  of(exact: Exact): Value;
  /** Its column in CSV, GeoJSON, Parquet and the dictionary; absent for fields of the JSON only. */
  readonly column?: (about: AboutColumn) => {
    readonly suffix: string;
    readonly meaning: string;
    readonly range: string;
  };
  /** Its heading in the page's table, where numbers are rounded up. */
  readonly heading?: string;
  /** Explains it in the service's schemas. */
  readonly note?: string;
}

export interface AboutColumn {
  readonly statistic: Statistic;
  readonly bin: string;
  /** What the statistic's numbers can be. */
  readonly range: string;
  /** The confidence of an interval: `95 %`. */
  readonly percent: string;
}

type Values<Fields extends Readonly<Record<string, Field<never>>>> = {
  readonly [Key in keyof Fields]: ReturnType<Fields[Key]["of"]>;
};

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
    column: ({ statistic, bin, range }: AboutColumn) => ({
      suffix: "",
      meaning: `${statistic.words.meaning(bin)}, with noise, clamped to its range.`,
      range,
    }),
    note: "clamped to what it can be",
  },
  raw: {
    of: ({ raw }: ExactNumber) => raw.toNumberNearest(),
    column: () => ({
      suffix: "_raw",
      meaning: "The same number before clamping; it may lie outside the range. Average this one, not the clamped one.",
      range: "",
    }),
  },
  low: {
    of: ({ value, reach, range }: ExactNumber) => clamp(value.subtract(reach), range).toNumberDown(),
    column: ({ percent, range }: AboutColumn) => ({
      suffix: "_low",
      meaning: `Lower end of the ${percent} interval, rounded outward.`,
      range,
    }),
    note: "of the interval",
  },
  high: {
    of: ({ value, reach, range }: ExactNumber) => clamp(value.add(reach), range).toNumberUp(),
    column: ({ percent, range }: AboutColumn) => ({
      suffix: "_high",
      meaning: `Upper end of the ${percent} interval, rounded outward.`,
      range,
    }),
  },
  scale: {
    of: ({ scale }: ExactNumber) => scale.toNumberNearest(),
    column: () => ({ suffix: "_scale", meaning: "Expected size of the noise.", range: "0 or more" }),
    note: "expected size of the noise",
  },
  bias: {
    of: ({ bias }: ExactNumber) => bias.toNumberNearest(),
    column: () => ({
      suffix: "_bias",
      meaning: "The most that leaving records out can have moved the number.",
      range: "0 or more",
    }),
    note: "the most that what was left out can have moved it",
  },
} as const satisfies Readonly<Record<string, Field<ExactNumber>>>;

/** `key`: `mean`, `share:50`, `histogram:10/20[0,10)`. */
export type ReleasedNumber = { readonly key: string } & Values<typeof NUMBER_FIELDS>;

interface ExactStatistic {
  readonly statistic: Statistic;
  readonly kept: number;
  /** bias + expected |noise| + rounding, over all bins together. */
  readonly error: Rational;
  readonly dataFreeError: Rational;
}

/** Fields of each statistic as a whole. */
export const STATISTIC_FIELDS = {
  error: {
    of: ({ error }: ExactStatistic) => error.toNumberUp(),
    column: ({ statistic }: AboutColumn) => {
      const bins = statistic.bins === null ? "" : " over all bins together";
      const dataFree = statistic.words.dataFreeError ?? statistic.dataFreeError(1).toShortString();
      return {
        suffix: "_error",
        meaning: `Guaranteed error${bins}: bias, expected noise and rounding added. Publishing the middle of the range, without any data, errs by at most ${dataFree}.`,
        range: "0 or more",
      };
    },
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
  },
} as const satisfies Readonly<Record<string, Field<ExactStatistic>>>;

/** Fields of the standard deviation, which is the root of the clamped variance. */
export const DEVIATION_FIELDS = {
  value: {
    of: ({ value }: ReleasedNumber) => Math.sqrt(value),
    column: ({ range }: AboutColumn) => ({
      suffix: "",
      meaning: "Standard deviation: the square root of the clamped variance.",
      range,
    }),
  },
  low: {
    of: ({ low }: ReleasedNumber) => rootDown(low),
    column: ({ percent, range }: AboutColumn) => ({
      suffix: "_low",
      meaning: `Lower end of its ${percent} interval, rounded outward.`,
      range,
    }),
  },
  high: {
    of: ({ high }: ReleasedNumber) => rootUp(high),
    column: ({ percent, range }: AboutColumn) => ({
      suffix: "_high",
      meaning: `Upper end of its ${percent} interval, rounded outward.`,
      range,
    }),
  },
} as const satisfies Readonly<Record<string, Field<ReleasedNumber>>>;

/** The public counts of every row: what they mean in the dictionary, and their headings in the page's table. */
export const COUNT_FIELDS = {
  users: { meaning: () => "Users with records in the grid. Exact: not protected.", heading: "users" },
  samples: { meaning: () => "Records in the grid. Exact: not protected.", heading: "records" },
  kept: {
    meaning: (isCentred: boolean) =>
      isCentred
        ? "Records that count in full; the others, if any, were left out by the plan and count as the middle of what they could be."
        : "Records that the statistics are made of; the others, if any, were left out by the plan.",
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
  readonly sd: Values<typeof DEVIATION_FIELDS> | null;
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
  return context.result.rows.map((row) => {
    invariant(
      row.statistics === null || row.statistics.length === context.statistics.length,
      "a row lacks a statistic",
    );
    return {
      grid: row.grid,
      ...rowPlace(row.grid, context.shape),
      users: row.users,
      samples: row.samples,
      kept: row.kept,
      statistics:
        row.statistics?.map((released, index) =>
          statisticRow(released, { row, of: itemAt(context.statistics, index), context }),
        ) ?? null,
    };
  });
}

function statisticRow(
  released: ReleasedStatistic,
  { row, of, context }: { row: ReleasedGrid; of: Statistic; context: ReleaseContext },
): StatisticRow {
  const range = of.range(row.samples);
  const step = Rational.powerOfTwo(released.stepExponent);
  const bias = of.bins === null ? released.bias : released.bias.multiply(of.bins.largestBiasShare);
  const tail = tailOf(released, Rational.ONE.subtract(context.confidence));
  const reach = bias.add(released.latticeError).add(step.multiply(Rational.of(tail)));
  const bins = binNames(of);
  invariant(released.steps.length === bins.length, "a statistic lacks a number");
  const [first, ...others] = released.steps.map((steps, index): ReleasedNumber => {
    const raw = Rational.of(steps).multiply(step);
    // Clamping brings the number no farther from the true one, so the interval may be laid around the clamped number.
    const exact = { raw, value: clamp(raw, range), reach, range, scale: released.scale, bias };
    return { key: of.key + itemAt(bins, index), ...valuesOf(NUMBER_FIELDS, exact) };
  });
  invariant(first !== undefined, "a statistic has a number");
  const error = released.bias.add(released.scale.multiply(Rational.of(of.coordinates))).add(released.latticeError);
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

function tailOf({ deltaSteps, epsilon }: ReleasedStatistic, delta: Rational): bigint {
  return deltaSteps === 0n ? 0n : tailSteps(Rational.of(deltaSteps).divide(epsilon), delta);
}

function clamp(value: Rational, [low, high]: readonly [Rational, Rational]): Rational {
  return minimum(high, maximum(low, value));
}

function standardDeviation(variance: ReleasedNumber, { width }: Bounds): NonNullable<StatisticRow["sd"]> {
  const most = width.divide(Rational.of(2)).toNumberUp();
  const { value, low, high } = valuesOf(DEVIATION_FIELDS, variance);
  return { value: Math.min(most, value), low: Math.min(most, low), high: Math.min(most, high) };
}

/** What a statistic's numbers can be, as text. */
export function rangeText(statistic: Statistic): string {
  const [low, high] = statistic.range(1).map((end) => end.toShortString());
  return `${low} to ${high}${growsWithRecords(statistic) ? " times the records" : ""}`;
}

export function percentText(confidence: Rational): string {
  return `${confidence.multiply(Rational.of(100)).toShortString()} %`;
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
