/** Small arrays, where whole records matter: moves of single entries, exchanges and caps of whole grids that lower the largest losses. */
import type { LongWork } from "../long-work.ts";
import { largestOf } from "../numbers.ts";
import type { ActiveArray, Start } from "./active-array.ts";
import type { PriceModel } from "./price-model.ts";
import { softWeights } from "./price-model.ts";
import { WholeLosses } from "./whole-losses.ts";

/** Larger arrays gain less than a ten-thousandth: a record is a small part of what any user keeps. */
const MOST_POSITIONS = 600;
const MOST_USERS_TO_EXCHANGE = 12;
/** How sharply the largest loss is looked at, first to last. */
const SHARPNESS = [8, 40, 300];
const PASSES = 12;

/**
 * The best whole counts found from `from` and a few plain starts; never worse than `from`. At most `work` losses of users are worked
 * out: about five million a second.
 */
export function* polish(
  array: ActiveArray,
  model: PriceModel,
  from: Start,
  options: { work: number; isOutOfTime?: (() => boolean) | undefined },
): LongWork<Start> {
  if (array.positions > MOST_POSITIONS) return from;
  const polisher = new Polisher(array, model);
  let best = { owned: from.owned, largest: polisher.largestOf(from.owned) };
  const starts = [from.owned, array.everything(), ...plainCaps(array)];
  for (const [done, owned] of starts.entries()) {
    if (options.isOutOfTime?.()) break;
    yield { step: "rounding to whole records", done, of: starts.length };
    const found = polisher.improve(owned, options.work / starts.length);
    if (found.largest < best.largest * (1 - 1e-9)) best = found;
  }
  return best;
}

/** At most 1, 2, 4 … records of everyone. */
function plainCaps(array: ActiveArray): Float64Array[] {
  const most = largestOf(array.count);
  const caps: Float64Array[] = [];
  for (let cap = 1; cap < most; cap *= 2) caps.push(array.everything().map((count) => Math.min(count, cap)));
  return caps;
}

class Polisher {
  readonly #array: ActiveArray;
  readonly #losses: WholeLosses;
  readonly #weights: Float64Array;
  #owned = new Float64Array(0);
  #sharpness = 0;
  #reference = 0;
  #work = 0;

  constructor(array: ActiveArray, model: PriceModel) {
    this.#array = array;
    this.#losses = new WholeLosses(array, model);
    this.#weights = new Float64Array(array.users);
  }

  /** With rooms divided for those who lose most. */
  largestOf(owned: Float64Array): number {
    this.#losses.divide(owned, new Float64Array(this.#array.users));
    if (!this.#losses.measure(owned)) return Number.POSITIVE_INFINITY;
    let least = this.#losses.largest;
    for (let round = 0; round < 2; round++) {
      this.#divide(owned, SHARPNESS.at(-1)!);
      least = Math.min(least, this.#losses.largest);
    }
    return least;
  }

  improve(from: Float64Array, work: number): Start {
    const { grids } = this.#array;
    this.#owned = from.slice();
    this.#work = work;
    let best = { owned: from, largest: this.largestOf(from) };
    if (best.largest === Number.POSITIVE_INFINITY) return best;
    for (const sharpness of SHARPNESS) {
      this.#sharpness = sharpness;
      for (let pass = 0; pass < PASSES && this.#work > 0; pass++) {
        if (!this.#divide(this.#owned, sharpness)) return best;
        this.#reference = this.#losses.largest;
        if (this.#reference < best.largest) best = { owned: this.#owned.slice(), largest: this.#reference };
        if (this.#reference === 0) return best;
        let moves = 0;
        for (let g = 0; g < grids && this.#work > 0; g++) if (this.#array.isActive(g)) moves += this.#moveIn(g);
        if (moves === 0) break;
      }
    }
    const largest = this.largestOf(this.#owned);
    return largest < best.largest ? { owned: this.#owned.slice(), largest } : best;
  }

  #divide(owned: Float64Array, sharpness: number): boolean {
    if (!this.#losses.measure(owned)) return false;
    softWeights(this.#losses.loss, this.#losses.largest, sharpness, this.#weights);
    this.#losses.divide(owned, this.#weights);
    return this.#losses.measure(owned);
  }

  /** Every kind of move in one grid, each taken as soon as it helps. How many were. */
  #moveIn(g: number): number {
    const { gridStart, positionInGrid, count } = this.#array;
    const positions = positionInGrid.subarray(gridStart[g], gridStart[g + 1]);
    const owned = this.#owned;
    let moves = 0;
    for (const at of positions) {
      const own = owned[at]!;
      const most = count[at]!;
      const values = new Set([own - 1, own + 1, 0, most, Math.floor(own / 2), 2 * own]);
      for (const value of values)
        if (value >= 0 && value <= most && this.#isBetter(g, positions, () => owned.set([value], at))) moves += 1;
    }
    if (positions.length <= MOST_USERS_TO_EXCHANGE) moves += this.#exchangeIn(g, positions);
    const most = positions.reduce((left, at) => Math.max(left, count[at]!), 0);
    for (let cap = 1; cap <= most; cap = Math.max(cap + 1, Math.floor(cap * 1.3))) {
      const isCapped = this.#isBetter(g, positions, () => {
        for (const at of positions) owned[at] = Math.min(count[at]!, cap);
      });
      if (isCapped) moves += 1;
    }
    return moves;
  }

  /** One record of one user for one of another; or one record in all, whose variance nobody can move. */
  #exchangeIn(g: number, positions: Uint32Array): number {
    const owned = this.#owned;
    let moves = 0;
    for (const giving of positions) {
      const isAlone = this.#isBetter(g, positions, () => {
        for (const at of positions) owned[at] = at === giving ? 1 : 0;
      });
      if (isAlone) moves += 1;
      for (const taking of positions) {
        if (giving === taking || owned[giving] === 0 || owned[taking] === this.#array.count[taking]) continue;
        const isBetter = this.#isBetter(g, positions, () => {
          owned[giving]! -= 1;
          owned[taking]! += 1;
        });
        if (isBetter) moves += 1;
      }
    }
    return moves;
  }

  /** Tries a move within one grid, and takes it back if the losses of its users, the large ones above all, do not fall. */
  #isBetter(g: number, positions: Uint32Array, move: () => void): boolean {
    const losses = this.#losses;
    const owned = this.#owned;
    const before = Float64Array.from(positions, (at) => owned[at]!);
    move();
    this.#work -= positions.length;
    const kept = losses.keptOf(g, owned);
    let difference = 0;
    const isPossible = losses.priceAt(g, kept);
    if (isPossible) {
      positions.forEach((at, index) => {
        const old = losses.loss[this.#userAt(g, index)]!;
        const changed = old - losses.ofPosition[at]! + losses.lossOf(g, owned[at]!, kept);
        difference += this.#potential(changed) - this.#potential(old);
      });
    }
    if (!isPossible || !(difference < -1e-12)) {
      positions.forEach((at, index) => {
        owned[at] = before[index]!;
      });
      return false;
    }
    positions.forEach((at, index) => {
      const user = this.#userAt(g, index);
      const loss = losses.lossOf(g, owned[at]!, kept);
      losses.loss[user]! += loss - losses.ofPosition[at]!;
      losses.ofPosition[at] = loss;
    });
    return true;
  }

  #userAt(g: number, index: number): number {
    return this.#array.userInGrid[this.#array.gridStart[g]! + index]!;
  }

  #potential(loss: number): number {
    return Math.exp(this.#sharpness * Math.min(2, loss / this.#reference - 1));
  }
}
