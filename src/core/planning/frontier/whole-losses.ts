/** What users lose for whole kept counts, by the very formulas of sections 2–4 with their parities, in doubles. */
import type { ActiveArray } from "./active-array.ts";
import { type PriceModel, perRecordInfluence } from "./price-model.ts";

/** Where statistics share their room, `divide` comes first. */
export class WholeLosses {
  /** Largest loss after `measure`; infinite where a grid cannot meet its target. */
  largest = Number.POSITIVE_INFINITY;
  readonly loss: Float64Array;
  /** What each position adds to its user's loss. */
  readonly ofPosition: Float64Array;
  readonly #array: ActiveArray;
  readonly #model: PriceModel;
  /** Where statistics share their room: each one's part, by grid. */
  readonly #shares: Float64Array;
  readonly #perRoom: Float64Array;

  constructor(array: ActiveArray, model: PriceModel) {
    this.#array = array;
    this.#model = model;
    this.loss = new Float64Array(array.users);
    this.ofPosition = new Float64Array(array.positions);
    this.#shares = new Float64Array(model.pooled ? array.grids * model.terms.length : 0);
    this.#perRoom = new Float64Array(model.terms.length);
  }

  /** Divides shared rooms with the root of what users can move, users weighted; all alike where nobody has weight. */
  divide(owned: Float64Array, weights: Float64Array): void {
    if (!this.#model.pooled) return;
    const { terms } = this.#model;
    for (let g = 0; g < this.#array.grids; g++) {
      const kept = this.keptOf(g, owned);
      if (kept === 0) continue;
      let sum = 0;
      terms.forEach((term, index) => {
        let weighted = 0;
        let plain = 0;
        for (let at = this.#array.gridStart[g]!; at < this.#array.gridStart[g + 1]!; at++) {
          const moved = this.#influence(index, g, owned[this.#array.positionInGrid[at]!]!, Math.max(2, kept));
          weighted += weights[this.#array.userInGrid[at]!]! * moved;
          plain += moved;
        }
        const root = Math.sqrt((weighted > 0 ? weighted : plain) * term.noiseWeight);
        this.#shares[g * terms.length + index] = root;
        sum += root;
      });
      terms.forEach((_, index) => {
        this.#shares[g * terms.length + index]! /= sum > 0 ? sum : 1;
      });
    }
  }

  keptOf(g: number, owned: Float64Array): number {
    let kept = 0;
    for (let at = this.#array.gridStart[g]!; at < this.#array.gridStart[g + 1]!; at++)
      kept += owned[this.#array.positionInGrid[at]!]!;
    return kept;
  }

  measure(owned: Float64Array): boolean {
    const { grids, gridStart, positionInGrid, start, users } = this.#array;
    this.largest = Number.POSITIVE_INFINITY;
    for (let g = 0; g < grids; g++) {
      if (!this.#array.isActive(g)) continue;
      const kept = this.keptOf(g, owned);
      if (!this.priceAt(g, kept)) return false;
      for (let at = gridStart[g]!; at < gridStart[g + 1]!; at++) {
        const position = positionInGrid[at]!;
        this.ofPosition[position] = this.lossOf(g, owned[position]!, kept);
      }
    }
    let largest = 0;
    for (let user = 0; user < users; user++) {
      let loss = 0;
      for (let at = start[user]!; at < start[user + 1]!; at++) loss += this.ofPosition[at]!;
      this.loss[user] = loss;
      if (loss > largest) largest = loss;
    }
    this.largest = largest;
    return Number.isFinite(largest);
  }

  /** The paper's count after `measure`: the largest loss of every grid in which a user keeps anything. */
  largestSimple(owned: Float64Array): number {
    const { grid, start, users } = this.#array;
    const ofGrid = new Float64Array(this.#array.grids);
    for (let at = 0; at < owned.length; at++) ofGrid[grid[at]!] = Math.max(ofGrid[grid[at]!]!, this.ofPosition[at]!);
    let largest = 0;
    for (let user = 0; user < users; user++) {
      let loss = 0;
      for (let at = start[user]!; at < start[user + 1]!; at++) if (owned[at]! > 0) loss += ofGrid[grid[at]!]!;
      largest = Math.max(largest, loss);
    }
    return largest;
  }

  /** Prepares `lossOf` for a grid that keeps so many. False if it cannot meet its target. */
  priceAt(g: number, kept: number): boolean {
    if (kept <= 0) return false;
    const { terms, pooled } = this.#model;
    const total = this.#array.total[g]!;
    const rooms = this.#model.rooms(total, kept, Math.floor(total / 2));
    const shares = this.#shares.subarray(g * terms.length, (g + 1) * terms.length);
    // The variance of one record needs no noise: the others have its share.
    let shared = 1;
    if (pooled && kept === 1) {
      for (let index = 0; index < terms.length; index++) if (terms[index]!.isSpread) shared -= shares[index]!;
    }
    for (let index = 0; index < terms.length; index++) {
      const room = rooms[pooled ? 0 : index]!;
      if (room < 0) return false;
      const part = pooled ? (room * shares[index]!) / shared : room;
      this.#perRoom[index] = part > 0 ? terms[index]!.noiseWeight / part : Number.POSITIVE_INFINITY;
    }
    return true;
  }

  /** Of a user that owns so many of the kept records; after `priceAt`. */
  lossOf(g: number, owned: number, kept: number): number {
    let sum = 0;
    for (let index = 0; index < this.#perRoom.length; index++) {
      const moved = this.#influence(index, g, owned, kept);
      if (moved > 0) sum += moved * this.#perRoom[index]!;
    }
    return sum;
  }

  #influence(index: number, g: number, owned: number, kept: number): number {
    const term = this.#model.terms[index]!;
    const each = perRecordInfluence(term, this.#array.total[g]!, kept);
    if (!term.isSpread) return each * owned;
    const movable = Math.min(owned, Math.floor(kept / 2));
    return (each * movable * (kept - movable)) / kept;
  }
}
