/** The worst two datasets as records: what an engine reads when it is attacked. */
import { isKeptRank } from "../../data/engines/index.ts";
import type { BySide, PlannedArray, Side, Victim } from "./planned-array.ts";
import { witnessIn } from "./worst-totals.ts";

export interface WorstRecord {
  readonly user: string;
  readonly grid: string;
  /** Orders a user's records in a grid: which of them are kept is then known. */
  readonly at: string;
  readonly value: string;
}

/** How these records are read. */
export const WORST_RECORDS_RECIPE = { user: "user", value: "value", by: "grid", time: "at" } as const;

export function worstRecords(planned: PlannedArray, victim: Victim): BySide<readonly WorstRecord[]> {
  return { before: recordsOf(planned, victim, "before"), after: recordsOf(planned, victim, "after") };
}

export function worstRecordsCsv(records: readonly WorstRecord[]): string {
  const lines = records.map(({ user, grid, at, value }) => [user, grid, at, value].join(","));
  return `user,grid,at,value\n${lines.join("\n")}\n`;
}

function recordsOf(planned: PlannedArray, victim: Victim, side: Side): WorstRecord[] {
  const { occupancy, plan, evaluation } = planned;
  const { byUser, users, grids } = occupancy;
  const { bounds } = plan.objective;
  const [lower, upper] = [bounds.lower.toShortString(), bounds.upper.toShortString()];
  return Array.from({ length: users.length }, (_, user) => user).flatMap((user) => {
    const entries = Array.from({ length: byUser.start[user + 1]! - byUser.start[user]! });
    return entries.flatMap((_, place) => {
      const entry = byUser.start[user]! + place;
      const records = byUser.count[entry]!;
      const grid = byUser.grid[entry]!;
      const witness = witnessIn(planned, victim, grid);
      const own = side === "before" ? witness.ownBefore : witness.ownAfter;
      const ownLeftOut = side === "before" ? witness.ownLeftOutBefore : witness.ownLeftOutAfter;
      let [kept, leftOut] = user === victim.user ? [own.atUpper, ownLeftOut.atUpper] : [0, 0];
      return Array.from({ length: records }, (_, rank): WorstRecord => {
        const isKept = isKeptRank(BigInt(rank), {
          records: BigInt(records),
          kept: BigInt(evaluation.kept.ofEntry[entry]!),
          keep: plan.keep,
        });
        const isRaised = isKept ? kept-- > 0 : leftOut-- > 0;
        return { user: users.get(user), grid: grids.get(grid), at: instant(rank), value: isRaised ? upper : lower };
      });
    });
  });
}

/** When a user's record of this rank in a grid was made. */
export function instant(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
}
