/** The grids that users in turn still occupy, packed as tightly as they fit: per user a slice of slots, in any order. */
import type { Occupancy } from "../../occupancy/index.ts";

export class UserSlots {
  /** Set by `findLowest`: the slot whose line lies lowest, or −1 if no grid can lose the user. */
  lowestSlot = -1;
  readonly #occupancy: Occupancy;
  readonly #Column: Uint16ArrayConstructor | Uint32ArrayConstructor;
  /** Two numbers per slot, grid and count. Half the width is half the memory to read, and reading it is where the time goes. */
  #slots: Uint16Array | Uint32Array;
  #used = 0;
  /** By user. */
  readonly #first: Uint32Array;

  constructor(occupancy: Occupancy, largestCount: number) {
    this.#occupancy = occupancy;
    this.#first = new Uint32Array(occupancy.users.length);
    this.#Column = Math.max(largestCount, occupancy.grids.length) < 2 ** 16 ? Uint16Array : Uint32Array;
    this.#slots = new this.#Column(0);
  }

  /** Gives slots to users whose turn has come. */
  admit(users: Uint32Array): void {
    const { start, grid, count } = this.#occupancy.byUser;
    this.#reserve(users.reduce((sum, user) => sum + this.#occupancy.gridsOfUser(user), this.#used));
    for (const user of users) {
      this.#first[user] = this.#used;
      for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
        this.#slots[2 * this.#used] = grid[entry]!;
        this.#slots[2 * this.#used + 1] = count[entry]!;
        this.#used += 1;
      }
    }
  }

  /** The first slot of a user that has been admitted. */
  firstOf(user: number): number {
    return this.#first[user]!;
  }

  #reserve(needed: number): void {
    if (2 * needed <= this.#slots.length) return;
    const enlarged = new this.#Column(2 * Math.min(this.#occupancy.entries, Math.max(needed, this.#slots.length)));
    enlarged.set(this.#slots);
    this.#slots = enlarged;
  }

  gridOf(slot: number): number {
    return this.#slots[2 * slot]!;
  }

  countOf(slot: number): number {
    return this.#slots[2 * slot + 1]!;
  }

  /** Fills the slot from the user's last one, which the user then no longer has. */
  remove(slot: number, last: number): void {
    this.#slots[2 * slot] = this.#slots[2 * last]!;
    this.#slots[2 * slot + 1] = this.#slots[2 * last + 1]!;
  }

  /** The slot of a grid that the user with these slots occupies. */
  slotOf(grid: number, first: number): number {
    const slots = this.#slots;
    let at = 2 * first;
    while (slots[at] !== grid) at += 2;
    return at >>> 1;
  }

  /** The line of the slot's grid at its count: `lines` holds two numbers per grid, value at 0 and slope. */
  lineAt(slot: number, lines: Float64Array): number {
    const line = 2 * this.gridOf(slot);
    return lines[line]! + this.countOf(slot) * lines[line + 1]!;
  }

  /** Finds, among the slots from first up to end, the one whose line lies lowest and returns how low the next one is. */
  findLowest(first: number, end: number, lines: Float64Array): number {
    const slots = this.#slots;
    let found = -1;
    let lowest = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (let at = 2 * first; at < 2 * end; at += 2) {
      const line = slots[at]! << 1;
      const below = lines[line]! + slots[at + 1]! * lines[line + 1]!;
      if (below >= next) continue;
      if (below < lowest) {
        next = lowest;
        lowest = below;
        found = at;
      } else {
        next = below;
      }
    }
    this.lowestSlot = found >> 1;
    return next;
  }
}
