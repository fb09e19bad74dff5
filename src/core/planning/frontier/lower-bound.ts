/** A proven lower bound of the loss from weights of users: docs/mathematics.md, Theorem 10. Doubles, rounded down by a margin. */
import { lastWhere, sumOf } from "../numbers.ts";
import type { ActiveArray } from "./active-array.ts";
import { biasShape, type PriceModel, type PriceTerm, perRecordInfluence } from "./price-model.ts";

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
  const sum = sumOf(weights);
  let total = 0;
  for (let g = 0; g < array.grids; g++) {
    if (!array.isActive(g)) continue;
    const grid = new WeightedGrid(array, g, (user) => weights[user]! > 0);
    grid.weigh(weights);
    total += new GridBound(grid, model, { limit, enough: limit * sum }).lowest(tolerance);
  }
  return (total / sum) * (1 - MARGIN);
}

/** A grid as the bound sees it: users that carry weight one by one, and all others by count, whose records are free. */
export class WeightedGrid {
  readonly total: number;
  readonly largestCount: number;
  /** Users with weight: who, how many records, and the weight (set by `weigh`), cheapest first. */
  readonly user: Uint32Array;
  readonly count: Float64Array;
  readonly weight: Float64Array;
  /** Ascending counts of the others, and their running sums. */
  readonly #freeCount: Float64Array;
  readonly #freeSum: Float64Array;

  constructor(array: ActiveArray, grid: number, carriesWeight: (user: number) => boolean) {
    this.total = array.total[grid]!;
    const users: number[] = [];
    const free: number[] = [];
    const counts: number[] = [];
    let largest = 0;
    for (let at = array.gridStart[grid]!; at < array.gridStart[grid + 1]!; at++) {
      const user = array.userInGrid[at]!;
      const count = array.count[array.positionInGrid[at]!]!;
      if (count > largest) largest = count;
      if (carriesWeight(user)) {
        users.push(user);
        counts.push(count);
      } else free.push(count);
    }
    this.largestCount = largest;
    this.user = Uint32Array.from(users);
    this.count = Float64Array.from(counts);
    this.weight = new Float64Array(users.length);
    this.#freeCount = Float64Array.from(free).sort();
    this.#freeSum = new Float64Array(free.length + 1);
    this.#freeCount.forEach((count, at) => {
      this.#freeSum[at + 1] = this.#freeSum[at]! + count;
    });
  }

  /** Takes the weights over and puts the cheapest users first. Nearly sorted from the last time, so insertion is quick. */
  weigh(weights: Float64Array): void {
    const { user, count, weight } = this;
    for (let at = 0; at < user.length; at++) weight[at] = weights[user[at]!]!;
    for (let at = 1; at < user.length; at++) {
      const own = weight[at]!;
      if (weight[at - 1]! <= own) continue;
      const who = user[at]!;
      const records = count[at]!;
      let to = at;
      while (to > 0 && weight[to - 1]! > own) {
        weight[to] = weight[to - 1]!;
        user[to] = user[to - 1]!;
        count[to] = count[to - 1]!;
        to -= 1;
      }
      weight[to] = own;
      user[to] = who;
      count[to] = records;
    }
  }

  /** Records of users without weight, at most `cap` of each. */
  freeRecords(cap: number): number {
    const counts = this.#freeCount;
    let low = 0;
    let high = counts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (counts[middle]! <= cap) low = middle + 1;
      else high = middle;
    }
    return this.#freeSum[low]! + (low < counts.length ? (counts.length - low) * cap : 0);
  }
}

class GridBound {
  readonly #grid: WeightedGrid;
  readonly #model: PriceModel;
  readonly #limit: number;
  readonly #order: Uint32Array;
  readonly #chordCost: Float64Array;
  readonly #chordOrder: Uint32Array;
  /** A value that is attained, or more than anyone asks for: ranges that are bound by it need no closer look. */
  #best: number;

  constructor(grid: WeightedGrid, model: PriceModel, { limit, enough }: { limit: number; enough: number }) {
    this.#grid = grid;
    this.#model = model;
    this.#limit = limit * (1 + MARGIN);
    this.#best = enough;
    this.#order = Uint32Array.from(grid.user, (_, at) => at);
    this.#chordCost = new Float64Array(grid.user.length);
    this.#chordOrder = this.#order.slice();
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
    const plain = this.#cheapest(fewest, cap, this.#grid.weight, this.#order);
    if (plain === undefined) return Number.POSITIVE_INFINITY;
    const { terms, pooled } = this.#model;
    const spread = (terms.some((term) => term.isSpread) && this.#cheapestByChords(fewest, cap)) || plain;
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
        term.biasWeight * term.bias * biasShape(term, total - kept, total, Math.floor(total / 2)) * (1 - 1e-12);
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

  /**
   * Σ cost·records of the `kept` cheapest records, at most `cap` of each user, and as slope what the last one costs; undefined if there
   * are not so many. Users are in ascending order of cost.
   */
  #cheapest(kept: number, cap: number, cost: Float64Array, order: Uint32Array) {
    const { count } = this.#grid;
    let left = kept - this.#grid.freeRecords(cap);
    let sum = 0;
    let slope = 0;
    for (let at = 0; at < order.length && left > 0; at++) {
      const position = order[at]!;
      const taken = Math.min(count[position]!, cap, left);
      slope = cost[position]!;
      sum += slope * taken;
      left -= taken;
    }
    return left > 0 ? undefined : { sum, slope };
  }

  /** The same with every weight times the slope of the chord, which changes the order a little. */
  #cheapestByChords(kept: number, cap: number) {
    const { weight, count } = this.#grid;
    const order = this.#chordOrder;
    const cost = this.#chordCost;
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
    return this.#cheapest(kept, cap, cost, order);
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
