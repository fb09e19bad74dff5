/** From fractions of records to whole ones, and the last improvements: cut who loses most, fill up who has room. */
import { invariant } from "../../errors/index.ts";
import type { LongWork } from "../long-work.ts";
import type { ActiveArray, Start } from "./active-array.ts";
import { Loads, type PriceModel, softWeights, spreadRecords, worthOfRecords } from "./price-model.ts";

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
