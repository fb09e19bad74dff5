/** Lists the columns of a released table: name, type, meaning and how to read each from a row. CSV, Parquet, GeoJSON and the dictionary follow it. */
import { Rational } from "../../core/arithmetic/index.ts";
import type { Statistic } from "../../core/influence/index.ts";
import { NOT_PRIVATE, type ReleaseResult } from "../release/index.ts";
import {
  binNames,
  percentText,
  type ReleaseContext,
  type ReleaseShape,
  type RowOptions,
  rangeText,
  releaseContext,
  valueUnit,
} from "./release-context.ts";
import {
  type AboutColumn,
  COUNT_FIELDS,
  DEVIATION_FIELDS,
  DEVIATION_MODEL_FIELDS,
  type Field,
  MODEL_FIELDS,
  NUMBER_FIELDS,
  OWN_RANGE,
  type ReleasedRow,
  STATISTIC_FIELDS,
} from "./released-rows.ts";

export type ColumnType = "VARCHAR" | "DOUBLE" | "BIGINT";

/** What the dictionary says about a column. */
export interface ColumnText {
  readonly name: string;
  readonly type: ColumnType;
  readonly meaning: string;
  /** Empty where there is none. */
  readonly unit: string;
  /** Empty where nothing can be said. */
  readonly range: string;
}

export interface ReleaseColumn extends ColumnText {
  of(row: ReleasedRow): string | number | null;
}

export function releaseColumns(result: ReleaseResult, options: RowOptions = {}): ReleaseColumn[] {
  return columnsOf(releaseContext(result, options));
}

export function columnsOf(context: ReleaseContext): ReleaseColumn[] {
  const { result, shape, statistics } = context;
  const places = [
    ...(shape.cell ? [textColumn("cell", "H3 index of the hexagon.", (row) => row.cell)] : []),
    ...(shape.slot
      ? [textColumn("slot", "Start of the time slot, local time with its offset from UTC.", (row) => row.slot)]
      : []),
  ];
  const numbers = [
    ...countColumns(result.estimator),
    ...statistics.flatMap((statistic, index) => statisticColumns(statistic, index, context)),
  ];
  const warning = textColumn(
    "warning",
    "Says in every row that nobody is protected by this release.",
    () => NOT_PRIVATE,
  );
  const grid = textColumn(
    "grid",
    "Id of the group of records: its parts joined by /, with % and / percent-encoded.",
    (row) => row.grid,
  );
  const taken = ["warning", "grid", ...[...places, ...numbers].map(({ name }) => name)];
  return [...(result.notPrivate ? [warning] : []), grid, ...byColumns(shape, taken), ...places, ...numbers];
}

/** Names and types, for an engine that writes Parquet from the CSV. */
export function parquetColumns(
  result: ReleaseResult,
  options: RowOptions = {},
): Array<Pick<ColumnText, "name" | "type">> {
  return releaseColumns(result, options).map(({ name, type }) => ({ name, type }));
}

function textColumn(name: string, meaning: string, of: ReleaseColumn["of"]): ReleaseColumn {
  return { name, type: "VARCHAR", meaning, unit: "", range: "", of };
}

/** Engines do not tell names apart by case; a column that is called like one of ours gets a prefix. */
function byColumns(shape: ReleaseShape, ours: readonly string[]): ReleaseColumn[] {
  const taken = new Set(ours.map((name) => name.toLowerCase()));
  return shape.by.map((column, index) => {
    let name = column;
    while (taken.has(name.toLowerCase())) name = `by_${name}`;
    taken.add(name.toLowerCase());
    const meaning = `Value of the column ${column} that all records of the grid share; empty where it is missing.`;
    return textColumn(name, meaning, (row) => row.by[index] ?? null);
  });
}

function countColumns(estimator: string): ReleaseColumn[] {
  return (Object.keys(COUNT_FIELDS) as Array<keyof typeof COUNT_FIELDS>).map((name) => ({
    name,
    type: "BIGINT",
    meaning: COUNT_FIELDS[name].meaning(estimator),
    unit: "",
    range: "0 or more",
    of: (row) => row[name],
  }));
}

function statisticColumns(
  statistic: Statistic,
  index: number,
  { shape, bounds, confidence, result }: ReleaseContext,
): ReleaseColumn[] {
  const { key, kind } = statistic;
  const isWeighted = result.estimator === "weighted";
  const about = { statistic, bin: "", percent: percentText(confidence) };
  const units = { value: valueUnit(shape), squared: `${valueUnit(shape)}, squared`, fraction: "fraction" };
  const own = { about, unit: units[kind.unit], range: rangeText(statistic) };
  const deviation = { about, unit: units.value, range: `0 to ${bounds.width.divide(Rational.of(2)).toShortString()}` };
  return [
    ...binNames(statistic).flatMap((bin, coordinate) =>
      fieldColumns(
        isWeighted ? { ...NUMBER_FIELDS, ...MODEL_FIELDS } : NUMBER_FIELDS,
        { ...own, name: key + bin, about: { ...about, bin } },
        (row) => row.statistics?.[index]?.numbers[coordinate],
      ),
    ),
    ...(kind.hasDeviation
      ? fieldColumns(
          isWeighted ? { ...DEVIATION_FIELDS, ...DEVIATION_MODEL_FIELDS } : DEVIATION_FIELDS,
          { ...deviation, name: "sd" },
          (row) => row.statistics?.[index]?.sd,
        )
      : []),
    ...fieldColumns(STATISTIC_FIELDS, { ...own, name: key }, (row) => row.statistics?.[index]),
  ];
}

function fieldColumns(
  fields: Readonly<Record<string, Field<never>>>,
  { name, unit, range, about }: { name: string; unit: string; range: string; about: AboutColumn },
  valuesOf: (row: ReleasedRow) => Readonly<Record<string, unknown>> | null | undefined,
): ReleaseColumn[] {
  return Object.entries(fields).flatMap(([key, { column }]): ReleaseColumn[] => {
    if (column === undefined) return [];
    const [suffix, meaning, own] = column;
    return [
      {
        name: name + suffix,
        type: "DOUBLE",
        meaning: meaning(about),
        unit,
        range: own === OWN_RANGE ? range : own,
        of: (row) => finite(valuesOf(row)?.[key]),
      },
    ];
  });
}

/** A number beyond the doubles has no place in a table. */
function finite(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
