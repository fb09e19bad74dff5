/** The search for kept counts with a small largest loss: several starts, descent, whole numbers, and the last improvements. */
import type { LongWork } from "../long-work.ts";
import type { ActiveArray, Start } from "./active-array.ts";
import { polish } from "./polish.ts";
import { Loads, type PriceModel, softWeights, worthOfRecords } from "./price-model.ts";
import { wholeCounts } from "./whole-counts.ts";

export interface FrontierOptions {
  /** By the clock; without it the search stops by its steps, and the same input gives the same plan. */
  readonly isOutOfTime?: (() => boolean) | undefined;
  /** Skip the proof of how near to the best the plan is. */
  readonly unproven?: boolean | undefined;
  /**
   * Only what takes milliseconds: a proportional trim in whole records. Its losses and errors are as exact as any plan's; it is not
   * as good. `near` is about the error that a loss buys, where that is known: it is looked for there only.
   */
  readonly sketch?: { readonly near?: number | undefined } | undefined;
}

/** Whole kept counts with a small largest loss. */
export function* search(
  array: ActiveArray,
  model: PriceModel,
  options: FrontierOptions & { readonly warm?: Float64Array | undefined; readonly quick?: boolean },
): LongWork<Start> {
  const { isOutOfTime } = options;
  if (options.sketch) return yield* sketched(array, model, options.warm);
  const quick = array.scaledSteps(120, 24, 30_000_000);
  const thorough = options.quick ? quick : array.scaledSteps(400, 40, 110_000_000);
  const starts = startingPoints(array, model, { wanted: array.scaledSteps(3, 2, 900_000), isOutOfTime });
  const loads = new Loads(array, model);
  if (options.warm !== undefined && loads.measure(options.warm))
    starts.push({ owned: options.warm, largest: loads.largest });
  starts.sort((left, right) => left.largest - right.largest);
  let best = starts[0]!;
  if (options.quick) starts.length = Math.min(2, starts.length);
  for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
    const found = yield* descend(array, model, start, { steps: quick, sharpness: [30, 1000], isOutOfTime });
    if (found.largest < best.largest) best = found;
  }
  const fine = yield* descend(array, model, best, { steps: thorough, sharpness: [100, 4000], isOutOfTime });
  if (fine.largest < best.largest) best = fine;
  const whole = yield* wholeCounts(array, model, best, { rounds: array.scaledSteps(60, 8, 16_000_000), isOutOfTime });
  return yield* polish(array, model, whole, { work: options.quick ? 200_000 : 1_000_000, isOutOfTime });
}

/** The best start, with what was found nearby among them, rounded to whole records and filled up. */
function* sketched(array: ActiveArray, model: PriceModel, warm: Float64Array | undefined): LongWork<Start> {
  const [best] = startingPoints(array, model, { wanted: 1, limits: 8 });
  const loads = new Loads(array, model);
  const isBetter = warm !== undefined && loads.measure(warm) && loads.largest < best!.largest;
  const from = isBetter ? { owned: warm, largest: loads.largest } : best!;
  return yield* wholeCounts(array, model, from, { rounds: 3 });
}

/** The lowest limit tried, as a share of the largest loss with everything kept. */
const LOWEST_LIMIT = 0.03;

/** The best few of these, best first; everything kept is one of them, so there is always one. */
function startingPoints(
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
  const { start, count, users } = array;
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
    let rise = 0;
    let grids = 0;
    for (let g = 0; g < array.grids; g++) {
      if (!array.isActive(g)) continue;
      rise += (loads.linear[g]! + loads.spread[g]!) / first[g]!;
      grids += 1;
    }
    loss = full.map((_, user) => (loads.fullLossOf(user) * grids) / rise);
  }
  return { owned, largest: loads.largest };
}

export interface DescentOptions {
  readonly steps: number;
  /** From how soft to how sharp the largest loss is followed. */
  readonly sharpness: readonly [first: number, last: number];
  readonly isOutOfTime?: (() => boolean) | undefined;
}

const MOMENTUM = 0.95;
const STEPS_PER_YIELD = 8;

/** The best point on the way. Steps are relative to what a user can lose, so that units and sizes do not matter. */
function* descend(array: ActiveArray, model: PriceModel, from: Start, options: DescentOptions): LongWork<Start> {
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
      const share = (reach * loads.largest) / (sharpness * loads.fullLossOf(user));
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
