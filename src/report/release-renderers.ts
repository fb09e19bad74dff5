/** Everything that makes files of a result: tables, pages, statements. Loaded together, when there is a result. */
export { dataDictionary } from "./data-dictionary.ts";
export { type PrivacyFacts, privacyFacts } from "./privacy-facts.ts";
export { privacyStatement, privacyStatementJson } from "./privacy-statement.ts";
export { type ColumnType, parquetColumns, type ReleaseColumn, releaseColumns } from "./release-columns.ts";
export { releaseCsv } from "./release-csv.ts";
export { releaseGeoJson } from "./release-geojson.ts";
export { releaseHtml } from "./release-html.ts";
export { RELEASE_FORMAT, releaseJson } from "./release-json.ts";
export {
  DEFAULT_CONFIDENCE,
  type ReleasedNumber,
  type ReleasedRow,
  type RowOptions,
  releasedRows,
  type StandardDeviation,
  type StatisticRow,
} from "./released-rows.ts";
