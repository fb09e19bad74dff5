/** A service under audit: real routes, tokens and questions, records read by the engine, and a fresh ledger in memory for every session. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { GridReleaser, PlannedDataset } from "../../src/apps/service/index.ts";
import type { Rational } from "../../src/core/arithmetic/index.ts";
import { noiseLattice } from "../../src/core/composition/index.ts";
import { VeilgridError } from "../../src/core/errors/index.ts";
import type { ByteSource } from "../../src/core/noise/index.ts";
import { planText } from "../../src/core/planning/index.ts";
import { DuckDbEngine, type GridTotals, type Records } from "../../src/data/engines/index.ts";
import {
  type AnalystSession,
  type AskedGrid,
  attackOf,
  type BySide,
  chargedBy,
  FEW_USERS,
  type GridAnswer,
  overlappingCases,
  type PlannedArray,
  planThrough,
  questionsOf,
  readWorstTotals,
  type Side,
  worstRecordsCsv,
} from "../../src/evidence/audit/index.ts";
import { Ledger, type LedgerState, type LedgerStore, MemoryStore } from "../../src/publish/ledger/index.ts";
import { release } from "../../src/publish/release/index.ts";
import { type TestService, testService } from "./service.ts";

const DATASET = "audited";
const USER = "attacked";
const NO_RECORDS = {} as Records;

/** Every session begins with empty books. */
class FreshStore implements LedgerStore {
  #current = new MemoryStore();

  begin(): void {
    this.#current = new MemoryStore();
  }

  transact<Result>(work: (state: LedgerState) => Promise<Result>): Promise<Result> {
    return this.#current.transact(work);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

interface ReleaseUnderAudit {
  readonly planned: PlannedArray;
  readonly totals: BySide<readonly GridTotals[]>;
}

export interface AuditedService extends AsyncDisposable {
  readonly service: TestService;
  readonly questions: readonly AskedGrid[];
  /** A dataset on this side of the attack, nothing spent yet. Questions come from another token each time. */
  session(side: Side): Promise<AnalystSession>;
}

export async function auditedService({
  epsilon,
  budget,
  random,
}: {
  epsilon: Rational;
  budget: Rational;
  random: ByteSource;
}): Promise<AuditedService> {
  const { releases, questions } = await releasesUnderAudit(epsilon);
  const store = new FreshStore();
  const ledger = new Ledger(store);
  let side: Side = "before";

  const releaseOf = ({ plan }: PlannedDataset): ReleaseUnderAudit =>
    releases.find(({ planned }) => planned.plan.hash === plan)!;
  const releaser: GridReleaser = {
    release: async (dataset, grids) => {
      const { planned, totals } = releaseOf(dataset);
      const engine = { readTotals: async () => ({ totals: totals[side], clampedValues: 0 }) };
      const request = {
        ...{ records: NO_RECORDS, ...planned, dataset: DATASET, key: dataset.key, grids },
        ...{ separately: true, notPrivate: false, tool: "audit", reservedAt: new Date(0) },
      };
      try {
        await release({ engine, ledger, random }, request);
        return new Map();
      } catch (error) {
        if (!(error instanceof VeilgridError) || error.code !== "BUDGET_EXCEEDED") throw error;
        return new Map(grids.map((grid) => [grid, error]));
      }
    },
    [Symbol.asyncDispose]: async () => {},
  };

  const service = await testService({ ledger, releaser });
  const created = new Date(0).toISOString();
  const shared = { source: "audited.csv", recipe: {}, bounds: "0,65", statistics: null, unit: null, created };
  const [first] = releases as [ReleaseUnderAudit];
  const { hash } = first.planned.plan;
  service.store.putDataset({ name: DATASET, ...shared, plan: hash, key: "0", onlyReleased: false });
  for (const { planned } of releases)
    await service.store.putPlan(
      { hash: planned.plan.hash, dataset: DATASET, created, summary: {} },
      planText(planned.plan),
    );
  const tokens = [service.token("analyst"), service.token("curator"), service.token("analyst", [DATASET])];

  let asked = 0;
  const ask: AnalystSession["ask"] = async ({ release, grid }) => {
    const { planned } = releases[release]!;
    // What a curator does who opens another plan to questions.
    service.store.updateDataset(DATASET, { plan: planned.plan.hash, key: String(release) });
    const response = await service.app.inject({
      method: "POST",
      url: `/v1/published/${DATASET}/grids/${encodeURIComponent(grid)}`,
      headers: { authorization: `Bearer ${tokens[asked++ % tokens.length]}` },
    });
    if (response.statusCode === 200) return answerOf(response.body, planned, grid);
    // Curators are told that the budget is spent, analysts only that there is no answer.
    if (["BUDGET_EXCEEDED", "NOT_RELEASED"].includes(response.json().error.code)) return undefined;
    throw new Error(response.body);
  };
  return {
    service,
    questions,
    session: async (which) => {
      store.begin();
      side = which;
      await ledger.init({ dataset: DATASET, budget, occupancyIsPublic: true });
      return { ask, charged: () => chargedBy(ledger, DATASET, USER) };
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** What the analyst reads: decimal numbers, and of plans and counts all that is public. */
function answerOf(text: string, { plan, evaluation }: PlannedArray, grid: string): GridAnswer {
  const [row] = JSON.parse(text).rows as [{ statistics: Record<string, { raw: number }> }];
  const index = plan.grids.indexOf(grid);
  const steps = plan.objective.statistics.map((statistic, at) => {
    const epsilon = plan.noise[index]!.epsilons[at]!;
    const { stepExponent } = noiseLattice(statistic, evaluation.kept.countsOf(index), epsilon);
    return [BigInt(Math.round(row.statistics[statistic.key]!.raw / 2 ** stepExponent))];
  });
  return { text, steps };
}

async function releasesUnderAudit(
  epsilon: Rational,
): Promise<{ releases: ReleaseUnderAudit[]; questions: AskedGrid[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-audit-"));
  const engine = await DuckDbEngine.open();
  try {
    let files = 0;
    const attacked = {
      engine,
      place: async (records: Parameters<typeof worstRecordsCsv>[0]) => {
        const file = path.join(folder, `${files++}.csv`);
        writeFileSync(file, worstRecordsCsv(records));
        return file;
      },
    };
    const releases: ReleaseUnderAudit[] = [];
    const questions: AskedGrid[] = [];
    for (const [release, { request }] of overlappingCases(epsilon).entries()) {
      const planned = await planThrough(attacked, FEW_USERS, request);
      const victim = { name: "questions", user: [...planned.occupancy.users].indexOf(USER) };
      const { totals } = await readWorstTotals(attacked, planned, victim);
      releases.push({ planned, totals });
      questions.push(...questionsOf(release, { grids: planned.plan.grids, attack: attackOf(planned, victim, totals) }));
    }
    return { releases, questions };
  } finally {
    await engine[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}
