/**
 * The floor that the frontier planner has to beat: a proportional trim. Every user whose loss would be above λ is scaled down by one
 * factor in all its grids; prices and kept totals are iterated to a fixed point; λ is bisected. Deliberately crude: it never asks in
 * which grid a user's records cost the least bias.
 */
import type { Occupancy } from "#core/occupancy";
import {
  biasFactor,
  influenceFactor,
  influenceMean,
  influenceVarianceDivisible,
  type TrimTarget,
} from "./influences.js";
import { type KeptLoss, lossOfKept } from "./kept-loss.js";

/** Of λ. */
const PRECISION = 1e-4;
/** Where even this many do not suffice, λ is taken to be too small: close to the smallest λ the iteration crawls. */
const MOST_ITERATIONS = 1000;
/** Kept totals that move by less than this part of themselves have come to rest. */
const AT_REST = 1e-7;

/** The loss and the scales are those of the rounded plan, with true influences. */
export interface CrudeTrim extends KeptLoss {
  /** Records kept, by entry of the occupancy. */
  readonly kept: Uint32Array;
}

export function crudeTrim(occupancy: Occupancy, target: TrimTarget): CrudeTrim {
  const planOf = (kept: Uint32Array): CrudeTrim => ({ ...lossOfKept(occupancy, kept, target), kept });
  const nothing = planOf(new Uint32Array(occupancy.entries));
  if (nothing.loss === 0) return nothing;

  let best = planOf(occupancy.byUser.count.slice());
  let low = 0;
  let high = best.loss;
  while (high - low > PRECISION * high) {
    const lambda = (low + high) / 2;
    const factors = factorsAt(occupancy, target, lambda);
    const plan = factors === null ? null : planOf(roundKept(occupancy, factors));
    if (plan === null || plan.loss === Number.POSITIVE_INFINITY) {
      low = lambda;
    } else {
      high = lambda;
      if (plan.loss < best.loss) best = plan;
    }
  }
  return best;
}

/** Each user's factor where nobody loses more than λ, or null where some grid's bias eats all of E on the way there. */
function factorsAt(occupancy: Occupancy, target: TrimTarget, lambda: number): Float64Array | null {
  const { width, error, estimator } = target;
  const { start, grid, count } = occupancy.byUser;
  const grids = occupancy.grids.length;
  const factors = new Float64Array(occupancy.users.length).fill(1);
  let keptOfGrid = occupancy.samplesOfGrid.slice();
  const scaleMean = new Float64Array(grids);
  const scaleVariance = new Float64Array(grids);
  const influence = new Float64Array(grids);
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    for (let g = 0; g < grids; g++) {
      const total = occupancy.samplesOfGrid[g]!;
      const dropped = total - keptOfGrid[g]!;
      const bias = influenceMean(dropped, total, width) + influenceVarianceDivisible(dropped, total, width);
      const noise = error - biasFactor(estimator) * bias;
      if (noise <= 0) return null;
      // b ∝ √influence: a light user moves the variance U times as far as the mean.
      scaleMean[g] = noise / (1 + Math.sqrt(width));
      scaleVariance[g] = noise - scaleMean[g]!;
      influence[g] = influenceFactor(estimator, keptOfGrid[g]!, total);
    }
    const next = new Float64Array(grids);
    for (let user = 0; user < factors.length; user++) {
      const factor = factors[user]!;
      let loss = 0;
      for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
        const g = grid[entry]!;
        const owned = factor * count[entry]!;
        const kept = keptOfGrid[g]!;
        loss +=
          influence[g]! *
          (influenceMean(owned, kept, width) / scaleMean[g]! +
            influenceVarianceDivisible(owned, kept, width) / scaleVariance[g]!);
      }
      const scaled = loss > 0 ? Math.min(1, (factor * lambda) / loss) : 1;
      factors[user] = scaled;
      for (let entry = start[user]!; entry < start[user + 1]!; entry++) next[grid[entry]!]! += scaled * count[entry]!;
    }
    const rests = next.every((kept, g) => Math.abs(kept - keptOfGrid[g]!) <= AT_REST * kept);
    keptOfGrid = next;
    if (rests) return factors;
  }
  return null;
}

function roundKept(occupancy: Occupancy, factors: Float64Array): Uint32Array {
  const { start, count } = occupancy.byUser;
  const kept = new Uint32Array(occupancy.entries);
  for (let user = 0; user < factors.length; user++)
    for (let entry = start[user]!; entry < start[user + 1]!; entry++)
      kept[entry] = Math.round(factors[user]! * count[entry]!);
  return kept;
}
