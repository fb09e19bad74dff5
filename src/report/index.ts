/** Results as people read them: pure functions from a result to text. */
export { type FirstLookFacts, firstLookText } from "./first-look-text.ts";
export { type PlanTextOptions, planSummaryText } from "./plan-text.ts";
export { surveyText } from "./survey-text.ts";
export { formatCount, formatNumber, plural, textTable } from "./text-table.ts";
