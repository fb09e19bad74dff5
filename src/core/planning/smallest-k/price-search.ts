/** Prices per dropped record at which users cannot afford to come down to k grids, or at which they spread so well that they can. */
import { itemAt } from "../../errors/index.ts";
import type { Occupancy } from "../../occupancy/index.ts";
import type { DropAllowance, DropProblem } from "./drop-problem.ts";

/**
 * Multiplicative prices in doubles: a grid that more is to be dropped from than it can lose gets dearer. Each round is one walk over the entries
 * of the users that have too many grids, so that this also serves arrays no solver would take. It suggests: prices are proven by
 * `provesImpossible`, plans are checked where they are taken.
 */
export class PriceSearch {
  /** What was best in Σ owed / Σ room (docs/mathematics.md, Theorem 11); above 1 + rounding, a proof. */
  readonly bestPrices: Float64Array;
  bestRatio = 0;
  readonly #problem: DropProblem;
  readonly #k: number;
  readonly #users: Uint32Array;
  readonly #prices: Float64Array;
  /** The most that a grid can lose, at least 1. */
  readonly #most: Float64Array;
  /** By grid: where in the order by grid the users stand that may have to go so that its largest kept count falls, the most records first. */
  readonly #heavy: readonly Uint32Array[];
  readonly #levels: Float64Array;
  readonly #loads: Float64Array;
  readonly #scratch: Float64Array;
  #round = 0;

  constructor(problem: DropProblem, k: number) {
    const { occupancy, allowances } = problem;
    this.#problem = problem;
    this.#k = k;
    const everyone = Uint32Array.from({ length: occupancy.users.length }, (_, user) => user);
    this.#users = everyone.filter((user) => occupancy.gridsOfUser(user) > k);
    this.#most = Float64Array.from(allowances, (ofGrid) => ofGrid.reduce((most, next) => Math.max(most, next.most), 1));
    this.#prices = this.#most.map((most) => 1 / most);
    this.bestPrices = this.#prices.slice();
    this.#heavy = allowances.map((ofGrid, grid) =>
      heavyUsers(occupancy, grid, itemAt(ofGrid, ofGrid.length - 1).largest),
    );
    this.#levels = new Float64Array(occupancy.users.length);
    this.#loads = new Float64Array(occupancy.grids.length);
    this.#scratch = new Float64Array(occupancy.maxGridsPerUser());
  }

  /** One round: what users owe at these prices, what grids have room for, and dearer prices where the former is more. */
  improve(): void {
    const { allowances, protectedGrid } = this.#problem;
    const owed = this.#spreadUsers();
    let room = 0;
    let worth = 0;
    const step = 1 / Math.sqrt(4 + this.#round / 4);
    const next = this.#prices.slice();
    for (let grid = 0; grid < allowances.length; grid++) {
      if (grid === protectedGrid) continue;
      const { value, records } = this.#roomOf(grid);
      room += value;
      const excess = (this.#loads[grid]! - records) / this.#most[grid]!;
      next[grid] = this.#prices[grid]! * Math.exp(step * Math.max(-1, Math.min(1, excess)));
      worth += next[grid]! * this.#most[grid]!;
    }
    const ratio = room > 0 ? owed / room : owed > 0 ? Number.POSITIVE_INFINITY : 0;
    if (ratio > this.bestRatio) {
      this.bestRatio = ratio;
      this.bestPrices.set(this.#prices);
    }
    for (let grid = 0; grid < next.length; grid++) this.#prices[grid] = next[grid]! / worth;
    this.#round += 1;
  }

  /** Γ by entry of a plan that follows the prices of this round: who owes most chooses first, within what is left; undefined if someone finds too little. */
  plan(): Uint32Array | undefined {
    const { occupancy, allowances, protectedGrid } = this.#problem;
    const { byUser, byGrid } = occupancy;
    const kept = byUser.count.slice();
    this.#spreadUsers();
    const left = new Float64Array(allowances.length);
    for (let grid = 0; grid < allowances.length; grid++) {
      if (grid === protectedGrid) continue;
      const { allowance } = this.#roomOf(grid);
      if (allowance.upTo < allowance.forced) return undefined;
      left[grid] = allowance.upTo - allowance.forced;
      for (const at of itemAt(this.#heavy, grid)) {
        const entry = byGrid.entry[at]!;
        if (byUser.count[entry]! > allowance.largest) kept[entry] = 0;
      }
    }
    const price = (entry: number): number => this.#prices[byUser.grid[entry]!]! * byUser.count[entry]!;
    const inTurn = this.#users.slice().sort((one, other) => this.#levels[other]! - this.#levels[one]! || one - other);
    for (const user of inTurn) {
      const entries: number[] = [];
      for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++) {
        if (kept[entry]! > 0) entries.push(entry);
      }
      let tooMany = entries.length - this.#k;
      for (const entry of entries.sort((one, other) => price(one) - price(other) || one - other)) {
        if (tooMany <= 0) break;
        const grid = byUser.grid[entry]!;
        if (grid === protectedGrid || left[grid]! < kept[entry]!) continue;
        left[grid]! -= kept[entry]!;
        kept[entry] = 0;
        tooMany -= 1;
      }
      if (tooMany > 0) return undefined;
    }
    return kept;
  }

  /** Every user leaves its cheapest grids: fills loads and levels, returns what is owed in all. */
  #spreadUsers(): number {
    const { occupancy, protectedGrid } = this.#problem;
    const { start, grid, count } = occupancy.byUser;
    this.#loads.fill(0);
    let owed = 0;
    for (const user of this.#users) {
      let length = 0;
      for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
        if (grid[entry] !== protectedGrid) this.#scratch[length++] = this.#prices[grid[entry]!]! * count[entry]!;
      }
      const tooMany = start[user + 1]! - start[user]! - this.#k;
      const costs = this.#scratch.subarray(0, length).sort();
      const level = costs[tooMany - 1]!;
      this.#levels[user] = level;
      let below = 0;
      for (let at = 0; at < tooMany; at++) {
        owed += costs[at]!;
        if (costs[at]! < level) below += 1;
      }
      let atLevel = tooMany - below;
      for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
        if (grid[entry] === protectedGrid) continue;
        const cost = this.#prices[grid[entry]!]! * count[entry]!;
        if (cost < level || (cost === level && atLevel-- > 0)) this.#loads[grid[entry]!]! += count[entry]!;
      }
    }
    return owed;
  }

  /** The allowance that leaves the most room, and how much: its worth, and its records. */
  #roomOf(grid: number): { value: number; records: number; allowance: DropAllowance } {
    const ofGrid = itemAt(this.#problem.allowances, grid);
    const { byGrid, byUser } = this.#problem.occupancy;
    const heavy = itemAt(this.#heavy, grid);
    const price = this.#prices[grid]!;
    let best = { value: Number.NEGATIVE_INFINITY, records: 0, allowance: itemAt(ofGrid, 0) };
    let wasted = 0;
    let wastedRecords = 0;
    let at = 0;
    for (const allowance of ofGrid) {
      for (; at < heavy.length; at++) {
        const count = byUser.count[byGrid.entry[heavy[at]!]!]!;
        if (count <= allowance.largest) break;
        const over = price * count - this.#levels[byGrid.user[heavy[at]!]!]!;
        if (over <= 0) continue;
        wasted += over;
        wastedRecords += count;
      }
      const value = price * allowance.most - wasted;
      if (value > best.value) best = { value, records: allowance.most - wastedRecords, allowance };
    }
    return best;
  }
}

function heavyUsers({ byGrid, byUser }: Occupancy, grid: number, smallestLargest: number): Uint32Array {
  const countAt = (at: number): number => byUser.count[byGrid.entry[at]!]!;
  const first = itemAt(byGrid.start, grid);
  return byGrid.entry
    .subarray(first, byGrid.start[grid + 1])
    .map((_, at) => first + at)
    .filter((at) => countAt(at) > smallestLargest)
    .sort((one, other) => countAt(other) - countAt(one) || one - other);
}
