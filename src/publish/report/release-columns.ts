/** The columns of a released table: name, type, meaning and how to read each from a row. CSV, Parquet, GeoJSON and the dictionary follow it. */
import { Rational } from "../../core/arithmetic/index.ts";
import { type Bounds, type EstimatorName, growsWithRecords, type Statistic } from "../../core/influence/index.ts";
import { NOT_PRIVATE, type ReleaseResult } from "../release/index.ts";
import { keptMeaning } from "./estimator-words.ts";
import { type ReleaseShape, releaseShape } from "./release-shape.ts";
import {
  binNames,
  checkConfidence,
  type ReleasedNumber,
  type ReleasedRow,
  type RowOptions,
  releaseBounds,
  releaseStatistics,
} from "./released-rows.ts";

export type ColumnType = "VARCHAR" | "DOUBLE" | "BIGINT";

export interface ReleaseColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly meaning: string;
  /** Empty where there is none. */
  readonly unit: string;
  /** Empty where nothing can be said. */
  readonly range: string;
  of(row: ReleasedRow): string | number | null;
}

export function releaseColumns(result: ReleaseResult, options: RowOptions = {}): ReleaseColumn[] {
  const shape = releaseShape(result);
  const confidence = checkConfidence(options.confidence);
  const numbers = statisticColumns(result, { shape, confidence });
  const places = placeColumns(shape);
  const counts = countColumns(releaseStatistics(result)[0]!.estimator);
  const taken = [...places, ...counts, ...numbers].map(({ name }) => name);
  const warning: ReleaseColumn[] = result.notPrivate
    ? [{ ...text("warning", "Says in every row that nobody is protected by this release."), of: () => NOT_PRIVATE }]
    : [];
  const [grid, ...cellAndSlot] = places;
  return [...warning, grid!, ...byColumns(shape, ["warning", ...taken]), ...cellAndSlot, ...counts, ...numbers];
}

/** Names and types, for an engine that writes Parquet from the CSV. */
export function parquetColumns(
  result: ReleaseResult,
  options: RowOptions = {},
): Array<{ readonly name: string; readonly type: ColumnType }> {
  return releaseColumns(result, options).map(({ name, type }) => ({ name, type }));
}

function text(name: string, meaning: string): Omit<ReleaseColumn, "of"> {
  return { name, type: "VARCHAR", meaning, unit: "", range: "" };
}

function placeColumns({ cell, slot }: ReleaseShape): ReleaseColumn[] {
  return [
    {
      ...text("grid", "Id of the group of records: its parts joined by /, with % and / percent-encoded."),
      of: (row) => row.grid,
    },
    ...(cell ? [{ ...text("cell", "H3 index of the hexagon."), of: (row: ReleasedRow) => row.cell }] : []),
    ...(slot
      ? [
          {
            ...text("slot", "Start of the time slot, local time with its offset from UTC."),
            of: (row: ReleasedRow) => row.slot,
          },
        ]
      : []),
  ];
}

/** Engines do not tell names apart by case; a column that is called like one of ours gets a prefix. */
function byColumns(shape: ReleaseShape, ours: readonly string[]): ReleaseColumn[] {
  const taken = new Set(ours.map((name) => name.toLowerCase()));
  return shape.by.map((column, index) => {
    let name = column;
    while (taken.has(name.toLowerCase())) name = `by_${name}`;
    taken.add(name.toLowerCase());
    return {
      ...text(name, `Value of the column ${column} that all records of the grid share; empty where it is missing.`),
      of: (row) => row.by[index] ?? null,
    };
  });
}

function countColumns(estimator: EstimatorName): ReleaseColumn[] {
  const count = (name: "users" | "samples" | "kept", meaning: string): ReleaseColumn => ({
    name,
    type: "BIGINT",
    meaning,
    unit: "",
    range: "0 or more",
    of: (row) => row[name],
  });
  return [
    count("users", "Users with records in the grid. Exact: not protected."),
    count("samples", "Records in the grid. Exact: not protected."),
    count("kept", keptMeaning(estimator)),
  ];
}

interface Context {
  readonly shape: ReleaseShape;
  readonly confidence: Rational;
}

function statisticColumns(result: ReleaseResult, context: Context): ReleaseColumn[] {
  const bounds = releaseBounds(result);
  return releaseStatistics(result).flatMap((statistic, index) => [
    ...binNames(statistic).flatMap((bin, coordinate) => numberColumns({ statistic, index, bin, coordinate }, context)),
    ...(statistic.kind.hasDeviation ? deviationColumns(index, bounds, context) : []),
    errorColumn(statistic, index, context),
  ]);
}

function numberColumns(
  given: { statistic: Statistic; index: number; bin: string; coordinate: number },
  { shape, confidence }: Context,
): ReleaseColumn[] {
  const { statistic, index, bin, coordinate } = given;
  const unit = unitOf(statistic, shape);
  const range = rangeText(statistic);
  const column = (
    suffix: string,
    pick: keyof Omit<ReleasedNumber, "key">,
    meaning: string,
    within: string,
  ): ReleaseColumn => ({
    name: statistic.key + bin + suffix,
    type: "DOUBLE",
    meaning,
    unit,
    range: within,
    of: (row) => finite(row.statistics?.[index]?.numbers[coordinate]?.[pick]),
  });
  const percent = percentText(confidence);
  return [
    column("", "value", `${statistic.words.meaning(bin)}, with noise, clamped to its range.`, range),
    column(
      "_raw",
      "raw",
      "The same number before clamping; it may lie outside the range. Average this one, not the clamped one.",
      "",
    ),
    column("_low", "low", `Lower end of the ${percent} interval, rounded outward.`, range),
    column("_high", "high", `Upper end of the ${percent} interval, rounded outward.`, range),
    column("_scale", "scale", "Expected size of the noise.", "0 or more"),
    column("_bias", "bias", "The most that leaving records out can have moved the number.", "0 or more"),
  ];
}

function deviationColumns(index: number, { width }: Bounds, { shape, confidence }: Context): ReleaseColumn[] {
  const range = `0 to ${width.divide(Rational.of(2)).toShortString()}`;
  const column = (name: string, pick: "value" | "low" | "high", meaning: string): ReleaseColumn => ({
    name,
    type: "DOUBLE",
    meaning,
    unit: valueUnit(shape),
    range,
    of: (row) => finite(row.statistics?.[index]?.sd?.[pick]),
  });
  return [
    column("sd", "value", "Standard deviation: the square root of the clamped variance."),
    column("sd_low", "low", `Lower end of its ${percentText(confidence)} interval, rounded outward.`),
    column("sd_high", "high", `Upper end of its ${percentText(confidence)} interval, rounded outward.`),
  ];
}

function errorColumn(statistic: Statistic, index: number, { shape }: Context): ReleaseColumn {
  const bins = statistic.bins === null ? "" : " over all bins together";
  const dataFree = statistic.words.dataFreeError ?? statistic.dataFreeError(1).toShortString();
  return {
    name: `${statistic.key}_error`,
    type: "DOUBLE",
    meaning: `Guaranteed error${bins}: bias, expected noise and rounding added. Publishing the middle of the range, without any data, errs by at most ${dataFree}.`,
    unit: unitOf(statistic, shape),
    range: "0 or more",
    of: (row) => finite(row.statistics?.[index]?.error),
  };
}

/** A number beyond the doubles has no place in a table. */
function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}

export function percentText(confidence: Rational): string {
  return `${confidence.multiply(Rational.of(100)).toShortString()} %`;
}

function valueUnit({ value }: ReleaseShape): string {
  return value === undefined ? "unit of the values" : `unit of ${value}`;
}

function unitOf({ kind: { unit } }: Statistic, shape: ReleaseShape): string {
  if (unit === "fraction") return unit;
  return unit === "squared" ? `${valueUnit(shape)}, squared` : valueUnit(shape);
}

function rangeText(statistic: Statistic): string {
  const [low, high] = statistic.range(1).map((end) => end.toShortString());
  return `${low} to ${high}${growsWithRecords(statistic) ? " times the records" : ""}`;
}
