/** Use cases that bring more along than a plan needs, native code above all: loaded when called, so that a plan starts at once. */

import type { OccupancySummary } from "../../core/occupancy/index.ts";
import type { LongWorkOptions } from "../../core/planning/index.ts";
import type { SyntheticOptions } from "../../evidence/simulation/index.ts";
import type { Standing, Verification, Voided } from "../../publish/ledger/index.ts";
import type { Audit, AuditWishes, FullAuditFlags } from "./audit.ts";
import type { CompareOptions, CompareResult } from "./compare.ts";
import type { CompareWishes } from "./compare-request.ts";
import type { FullAudit, PlantedReport } from "./full-audit.ts";
import type { BudgetWishes, InitWishes, LedgerWishes, NewDataset, VoidWishes } from "./ledger.ts";
import type { OpenRelease } from "./open-release.ts";
import type { PrepareWishes } from "./prepare-release.ts";
import type { DryRun, ReleaseReport, ReleaseWishes } from "./release.ts";
import type { ReproduceOptions, ReproduceResult, ReproduceWishes } from "./reproduce.ts";
import type { SimulateDestination } from "./simulate.ts";
import type { CityResult, CityWishes } from "./simulate-city.ts";

/** Charges the ledger, publishes, and writes files; the same key again gives the same bytes. */
export async function releaseRecords(
  source: string,
  wishes: ReleaseWishes,
  options?: LongWorkOptions,
): Promise<ReleaseReport> {
  return (await import("./release.ts")).releaseRecords(source, wishes, options);
}

/** What a release would cost. Reads counts, charges nothing and writes nothing. */
export async function releaseDryRun(source: string, wishes: ReleaseWishes, options?: LongWorkOptions): Promise<DryRun> {
  return (await import("./release.ts")).releaseDryRun(source, wishes, options);
}

/** Opens a release that is made grid by grid. */
export async function openRelease(source: string, wishes: PrepareWishes): Promise<OpenRelease> {
  return (await import("./open-release.ts")).OpenRelease.open(source, wishes);
}

/** Makes a dataset with a budget, and the ledger's file if there is none. */
export async function ledgerInit(wishes: InitWishes): Promise<NewDataset> {
  return (await import("./ledger.ts")).ledgerInit(wishes);
}

/** Where one dataset stands, or all of them. */
export async function ledgerShow(wishes: LedgerWishes): Promise<Standing[]> {
  return (await import("./ledger.ts")).ledgerShow(wishes);
}

/** The head of the ledger's journal as one line, to keep outside the ledger. */
export async function ledgerHead(wishes: LedgerWishes): Promise<string> {
  return (await import("./ledger.ts")).ledgerHead(wishes);
}

/** Works out every balance again from the journal. */
export async function ledgerVerify(wishes: LedgerWishes): Promise<Verification> {
  return (await import("./ledger.ts")).ledgerVerify(wishes);
}

/** Gives up a release that was charged and never committed. */
export async function ledgerVoid(wishes: VoidWishes): Promise<Voided> {
  return (await import("./ledger.ts")).ledgerVoid(wishes);
}

/** Raises a budget, and records why. */
export async function ledgerRaise(wishes: BudgetWishes): Promise<Standing> {
  return (await import("./ledger.ts")).ledgerRaise(wishes);
}

/** Attacks the noise path and the ledger. */
export async function audit(wishes?: AuditWishes, options?: LongWorkOptions): Promise<Audit> {
  return (await import("./audit.ts")).audit(wishes, options);
}

/** Whether an audit of so many runs sees mistakes that are planted: seconds. */
export async function auditMistakes(flags?: FullAuditFlags, options?: LongWorkOptions): Promise<PlantedReport[]> {
  return (await import("./audit.ts")).auditMistakes(flags, options);
}

/** The same for every strategy, estimator and statistic, with questions grid by grid and planted mistakes: minutes. */
export async function auditInFull(flags?: FullAuditFlags, options?: LongWorkOptions): Promise<FullAudit> {
  return (await import("./audit.ts")).auditInFull(flags, options);
}

/** Strategies, estimators and partitions side by side. Reads counts only. */
export async function compare(source: string, wishes: CompareWishes, options?: CompareOptions): Promise<CompareResult> {
  return (await import("./compare.ts")).compare(source, wishes, options);
}

/** The paper's experiments: figures, their numbers, findings and a page, written to a folder. */
export async function reproduce(wishes: ReproduceWishes, options: ReproduceOptions): Promise<ReproduceResult> {
  return (await import("./reproduce.ts")).reproduce(wishes, options);
}

/** Draws an array of the paper's synthetic model and writes it as CSV. */
export async function simulateSynthetic(
  options: SyntheticOptions,
  destination: SimulateDestination,
): Promise<OccupancySummary> {
  return (await import("./simulate.ts")).simulateSynthetic(options, destination);
}

/** Writes a day of records of an invented bus city. */
export async function simulateCity(wishes: CityWishes, destination: SimulateDestination): Promise<CityResult> {
  return (await import("./simulate-city.ts")).simulateCity(wishes, destination);
}
