/** Collects everything that makes files of a result: tables, pages, statements. Loaded together, when there is a result. */
import { parquetColumns } from "./release-columns.ts";
import { releaseHtml } from "./release-html.ts";
import { dataDictionary, privacyStatement, privacyStatementJson } from "./release-markdown.ts";
import { exactReleaseCsv, releaseCsv, releaseGeoJson, releaseJson } from "./release-tables.ts";
import { releasedRows } from "./released-rows.ts";

/** Pure functions of a result; `confidence` is that of the intervals. */
export const RENDERERS = {
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
