/** Exact totals of the worst two datasets, by arithmetic: what engines must find in their records. */

import {
  type GridCounts,
  type SensitivityWitness,
  sensitivityWitness,
  type TwoPointSamples,
} from "../../core/influence/index.ts";
import { inputLattice } from "../../core/planning/index.ts";
import type { GridTotals } from "../../data/engines/index.ts";
import { exactStatistics } from "../../publish/release/index.ts";
import type { BySide, PlannedArray, Victim } from "./planned-array.ts";

/** Everybody's values are at the lower bound; on the second dataset one user's are at the upper one, as many as move most. */
export function worstTotals(planned: PlannedArray, victim: Victim): BySide<readonly GridTotals[]> {
  const { plan, evaluation } = planned;
  const { bounds, statistics } = plan.objective;
  const { steps } = inputLattice(bounds, plan.latticeStep);
  const { thresholds } = exactStatistics(statistics, { bounds, step: plan.latticeStep });
  const grids = plan.grids.map((id, grid) => {
    const witness = witnessIn(planned, victim, grid);
    const given = { id, counts: evaluation.kept.countsOf(grid), steps, thresholds };
    return {
      before: twoPointTotals(given, { kept: witness.ownBefore, leftOut: witness.ownLeftOutBefore }),
      after: twoPointTotals(given, { kept: witness.ownAfter, leftOut: witness.ownLeftOutAfter }),
    };
  });
  return { before: grids.map(({ before }) => before), after: grids.map(({ after }) => after) };
}

/** What the attacked user's records are in a grid. Where several numbers are looked at, the pair is the first one's. */
export function witnessIn(
  { occupancy, plan, evaluation }: PlannedArray,
  { user, only }: Victim,
  grid: number,
): SensitivityWitness {
  const { kept } = evaluation;
  const entry = occupancy.entryOf(user, grid);
  const owned = entry < 0 ? 0 : kept.ofEntry[entry]!;
  const leftOut = entry < 0 ? 0 : occupancy.byUser.count[entry]! - owned;
  const statistic = plan.objective.statistics[only?.statistic ?? 0]!;
  return sensitivityWitness(statistic, { owned, kept: kept.countsOf(grid).kept, leftOut });
}

function twoPointTotals(
  { id, counts, steps, thresholds }: { id: string; counts: GridCounts; steps: bigint; thresholds: readonly bigint[] },
  own: { kept: TwoPointSamples; leftOut: TwoPointSamples },
): GridTotals {
  const raised = BigInt(own.kept.atUpper);
  const owned = own.kept.atLower + own.kept.atUpper;
  const leftOut = own.leftOut.atLower + own.leftOut.atUpper;
  // Each user's sum is held to what its kept records can do around the middle: records at the lower bound end at its lower end.
  const least = BigInt(leftOut);
  const most = BigInt(leftOut + 2 * owned);
  const ownSum = 2n * BigInt(own.kept.atUpper + own.leftOut.atUpper);
  const ownClamped = ownSum < least ? least : ownSum > most ? most : ownSum;
  const others = BigInt(counts.total - counts.kept - leftOut);
  return {
    grid: id,
    kept: counts.kept,
    sum: raised * steps,
    sumOfSquares: raised * steps * steps,
    atLeast: thresholds.map((threshold) => (threshold <= 0n ? BigInt(counts.kept) : raised)),
    doubledClampedSum: steps * (others + ownClamped),
  };
}
