/** The use cases: what the command line, the service and library users call. */

export type { Audit, AuditFlags, FullAuditFlags } from "./audit.ts";
export type { CompareResult, CompareRunOptions } from "./compare.ts";
export type { CompareOptions } from "./compare-request.ts";
export { writeConfigFile } from "./config.ts";
export { type FirstLookResult, isOccupancyFile, lookAtFile } from "./first-look.ts";
export type { CaseReport, FullAudit, PlantedReport } from "./full-audit.ts";
export type { BudgetOptions, InitOptions, LedgerFlags, NewDataset, OpenLedgerOptions, VoidOptions } from "./ledger.ts";
export { loadLinearSolver } from "./linear-solver.ts";
export {
  audit,
  auditInFull,
  auditMistakes,
  compare,
  ledgerHead,
  ledgerInit,
  ledgerRaise,
  ledgerShow,
  ledgerVerify,
  ledgerVoid,
  openLedger,
  openRelease,
  releaseDryRun,
  releasePlan,
  releaseRecords,
  render,
  reproduce,
  simulateCity,
  simulateSynthetic,
  writeRelease,
} from "./on-demand.ts";
export type { OpenRelease, OpenReleaseOptions } from "./open-release.ts";
export { type PlanOptions, type PlanResult, type PlanRunOptions, plan, planRecords, planRequest } from "./plan.ts";
export type { PrepareOptions } from "./prepare-release.ts";
export {
  type ReadOptions,
  type RecordsReading,
  readSource,
  type SourceReading,
  wantsRecords,
} from "./read-source.ts";
export type { RecordRow, Records } from "./records.ts";
export type { DryRun, PlanRelease, Released, ReleaseOptions, ReleaseReport } from "./release.ts";
export { type ReleaseFacts, releaseFacts } from "./release-facts.ts";
export type { ReleaseFile, ReleaseFormat, RenderFormat, RenderOptions } from "./release-files.ts";
export type { PngRenderer } from "./render-png.ts";
export type { CityRecords, ReproduceOptions, ReproduceResult, ReproduceRunOptions } from "./reproduce.ts";
export type { SimulateDestination } from "./simulate.ts";
export type { CityFlags, CityResult } from "./simulate-city.ts";
export { type Survey, type Surveyed, type SurveyOptions, survey, surveyRecords } from "./survey.ts";
export { toolVersion } from "./tool-version.ts";
