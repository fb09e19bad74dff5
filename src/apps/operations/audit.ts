/** Audit: attacks our own promise, on arrays made to be attacked, and says what could be demonstrated. */

import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { systemBytes } from "../../core/noise/index.ts";
import type { LongWorkOptions } from "../../core/planning/index.ts";
import type { AttackReport, LedgerReport } from "../../evidence/audit/index.ts";
import type { FullAudit, PlantedReport } from "./full-audit.ts";

/** As flags give them. */
export interface AuditFlags {
  /** Claims for the whole release, `1,3`. */
  readonly claims?: string | undefined;
  /** On each of the two datasets, per attack. */
  readonly runs?: string | undefined;
  /** Of the whole verdict, all attacks together. */
  readonly confidence?: string | undefined;
  readonly quick?: boolean | undefined;
}

/** The same for the full audit, which has its own claims. */
export type FullAuditFlags = Pick<AuditFlags, "runs" | "confidence">;

export interface Audit {
  /** That no attack calls a mechanism broken which keeps its claims. */
  readonly confidence: number;
  readonly runs: number;
  readonly attacks: readonly AttackReport[];
  readonly ledger: LedgerReport;
  readonly broken: boolean;
}

const DEFAULTS = {
  usual: { claims: "0.5,1,2,3", runs: 250_000, releases: 1_000 },
  quick: { claims: "1,3", runs: 140_000, releases: 100 },
};
const FULL_RUNS = 100_000;
/** One number takes fewer runs than four to be shown sharply. */
const SINGLE_SHARE = 2;
/** Each claim is spread over the two grids of the array. */
const GRIDS = 2;

export async function audit(options: AuditFlags = {}, work: LongWorkOptions = {}): Promise<Audit> {
  const defaults = options.quick ? DEFAULTS.quick : DEFAULTS.usual;
  const claims = (options.claims ?? defaults.claims).split(",").map((text) => numberBetween(text, "--claims", [0, 10]));
  const { runs, confidence } = strength(options, defaults.runs);
  const { attackLedger, attackMechanism, makeScenario, OWNED_GRID, releaseMechanism, SHARED_GRIDS } = await import(
    "../../evidence/audit/index.ts"
  );
  const scenarios = [
    ...claims.map((claim) => ({ scenario: makeScenario(SHARED_GRIDS, { epsilon: String(claim / GRIDS) }), claim })),
    { scenario: makeScenario(OWNED_GRID, { epsilon: "1" }), claim: 1 },
  ];
  const planned = scenarios.flatMap(({ scenario, claim }, index) =>
    // Single numbers once, at the last claim; of the grid that one user owns, everything.
    scenario.attacks
      .filter((_, at) => at === 0 || index >= scenarios.length - 2)
      .map((attack) => ({
        ...attack,
        name: `${attack.name}${index === scenarios.length - 1 ? ", one owner" : ""}, claim ${claim}`,
        whole: attack === scenario.attacks[0],
      })),
  );
  // A union bound: the verdict as a whole has the confidence asked for.
  const each = 1 - (1 - confidence) / planned.length;
  const attacks: AttackReport[] = [];
  for (const attack of planned) {
    const attackRuns = attack.whole ? runs : Math.ceil(runs / SINGLE_SHARE);
    attacks.push(
      await attackMechanism(attack, releaseMechanism(systemBytes), { ...work, runs: attackRuns, confidence: each }),
    );
  }
  const ledger = await attackLedger(scenarios[0]!.scenario, {
    ...work,
    releases: defaults.releases,
    random: systemBytes,
  });
  return { confidence, runs, attacks, ledger, broken: ledger.broken || attacks.some((attack) => attack.broken) };
}

/** Every strategy, estimator and statistic, questions grid by grid, and planted mistakes. */
export async function auditInFull(flags: FullAuditFlags = {}, work: LongWorkOptions = {}): Promise<FullAudit> {
  const { fullAudit } = await import("./full-audit.ts");
  return fullAudit(strength(flags, FULL_RUNS), work);
}

/** Only whether so many runs see planted mistakes: seconds. */
export async function auditMistakes(flags: FullAuditFlags = {}, work: LongWorkOptions = {}): Promise<PlantedReport[]> {
  const { plantedAudit } = await import("./full-audit.ts");
  return plantedAudit(strength(flags, FULL_RUNS), work);
}

function strength(flags: FullAuditFlags, usualRuns: number): { runs: number; confidence: number } {
  return {
    runs: Math.floor(numberBetween(flags.runs ?? String(usualRuns), "--runs", [999, 100_000_000])),
    confidence: numberBetween(flags.confidence ?? "0.999", "--confidence", [0, 1]),
  };
}

function numberBetween(text: string, flag: string, [above, below]: readonly [number, number]): number {
  const value = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > above && value < below))
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `${flag} ${quoteForMessage(text)} must be a number above ${above} and below ${below}`,
    );
  return value;
}
