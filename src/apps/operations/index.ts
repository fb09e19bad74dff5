/** The use cases: what the command line, the service and library users call. What brings native code or more along is loaded when called, so that a plan starts at once. */

export type { CompareOptions } from "./compare-request.ts";
export { type FirstLookResult, isOccupancyFile, lookAtFile } from "./first-look.ts";
export type { LedgerFlags, OpenLedgerOptions } from "./ledger.ts";
export { loadLinearSolver } from "./linear-solver.ts";
export type { OpenRelease } from "./open-release.ts";
export { type PlanOptions, type PlanResult, plan, planRecords, planRequest } from "./plan.ts";
export type { PrepareOptions } from "./prepare-release.ts";
export { type ReadOptions, type RecordsReading, readSource, type SourceReading, wantsRecords } from "./read-source.ts";
export type { RecordRow, Records } from "./records.ts";
export type { PlanRelease, Released, ReleaseOptions } from "./release.ts";
export { type ReleaseFacts, releaseFacts } from "./release-facts.ts";
export type { ReleaseFile, ReleaseFormat, RenderFormat, RenderOptions } from "./release-files.ts";
export type { CityRecords } from "./reproduce.ts";
export type { CityFlags } from "./simulate.ts";
export { type Survey, type Surveyed, type SurveyOptions, survey, surveyRecords, writeConfigFile } from "./survey.ts";
export { toolVersion } from "./tool-version.ts";

function lazily<Given extends unknown[], Result>(
  load: () => Promise<(...given: Given) => Promise<Result>>,
): (...given: Given) => Promise<Result> {
  return async (...given) => (await load())(...given);
}

/** Charges the ledger and publishes what a plan says; the same key again gives the same bytes. */
export const releasePlan = lazily(async () => (await import("./release.ts")).releasePlan);
export const releaseRecords = lazily(async () => (await import("./release.ts")).releaseRecords);
export const releaseDryRun = lazily(async () => (await import("./release.ts")).releaseDryRun);
export const openRelease = lazily(async () => (await import("./open-release.ts")).openRelease);

/** A result as text. */
export const render = lazily(async () => (await import("./release-files.ts")).render);
/** Writes a result in every format, with its privacy statement and data dictionary. */
export const writeRelease = lazily(async () => (await import("./release-files.ts")).writeRelease);

/** Opens the ledger of a file or of a database's address. */
export const openLedger = lazily(async () => (await import("./ledger.ts")).openLedger);
export const ledgerInit = lazily(async () => (await import("./ledger.ts")).ledgerInit);
export const ledgerShow = lazily(async () => (await import("./ledger.ts")).ledgerShow);
export const ledgerHead = lazily(async () => (await import("./ledger.ts")).ledgerHead);
export const ledgerVerify = lazily(async () => (await import("./ledger.ts")).ledgerVerify);
export const ledgerVoid = lazily(async () => (await import("./ledger.ts")).ledgerVoid);
export const ledgerRaise = lazily(async () => (await import("./ledger.ts")).ledgerRaise);

export const audit = lazily(async () => (await import("./audit.ts")).audit);
export const auditMistakes = lazily(async () => (await import("./audit.ts")).auditMistakes);
export const auditInFull = lazily(async () => (await import("./audit.ts")).auditInFull);
export const compare = lazily(async () => (await import("./compare.ts")).compare);
export const reproduce = lazily(async () => (await import("./reproduce.ts")).reproduce);
export const simulateSynthetic = lazily(async () => (await import("./simulate.ts")).simulateSynthetic);
export const simulateCity = lazily(async () => (await import("./simulate.ts")).simulateCity);
