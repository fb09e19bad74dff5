/** Results as people read them: pure functions from a result to text. */
import type { Comparison } from "./comparison.ts";
import type { Page } from "./html/page.ts";
import type { Reproduction } from "./reproduction.ts";

export { type AuditFacts, auditText, type FullAuditFacts, fullAuditText, plantedText } from "./audit-text.ts";
export { comparisonCsv } from "./compare-csv.ts";
export { type ComparisonTextOptions, comparisonText } from "./compare-text.ts";
export {
  COMPARED_STRATEGIES,
  type ComparedActual,
  type ComparedGoal,
  type ComparedPartition,
  type ComparedPlan,
  type ComparedStatistic,
  type ComparedStrategy,
  type Comparison,
  partitionLabel,
  strategyLabel,
} from "./comparison.ts";
export { type FirstLookFacts, firstLookText } from "./first-look-text.ts";
export type { Page } from "./html/page.ts";
export { lossText, standingFacts, standingText, verificationText } from "./ledger-text.ts";
export { type PlanTextOptions, planSummaryText } from "./plan-text.ts";
export type { ColumnType } from "./release-columns.ts";
export type { RowOptions } from "./release-context.ts";
export { dryRunText, type PriceFacts, type ReleaseFacts, releaseText } from "./release-text.ts";
export {
  columnsCsv,
  type Figure,
  type FigureColumn,
  type Findings,
  type Reproduction,
  reproductionText,
  type SubjectName,
} from "./reproduction.ts";
export {
  COUNT_FIELDS,
  DEVIATION_FIELDS,
  DEVIATION_MODEL_FIELDS,
  type Field,
  MODEL_FIELDS,
  NUMBER_FIELDS,
  type ReleasedNumber,
  type ReleasedRow,
  STATISTIC_FIELDS,
  type StatisticRow,
} from "./row-fields.ts";
export { surveyText } from "./survey-text.ts";
export { type Alignment, formatCount, formatNumber, plural, textTable } from "./text-table.ts";

/** What makes files of a result. It brings maps and pages along, so it is loaded when there is a result. */
export async function releaseRenderers() {
  return (await import("./release-renderers.ts")).RENDERERS;
}

/** The picture of a comparison. It brings charts along, so it is loaded when one is drawn. */
export async function comparisonSvg(comparison: Comparison): Promise<string> {
  return (await import("./compare-svg.ts")).comparisonSvgText(comparison);
}

/** The page of a reproduction; loaded when one is written, as charts are. */
export async function reproductionPage(reproduction: Reproduction): Promise<string> {
  return (await import("./reproduction-html.ts")).reproductionHtml(reproduction);
}

/** Any other page in the same dress. */
export async function pageText(page: Page): Promise<string> {
  return (await import("./html/page.ts")).pageMarkup(page);
}
