/** The full audit: every strategy, estimator and statistic from records through the engine to the noise, questions grid by grid, and planted mistakes. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Rational } from "../../core/arithmetic/index.ts";
import { invariant } from "../../core/errors/index.ts";
import { STATISTICS } from "../../core/influence/index.ts";
import { type ByteSource, systemBytes } from "../../core/noise/index.ts";
import type { LongWorkOptions } from "../../core/planning/index.ts";
import { DuckDbEngine } from "../../data/engines/index.ts";
import { TemporaryFolder } from "../../data/sources/index.ts";
import {
  type AdaptiveReport,
  type Attack,
  type AttackedEngine,
  type AttackReport,
  AUDITED_STATISTICS,
  type AuditCase,
  attackAdaptively,
  attackMechanism,
  attackOf,
  auditCases,
  type Counts,
  FEW_USERS,
  MANY_USERS,
  OWNED_GRID,
  overlappingCases,
  ownerCases,
  type PlannedArray,
  planThrough,
  plantedMistakes,
  questionsOf,
  readWorstTotals,
  releaseMechanism,
  releaseSession,
  singleNumbers,
  type Victim,
  wholeRelease,
  worstRecordsCsv,
} from "../../evidence/audit/index.ts";
import type { FullAuditFacts } from "../../publish/report/index.ts";
import { loadLinearSolver } from "./linear-solver.ts";

export interface FullAuditOptions {
  /** On each of the two datasets, per attack. */
  readonly runs: number;
  /** Of the whole verdict. */
  readonly confidence: number;
  /** The operating system's bytes if absent. */
  readonly random?: ByteSource | undefined;
}

export interface CaseReport extends AttackReport, Pick<AuditCase, "strategy" | "estimator"> {
  /** As `--statistics` says it. */
  readonly published: string;
  /** The engine's totals of the two datasets are what arithmetic says. */
  readonly totalsAsExpected: boolean;
}

export type PlantedReport = FullAuditFacts["planted"][number];

export interface FullAudit extends FullAuditFacts {
  readonly cases: readonly CaseReport[];
  readonly adaptive: AdaptiveReport;
}

/** The attacked user loses 1, 0.75, 0.5 and 0.5 in either of two releases: not all of it fits. */
const BUDGET = Rational.of(26, 10);
/** A session is several releases with their ledger. */
const RUNS_PER_SESSION = 5;

export async function fullAudit(
  { runs, confidence, random = systemBytes }: FullAuditOptions,
  options: LongWorkOptions = {},
): Promise<FullAudit> {
  return withEngine(async (attacked) => {
    const prepared = await prepare(attacked, options);
    const confidenceEach = confidenceOfEach(confidence);
    invariant(1 - (1 - confidence) / (prepared.length + 1) <= confidenceEach, "a union bound counts every attack");
    const each = { ...options, runs, confidence: confidenceEach };
    const cases: CaseReport[] = [];
    for (const { of, attack, totalsAsExpected } of prepared) {
      const { strategy, estimator, statistics: published } = of;
      const report = await attackMechanism(attack, releaseMechanism(random), each);
      cases.push({ strategy, estimator, published, ...report, totalsAsExpected });
    }
    const adaptive = await askAdaptively(attacked, random, { ...each, runs: Math.ceil(runs / RUNS_PER_SESSION) });
    const planted = await findMistakes(attacked, random, each);
    return {
      confidence,
      confidenceEach,
      runs,
      engine: attacked.engine.name,
      cases,
      adaptive,
      planted,
      broken: adaptive.broken || cases.some((one) => one.broken || !one.totalsAsExpected),
      blind: planted.some(({ found }) => !found),
    };
  });
}

interface Prepared {
  readonly of: AuditCase;
  readonly attack: Attack;
  readonly totalsAsExpected: boolean;
}

async function prepare(attacked: AttackedEngine, options: LongWorkOptions): Promise<Prepared[]> {
  const whole = auditCases(await loadLinearSolver());
  const owner = ownerCases();
  const prepared: Prepared[] = [];
  const add = async (of: AuditCase, counts: Counts, victimsOf: (planned: PlannedArray) => Victim[]) => {
    options.onProgress?.({ step: "planning", done: prepared.length });
    const planned = await planThrough(attacked, counts, of.request, options);
    for (const victim of victimsOf(planned)) {
      const { totals, asExpected } = await readWorstTotals(attacked, planned, victim);
      prepared.push({
        of,
        attack: attackOf(planned, victim, totals),
        totalsAsExpected: asExpected,
      });
    }
  };
  for (const of of whole) await add(of, MANY_USERS, (planned) => [wholeRelease(planned)]);
  for (const of of owner) await add(of, OWNED_GRID, singleNumbers);
  return prepared;
}

async function askAdaptively(
  attacked: AttackedEngine,
  random: ByteSource,
  options: Parameters<typeof attackMechanism>[2],
): Promise<AdaptiveReport> {
  const releases = [];
  const questions = [];
  let user = "";
  for (const [release, of] of overlappingCases().entries()) {
    const planned = await planThrough(attacked, FEW_USERS, of.request, options);
    const victim = victimFor(planned, "attacked");
    user = planned.occupancy.users.get(victim.user);
    const { totals } = await readWorstTotals(attacked, planned, victim);
    releases.push({ planned, totals });
    questions.push(...questionsOf(release, { grids: planned.plan.grids, attack: attackOf(planned, victim, totals) }));
  }
  const sessions = { releases, user, budget: BUDGET, random };
  return attackAdaptively(questions, (side) => releaseSession(sessions, side), {
    ...options,
    budget: BUDGET.toNumberNearest(),
  });
}

function victimFor({ occupancy }: PlannedArray, name: string): Victim {
  return { name, user: [...occupancy.users].indexOf(name) };
}

/** On one mean and on the means of all three grids; and caps forgotten by whoever reads the totals, for a user who is capped. */
async function mistakes(attacked: AttackedEngine, random: ByteSource, options: LongWorkOptions) {
  const cases = auditCases(await loadLinearSolver());
  const plannedFor = (strategy: string, statistics: string): Promise<PlannedArray> => {
    const { request } = cases.find((one) => one.strategy === strategy && one.statistics === statistics)!;
    return planThrough(attacked, MANY_USERS, request, options);
  };
  const means = await plannedFor("baseline", "mean");
  const owned = await planThrough(attacked, OWNED_GRID, ownerCases()[0]!.request, options);
  const capped = await plannedFor("clip-user --caps", "variance");
  const uncapped = (await plannedFor("baseline", "variance")).plan;
  const victim = victimFor(capped, "heavy");
  const { totals } = await readWorstTotals(attacked, capped, victim, uncapped);
  return [
    ...plantedMistakes(
      { single: attackOf(owned, singleNumbers(owned)[0]!), whole: attackOf(means, wholeRelease(means)) },
      random,
    ),
    {
      name: "caps forgotten when totals are read",
      attack: attackOf(capped, victim, totals),
      mechanism: releaseMechanism(random),
    },
  ];
}

async function findMistakes(
  attacked: AttackedEngine,
  random: ByteSource,
  options: Parameters<typeof attackMechanism>[2],
): Promise<PlantedReport[]> {
  const planted: PlantedReport[] = [];
  for (const { name, attack, mechanism } of await mistakes(attacked, random, options)) {
    const { claim, demonstrated, broken } = await attackMechanism({ ...attack, name }, mechanism, options);
    planted.push({ mistake: name, claim, demonstrated, found: broken });
  }
  return planted;
}

/** Only the mistakes: whether an audit of so many runs sees at all. With the confidence of one attack among those of a full audit. */
export async function plantedAudit(
  strength: FullAuditOptions,
  options: LongWorkOptions = {},
): Promise<PlantedReport[]> {
  const { runs, confidence, random = systemBytes } = strength;
  const each = { ...options, runs, confidence: confidenceOfEach(confidence) };
  return withEngine((attacked) => findMistakes(attacked, random, each));
}

/** Whole releases of every case, every number under either estimator in the owned grid, and the questions. */
function confidenceOfEach(confidence: number): number {
  return 1 - (1 - confidence) / (7 * AUDITED_STATISTICS.length + 2 * STATISTICS.length + 1);
}

async function withEngine<Result>(work: (attacked: AttackedEngine) => Promise<Result>): Promise<Result> {
  using folder = TemporaryFolder.make();
  await using engine = await DuckDbEngine.open();
  let files = 0;
  const place: AttackedEngine["place"] = async (records) => {
    const file = path.join(folder.path, `${files++}.csv`);
    writeFileSync(file, worstRecordsCsv(records));
    return file;
  };
  return await work({ engine, place });
}
