/** Constructs the worst two datasets for one user of a planned array, as exact totals and as records. */
import { itemAt } from "../../core/errors/index.ts";
import { sensitivityWitness } from "../../core/influence/index.ts";
import type { Occupancy } from "../../core/occupancy/index.ts";
import { inputLattice, type MadePlan, type PlanEvaluation } from "../../core/planning/index.ts";
import { type GridTotals, isKeptRank } from "../../data/engines/index.ts";
import { exactStatistics } from "../../publish/release/index.ts";

/** The two datasets. */
export type Side = "before" | "after";
export type BySide<Value> = Readonly<Record<Side, Value>>;

/** A plan for an array, worked out. */
export interface PlannedArray extends MadePlan {
  readonly occupancy: Occupancy;
}

/** Whose values are flipped, and what is looked at: everything published, or one statistic of one grid. */
export interface Victim {
  readonly name: string;
  readonly user: number;
  readonly only?: { readonly grid: number; readonly statistic: number } | undefined;
}

/** Everything that is published, against the user who loses most. */
export function wholeRelease({ evaluation: { joint } }: PlannedArray): Victim {
  let user = 0;
  for (let other = 1; other < joint.length; other++) if (joint.of(other).compare(joint.of(user)) > 0) user = other;
  return { name: "whole release", user };
}

/** Every number that can be moved on its own, against the heaviest user of its grid. */
export function singleNumbers({ plan, evaluation }: PlannedArray): Victim[] {
  return plan.grids.flatMap((id, grid) =>
    itemAt(plan.noise, grid).epsilons.flatMap((epsilon, statistic) => {
      if (epsilon.isZero()) return [];
      const { key } = itemAt(plan.objective.statistics, statistic);
      return [{ user: heaviestOf(evaluation, grid), name: `${key} of ${id}`, only: { grid, statistic } }];
    }),
  );
}

function heaviestOf({ kept }: PlanEvaluation, grid: number): number {
  const { byGrid } = kept.occupancy;
  let heaviest = { user: -1, owned: -1 };
  for (let position = itemAt(byGrid.start, grid); position < itemAt(byGrid.start, grid + 1); position++) {
    const owned = itemAt(kept.ofEntry, itemAt(byGrid.entry, position));
    if (owned > heaviest.owned) heaviest = { user: itemAt(byGrid.user, position), owned };
  }
  return heaviest.user;
}

/** Everybody's values are at the lower bound; on the second dataset one user's are at the upper one, as many as move most. */
export function worstTotals(planned: PlannedArray, victim: Victim): BySide<readonly GridTotals[]> {
  return { before: totalsOf(planned, victim, "before"), after: totalsOf(planned, victim, "after") };
}

/** What engines must find in the records of the same side, by arithmetic. */
function totalsOf(planned: PlannedArray, victim: Victim, side: Side): GridTotals[] {
  const { plan, evaluation } = planned;
  const { bounds, statistics } = plan.objective;
  const { steps } = inputLattice(bounds, plan.latticeStep);
  const { thresholds } = exactStatistics(statistics, { bounds, step: plan.latticeStep });
  return plan.grids.map((id, grid) => {
    const counts = evaluation.kept.countsOf(grid);
    const own = ownSamples(planned, victim, { grid, side });
    const raised = BigInt(own.kept.atUpper);
    const owned = own.kept.atLower + own.kept.atUpper;
    const leftOut = own.leftOut.atLower + own.leftOut.atUpper;
    // Each user's sum is held to what its kept records can do around the middle: records at the lower bound end at its lower end.
    const ownClamped = Math.min(leftOut + 2 * owned, Math.max(leftOut, 2 * (own.kept.atUpper + own.leftOut.atUpper)));
    const others = counts.total - counts.kept - leftOut;
    return {
      grid: id,
      kept: counts.kept,
      sum: raised * steps,
      sumOfSquares: raised * steps * steps,
      atLeast: thresholds.map((threshold) => (threshold <= 0n ? BigInt(counts.kept) : raised)),
      doubledClampedSum: steps * BigInt(others + ownClamped),
    };
  });
}

/** What the victim's records are in a grid. Where several numbers are looked at, the pair of datasets is the first one's. */
function ownSamples(
  { occupancy, plan, evaluation }: PlannedArray,
  { user, only }: Victim,
  { grid, side }: { grid: number; side: Side },
) {
  const { kept } = evaluation;
  const entry = occupancy.entryOf(user, grid);
  const owned = entry < 0 ? 0 : itemAt(kept.ofEntry, entry);
  const leftOut = entry < 0 ? 0 : itemAt(occupancy.byUser.count, entry) - owned;
  const statistic = itemAt(plan.objective.statistics, only?.statistic ?? 0);
  const witness = sensitivityWitness(statistic, { owned, kept: kept.countsOf(grid).kept, leftOut });
  return side === "before"
    ? { kept: witness.ownBefore, leftOut: witness.ownLeftOutBefore }
    : { kept: witness.ownAfter, leftOut: witness.ownLeftOutAfter };
}

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
  return [...users].flatMap((id, user) => {
    const [first, end] = [itemAt(byUser.start, user), itemAt(byUser.start, user + 1)];
    return [...byUser.grid.subarray(first, end)].flatMap((grid, place) => {
      const records = itemAt(byUser.count, first + place);
      const keptRecords = itemAt(evaluation.kept.ofEntry, first + place);
      const own = ownSamples(planned, victim, { grid, side });
      let [kept, leftOut] = user === victim.user ? [own.kept.atUpper, own.leftOut.atUpper] : [0, 0];
      return Array.from({ length: records }, (_, rank): WorstRecord => {
        const isKept = isKeptRank(BigInt(rank), {
          records: BigInt(records),
          kept: BigInt(keptRecords),
          keep: plan.keep,
        });
        const isRaised = isKept ? kept-- > 0 : leftOut-- > 0;
        return { user: id, grid: grids.get(grid), at: instant(rank), value: isRaised ? upper : lower };
      });
    });
  });
}

/** When a user's record of this rank in a grid was made. */
export function instant(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
}
