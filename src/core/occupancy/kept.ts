/** Γ: how many of each entry's records a plan keeps, with the totals per grid that errors and losses are made of. */
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
