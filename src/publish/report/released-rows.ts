/** The rows people read: clamped values, intervals and guaranteed errors, as doubles, from the exact numbers of a result. */
import { maximum, minimum, Rational } from "../../core/arithmetic/index.ts";
import { invariant, VeilgridError } from "../../core/errors/index.ts";
import {
  type Bounds,
  type EstimatorName,
  makeBounds,
  parseStatistics,
  type Statistic,
} from "../../core/influence/index.ts";
import { tailSteps } from "../../core/noise/index.ts";
import type { ReleasedGrid, ReleasedStatistic, ReleaseResult } from "../release/index.ts";
import { type RowPlace, releaseShape, rowPlace } from "./release-shape.ts";

export interface RowOptions {
  /** Of each interval by itself; 0.95 unless told. */
  readonly confidence?: Rational | undefined;
}

/** One published number: a statistic, or one bin of a histogram. */
export interface ReleasedNumber {
  /** `mean`, `share:50`, `histogram:10/20[0,10)`. */
  readonly key: string;
  /** Clamped to what the statistic can be. */
  readonly value: number;
  readonly raw: number;
  /** The interval, rounded outward and clamped likewise. */
  readonly low: number;
  readonly high: number;
  /** Expected |noise|. */
  readonly scale: number;
  /** The most that what was left out can have moved this number. */
  readonly bias: number;
}

export interface StandardDeviation {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface StatisticRow {
  readonly key: string;
  /** `mean`, `share`. */
  readonly kind: string;
  /** Whether it is several numbers, which have names. */
  readonly hasBins: boolean;
  /** One, or one per bin. */
  readonly numbers: readonly ReleasedNumber[];
  /** Of the clamped variance; null for other statistics. */
  readonly sd: StandardDeviation | null;
  /** bias + expected |noise| + rounding, over all bins together; rounded up. */
  readonly error: number;
  /** Of publishing the middle of the range, which costs no privacy. */
  readonly dataFreeError: number;
  /** Whether records were kept and `error` is below `dataFreeError`. */
  readonly useful: boolean;
}

export interface ReleasedRow extends RowPlace {
  readonly grid: string;
  readonly users: number;
  readonly samples: number;
  readonly kept: number;
  /** In the order of the result's statistics; null where nothing is kept, unless the estimator is centred. */
  readonly statistics: readonly StatisticRow[] | null;
}

const DEFAULT_CONFIDENCE = Rational.of(19, 20);

export function releasedRows(result: ReleaseResult, options: RowOptions = {}): ReleasedRow[] {
  const shape = releaseShape(result);
  const bounds = releaseBounds(result);
  const statistics = releaseStatistics(result);
  const delta = Rational.ONE.subtract(checkConfidence(options.confidence));
  return result.rows.map((row) => {
    invariant(row.statistics === null || row.statistics.length === statistics.length, "a row lacks a statistic");
    return {
      grid: row.grid,
      ...rowPlace(row.grid, shape),
      users: row.users,
      samples: row.samples,
      kept: row.kept,
      statistics:
        row.statistics?.map((released, index) =>
          statisticRow(released, { row, bounds, delta, of: statistics[index]! }),
        ) ?? null,
    };
  });
}

export function releaseBounds({ bounds: [lower, upper] }: Pick<ReleaseResult, "bounds">): Bounds {
  return makeBounds(lower, upper);
}

export function releaseStatistics(result: Pick<ReleaseResult, "bounds" | "statistics" | "estimator">): Statistic[] {
  return parseStatistics(result.statistics.join(","), releaseBounds(result), releaseEstimator(result));
}

function releaseEstimator({ estimator }: Pick<ReleaseResult, "estimator">): EstimatorName {
  return estimator === "centred" ? "centred" : "kept";
}

/** The confidence to use; refuses what is none. */
export function checkConfidence(confidence: Rational = DEFAULT_CONFIDENCE): Rational {
  if (confidence.sign() <= 0 || confidence.compare(Rational.ONE) >= 0)
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `confidence ${confidence.toShortString()} must lie between 0 and 1; write it like 0.95`,
    );
  return confidence;
}

/** The bins of a statistic's numbers; one without a name where there is a single number. */
export function binNames({ bins }: Statistic): readonly string[] {
  return bins?.names ?? [""];
}

interface Given {
  readonly row: ReleasedGrid;
  readonly bounds: Bounds;
  /** How often an interval may miss. */
  readonly delta: Rational;
  readonly of: Statistic;
}

function statisticRow(released: ReleasedStatistic, { row, bounds, delta, of }: Given): StatisticRow {
  const keys = binNames(of).map((bin) => of.key + bin);
  invariant(released.steps.length === keys.length, "a statistic lacks a number");
  const range = of.range(row.samples);
  const step = Rational.powerOfTwo(released.stepExponent);
  const bias = of.bins === null ? released.bias : released.bias.multiply(of.bins.largestBiasShare);
  const reach = bias.add(released.latticeError).add(step.multiply(Rational.of(tail(released, delta))));
  const numbers = keys.map((key, index): ReleasedNumber => {
    const raw = Rational.of(released.steps[index]!).multiply(step);
    // Clamping brings the number no farther from the true one, so the interval may be laid around the clamped number.
    const value = clamp(raw, range);
    return {
      key,
      value: value.toNumberNearest(),
      raw: raw.toNumberNearest(),
      low: clamp(value.subtract(reach), range).toNumberDown(),
      high: clamp(value.add(reach), range).toNumberUp(),
      scale: released.scale.toNumberNearest(),
      bias: bias.toNumberNearest(),
    };
  });
  const error = released.bias.add(released.scale.multiply(Rational.of(of.coordinates))).add(released.latticeError);
  const dataFreeError = of.dataFreeError(row.samples);
  return {
    key: of.key,
    kind: of.kind.name,
    hasBins: of.bins !== null,
    numbers,
    sd: of.kind.hasDeviation ? standardDeviation(numbers[0]!, bounds) : null,
    error: error.toNumberUp(),
    dataFreeError: dataFreeError.toNumberNearest(),
    // The middle that stands for an emptied grid is no better than itself, though an odd number of records has less spread.
    useful: row.kept > 0 && error.compare(dataFreeError) < 0,
  };
}

function tail({ deltaSteps, epsilon }: ReleasedStatistic, delta: Rational): bigint {
  return deltaSteps === 0n ? 0n : tailSteps(Rational.of(deltaSteps).divide(epsilon), delta);
}

function clamp(value: Rational, [low, high]: readonly [Rational, Rational]): Rational {
  return minimum(high, maximum(low, value));
}

function standardDeviation({ value, low, high }: ReleasedNumber, { width }: Bounds): StandardDeviation {
  const most = width.divide(Rational.of(2)).toNumberUp();
  return {
    value: Math.min(most, Math.sqrt(value)),
    low: Math.min(most, rootDown(low)),
    high: Math.min(most, rootUp(high)),
  };
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
