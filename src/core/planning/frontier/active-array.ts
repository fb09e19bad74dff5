/** The part of an occupancy that the planner works on: the entries of grids that need something kept. */
import { Kept, type Occupancy } from "../../occupancy/index.ts";

export class ActiveArray {
  readonly users: number;
  readonly grids: number;
  /** User u's positions are start[u] … start[u + 1]; grid and count are by position. */
  readonly start: Uint32Array;
  readonly grid: Uint32Array;
  readonly count: Uint32Array;
  /** Grid g's are gridStart[g] … gridStart[g + 1] of `positionInGrid` and `userInGrid`. */
  readonly gridStart: Uint32Array;
  readonly positionInGrid: Uint32Array;
  readonly userInGrid: Uint32Array;
  /** n_g. */
  readonly total: Float64Array;
  /** The occupancy's entry of each position; where every grid is active they are the same, and so are all columns. */
  readonly #entry: Uint32Array | undefined;

  constructor(occupancy: Occupancy, isActive: (grid: number) => boolean) {
    const { byUser, byGrid } = occupancy;
    this.users = occupancy.users.length;
    this.grids = occupancy.grids.length;
    this.total = occupancy.samplesOfGrid;
    const active = Uint8Array.from({ length: this.grids }, (_, grid) => (isActive(grid) ? 1 : 0));
    if (active.every((each) => each === 1)) {
      this.start = byUser.start;
      this.grid = byUser.grid;
      this.count = byUser.count;
      this.gridStart = byGrid.start;
      this.positionInGrid = byGrid.entry;
      this.userInGrid = byGrid.user;
      return;
    }
    this.gridStart = new Uint32Array(this.grids + 1);
    for (let grid = 0; grid < this.grids; grid++) {
      this.gridStart[grid + 1] = this.gridStart[grid]! + (active[grid] === 1 ? occupancy.usersOfGrid(grid) : 0);
    }
    const positions = this.gridStart[this.grids]!;
    this.start = new Uint32Array(this.users + 1);
    this.grid = new Uint32Array(positions);
    this.count = new Uint32Array(positions);
    this.#entry = new Uint32Array(positions);
    this.positionInGrid = new Uint32Array(positions);
    this.userInGrid = new Uint32Array(positions);
    const next = this.gridStart.slice(0, -1);
    let position = 0;
    for (let user = 0; user < this.users; user++) {
      for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++) {
        const grid = byUser.grid[entry]!;
        if (active[grid] === 0) continue;
        this.grid[position] = grid;
        this.count[position] = byUser.count[entry]!;
        this.#entry[position] = entry;
        const inGrid = next[grid]!++;
        this.positionInGrid[inGrid] = position;
        this.userInGrid[inGrid] = user;
        position += 1;
      }
      this.start[user + 1] = position;
    }
  }

  get positions(): number {
    return this.grid.length;
  }

  /** Every record kept. */
  everything(): Float64Array {
    return new Float64Array(this.count);
  }

  /** The kept counts of its entries. */
  ownedOf(kept: Kept): Float64Array {
    const owned = new Float64Array(this.positions);
    for (let at = 0; at < owned.length; at++) owned[at] = kept.ofEntry[this.#entryOf(at)]!;
    return owned;
  }

  /** Whole counts by position, nothing in other grids. */
  keptOf(occupancy: Occupancy, owned: Float64Array): Kept {
    const ofEntry = new Uint32Array(occupancy.entries);
    for (let at = 0; at < owned.length; at++) ofEntry[this.#entryOf(at)] = owned[at]!;
    return new Kept(occupancy, ofEntry);
  }

  #entryOf(position: number): number {
    return this.#entry === undefined ? position : this.#entry[position]!;
  }

  isActive(grid: number): boolean {
    return this.gridStart[grid + 1]! > this.gridStart[grid]!;
  }

  /** Steps that each walk over all positions: as many as `work` allows, so that the same array always gets the same number. */
  scaledSteps(most: number, least: number, work: number): number {
    return Math.max(least, Math.min(most, Math.floor(work / Math.max(1, this.positions))));
  }
}

/** Kept counts and the largest loss they lead to: where a search stands. */
export interface Start {
  /** Kept, by position, fractions of records allowed. */
  readonly owned: Float64Array;
  readonly largest: number;
}
