/** Use cases that bring more along than a plan needs, native code above all: loaded when called, so that a plan starts at once. */

import type { OccupancySummary } from "../../core/occupancy/index.ts";
import type { LongWorkOptions } from "../../core/planning/index.ts";
import type { SyntheticOptions } from "../../evidence/simulation/index.ts";
import type { Standing, Verification, Voided } from "../../publish/ledger/index.ts";
import type { Audit, AuditFlags, FullAuditFlags } from "./audit.ts";
import type { CompareResult, CompareRunOptions } from "./compare.ts";
import type { CompareOptions } from "./compare-request.ts";
import type { FullAudit, PlantedReport } from "./full-audit.ts";
import type { BudgetOptions, InitOptions, LedgerFlags, NewDataset, VoidOptions } from "./ledger.ts";
import type { OpenRelease } from "./open-release.ts";
import type { PrepareOptions } from "./prepare-release.ts";
import type { DryRun, ReleaseOptions, ReleaseReport } from "./release.ts";
import type { ReproduceOptions, ReproduceResult, ReproduceRunOptions } from "./reproduce.ts";
import type { SimulateDestination } from "./simulate.ts";
import type { CityFlags, CityResult } from "./simulate-city.ts";

/** Charges the ledger, publishes, and writes files; the same key again gives the same bytes. */
export async function releaseRecords(
  source: string,
  options: ReleaseOptions,
  work?: LongWorkOptions,
): Promise<ReleaseReport> {
  return (await import("./release.ts")).releaseRecords(source, options, work);
}

/** What a release would cost. Reads counts, charges nothing and writes nothing. */
export async function releaseDryRun(source: string, options: ReleaseOptions, work?: LongWorkOptions): Promise<DryRun> {
  return (await import("./release.ts")).releaseDryRun(source, options, work);
}

/** Opens a release that is made grid by grid. */
export async function openRelease(source: string, options: PrepareOptions): Promise<OpenRelease> {
  return (await import("./open-release.ts")).OpenRelease.open(source, options);
}

/** Makes a dataset with a budget, and the ledger's file if there is none. */
export async function ledgerInit(options: InitOptions): Promise<NewDataset> {
  return (await import("./ledger.ts")).ledgerInit(options);
}

/** Where one dataset stands, or all of them. */
export async function ledgerShow(options: LedgerFlags): Promise<Standing[]> {
  return (await import("./ledger.ts")).ledgerShow(options);
}

/** The head of the ledger's journal as one line, to keep outside the ledger. */
export async function ledgerHead(options: LedgerFlags): Promise<string> {
  return (await import("./ledger.ts")).ledgerHead(options);
}

/** Works out every balance again from the journal. */
export async function ledgerVerify(options: LedgerFlags): Promise<Verification> {
  return (await import("./ledger.ts")).ledgerVerify(options);
}

/** Gives up a release that was charged and never committed. */
export async function ledgerVoid(options: VoidOptions): Promise<Voided> {
  return (await import("./ledger.ts")).ledgerVoid(options);
}

/** Raises a budget, and records why. */
export async function ledgerRaise(options: BudgetOptions): Promise<Standing> {
  return (await import("./ledger.ts")).ledgerRaise(options);
}

/** Attacks the noise path and the ledger. */
export async function audit(options?: AuditFlags, work?: LongWorkOptions): Promise<Audit> {
  return (await import("./audit.ts")).audit(options, work);
}

/** Whether an audit of so many runs sees mistakes that are planted: seconds. */
export async function auditMistakes(flags?: FullAuditFlags, work?: LongWorkOptions): Promise<PlantedReport[]> {
  return (await import("./audit.ts")).auditMistakes(flags, work);
}

/** The same for every strategy, estimator and statistic, with questions grid by grid and planted mistakes: minutes. */
export async function auditInFull(flags?: FullAuditFlags, work?: LongWorkOptions): Promise<FullAudit> {
  return (await import("./audit.ts")).auditInFull(flags, work);
}

/** Strategies, estimators and partitions side by side. Reads counts only. */
export async function compare(
  source: string,
  options: CompareOptions,
  work?: CompareRunOptions,
): Promise<CompareResult> {
  return (await import("./compare.ts")).compare(source, options, work);
}

/** The paper's experiments: figures, their numbers, findings and a page, written to a folder. */
export async function reproduce(options: ReproduceOptions, work: ReproduceRunOptions): Promise<ReproduceResult> {
  return (await import("./reproduce.ts")).reproduce(options, work);
}

/** Draws an array of the paper's synthetic model and writes it as CSV. */
export async function simulateSynthetic(
  work: SyntheticOptions,
  destination: SimulateDestination,
): Promise<OccupancySummary> {
  return (await import("./simulate.ts")).simulateSynthetic(work, destination);
}

/** Writes a day of records of an invented bus city. */
export async function simulateCity(options: CityFlags, destination: SimulateDestination): Promise<CityResult> {
  return (await import("./simulate-city.ts")).simulateCity(options, destination);
}
