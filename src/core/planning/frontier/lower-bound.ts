/** A proven lower bound of the loss from weights of users: docs/mathematics.md, Theorem 10. Doubles, rounded down by a margin. */
import { lastWhere } from "../numbers.ts";
import type { ActiveArray } from "./active-array.ts";
import { type PriceModel, type PriceTerm, perRecordInfluence, wholeBiasShape } from "./price-model.ts";
import { WeightedGrid } from "./weighted-grid.ts";

/** Sums of up to millions of positive terms, a few roundings each. */
const MARGIN = 1e-9;

/**
 * No plan that meets the model's target and in which nobody loses more than `limit` in any one grid has a smaller weighted
 * loss; where there is no such plan, what is returned is about `limit` or more. `weights` are whole numbers, by user; `tolerance` is how much of it may be given away.
 */
export function weightedLossBelow(
  array: ActiveArray,
  model: PriceModel,
  weights: Float64Array,
  { limit, tolerance }: { limit: number; tolerance: number },
): number {
  const sum = weights.reduce((left, right) => left + right, 0);
  let total = 0;
  for (let g = 0; g < array.grids; g++) {
    if (!array.isActive(g)) continue;
    const grid = new WeightedGrid(array, g, (user) => weights[user]! > 0);
    grid.weigh(weights);
    total += new GridBound(grid, model, { limit, enough: limit * sum }).lowest(tolerance);
  }
  return (total / sum) * (1 - MARGIN);
}

class GridBound {
  readonly #grid: WeightedGrid;
  readonly #model: PriceModel;
  readonly #limit: number;
  readonly #cost: Float64Array;
  readonly #order: Uint32Array;
  /** Of the last question about the cheapest records. */
  #sum = 0;
  #slope = 0;
  /** A value that is attained, or more than anyone asks for: ranges that are bound by it need no closer look. */
  #best: number;

  constructor(grid: WeightedGrid, model: PriceModel, { limit, enough }: { limit: number; enough: number }) {
    this.#grid = grid;
    this.#model = model;
    this.#limit = limit * (1 + MARGIN);
    this.#best = enough;
    this.#cost = new Float64Array(grid.user.length);
    this.#order = Uint32Array.from(grid.user, (_, at) => at);
  }

  /** Over every whole number of kept records. */
  lowest(tolerance: number): number {
    const { total } = this.#grid;
    for (let at = 1; at <= 32; at++) this.#try(Math.max(1, Math.round((total * at) / 32)));
    return this.#over(1, total, tolerance);
  }

  #try(kept: number): void {
    this.#best = Math.min(this.#best, this.#between(kept, kept));
  }

  /** Halves the range until its bound is as good as the best value seen, or it is a single number. */
  #over(fewest: number, most: number, tolerance: number): number {
    const bound = this.#between(fewest, most);
    if (fewest === most || bound >= this.#best * (1 - tolerance)) return bound;
    const middle = Math.floor((fewest + most) / 2);
    this.#try(middle);
    return Math.min(this.#over(fewest, middle, tolerance), this.#over(middle + 1, most, tolerance));
  }

  /**
   * Below the weighted loss for every number of kept records from `fewest` to `most`. Costs grow at least as fast as at `fewest`, and
   * what they are divided by is convex: the smaller of the values at the two ends is below all between.
   */
  #between(fewest: number, most: number): number {
    const { total } = this.#grid;
    const room = this.#roomsAbove(most);
    if (!room.every(isRoom)) return Number.POSITIVE_INFINITY;
    const roomBefore = this.#roomsAbove(fewest);
    const cap = this.#mostOfOneUser(fewest, most, room);
    if (!this.#cheapest(fewest, cap)) return Number.POSITIVE_INFINITY;
    const plain = { sum: this.#sum, slope: this.#slope };
    const { terms, pooled } = this.#model;
    if (terms.some((term) => term.isSpread)) this.#cheapestByChords(fewest, cap);
    const spread = { sum: this.#sum, slope: this.#slope };
    // Per kept record: then the divisor is kept·room. Beside sums, what is per kept record is held at its least.
    const divide = !terms.some((term) => term.isCount || term.perTotal);
    let before = 0;
    let after = 0;
    let sum = 0;
    terms.forEach((term, index) => {
      const { sum: cost, slope } = term.isSpread ? spread : plain;
      const perKept = !term.isCount && !term.perTotal;
      const factor = term.noiseWeight * perRecordInfluence(term, total, divide && perKept ? 1 : fewest);
      const first = factor * cost;
      const last = perKept && !divide ? first : factor * (cost + slope * (most - fewest));
      if (pooled) {
        before += Math.sqrt(first);
        after += Math.sqrt(last);
      } else
        sum += Math.min(
          ratio(first, roomBefore[index]!, divide ? fewest : 1),
          ratio(last, room[index]!, divide ? most : 1),
        );
    });
    if (!pooled) return sum;
    return Math.min(
      ratio(before * before, roomBefore[0]!, divide ? fewest : 1),
      ratio(after * after, room[0]!, divide ? most : 1),
    );
  }

  /** What biases leave at most for noise, a little rounded up; not above 0 if nothing. */
  #roomsAbove(kept: number): Float64Array {
    const { total } = this.#grid;
    const { terms, pooled } = this.#model;
    const rooms = new Float64Array(pooled ? 1 : terms.length);
    for (let at = 0; at < rooms.length; at++) rooms[at] = this.#model.limit(at, total) * (1 + 1e-12);
    terms.forEach((term, index) => {
      rooms[pooled ? 0 : index]! -=
        term.biasWeight * term.bias * wholeBiasShape(term, total - kept, total) * (1 - 1e-12);
    });
    return rooms;
  }

  /** The most records that a user can have kept without losing more than the limit in this grid alone. */
  #mostOfOneUser(fewest: number, most: number, rooms: Float64Array): number {
    const { terms, pooled } = this.#model;
    return lastWhere(0, this.#grid.largestCount, (owned) => {
      let roots = 0;
      let sum = 0;
      terms.forEach((term, index) => {
        const influence = term.noiseWeight * influenceAtLeast(term, owned, { fewest, most, total: this.#grid.total });
        if (pooled) roots += Math.sqrt(influence);
        else sum += influence / rooms[index]!;
      });
      return (pooled ? (roots * roots) / rooms[0]! : sum) <= this.#limit;
    });
  }

  /** Sets Σ weight·records of the `kept` cheapest records, at most `cap` of each user, and what the last one costs. False if there are not so many. */
  #cheapest(kept: number, cap: number): boolean {
    const { weight, count } = this.#grid;
    let left = kept - this.#grid.freeRecords(cap);
    this.#sum = 0;
    this.#slope = 0;
    for (let at = 0; at < weight.length && left > 0; at++) {
      const taken = Math.min(count[at]!, cap, left);
      this.#sum += weight[at]! * taken;
      this.#slope = weight[at]!;
      left -= taken;
    }
    return left <= 0;
  }

  /** The same with every weight times the slope of the chord, which changes the order a little. */
  #cheapestByChords(kept: number, cap: number): void {
    const { weight, count } = this.#grid;
    const order = this.#order;
    const cost = this.#cost;
    for (let at = 0; at < cost.length; at++) cost[at] = weight[at]! * chord(Math.min(count[at]!, cap), kept);
    for (let at = 1; at < order.length; at++) {
      const own = order[at]!;
      let to = at;
      while (to > 0 && cost[order[to - 1]!]! > cost[own]!) {
        order[to] = order[to - 1]!;
        to -= 1;
      }
      order[to] = own;
    }
    let left = kept - this.#grid.freeRecords(cap);
    this.#sum = 0;
    this.#slope = 0;
    for (let at = 0; at < order.length && left > 0; at++) {
      const position = order[at]!;
      const taken = Math.min(count[position]!, cap, left);
      this.#sum += cost[position]! * taken;
      this.#slope = cost[position]!;
      left -= taken;
    }
  }
}

/** Infinite where there is no room: of this statistic, whatever room others have. */
function ratio(cost: number, room: number, factor: number): number {
  return isRoom(room) ? cost / (room * factor) : Number.POSITIVE_INFINITY;
}

function isRoom(room: number): boolean {
  return room > 0;
}

/** k·influence(owned, k)/owned, at most 1 and non-decreasing in k: the slope of the chord below the concave influence of at least one record. */
function chord(owned: number, kept: number): number {
  const movable = Math.min(owned, Math.floor(kept / 2));
  return (movable * (kept - movable)) / (kept * owned);
}

/** Below the influence of `owned` records for any number of kept ones in the range. */
function influenceAtLeast(
  term: PriceTerm,
  owned: number,
  { fewest, most, total }: { fewest: number; most: number; total: number },
): number {
  if (term.isCount) return term.sensitivity * owned;
  if (!term.isSpread) return (term.sensitivity * owned) / (term.perTotal ? total : most);
  if (term.perTotal) return (term.sensitivity * chord(owned, fewest) * owned) / total;
  // Falls with more kept records until it saturates, and then odd numbers fall short of 1/4 by 1/(4k²).
  const atMost = (chord(owned, most) * owned) / most;
  return term.sensitivity * Math.min(atMost, 0.25 * (1 - 1 / (fewest * fewest)));
}
