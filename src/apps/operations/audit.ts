/** Audit: attacks our own promise, on arrays made to be attacked, and says what could be demonstrated. */

import { itemAt, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { systemBytes } from "../../core/noise/index.ts";
import type { LongWorkOptions } from "../../core/planning/index.ts";
import {
  type AttackReport,
  attackLedger,
  attackMechanism,
  type FullAudit,
  fullAudit,
  makeScenario,
  OWNED_GRID,
  plantedAudit,
  releaseMechanism,
  SHARED_GRIDS,
} from "../../evidence/audit/index.ts";
import { loadLinearSolver } from "./linear-solver.ts";

/** As flags give them. */
export interface AuditFlags {
  /** Claims for the whole release, `1,3`. */
  readonly claims?: string | undefined;
  /** On each of the two datasets, per attack. */
  readonly runs?: string | undefined;
  /** Of the whole verdict, all attacks together: that none calls a mechanism broken which keeps its claims. */
  readonly confidence?: string | undefined;
  readonly quick?: boolean | undefined;
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

/** Attacks the noise path and the ledger. */
export async function audit(options: AuditFlags = {}, work: LongWorkOptions = {}) {
  const defaults = options.quick ? DEFAULTS.quick : DEFAULTS.usual;
  const claims = (options.claims ?? defaults.claims).split(",").map((text) => numberBetween(text, "--claims", [0, 10]));
  const { runs, confidence } = strength(options, defaults.runs);
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
        runs: attack === scenario.attacks[0] ? runs : Math.ceil(runs / SINGLE_SHARE),
      })),
  );
  // A union bound: the verdict as a whole has the confidence asked for.
  const each = { ...work, confidence: 1 - (1 - confidence) / planned.length };
  const attacks: AttackReport[] = [];
  for (const attack of planned)
    attacks.push(await attackMechanism(attack, releaseMechanism(systemBytes), { ...each, runs: attack.runs }));
  const { releases } = defaults;
  const ledger = await attackLedger(itemAt(scenarios, 0).scenario, { ...work, releases, random: systemBytes });
  return { confidence, runs, attacks, ledger, broken: ledger.broken || attacks.some((attack) => attack.broken) };
}

/** Every strategy, estimator and statistic, questions grid by grid, and planted mistakes: minutes. */
export async function auditInFull(flags: AuditFlags = {}, work: LongWorkOptions = {}): Promise<FullAudit> {
  return fullAudit({ ...strength(flags, FULL_RUNS), solver: await loadLinearSolver() }, work);
}

/** Only whether so many runs see planted mistakes: seconds. */
export async function auditMistakes(flags: AuditFlags = {}, work: LongWorkOptions = {}): Promise<FullAudit["planted"]> {
  return plantedAudit({ ...strength(flags, FULL_RUNS), solver: await loadLinearSolver() }, work);
}

function strength(flags: AuditFlags, usualRuns: number): { runs: number; confidence: number } {
  return {
    runs: Math.floor(numberBetween(flags.runs ?? String(usualRuns), "--runs", [999, 100_000_000])),
    confidence: numberBetween(flags.confidence ?? "0.999", "--confidence", [0, 1]),
  };
}

function numberBetween(text: string, flag: string, [above, below]: readonly [number, number]): number {
  const value = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN;
  if (value > above && value < below) return value;
  throw new VeilgridError(
    "PARAMETER_INVALID",
    `${flag} ${quoteForMessage(text)} must be a number above ${above} and below ${below}`,
  );
}
