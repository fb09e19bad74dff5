/** The use cases: what the command line, the service and library users call. */

export type { Audit, AuditWishes, FullAuditFlags } from "./audit.ts";
export type { CompareOptions, CompareResult } from "./compare.ts";
export type { CompareWishes } from "./compare-request.ts";
export { writeConfigFile } from "./config.ts";
export { type FirstLookResult, isOccupancyFile, lookAtFile } from "./first-look.ts";
export type { CaseReport, FullAudit, PlantedReport } from "./full-audit.ts";
export type { BudgetWishes, InitWishes, LedgerWishes, NewDataset, VoidWishes } from "./ledger.ts";
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
  openRelease,
  releaseDryRun,
  releaseRecords,
  reproduce,
  simulateCity,
  simulateSynthetic,
} from "./on-demand.ts";
export type { OpenRelease, OpenReleaseOptions } from "./open-release.ts";
export { type PlanOptions, type PlanResult, type PlanWishes, plan, planRequest } from "./plan.ts";
export type { PrepareWishes } from "./prepare-release.ts";
export {
  fileWishes,
  type ReadOptions,
  type RecordsReading,
  readSource,
  type SourceReading,
  type SourceWishes,
  wantsRecords,
} from "./read-source.ts";
export type { DryRun, ReleaseReport, ReleaseWishes } from "./release.ts";
export { type ReleaseFacts, releaseFacts } from "./release-facts.ts";
export type { ReleaseFile, ReleaseFormat } from "./release-files.ts";
export type { PngRenderer } from "./render-png.ts";
export type { CityRecords, ReproduceOptions, ReproduceResult, ReproduceWishes } from "./reproduce.ts";
export type { SimulateDestination } from "./simulate.ts";
export type { CityResult, CityWishes } from "./simulate-city.ts";
export { type Survey, type SurveyOptions, survey } from "./survey.ts";
export { toolVersion } from "./tool-version.ts";
