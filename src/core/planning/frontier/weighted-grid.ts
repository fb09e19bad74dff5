/** A grid as the lower bound sees it: which records are cheapest to keep when every user's loss has a weight. */
import type { ActiveArray } from "./active-array.ts";

/** Users that carry weight, one by one, and all others by count: their records are free. */
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
