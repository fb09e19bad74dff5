/** Γ: how many of each entry's records a plan keeps, with totals per grid, and users grouped by how many they keep. */
import type { Occupancy } from "./occupancy.ts";

export class Kept {
  readonly occupancy: Occupancy;
  /** Γ[g, ℓ] by entry, each at most the entry's count. */
  readonly ofEntry: Uint32Array;
  /** k_g. */
  readonly ofGrid: Float64Array;
  /** Γ*_g. */
  readonly largestOfGrid: Float64Array;

  constructor(occupancy: Occupancy, ofEntry: Uint32Array) {
    this.occupancy = occupancy;
    this.ofEntry = ofEntry;
    this.ofGrid = new Float64Array(occupancy.grids.length);
    this.largestOfGrid = new Float64Array(occupancy.grids.length);
    const { grid } = occupancy.byUser;
    for (let entry = 0; entry < ofEntry.length; entry++) {
      const kept = ofEntry[entry]!;
      const g = grid[entry]!;
      this.ofGrid[g]! += kept;
      if (kept > this.largestOfGrid[g]!) this.largestOfGrid[g] = kept;
    }
  }

  /** Γ = m: nothing dropped. */
  static all(occupancy: Occupancy): Kept {
    return new Kept(occupancy, occupancy.byUser.count);
  }

  /** n_g, k_g and Γ*_g of one grid. */
  countsOf(grid: number): { total: number; kept: number; largest: number } {
    return {
      total: this.occupancy.samplesOfGrid[grid]!,
      kept: this.ofGrid[grid]!,
      largest: this.largestOfGrid[grid]!,
    };
  }

  /** Entries of which nothing is kept, ascending. */
  droppedEntries(): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.ofEntry.length).map((_, entry) => entry).filter((entry) => this.ofEntry[entry] === 0);
  }

  /** K: the most grids in which any user still has records. */
  maxGridsPerUser(): number {
    const { start } = this.occupancy.byUser;
    let most = 0;
    for (let user = 0; user < this.occupancy.users.length; user++) {
      let grids = 0;
      for (let entry = start[user]!; entry < start[user + 1]!; entry++) if (this.ofEntry[entry]! > 0) grids += 1;
      most = Math.max(most, grids);
    }
    return most;
  }

  /** Users with at least one kept record in a grid. */
  usersOfGrid(grid: number): number {
    const { start, entry } = this.occupancy.byGrid;
    let users = 0;
    for (let position = start[grid]!; position < start[grid + 1]!; position++) {
      if (this.ofEntry[entry[position]!]! > 0) users += 1;
    }
    return users;
  }
}

/** In place of a count where there is none: larger than all. */
const NO_COUNT = 0xffffffff;

/**
 * A *cell* is a grid and a number of records that some of its users keep. Where numbers are small beside the users of a grid it has a
 * cell for each from 0 on, which is found at once; elsewhere only for those that occur, and it is searched for.
 */
export class KeptCells {
  /** Grid g's cells are start[g] … start[g + 1], by ascending count. */
  readonly start: Uint32Array;
  readonly count: Uint32Array;
  /** How many users keep just as many; 0 where a cell stands for nothing. */
  readonly users: Uint32Array;
  readonly #isDense: Uint8Array;

  constructor(kept: Kept) {
    const { byUser, byGrid, grids } = kept.occupancy;
    this.#isDense = new Uint8Array(grids.length);
    this.start = new Uint32Array(grids.length + 1);
    for (let grid = 0; grid < grids.length; grid++) {
      const users = byGrid.start[grid + 1]! - byGrid.start[grid]!;
      const largest = kept.largestOfGrid[grid]!;
      this.#isDense[grid] = largest < users ? 1 : 0;
      this.start[grid + 1] = this.start[grid]! + Math.min(users, largest + 1);
    }
    this.count = new Uint32Array(this.start[grids.length]!);
    this.users = new Uint32Array(this.start[grids.length]!);
    for (let grid = 0; grid < grids.length; grid++) {
      const cells = this.start[grid]!;
      if (this.#isDense[grid] === 0) this.#fillSparse(kept, grid);
      else for (let count = 0; cells + count < this.start[grid + 1]!; count++) this.count[cells + count] = count;
    }
    const { start, users } = this;
    const isDense = this.#isDense;
    for (let entry = 0; entry < byUser.grid.length; entry++) {
      const grid = byUser.grid[entry]!;
      if (isDense[grid] === 1) users[start[grid]! + kept.ofEntry[entry]!]! += 1;
    }
  }

  get length(): number {
    return this.count.length;
  }

  /** The cell of users who keep so many records in a grid; there is one. */
  cellOf(grid: number, kept: number): number {
    if (this.#isDense[grid] === 1) return this.start[grid]! + kept;
    let low = this.start[grid]!;
    let high = this.start[grid + 1]! - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.count[middle]! < kept) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #fillSparse(kept: Kept, grid: number): void {
    const { byGrid } = kept.occupancy;
    const entries = byGrid.entry.subarray(byGrid.start[grid], byGrid.start[grid + 1]);
    const ascending = entries.map((entry) => kept.ofEntry[entry]!).sort();
    let cell = this.start[grid]! - 1;
    for (let at = 0; at < ascending.length; at++) {
      if (ascending[at] !== ascending[at - 1]) this.count[++cell] = ascending[at]!;
      this.users[cell]! += 1;
    }
    this.count.fill(NO_COUNT, cell + 1, this.start[grid + 1]);
  }
}
