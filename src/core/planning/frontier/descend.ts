/** Descent of the largest loss: users who lose most give up records where a record is worth least, others keep more of theirs. */
import type { Progress } from "../long-work.ts";
import type { ActiveArray } from "./active-array.ts";
import { Loads, softWeights, worthOfRecords } from "./loads.ts";
import type { PriceModel } from "./price-model.ts";
import type { Start } from "./starts.ts";

export interface DescentOptions {
  readonly steps: number;
  /** From how soft to how sharp the largest loss is followed. */
  readonly sharpness: readonly [first: number, last: number];
  readonly isOutOfTime?: (() => boolean) | undefined;
}

const MOMENTUM = 0.95;
const STEPS_PER_YIELD = 8;

/** The best point on the way. Steps are relative to what a user can lose, so that units and sizes do not matter. */
export function* descend(
  array: ActiveArray,
  model: PriceModel,
  from: Start,
  options: DescentOptions,
): Generator<Progress, Start, void> {
  const { start, grid, count, users } = array;
  const owned = from.owned.slice();
  const velocity = new Float64Array(owned.length);
  const loads = new Loads(array, model);
  const weights = new Float64Array(users);
  const worth = new Float64Array(array.grids);
  // Its own copy only once it is better than where it started.
  const best = { owned: from.owned, largest: from.largest };
  const [first, last] = options.sharpness;
  let reach = 1;
  for (let step = 0; step < options.steps && !options.isOutOfTime?.(); step++) {
    if (step % STEPS_PER_YIELD === 0) yield { step: "planning", done: step, of: options.steps };
    if (!loads.measure(owned) || loads.largest > 3 * best.largest) {
      owned.set(best.owned);
      velocity.fill(0);
      reach /= 2;
      continue;
    }
    if (loads.largest < best.largest) {
      best.largest = loads.largest;
      if (best.owned === from.owned) best.owned = owned.slice();
      else best.owned.set(owned);
    }
    const sharpness = first * (last / first) ** Math.min(1, step / (0.9 * options.steps));
    softWeights(loads.loss, loads.largest, sharpness, weights);
    worthOfRecords(array, loads, owned, weights, worth);
    for (let user = 0; user < users; user++) {
      const weight = weights[user]!;
      let full = 0;
      for (let at = start[user]!; at < start[user + 1]!; at++)
        full += (loads.linear[grid[at]!]! + loads.spread[grid[at]!]!) * count[at]!;
      const share = (reach * loads.largest) / (sharpness * full);
      for (let at = start[user]!; at < start[user + 1]!; at++) {
        const g = grid[at]!;
        const most = count[at]!;
        const cost = weight * loads.ownPrice(g, owned[at]!);
        const direction = (cost - worth[g]!) / (cost + worth[g]! + 1e-300);
        if (direction < 0 && owned[at] === most) {
          velocity[at] = 0;
          continue;
        }
        const moved = MOMENTUM * velocity[at]! - share * direction * most;
        const next = Math.min(most, Math.max(0, owned[at]! + moved));
        velocity[at] = next === 0 || next === most ? 0 : moved;
        owned[at] = next;
      }
    }
  }
  return best;
}
