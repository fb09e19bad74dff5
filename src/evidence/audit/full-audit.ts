/** The full audit: every strategy, estimator and statistic, balanced plans of one pass and two, from records through the engine to the noise, questions grid by grid, and planted mistakes. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Rational } from "../../core/arithmetic/index.ts";
import { invariant } from "../../core/errors/index.ts";
import { STATISTICS } from "../../core/influence/index.ts";
import { type ByteSource, systemBytes } from "../../core/noise/index.ts";
import type { LinearSolver, LongWorkOptions } from "../../core/planning/index.ts";
import { DuckDbEngine } from "../../data/engines/index.ts";
import { TemporaryFolder } from "../../data/sources/index.ts";
import type { FullAuditFacts } from "../../publish/report/index.ts";
import { type AdaptiveReport, attackAdaptively, questionsOf } from "./adaptive-attack.ts";
import { type AttackReport, attackBy, attackMechanism, plantedMistakes, releaseMechanism } from "./attack.ts";
import { balancedScenario, wholeBalanced } from "./balanced-attack.ts";
import { balancedMistakes } from "./balanced-mistakes.ts";
import {
  AUDITED_STATISTICS,
  type AuditCase,
  auditCases,
  balancedCase,
  balancedCases,
  FEW_USERS,
  MANY_USERS,
  overlappingCases,
  ownerCases,
} from "./cases.ts";
import { releaseSession } from "./ledger-attack.ts";
import { type AttackedEngine, planThrough, readWorstSums, readWorstTotals } from "./recorded-attack.ts";
import {
  attackOf,
  type Counts,
  OWNED_GRID,
  type PlannedArray,
  singleNumbers,
  type Victim,
  wholeRelease,
  worstRecordsCsv,
} from "./scenario.ts";

interface FullAuditOptions {
  /** On each of the two datasets, per attack. */
  readonly runs: number;
  /** Of the whole verdict. */
  readonly confidence: number;
  readonly solver: LinearSolver;
  /** The operating system's bytes if absent. */
  readonly random?: ByteSource | undefined;
}

export interface FullAudit extends FullAuditFacts {
  readonly cases: ReadonlyArray<FullAuditFacts["cases"][number] & AttackReport>;
  readonly adaptive: AdaptiveReport;
}

/** The attacked user loses 1, 0.75, 0.5 and 0.5 in either of two releases: not all of it fits. */
const BUDGET = Rational.of(26, 10);
/** A session is several releases with their ledger; a balanced plan's release makes its passes from records' sums each time. */
const RUNS_PER_SESSION = 5;

export function fullAudit(given: FullAuditOptions, work: LongWorkOptions = {}): Promise<FullAudit> {
  return withEngine(given, work, async (audit) => {
    const { options } = audit;
    const { runs, confidence } = given;
    const prepared = await prepare(audit);
    invariant(1 - (1 - confidence) / (prepared.length + 1) <= options.confidence, "a union bound counts every attack");
    const cases: Array<FullAudit["cases"][number]> = [];
    for (const { of, totalsAsExpected, attack } of prepared) {
      const { strategy, estimator, statistics: published } = of;
      cases.push({ strategy, estimator, published, ...(await attack()), totalsAsExpected });
    }
    const adaptive = await askAdaptively(audit);
    const planted = await findMistakes(audit);
    return {
      confidence,
      confidenceEach: options.confidence,
      runs,
      engine: audit.engine.name,
      cases,
      adaptive,
      planted,
      broken: adaptive.broken || cases.some((one) => one.broken || !one.totalsAsExpected),
      blind: planted.some(({ found }) => !found),
    };
  });
}

/** Only the mistakes: whether an audit of so many runs sees at all. With the confidence of one attack among those of a full audit. */
export function plantedAudit(given: FullAuditOptions, work: LongWorkOptions = {}): Promise<FullAudit["planted"]> {
  return withEngine(given, work, findMistakes);
}

/** What every part of an audit has; `options` are those of one attack. */
interface Audit extends AttackedEngine {
  readonly random: ByteSource;
  readonly solver: LinearSolver;
  readonly options: Parameters<typeof attackMechanism>[2];
}

async function prepare(audit: Audit) {
  const { random, options } = audit;
  const prepared: Array<{ of: AuditCase; totalsAsExpected: boolean; attack: () => Promise<AttackReport> }> = [];
  const add = async (of: AuditCase, counts: Counts, victimsOf: (planned: PlannedArray) => Victim[]) => {
    audit.options.onProgress?.({ step: "planning", done: prepared.length });
    const planned = await planThrough(audit, counts, of.request, audit.options);
    for (const victim of victimsOf(planned)) {
      const { totals, asExpected } = await readWorstTotals(audit, planned, victim);
      const attack = attackOf(planned, victim, totals);
      prepared.push({
        ...{ of, totalsAsExpected: asExpected },
        attack: () => attackMechanism(attack, releaseMechanism(random), options),
      });
    }
  };
  for (const of of auditCases(audit.solver)) await add(of, MANY_USERS, (planned) => [wholeRelease(planned)]);
  for (const of of ownerCases()) await add(of, OWNED_GRID, singleNumbers);
  for (const of of balancedCases()) {
    options.onProgress?.({ step: "planning", done: prepared.length });
    const planned = await planThrough(audit, MANY_USERS, of.request, options);
    const scenario = balancedScenario(planned, wholeRelease(planned));
    const { sums, asExpected } = await readWorstSums(audit, scenario);
    prepared.push({
      ...{ of, totalsAsExpected: asExpected },
      attack: async () => attackBy(await wholeBalanced({ ...scenario, sums }, random), wholeReleases(options)),
    });
  }
  return prepared;
}

async function askAdaptively(audit: Audit): Promise<AdaptiveReport> {
  const releases = [];
  const questions = [];
  let user = "";
  for (const [release, of] of overlappingCases().entries()) {
    const planned = await planThrough(audit, FEW_USERS, of.request, audit.options);
    const victim = victimFor(planned, "attacked");
    user = planned.occupancy.users.get(victim.user);
    const { totals } = await readWorstTotals(audit, planned, victim);
    releases.push({ planned, totals });
    questions.push(...questionsOf(release, { grids: planned.plan.grids, attack: attackOf(planned, victim, totals) }));
  }
  const sessions = { releases, user, budget: BUDGET, random: audit.random };
  return attackAdaptively(questions, (side) => releaseSession(sessions, side), {
    ...wholeReleases(audit.options),
    budget: BUDGET.toNumberNearest(),
  });
}

function wholeReleases(options: Audit["options"]): Audit["options"] {
  return { ...options, runs: Math.ceil(options.runs / RUNS_PER_SESSION) };
}

function victimFor({ occupancy }: PlannedArray, name: string): Victim {
  return { name, user: [...occupancy.users].indexOf(name) };
}

/** On one mean and on the means of all three grids; and caps forgotten by whoever reads the totals, for a user who is capped. */
async function mistakes(audit: Audit) {
  const cases = auditCases(audit.solver);
  const plannedFor = (strategy: string, statistics: string): Promise<PlannedArray> => {
    const { request } = cases.find((one) => one.strategy === strategy && one.statistics === statistics)!;
    return planThrough(audit, MANY_USERS, request, audit.options);
  };
  const means = await plannedFor("baseline", "mean");
  const owned = await planThrough(audit, OWNED_GRID, ownerCases()[0]!.request, audit.options);
  const capped = await plannedFor("clip-user --caps", "variance");
  const uncapped = (await plannedFor("baseline", "variance")).plan;
  const victim = victimFor(capped, "heavy");
  const { totals } = await readWorstTotals(audit, capped, victim, uncapped);
  const single = attackOf(owned, singleNumbers(owned)[0]!);
  return [
    ...plantedMistakes({ single, whole: attackOf(means, wholeRelease(means)) }, audit.random),
    {
      name: "caps forgotten when totals are read",
      attack: attackOf(capped, victim, totals),
      mechanism: releaseMechanism(audit.random),
    },
  ];
}

async function findMistakes(audit: Audit): Promise<FullAudit["planted"]> {
  const planted: Array<FullAudit["planted"][number]> = [];
  for (const { name, attack, mechanism } of await mistakes(audit)) {
    const { claim, demonstrated, broken } = await attackMechanism({ ...attack, name }, mechanism, audit.options);
    planted.push({ mistake: name, claim, demonstrated, found: broken });
  }
  const planOf = (statistics: string, passes: 1 | 2): Promise<PlannedArray> =>
    planThrough(audit, OWNED_GRID, balancedCase(statistics, passes).request, audit.options);
  const plans = {
    once: await planOf("mean", 1),
    twice: await planOf("mean", 2),
    squares: await planOf("mean,variance", 1),
  };
  for (const mistake of await balancedMistakes(plans, audit.random)) {
    const { name, claim, demonstrated, broken } = await attackBy(mistake, wholeReleases(audit.options));
    planted.push({ mistake: name, claim, demonstrated, found: broken });
  }
  return planted;
}

async function withEngine<Result>(
  { runs, confidence, solver, random = systemBytes }: FullAuditOptions,
  work: LongWorkOptions,
  use: (audit: Audit) => Promise<Result>,
): Promise<Result> {
  using folder = TemporaryFolder.make();
  await using engine = await DuckDbEngine.open();
  let files = 0;
  const place: Audit["place"] = async (records) => {
    const file = path.join(folder.path, `${files++}.csv`);
    writeFileSync(file, worstRecordsCsv(records));
    return file;
  };
  // Whole releases of every case, every number under either estimator in the owned grid, balanced plans, and the questions.
  const attacks = 7 * AUDITED_STATISTICS.length + 2 * STATISTICS.length + balancedCases().length + 1;
  const options = { ...work, runs, confidence: 1 - (1 - confidence) / attacks };
  return await use({ engine, place, random, solver, options });
}
