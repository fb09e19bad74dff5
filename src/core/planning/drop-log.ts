/** Who was dropped from where, in order, also by grid; entries are looked up all at once in the end. */
import type { Occupancy } from "../occupancy/index.ts";

const NONE = 0xffffffff;

export class DropLog {
  readonly #occupancy: Occupancy;
  #user = new Uint32Array(1024);
  #grid = new Uint32Array(1024);
  /** The previous drop from the same grid: a chain per grid, latest first. */
  #previous = new Uint32Array(1024);
  readonly #latestOfGrid: Uint32Array;
  #length = 0;

  constructor(occupancy: Occupancy) {
    this.#occupancy = occupancy;
    this.#latestOfGrid = new Uint32Array(occupancy.grids.length).fill(NONE);
  }

  get length(): number {
    return this.#length;
  }

  add(user: number, grid: number): void {
    if (this.#length === this.#user.length) {
      this.#user = doubled(this.#user);
      this.#grid = doubled(this.#grid);
      this.#previous = doubled(this.#previous);
    }
    this.#user[this.#length] = user;
    this.#grid[this.#length] = grid;
    this.#previous[this.#length] = this.#latestOfGrid[grid]!;
    this.#latestOfGrid[grid] = this.#length++;
  }

  /** The users dropped from a grid. */
  *usersDroppedFrom(grid: number): IterableIterator<number> {
    for (let drop = this.#latestOfGrid[grid]!; drop !== NONE; drop = this.#previous[drop]!) yield this.#user[drop]!;
  }

  /** The entries of the first `length` drops, in the order dropped. */
  entries(length: number): Uint32Array<ArrayBuffer> {
    // User by user, so that each slice of the occupancy is read once and in order.
    const { byUser, users, grids } = this.#occupancy;
    const start = new Uint32Array(users.length + 1);
    for (let drop = 0; drop < length; drop++) start[this.#user[drop]! + 1]! += 1;
    for (let user = 0; user < users.length; user++) start[user + 1]! += start[user]!;
    const next = start.slice(0, -1);
    const byUserOrder = new Uint32Array(length);
    for (let drop = 0; drop < length; drop++) byUserOrder[next[this.#user[drop]!]!++] = drop;
    const entries = new Uint32Array(length);
    const entryOfGrid = new Uint32Array(grids.length);
    for (let user = 0; user < users.length; user++) {
      if (start[user] === start[user + 1]) continue;
      for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++)
        entryOfGrid[byUser.grid[entry]!] = entry;
      for (let at = start[user]!; at < start[user + 1]!; at++)
        entries[byUserOrder[at]!] = entryOfGrid[this.#grid[byUserOrder[at]!]!]!;
    }
    return entries;
  }
}

function doubled(column: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * column.length);
  larger.set(column);
  return larger;
}
