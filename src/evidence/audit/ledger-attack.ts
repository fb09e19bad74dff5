/** Attacks the release and its books without HTTP: every release asked for twice, and sessions of questions grid by grid. */
import { Rational } from "../../core/arithmetic/index.ts";
import { itemAt, VeilgridError } from "../../core/errors/index.ts";
import type { ByteSource } from "../../core/noise/index.ts";
import { checkpoint, type LongWorkOptions } from "../../core/planning/index.ts";
import type { GridTotals, Records } from "../../data/engines/index.ts";
import { Ledger, MemoryStore } from "../../publish/ledger/index.ts";
import { readResult, release as releaseGrids } from "../../publish/release/index.ts";
import type { AnalystSession } from "./adaptive-attack.ts";
import type { BySide, PlannedArray, Scenario, Side } from "./scenario.ts";

const DATASET = "audit";
/** What is the same in every request. Totals were worked out before: no record is read. */
export const REQUEST = {
  records: {} as Records,
  dataset: DATASET,
  notPrivate: false,
  tool: "audit",
  reservedAt: new Date(0),
};

/** Asks for every release twice, as an attacker would who hopes for fresh noise, and looks into the books afterwards, which are in memory unless given. */
export async function attackLedger(
  scenario: Scenario,
  options: LongWorkOptions & { releases: number; random: ByteSource; ledger?: Ledger | undefined },
) {
  const { releases, random, ledger = new Ledger(new MemoryStore()) } = options;
  const budget = scenario.plan.loss.multiply(Rational.of(releases));
  await ledger.init({ dataset: DATASET, budget, occupancyIsPublic: true });
  const engine = engineOf(itemAt(scenario.attacks, 0).totals.before);
  /** Releases of which asking again under the same key gave other bytes. */
  let changedAnswers = 0;
  /** Releases that were charged again when asked for again. */
  let chargedTwice = 0;
  for (let run = 0; run < releases; run++) {
    const ask = () => releaseGrids({ engine, ledger, random }, { ...REQUEST, ...scenario, key: `run ${run}` });
    const first = await ask();
    const again = await ask();
    if (again.text !== first.text) changedAnswers += 1;
    if (again.chargedGrids > 0) chargedTwice += 1;
    if (run % 10 === 0) {
      options.onProgress?.({ step: "asking every release twice", done: run, of: releases });
      await checkpoint(options.signal);
    }
  }
  const { consistent } = await ledger.verify();
  const broken = changedAnswers > 0 || chargedTwice > 0 || !consistent;
  return { releases, changedAnswers, chargedTwice, consistent, broken };
}

/** A fresh session on one of the two datasets, with overlapping releases of the same records. */
export async function releaseSession(
  options: {
    releases: ReadonlyArray<{ planned: PlannedArray; totals: BySide<readonly GridTotals[]> }>;
    user: string;
    budget: Rational;
    random: ByteSource;
  },
  side: Side,
  ledger: Ledger = new Ledger(new MemoryStore()),
): Promise<AnalystSession> {
  const { releases, user, budget, random } = options;
  await ledger.init({ dataset: DATASET, budget, occupancyIsPublic: true });
  return {
    async ask({ release, grid }) {
      const { planned, totals } = itemAt(releases, release);
      const request = { ...REQUEST, ...planned, key: `release ${release}`, grids: [grid], separately: true };
      try {
        const { text } = await releaseGrids({ engine: engineOf(totals[side]), ledger, random }, request);
        return { text, steps: (itemAt(readResult(text).rows, 0).statistics ?? []).map(({ steps }) => steps) };
      } catch (error) {
        if (error instanceof VeilgridError && error.code === "BUDGET_EXCEEDED") return undefined;
        throw error;
      }
    },
    charged: () => chargedBy(ledger, DATASET, user),
  };
}

function engineOf(totals: readonly GridTotals[]) {
  return { readTotals: async () => ({ totals, clampedValues: 0 }) };
}

/** What a user has lost in a dataset by its books; the array is small enough for the list of the heaviest. */
export async function chargedBy(ledger: Pick<Ledger, "show">, dataset: string, user: string): Promise<number> {
  const standings = await ledger.show({ dataset });
  const charged = itemAt(standings, 0).heaviest.find((each) => each.user === user);
  return charged?.loss.toNumberNearest() ?? 0;
}
