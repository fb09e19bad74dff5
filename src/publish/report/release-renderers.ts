/** Everything that makes files of a result: tables, pages, statements. Loaded together, when there is a result. */
import type { ReleaseResult } from "../release/index.ts";
import { dataDictionary } from "./data-dictionary.ts";
import { privacyStatement, privacyStatementJson } from "./privacy-statement.ts";
import { type ColumnType, parquetColumns } from "./release-columns.ts";
import { exactReleaseCsv, releaseCsv } from "./release-csv.ts";
import { releaseGeoJson } from "./release-geojson.ts";
import { releaseHtml } from "./release-html.ts";
import { releaseJson } from "./release-json.ts";
import { type ReleasedRow, type RowOptions, releasedRows } from "./released-rows.ts";

/** Pure functions of a result; `confidence` is that of the intervals. */
export interface ReleaseRenderers {
  /** The numbers themselves. */
  releasedRows(result: ReleaseResult, options?: RowOptions): ReleasedRow[];
  /** For people and spreadsheets: what would be a formula there is none. */
  releaseCsv(result: ReleaseResult, options?: RowOptions): string;
  /** For programs: every text as it is. */
  exactReleaseCsv(result: ReleaseResult, options?: RowOptions): string;
  releaseJson(result: ReleaseResult, options?: RowOptions): string;
  /** Refuses grids without hexagons. */
  releaseGeoJson(result: ReleaseResult, options?: RowOptions): string;
  /** One file that loads nothing from elsewhere. */
  releaseHtml(result: ReleaseResult, options?: RowOptions): string;
  /** Columns of the CSV, in its order, with the types a Parquet file has. */
  parquetColumns(result: ReleaseResult, options?: RowOptions): Array<{ name: string; type: ColumnType }>;
  /** Markdown. */
  dataDictionary(result: ReleaseResult, options?: RowOptions): string;
  /** Markdown. */
  privacyStatement(result: ReleaseResult): string;
  privacyStatementJson(result: ReleaseResult): string;
}

export const RENDERERS: ReleaseRenderers = {
  releasedRows,
  releaseCsv,
  exactReleaseCsv,
  releaseJson,
  releaseGeoJson,
  releaseHtml,
  parquetColumns,
  dataDictionary,
  privacyStatement,
  privacyStatementJson,
};
