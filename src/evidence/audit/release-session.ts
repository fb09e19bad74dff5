/** A session of questions without HTTP: the release itself, grid by grid, on a ledger in memory. */
import type { Rational } from "../../core/arithmetic/index.ts";
import { VeilgridError } from "../../core/errors/index.ts";
import type { ByteSource } from "../../core/noise/index.ts";
import type { GridTotals, Records } from "../../data/engines/index.ts";
import { Ledger, MemoryStore } from "../../publish/ledger/index.ts";
import { readResult, release as releaseGrids } from "../../publish/release/index.ts";
import type { AnalystSession } from "./adaptive-attack.ts";
import type { BySide, PlannedArray, Side } from "./planned-array.ts";

const DATASET = "audit";
/** Totals were read before: no record is. */
const NO_RECORDS = {} as Records;

export interface SessionsOf {
  /** Overlapping releases of the same records. */
  readonly releases: ReadonlyArray<{
    readonly planned: PlannedArray;
    readonly totals: BySide<readonly GridTotals[]>;
  }>;
  readonly user: string;
  readonly budget: Rational;
  readonly random: ByteSource;
}

export async function releaseSession(
  { releases, user, budget, random }: SessionsOf,
  side: Side,
  ledger: Ledger = new Ledger(new MemoryStore()),
): Promise<AnalystSession> {
  await ledger.init({ dataset: DATASET, budget, occupancyIsPublic: true });
  return {
    async ask({ release, grid }) {
      const { planned, totals } = releases[release]!;
      const engine = { readTotals: async () => ({ totals: totals[side], clampedValues: 0 }) };
      const request = {
        records: NO_RECORDS,
        ...planned,
        dataset: DATASET,
        key: `release ${release}`,
        grids: [grid],
        separately: true,
        notPrivate: false,
        tool: "audit",
        reservedAt: new Date(0),
      };
      try {
        const { text } = await releaseGrids({ engine, ledger, random }, request);
        return { text, steps: readResult(text).rows[0]!.statistics!.map((each) => each.steps) };
      } catch (error) {
        if (error instanceof VeilgridError && error.code === "BUDGET_EXCEEDED") return undefined;
        throw error;
      }
    },
    charged: () => chargedBy(ledger, DATASET, user),
  };
}

/** What a user has lost in a dataset by its books; the array is small enough for the list of the heaviest. */
export async function chargedBy(ledger: Pick<Ledger, "show">, dataset: string, user: string): Promise<number> {
  const [standing] = await ledger.show({ dataset });
  return standing!.heaviest.find((each) => each.user === user)?.loss.toNumberNearest() ?? 0;
}
