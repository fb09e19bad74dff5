/** What every user loses and every grid keeps for given kept counts, whole or fractional, in doubles. */
import type { ActiveArray } from "./active-array.ts";
import { type PriceModel, spreadRecords } from "./price-model.ts";

export class Loads {
  readonly kept: Float64Array;
  /** Price of a record, part by part, in each grid. */
  readonly linear: Float64Array;
  readonly spread: Float64Array;
  /** How fast each part falls with one more kept record in the grid. */
  readonly linearFall: Float64Array;
  readonly spreadFall: Float64Array;
  readonly loss: Float64Array;
  largest = Number.POSITIVE_INFINITY;
  readonly #array: ActiveArray;
  readonly #model: PriceModel;

  constructor(array: ActiveArray, model: PriceModel) {
    this.#array = array;
    this.#model = model;
    this.kept = new Float64Array(array.grids);
    this.linear = new Float64Array(array.grids);
    this.spread = new Float64Array(array.grids);
    this.linearFall = new Float64Array(array.grids);
    this.spreadFall = new Float64Array(array.grids);
    this.loss = new Float64Array(array.users);
  }

  /** `owned` by position. False, with `largest` infinite, if some grid cannot meet its target. */
  measure(owned: Float64Array): boolean {
    const { grid, start, users } = this.#array;
    this.largest = Number.POSITIVE_INFINITY;
    this.kept.fill(0);
    for (let at = 0; at < owned.length; at++) this.kept[grid[at]!]! += owned[at]!;
    if (!this.#setPrices()) return false;
    let largest = 0;
    for (let user = 0; user < users; user++) {
      let loss = 0;
      for (let at = start[user]!; at < start[user + 1]!; at++) {
        const g = grid[at]!;
        loss += this.linear[g]! * owned[at]! + this.spread[g]! * spreadRecords(owned[at]!, this.kept[g]!);
      }
      this.loss[user] = loss;
      if (loss > largest) largest = loss;
    }
    this.largest = largest;
    return true;
  }

  #setPrices(): boolean {
    const { total } = this.#array;
    const model = this.#model;
    for (let g = 0; g < total.length; g++) {
      if (!this.#array.isActive(g)) continue;
      const kept = this.kept[g]!;
      if (!model.price(total[g]!, kept)) return false;
      this.linear[g] = model.linear;
      this.spread[g] = model.spread;
      const step = 1e-4 * kept;
      const fewer = model.price(total[g]!, kept - step);
      this.linearFall[g] = fewer ? Math.max(0, model.linear - this.linear[g]!) / step : this.linear[g]! / step;
      this.spreadFall[g] = fewer ? Math.max(0, model.spread - this.spread[g]!) / step : this.spread[g]! / step;
    }
    return true;
  }

  /** What one more record of a user that owns so many adds to its loss in the grid. */
  ownPrice(grid: number, owned: number): number {
    return this.linear[grid]! + this.spread[grid]! * Math.max(0, 1 - (2 * owned) / this.kept[grid]!);
  }
}

/**
 * What one more record kept in each grid takes off the losses of all, users weighted by y: T_g.
 * A record is worth keeping while y_ℓ times its price is below that.
 */
export function worthOfRecords(
  array: ActiveArray,
  loads: Loads,
  owned: Float64Array,
  weights: Float64Array,
  worth: Float64Array,
): void {
  const { start, grid, users } = array;
  worth.fill(0);
  for (let user = 0; user < users; user++) {
    const weight = weights[user]!;
    if (weight === 0) continue;
    for (let at = start[user]!; at < start[user + 1]!; at++) {
      const g = grid[at]!;
      const own = owned[at]!;
      const kept = loads.kept[g]!;
      const share = own + own <= kept ? own / kept : 0.5;
      worth[g]! +=
        weight *
        (loads.linearFall[g]! * own +
          loads.spreadFall[g]! * spreadRecords(own, kept) -
          loads.spread[g]! * share * share);
    }
  }
  for (let g = 0; g < worth.length; g++) if (worth[g]! < 0) worth[g] = 0;
}

/** Weights e^(sharpness·(loss/largest − 1)): all on the users who lose most, the more so the sharper. */
export function softWeights(loss: Float64Array, largest: number, sharpness: number, weights: Float64Array): void {
  for (let user = 0; user < loss.length; user++) {
    const exponent = sharpness * (loss[user]! / largest - 1);
    weights[user] = exponent < -30 ? 0 : Math.exp(exponent);
  }
}
