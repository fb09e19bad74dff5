/** The joint loss of a plan that keeps given whole numbers of records and may err by E: true influences, noise split for the users at the top. */
import type { Occupancy } from "#core/occupancy";
import { biasFactor, influenceFactor, influenceMean, influenceVariance, type TrimTarget } from "./influences.js";

/** Splits tried: the first for all users together, the others for whoever was at the top. */
const ROUNDS = 5;
/** A user this close to the largest loss is at the top. */
const NEAR = 0.999;
const INFEASIBLE: KeptLoss = {
  loss: Number.POSITIVE_INFINITY,
  scaleMean: new Float64Array(0),
  scaleVariance: new Float64Array(0),
};

export interface KeptLoss {
  /** Infinity where the bias leaves no room for noise, or a kept estimator has nothing to average. */
  readonly loss: number;
  /** Laplace scales by grid, which add up to what the bias leaves of E. */
  readonly scaleMean: Float64Array;
  readonly scaleVariance: Float64Array;
}

/** `kept` follows the occupancy's entries. */
export function lossOfKept(occupancy: Occupancy, kept: Uint32Array, target: TrimTarget): KeptLoss {
  const { width, error, estimator } = target;
  const { start, grid } = occupancy.byUser;
  const grids = occupancy.grids.length;
  const keptOfGrid = new Float64Array(grids);
  for (let entry = 0; entry < kept.length; entry++) keptOfGrid[grid[entry]!]! += kept[entry]!;

  const noise = new Float64Array(grids);
  for (let g = 0; g < grids; g++) {
    const total = occupancy.samplesOfGrid[g]!;
    const dropped = total - keptOfGrid[g]!;
    const bias = influenceMean(dropped, total, width) + influenceVariance(dropped, total, width);
    noise[g] = error - biasFactor(estimator) * bias;
    if (keptOfGrid[g] === 0 ? estimator === "kept" || noise[g]! < 0 : noise[g]! <= 0) return INFEASIBLE;
  }

  const mean = new Float64Array(kept.length);
  const variance = new Float64Array(kept.length);
  for (let entry = 0; entry < kept.length; entry++) {
    if (kept[entry] === 0) continue;
    const g = grid[entry]!;
    const factor = influenceFactor(estimator, keptOfGrid[g]!, occupancy.samplesOfGrid[g]!);
    mean[entry] = factor * influenceMean(kept[entry]!, keptOfGrid[g]!, width);
    variance[entry] = factor * influenceVariance(kept[entry]!, keptOfGrid[g]!, width);
  }

  const losses = new Float64Array(occupancy.users.length).fill(1);
  let top = 1;
  let best = INFEASIBLE;
  for (let round = 0; round < ROUNDS; round++) {
    const meanAtTop = new Float64Array(grids);
    const varianceAtTop = new Float64Array(grids);
    for (let user = 0; user < losses.length; user++) {
      if (losses[user]! < NEAR * top) continue;
      for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
        meanAtTop[grid[entry]!]! += mean[entry]!;
        varianceAtTop[grid[entry]!]! += variance[entry]!;
      }
    }
    const scaleMean = new Float64Array(grids);
    const scaleVariance = new Float64Array(grids);
    for (let g = 0; g < grids; g++) {
      // A grid in which nobody at the top has records: as for many equal users.
      const [forMean, forVariance] =
        varianceAtTop[g]! > 0 ? [Math.sqrt(meanAtTop[g]!), Math.sqrt(varianceAtTop[g]!)] : [Math.sqrt(width), width];
      scaleMean[g] = (noise[g]! * forMean) / (forMean + forVariance);
      scaleVariance[g] = (noise[g]! * forVariance) / (forMean + forVariance);
    }
    top = 0;
    for (let user = 0; user < losses.length; user++) {
      let loss = 0;
      for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
        if (kept[entry] === 0) continue;
        loss += mean[entry]! / scaleMean[grid[entry]!]! + variance[entry]! / scaleVariance[grid[entry]!]!;
      }
      losses[user] = loss;
      top = Math.max(top, loss);
    }
    if (top < best.loss) best = { loss: top, scaleMean, scaleVariance };
  }
  return best;
}
