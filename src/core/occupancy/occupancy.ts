/** The occupancy array: how many records each user has in each grid. It is public, and plans are made from it alone. */
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

const BLOCK_SHIFT = 6;

/** m[g, ℓ] in compact columns, both ways round. Ids and entries are ascending by UTF-8 bytes. Treat as read-only. */
export class Occupancy {
  readonly users: IdTable;
  readonly grids: IdTable;
  readonly byUser: EntriesByUser;
  /** n_g: records in each grid, exact. */
  readonly samplesOfGrid: Float64Array;
  /** Records in all grids, exact: the builder keeps it a safe integer. */
  readonly samples: number;
  readonly #gridStart: Uint32Array;
  /** These two are made when they are first asked for. */
  #byGrid: EntriesByGrid | undefined;
  #userOfBlock: Uint32Array | undefined;

  /** Callers use `OccupancyBuilder`, which vouches for order and limits. */
  constructor(users: IdTable, grids: IdTable, byUser: EntriesByUser) {
    this.users = users;
    this.grids = grids;
    this.byUser = byUser;
    this.samplesOfGrid = new Float64Array(grids.length);
    this.#gridStart = new Uint32Array(grids.length + 1);
    const { grid, count } = byUser;
    for (let entry = 0; entry < grid.length; entry++) {
      this.#gridStart[grid[entry]! + 1]! += 1;
      this.samplesOfGrid[grid[entry]!]! += count[entry]!;
    }
    for (let each = 0; each < grids.length; each++) this.#gridStart[each + 1]! += this.#gridStart[each]!;
    this.samples = this.samplesOfGrid.reduce((total, samples) => total + samples, 0);
  }

  get byGrid(): EntriesByGrid {
    this.#byGrid ??= transpose(this.byUser, this.#gridStart);
    return this.#byGrid;
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
    return this.#gridStart[grid + 1]! - this.#gridStart[grid]!;
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

  userOfEntry(entry: number): number {
    const { start } = this.byUser;
    this.#userOfBlock ??= usersOfBlocks(start);
    let user = this.#userOfBlock[entry >>> BLOCK_SHIFT]!;
    while (start[user + 1]! <= entry) user += 1;
    return user;
  }
}

/** For every block of entries the user of its first one: from there it is not far to the user of any other. */
function usersOfBlocks(start: Uint32Array): Uint32Array {
  const entries = start[start.length - 1]!;
  const users = new Uint32Array((entries >>> BLOCK_SHIFT) + 1);
  let user = 0;
  for (let block = 0; block < users.length; block++) {
    while (start[user + 1]! <= block << BLOCK_SHIFT) user += 1;
    users[block] = user;
  }
  return users;
}

function transpose(byUser: EntriesByUser, start: Uint32Array): EntriesByGrid {
  const entries = byUser.grid.length;
  const next = start.slice(0, -1);
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
