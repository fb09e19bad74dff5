/** The occupancy array: how many records each user has in each grid. Public and fixed; everything planned is planned from it alone. */
import type { IdTable } from "./ids.ts";

/**
 * Entries ordered by user, then grid. User u's are start[u] … start[u + 1].
 * An *entry* is a (user, grid) pair with at least one record, and its number is its position here.
 */
export interface EntriesByUser {
  readonly start: Uint32Array;
  readonly grid: Uint32Array;
  readonly count: Uint32Array;
}

/** The same entries ordered by grid, then user; `entry` is the position in `EntriesByUser`. */
export interface EntriesByGrid {
  readonly start: Uint32Array;
  readonly user: Uint32Array;
  readonly entry: Uint32Array;
}

/** m[g, ℓ] in compact columns, both ways round. Ids and entries are ascending by UTF-8 bytes. Treat as read-only. */
export class Occupancy {
  readonly users: IdTable;
  readonly grids: IdTable;
  readonly byUser: EntriesByUser;
  readonly byGrid: EntriesByGrid;
  /** n_g: records in each grid, exact. */
  readonly samplesOfGrid: Float64Array;
  /** Records in all grids, exact: the builder keeps it a safe integer. */
  readonly samples: number;

  /** Callers use `OccupancyBuilder`, which vouches for order and limits. */
  constructor(users: IdTable, grids: IdTable, byUser: EntriesByUser) {
    this.users = users;
    this.grids = grids;
    this.byUser = byUser;
    this.samplesOfGrid = new Float64Array(grids.length);
    this.byGrid = transpose(byUser, this.samplesOfGrid);
    this.samples = this.samplesOfGrid.reduce((total, samples) => total + samples, 0);
  }

  /** (user, grid) pairs with at least one record. */
  get entries(): number {
    return this.byUser.grid.length;
  }

  /** G_ℓ: grids in which a user has records. */
  gridsOfUser(user: number): number {
    return this.byUser.start[user + 1]! - this.byUser.start[user]!;
  }

  usersOfGrid(grid: number): number {
    return this.byGrid.start[grid + 1]! - this.byGrid.start[grid]!;
  }

  /** The largest G_ℓ. */
  maxGridsPerUser(): number {
    let most = 0;
    for (let user = 0; user < this.users.length; user++) most = Math.max(most, this.gridsOfUser(user));
    return most;
  }

  /** The entry of a (user, grid) pair, or −1 where the user has no records there. */
  entryOf(user: number, grid: number): number {
    let low = this.byUser.start[user]!;
    let high = this.byUser.start[user + 1]! - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.byUser.grid[middle]!;
      if (found === grid) return middle;
      if (found < grid) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** The user of an entry. */
  userOfEntry(entry: number): number {
    let low = 0;
    let high = this.users.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.byUser.start[middle]! <= entry) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The entries by grid; adds up each grid's records on the way, which is one walk over millions of entries less. */
function transpose(byUser: EntriesByUser, samplesOfGrid: Float64Array): EntriesByGrid {
  const entries = byUser.grid.length;
  const grids = samplesOfGrid.length;
  const start = new Uint32Array(grids + 1);
  for (let entry = 0; entry < entries; entry++) {
    const grid = byUser.grid[entry]!;
    start[grid + 1]! += 1;
    samplesOfGrid[grid]! += byUser.count[entry]!;
  }
  for (let grid = 0; grid < grids; grid++) start[grid + 1]! += start[grid]!;
  const next = start.slice(0, grids);
  const user = new Uint32Array(entries);
  const entryColumn = new Uint32Array(entries);
  for (let u = 0; u < byUser.start.length - 1; u++) {
    for (let entry = byUser.start[u]!; entry < byUser.start[u + 1]!; entry++) {
      const position = next[byUser.grid[entry]!]!++;
      user[position] = u;
      entryColumn[position] = entry;
    }
  }
  return { start, user, entry: entryColumn };
}
