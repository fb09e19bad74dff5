/** Searches for kept counts with a small largest loss: several starts, descent, whole records, and the last improvements. */
import { invariant } from "../../errors/index.ts";
import type { LongWork } from "../long-work.ts";
import type { ActiveArray, Start } from "./active-array.ts";
import { polish } from "./polish.ts";
import { Loads, type PriceModel, softWeights, spreadRecords, worthOfRecords } from "./price-model.ts";

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
  options: Pick<FrontierOptions, "isOutOfTime"> & { wanted: number; limits?: number },
): Start[] {
  const { wanted, limits = array.scaledSteps(24, 8, 400_000), isOutOfTime } = options;
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

const MOMENTUM = 0.95;
const STEPS_PER_YIELD = 8;

/** The best point on the way. `sharpness` says how soft at first and how sharp at last the largest loss is followed. Steps are relative to what a user can lose, so that units and sizes do not matter. */
function* descend(
  array: ActiveArray,
  model: PriceModel,
  from: Start,
  options: Pick<FrontierOptions, "isOutOfTime"> & { steps: number; sharpness: readonly [first: number, last: number] },
): LongWork<Start> {
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

const SHARPNESS = 1000;
const FIRST_CUT = 0.02;
const SMALLEST_CUT = 1e-4;

/** Whole kept counts near `from`, improved until a cut of a hundredth of a percent no longer pays or the rounds are used up. */
export function* wholeCounts(
  array: ActiveArray,
  model: PriceModel,
  from: Start,
  { rounds, isOutOfTime }: { rounds: number; isOutOfTime?: (() => boolean) | undefined },
): LongWork<Start> {
  const trimmer = new Trimmer(array, model);
  let best = trimmer.firstWhole(from);
  let cut = FIRST_CUT;
  for (let round = 0; round < rounds && cut > SMALLEST_CUT && best.largest > 0 && !isOutOfTime?.(); round++) {
    yield { step: "rounding to whole records", done: round, of: rounds };
    const next = trimmer.below(best, best.largest * (1 - cut));
    if (next.largest < best.largest * (1 - 1e-9)) best = next;
    else cut /= 3;
  }
  return best;
}

class Trimmer {
  readonly #array: ActiveArray;
  readonly #loads: Loads;
  readonly #weights: Float64Array;
  readonly #worth: Float64Array;

  constructor(array: ActiveArray, model: PriceModel) {
    this.#array = array;
    this.#loads = new Loads(array, model);
    this.#weights = new Float64Array(array.users);
    this.#worth = new Float64Array(array.grids);
  }

  /** Rounded down, then filled up to the loss that the fractions had; rounded up, or everything kept, where that leaves a grid too little. */
  firstWhole(from: Start): Start {
    const owned = from.owned.map((value) => Math.floor(value + 1e-6));
    if (this.#loads.measure(owned)) return this.#filled(owned, from.largest);
    const rounded = this.#roundedUp(from.owned);
    if (this.#loads.measure(rounded)) return { owned: rounded, largest: this.#loads.largest };
    const everything = this.#array.everything();
    invariant(this.#loads.measure(everything), "a grid with all of its records kept has room");
    return { owned: everything, largest: this.#loads.largest };
  }

  /** At least one record of every grid. */
  #roundedUp(fractions: Float64Array): Float64Array {
    const { grids, gridStart, positionInGrid } = this.#array;
    const owned = fractions.map((value) => Math.ceil(value - 1e-6));
    for (let g = 0; g < grids; g++) {
      const positions = positionInGrid.subarray(gridStart[g], gridStart[g + 1]);
      if (positions.length === 0 || positions.some((at) => owned[at]! > 0)) continue;
      owned[positions.reduce((most, at) => (fractions[at]! > fractions[most]! ? at : most))] = 1;
    }
    return owned;
  }

  /** A try at losses of at most `limit`. */
  below(from: Start, limit: number): Start {
    const { grid, users } = this.#array;
    const owned = from.owned.slice();
    if (!this.#loads.measure(owned)) return from;
    this.#setWorth(owned);
    for (let user = 0; user < users; user++) {
      if (this.#loads.loss[user]! <= limit) continue;
      const order = this.#byWorth(user, owned, (at) => owned[at]! > 0);
      let excess = this.#loads.loss[user]! - limit;
      for (const at of order) {
        if (excess <= 0) break;
        const before = owned[at]!;
        const price = this.#lossAt(grid[at]!, before);
        const less = this.#mostWithin(grid[at]!, { low: 0, high: before, paid: 0, room: price - excess });
        owned[at] = less;
        excess -= price - this.#lossAt(grid[at]!, less);
      }
    }
    if (!this.#loads.measure(owned)) return from;
    return this.#filled(owned, limit);
  }

  /** Gives back records of users who have room up to `limit`; that lowers the price for everyone in the grid. */
  #filled(owned: Float64Array, limit: number): Start {
    const { grid, count, users } = this.#array;
    let best: Start = { owned: owned.slice(), largest: this.#loads.largest };
    this.#setWorth(owned);
    for (let user = 0; user < users; user++) {
      let room = limit - this.#loads.loss[user]!;
      if (room <= 0) continue;
      const order = this.#byWorth(user, owned, (at) => owned[at]! < count[at]!).reverse();
      for (const at of order) {
        const before = owned[at]!;
        const paid = this.#lossAt(grid[at]!, before);
        const more = this.#mostWithin(grid[at]!, { low: before, high: count[at]!, paid, room });
        owned[at] = more;
        room -= this.#lossAt(grid[at]!, more) - paid;
      }
    }
    if (this.#loads.measure(owned) && this.#loads.largest < best.largest)
      best = { owned, largest: this.#loads.largest };
    return best;
  }

  #setWorth(owned: Float64Array): void {
    softWeights(this.#loads.loss, this.#loads.largest, SHARPNESS, this.#weights);
    worthOfRecords(this.#array, this.#loads, owned, this.#weights, this.#worth);
  }

  #lossAt(grid: number, owned: number): number {
    const { linear, spread, kept } = this.#loads;
    return linear[grid]! * owned + spread[grid]! * spreadRecords(owned, kept[grid]!);
  }

  /** The most records from low to high whose loss is at most `room` above what is paid already. */
  #mostWithin(g: number, { low, high, paid, room }: { low: number; high: number; paid: number; room: number }): number {
    let least = low;
    let most = high;
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (this.#lossAt(g, middle) - paid <= room) least = middle;
      else most = middle - 1;
    }
    return least;
  }

  /** The user's positions that can change, those first where a unit of loss buys least. */
  #byWorth(user: number, owned: Float64Array, canChange: (position: number) => boolean): number[] {
    const { start, grid } = this.#array;
    const ratio = (at: number): number => this.#worth[grid[at]!]! / this.#loads.ownPrice(grid[at]!, owned[at]! / 2);
    const positions: number[] = [];
    for (let at = start[user]!; at < start[user + 1]!; at++) if (canChange(at)) positions.push(at);
    if (positions.length < 2) return positions;
    return positions.sort((left, right) => ratio(left) - ratio(right) || left - right);
  }
}
