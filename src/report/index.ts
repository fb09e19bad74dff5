/** Results as people read them: pure functions from a result to text. */
export { type AuditFacts, auditText } from "./audit-text.ts";
export { dataDictionary } from "./data-dictionary.ts";
export { type FirstLookFacts, firstLookText } from "./first-look-text.ts";
export { lossText, standingFacts, standingText, verificationText } from "./ledger-text.ts";
export { NOT_PRIVATE } from "./not-private.ts";
export { type PlanTextOptions, planSummaryText } from "./plan-text.ts";
export { guessPercent, type PrivacyFacts, privacyFacts } from "./privacy-facts.ts";
export { privacyStatement, privacyStatementJson } from "./privacy-statement.ts";
export { type ColumnType, parquetColumns, type ReleaseColumn, releaseColumns } from "./release-columns.ts";
export { releaseCsv } from "./release-csv.ts";
export { releaseGeoJson } from "./release-geojson.ts";
export { releaseHtml } from "./release-html.ts";
export { RELEASE_FORMAT, releaseJson } from "./release-json.ts";
export { dryRunText, type PriceFacts, type ReleaseFacts, releaseText } from "./release-text.ts";
export {
  DEFAULT_CONFIDENCE,
  type ReleasedNumber,
  type ReleasedRow,
  type RowOptions,
  releasedRows,
  type StandardDeviation,
  type StatisticRow,
} from "./released-rows.ts";
export { surveyText } from "./survey-text.ts";
export { type Alignment, formatCount, formatNumber, plural, textTable } from "./text-table.ts";
