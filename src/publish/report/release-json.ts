/** A release as one JSON document: what it is, its rows, its privacy and its columns explained. */
import type { ReleaseResult } from "../release/index.ts";
import { warningOf } from "./not-private.ts";
import { type PrivacyFacts, privacyFacts } from "./privacy-facts.ts";
import { releaseColumns } from "./release-columns.ts";
import { releaseShape } from "./release-shape.ts";
import {
  checkConfidence,
  type ReleasedRow,
  type RowOptions,
  releasedRows,
  type StatisticRow,
} from "./released-rows.ts";

const RELEASE_FORMAT = "veilgrid-release/1";

export function releaseJson(result: ReleaseResult, options: RowOptions = {}): string {
  const { by } = releaseShape(result);
  return `${JSON.stringify({ ...releaseHead(result, options), rows: releasedRows(result, options).map((row) => rowJson(row, by)) }, null, 2)}\n`;
}

/** What stands above the rows, the warning first; shared with GeoJSON. */
export function releaseHead(result: ReleaseResult, options: RowOptions): ReleaseHead {
  const warning = warningOf(result);
  return {
    ...(warning === undefined ? {} : { warning }),
    format: RELEASE_FORMAT,
    confidence: checkConfidence(options.confidence).toString(),
    bounds: result.bounds.map(String),
    statistics: result.statistics,
    estimator: result.estimator,
    partition: result.partition,
    grids: result.grids,
    users: result.users,
    samples: result.samples,
    privacy: privacyFacts(result),
    dictionary: releaseColumns(result, options).map(({ name, type, meaning, unit, range }) => ({
      name,
      type,
      meaning,
      unit,
      range,
    })),
  };
}

export interface ReleaseHead {
  readonly warning?: string;
  readonly format: string;
  readonly confidence: string;
  readonly bounds: readonly string[];
  readonly statistics: readonly string[];
  readonly estimator: string;
  readonly partition: Readonly<Record<string, string>>;
  readonly grids: number;
  readonly users: number;
  readonly samples: number;
  readonly privacy: PrivacyFacts;
  readonly dictionary: ReadonlyArray<Readonly<Record<"name" | "type" | "meaning" | "unit" | "range", string>>>;
}

function rowJson(row: ReleasedRow, by: readonly string[]): object {
  return {
    grid: row.grid,
    by: Object.fromEntries(by.map((column, index) => [column, row.by[index] ?? null])),
    cell: row.cell,
    slot: row.slot,
    users: row.users,
    samples: row.samples,
    kept: row.kept,
    statistics:
      row.statistics === null
        ? null
        : Object.fromEntries(row.statistics.map((each) => [each.key, statisticJson(each)])),
  };
}

function statisticJson({ key, hasBins, numbers, sd, error, dataFreeError, useful }: StatisticRow): object {
  const rest = { error, dataFreeError, useful };
  if (hasBins)
    return { bins: numbers.map(({ key: name, ...number }) => ({ bin: name.slice(key.length), ...number })), ...rest };
  const { key: _, ...number } = numbers[0]!;
  return { ...number, ...(sd === null ? {} : { sd }), ...rest };
}
