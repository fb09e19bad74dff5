/** Reads what every rendering needs to know from a result: its statistics, the shape of its grids, the confidence of intervals. */
import { Rational } from "../../core/arithmetic/index.ts";
import { VeilgridError } from "../../core/errors/index.ts";
import {
  type Bounds,
  ESTIMATORS,
  growsWithRecords,
  makeBounds,
  parseStatistics,
  type Statistic,
} from "../../core/influence/index.ts";
import { parseGridId, partitionDepth, type Recipe, readRecipe } from "../../data/partition/index.ts";
import type { ReleaseResult } from "../release/index.ts";

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
  const estimator = ([...ESTIMATORS, "weighted"] as const).find((name) => name === result.estimator) ?? "kept";
  return parseStatistics(result.statistics.join(","), makeBounds(...result.bounds), estimator);
}

/** What page, statement and dictionary are headed with. */
export function releaseTitle({ dataset, about }: Pick<ReleaseResult, "dataset" | "about">): string {
  return about?.title ?? dataset;
}

/** The unit of the values, as columns and the dictionary name it. */
export function valueUnit({ value, unit }: ReleaseShape): string {
  if (unit !== undefined) return unit;
  return value === undefined ? "unit of the values" : `unit of ${value}`;
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
  readonly unit?: string | undefined;
}

/** The recipe's fields are absent for grids that came without records. */
export function releaseShape({ partition, about }: Pick<ReleaseResult, "partition" | "about">): ReleaseShape {
  const unit = about?.unit;
  if (Object.keys(partition).length === 0) return { by: [], cell: false, slot: false, unit };
  const recipe = readRecipe(partition);
  return { ...recipe, ...partitionDepth(recipe), unit };
}

/** Where a grid lies, from its id. */
export interface RowPlace {
  /** One per `by` column. */
  readonly by: ReadonlyArray<string | null>;
  readonly cell: string | null;
  readonly slot: string | null;
}

export function rowPlace(grid: string, { by, cell, slot }: ReleaseShape): RowPlace {
  if (by.length === 0 && !cell && !slot) return { by: [], cell: null, slot: null };
  const parts = parseGridId(grid, { columns: by.length, cell, slot });
  return { by: parts.columns, cell: parts.cell ?? null, slot: parts.slot ?? null };
}

/** What a statistic's numbers can be, as text. */
export function rangeText(statistic: Statistic): string {
  const [low, high] = statistic.range(1).map((end) => end.toShortString());
  return `${low} to ${high}${growsWithRecords(statistic) ? " times the records" : ""}`;
}

export function percentText(confidence: Rational): string {
  return `${confidence.multiply(Rational.of(100)).toShortString()} %`;
}
