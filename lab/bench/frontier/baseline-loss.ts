/** The untouched baseline as a yardstick: everything kept, one ε in all grids, half of it for the mean and half for the variance. */
import type { Occupancy } from "#core/occupancy";
import { type ErrorTarget, influenceMean, influenceVariance } from "./influences.js";

/** The joint loss of the baseline at the ε where its worst error is E. */
export function baselineLossAt(occupancy: Occupancy, target: ErrorTarget): number {
  const { width, error } = target;
  const { byUser, byGrid, samplesOfGrid } = occupancy;
  const deltaMean = new Float64Array(occupancy.grids.length);
  const deltaVariance = new Float64Array(occupancy.grids.length);
  let worst = 0;
  for (let grid = 0; grid < deltaMean.length; grid++) {
    let largest = 0;
    for (let at = byGrid.start[grid]!; at < byGrid.start[grid + 1]!; at++)
      largest = Math.max(largest, byUser.count[byGrid.entry[at]!]!);
    deltaMean[grid] = influenceMean(largest, samplesOfGrid[grid]!, width);
    deltaVariance[grid] = influenceVariance(largest, samplesOfGrid[grid]!, width);
    worst = Math.max(worst, deltaMean[grid]! + deltaVariance[grid]!);
  }
  // Each statistic has noise of scale Δ/(ε/2), so the worst grid errs by 2·worst/ε.
  const half = worst / error;
  let largestLoss = 0;
  for (let user = 0; user < occupancy.users.length; user++) {
    let loss = 0;
    for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++) {
      const grid = byUser.grid[entry]!;
      const count = byUser.count[entry]!;
      loss += (half * influenceMean(count, samplesOfGrid[grid]!, width)) / deltaMean[grid]!;
      if (deltaVariance[grid]! > 0)
        loss += (half * influenceVariance(count, samplesOfGrid[grid]!, width)) / deltaVariance[grid]!;
    }
    largestLoss = Math.max(largestLoss, loss);
  }
  return largestLoss;
}
