/** The part of an occupancy that the planner works on: the entries of grids that need something kept. */
import { Kept, type Occupancy } from "../../occupancy/index.ts";

export class ActiveArray {
  readonly users: number;
  readonly grids: number;
  /** User u's positions are start[u] … start[u + 1]; grid, count and entry are by position. */
  readonly start: Uint32Array;
  readonly grid: Uint32Array;
  readonly count: Float64Array;
  /** The occupancy's entry. */
  readonly entry: Uint32Array;
  /** Grid g's are gridStart[g] … gridStart[g + 1] of `positionInGrid` and `userInGrid`. */
  readonly gridStart: Uint32Array;
  readonly positionInGrid: Uint32Array;
  readonly userInGrid: Uint32Array;
  /** n_g. */
  readonly total: Float64Array;

  constructor(occupancy: Occupancy, isActive: (grid: number) => boolean) {
    const { byUser, byGrid } = occupancy;
    this.users = occupancy.users.length;
    this.grids = occupancy.grids.length;
    this.total = occupancy.samplesOfGrid;
    const active = Uint8Array.from({ length: this.grids }, (_, grid) => (isActive(grid) ? 1 : 0));
    this.start = new Uint32Array(this.users + 1);
    const positions: number[] = [];
    for (let user = 0; user < this.users; user++) {
      for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++) {
        if (active[byUser.grid[entry]!] === 1) positions.push(entry);
      }
      this.start[user + 1] = positions.length;
    }
    this.entry = Uint32Array.from(positions);
    this.grid = this.entry.map((entry) => byUser.grid[entry]!);
    this.count = Float64Array.from(this.entry, (entry) => byUser.count[entry]!);
    const positionOfEntry = new Uint32Array(occupancy.entries);
    this.entry.forEach((entry, position) => {
      positionOfEntry[entry] = position;
    });
    this.gridStart = new Uint32Array(this.grids + 1);
    for (let grid = 0; grid < this.grids; grid++) {
      this.gridStart[grid + 1] = this.gridStart[grid]! + (active[grid] === 1 ? occupancy.usersOfGrid(grid) : 0);
    }
    this.positionInGrid = new Uint32Array(this.entry.length);
    this.userInGrid = new Uint32Array(this.entry.length);
    for (let grid = 0; grid < this.grids; grid++) {
      if (active[grid] === 0) continue;
      const offset = this.gridStart[grid]! - byGrid.start[grid]!;
      for (let at = byGrid.start[grid]!; at < byGrid.start[grid + 1]!; at++) {
        this.positionInGrid[at + offset] = positionOfEntry[byGrid.entry[at]!]!;
        this.userInGrid[at + offset] = byGrid.user[at]!;
      }
    }
  }

  /** The kept counts of its entries. */
  ownedOf(kept: Kept): Float64Array {
    return Float64Array.from(this.entry, (entry) => kept.ofEntry[entry]!);
  }

  get positions(): number {
    return this.entry.length;
  }

  /** Whole counts by position, nothing in other grids. */
  keptOf(occupancy: Occupancy, owned: Float64Array): Kept {
    const ofEntry = new Uint32Array(occupancy.entries);
    for (let at = 0; at < owned.length; at++) ofEntry[this.entry[at]!] = owned[at]!;
    return new Kept(occupancy, ofEntry);
  }

  isActive(grid: number): boolean {
    return this.gridStart[grid + 1]! > this.gridStart[grid]!;
  }

  /** Steps that each walk over all positions: as many as `work` allows, so that the same array always gets the same number. */
  scaledSteps(most: number, least: number, work: number): number {
    return Math.max(least, Math.min(most, Math.floor(work / Math.max(1, this.positions))));
  }
}
