/** Where the search starts: every user above some loss scaled down by one factor in all its grids, for a range of losses. */
import type { ActiveArray } from "./active-array.ts";
import { Loads } from "./loads.ts";
import type { PriceModel } from "./price-model.ts";

export interface Start {
  /** Kept, by position, fractions of records allowed. */
  readonly owned: Float64Array;
  readonly largest: number;
}

/** The lowest limit tried, as a share of the largest loss with everything kept. */
const LOWEST_LIMIT = 0.03;

/** The best few of these, best first; everything kept is one of them, so there is always one. */
export function startingPoints(
  array: ActiveArray,
  model: PriceModel,
  {
    wanted,
    limits = array.scaledSteps(24, 8, 400_000),
    isOutOfTime,
  }: { wanted: number; limits?: number; isOutOfTime?: (() => boolean) | undefined },
): Start[] {
  const loads = new Loads(array, model);
  const everything = array.everything();
  loads.measure(everything);
  const { largest } = loads;
  const full = loads.loss.slice();
  // Never more of them than are wanted: each is as long as the array.
  const starts: Start[] = [{ owned: everything, largest }];
  for (let step = 1; step <= limits && !isOutOfTime?.(); step++) {
    const limit = largest * LOWEST_LIMIT ** (step / limits);
    const start = proportional(array, loads, full, limit);
    if (start === undefined) continue;
    const worse = starts.findIndex((other) => other.largest > start.largest);
    starts.splice(worse < 0 ? starts.length : worse, 0, start);
    starts.length = Math.min(starts.length, wanted);
  }
  return starts;
}

/** Prices change with what is kept: a few rounds, relative to what they were, bring both into agreement. */
function proportional(array: ActiveArray, loads: Loads, full: Float64Array, limit: number): Start | undefined {
  const { start, count, grid, users } = array;
  const owned = new Float64Array(count.length);
  const first = new Float64Array(array.grids);
  let loss = full;
  for (let round = 0; round < 6; round++) {
    for (let user = 0; user < users; user++) {
      const factor = Math.min(1, limit / Math.max(loss[user]!, 1e-300));
      for (let at = start[user]!; at < start[user + 1]!; at++) owned[at] = count[at]! * factor;
    }
    if (!loads.measure(owned)) return undefined;
    if (round === 0) {
      for (let g = 0; g < array.grids; g++) first[g] = loads.linear[g]! + loads.spread[g]!;
    }
    // What everyone would lose with everything kept, at the present prices but for their common rise.
    const now = new Float64Array(users);
    let rise = 0;
    let grids = 0;
    for (let g = 0; g < array.grids; g++) {
      if (!array.isActive(g)) continue;
      rise += (loads.linear[g]! + loads.spread[g]!) / first[g]!;
      grids += 1;
    }
    for (let user = 0; user < users; user++) {
      let sum = 0;
      for (let at = start[user]!; at < start[user + 1]!; at++)
        sum += (loads.linear[grid[at]!]! + loads.spread[grid[at]!]!) * count[at]!;
      now[user] = (sum * grids) / rise;
    }
    loss = now;
  }
  return { owned, largest: loads.largest };
}
