/** Results as people read them: pure functions from a result to text. */
export { type AuditFacts, auditText } from "./audit-text.ts";
export { type FirstLookFacts, firstLookText } from "./first-look-text.ts";
export { guessPercent } from "./guess-percent.ts";
export { lossText, standingFacts, standingText, verificationText } from "./ledger-text.ts";
export { type PlanTextOptions, planSummaryText } from "./plan-text.ts";
export { dryRunText, type PriceFacts, type ReleaseFacts, releaseText } from "./release-text.ts";
export { surveyText } from "./survey-text.ts";
export { type Alignment, formatCount, formatNumber, plural, textTable } from "./text-table.ts";

/** What makes files of a result. It brings maps and pages along, so it is loaded when there is a result. */
export async function releaseRenderers(): Promise<typeof import("./release-renderers.ts")> {
  return import("./release-renderers.ts");
}
