/** Asks for every release twice, as an attacker would who hopes for fresh noise, and looks into the books afterwards. */
import { Rational } from "../../core/arithmetic/index.ts";
import type { ByteSource } from "../../core/noise/index.ts";
import { checkpoint, type LongWorkOptions } from "../../core/planning/index.ts";
import type { Records } from "../../data/engines/index.ts";
import { Ledger, MemoryStore } from "../../publish/ledger/index.ts";
import { release } from "../../publish/release/index.ts";
import type { Scenario } from "./scenario.ts";

export interface LedgerReport {
  readonly releases: number;
  /** Releases of which asking again under the same key gave other bytes. */
  readonly changedAnswers: number;
  /** Releases that were charged again when asked for again. */
  readonly chargedTwice: number;
  /** What `verify` says of the books. */
  readonly consistent: boolean;
  readonly broken: boolean;
}

const DATASET = "audit";
/** Totals were worked out before: no record is read. */
const NO_RECORDS = {} as Records;

export interface LedgerAttackOptions extends LongWorkOptions {
  readonly releases: number;
  readonly random: ByteSource;
  /** In memory unless given. */
  readonly ledger?: Ledger | undefined;
}

export async function attackLedger(scenario: Scenario, options: LedgerAttackOptions): Promise<LedgerReport> {
  const { occupancy, plan, evaluation } = scenario;
  const { releases, random, ledger = new Ledger(new MemoryStore()) } = options;
  const budget = plan.loss.multiply(Rational.of(releases));
  await ledger.init({ dataset: DATASET, budget, occupancyIsPublic: true });
  const engine = {
    readTotals: async () => ({ totals: scenario.attacks[0]!.totals.before, clampedValues: 0 }),
  };
  let changedAnswers = 0;
  let chargedTwice = 0;
  for (let run = 0; run < releases; run++) {
    const ask = () =>
      release(
        { engine, ledger, random },
        {
          records: NO_RECORDS,
          occupancy,
          plan,
          evaluation,
          dataset: DATASET,
          key: `run ${run}`,
          notPrivate: false,
          tool: "audit",
          reservedAt: new Date(0),
        },
      );
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
