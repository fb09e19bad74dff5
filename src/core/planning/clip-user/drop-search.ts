/** The state of all grids and users while CLIP-USER drops users, and the search for the grid a user is best dropped from. */
import type { Rational } from "../../arithmetic/index.ts";
import type { ErrorModel, GridCounts } from "../../influence/index.ts";
import { ErrorLimit } from "../../influence/index.ts";
import { GrowableUint32, type Occupancy } from "../../occupancy/index.ts";
import { largestOf } from "../numbers.ts";
import { Bits, LargestCounts } from "./largest-counts.ts";

/** A grid without a user that has `count` records there, and its error then. */
interface Candidate extends GridCounts {
  readonly grid: number;
  readonly count: number;
  readonly error: number;
}

const NONE: Candidate = { grid: -1, count: 0, total: 0, kept: 0, largest: 0, error: Number.POSITIVE_INFINITY };

/**
 * For a user the grid whose error is least after dropping it there, as exact arithmetic over all its grids finds it (docs/mathematics.md, Lemma 6).
 *
 * Per grid we keep a line below the error after a drop, as a function of the dropped user's count; it holds unless that user
 * alone is the grid's heaviest, because only then does the noise shrink. A user reads the lines
 * of its grids, which is cheap, and works out the error only where the line does not already lose against the best grid found.
 */
export class DropSearch {
  /** Entries, in the order dropped. */
  readonly drops = new GrowableUint32();
  /** How often the error after a drop was worked out. */
  evaluations = 0;
  readonly #occupancy: Occupancy;
  readonly #model: ErrorModel;
  readonly #limit: ErrorLimit;
  readonly #protectedGrid: number | undefined;
  readonly #keptOfGrid: Float64Array;
  readonly #dropped: Bits;
  readonly #largest: LargestCounts;
  /** Two numbers per grid, value at 0 and slope: dropping a user with m records leads to at least value + m·slope. */
  readonly #lines: Float64Array;
  readonly #slots: UserSlots;

  constructor(
    occupancy: Occupancy,
    model: ErrorModel,
    options: { errorBound: Rational; protectedGrid: number | undefined },
  ) {
    this.#occupancy = occupancy;
    this.#model = model;
    this.#limit = new ErrorLimit(model, options.errorBound);
    this.#protectedGrid = options.protectedGrid;
    this.#keptOfGrid = occupancy.samplesOfGrid.slice();
    this.#dropped = new Bits(occupancy.entries);
    this.#largest = new LargestCounts(occupancy, this.#dropped);
    this.#lines = new Float64Array(2 * occupancy.grids.length);
    this.#slots = new UserSlots(occupancy, largestOf(this.#largest.first));
    for (let grid = 0; grid < occupancy.grids.length; grid++) this.#updateLine(grid);
  }

  /** Makes room for users whose turn has come. */
  admit(users: Uint32Array): void {
    this.#slots.admit(users);
  }

  /** Drops a user that occupies so many grids from the best of them; false if even that would exceed the bound. */
  dropBest(user: number, occupied: number): boolean {
    const slots = this.#slots;
    const first = slots.firstOf(user);
    const end = first + occupied;
    // The slot whose line lies lowest is evaluated first; mostly the next line already lies above its error, and we are done.
    const next = slots.findLowest(first, end, this.#lines);
    const lowest = slots.lowestSlot;
    let best = lowest < 0 ? NONE : this.#candidate(slots.gridOf(lowest), slots.countOf(lowest));
    if (next <= best.error) {
      for (let slot = first; slot < end; slot++) {
        if (slot !== lowest && slots.lineAt(slot, this.#lines) <= best.error)
          best = this.#better(best, slots.gridOf(slot), slots.countOf(slot));
      }
    }
    // Where this user alone is the heaviest the line does not hold.
    for (const grid of this.#largest.gridsLedBy(user)) best = this.#better(best, grid, this.#largest.first[grid]!);
    if (!this.#isWithinLimit(best)) return false;
    const isLowest = lowest >= 0 && slots.gridOf(lowest) === best.grid;
    slots.remove(isLowest ? lowest : slots.slotOf(best.grid, first), end - 1);
    this.#drop(best, this.#occupancy.entryOf(user, best.grid));
    return true;
  }

  #isWithinLimit({ error, total, kept, largest }: Candidate): boolean {
    if (error === Number.POSITIVE_INFINITY) return false;
    const sign = this.#limit.clearSign(error);
    return sign === 0 ? this.#limit.allows(total, kept, largest) : sign < 0;
  }

  #drop({ grid, count, kept }: Candidate, entry: number): void {
    this.drops.push(entry);
    this.#dropped.add(entry);
    this.#keptOfGrid[grid] = kept;
    this.#largest.drop(grid, entry, count);
    this.#updateLine(grid);
  }

  #updateLine(grid: number): void {
    // A protected grid is closed to everyone, as is one that is down to its last user.
    const kept = grid === this.#protectedGrid ? 0 : this.#keptOfGrid[grid]!;
    const total = this.#occupancy.samplesOfGrid[grid]!;
    this.#model.lineBelowDrop(total, kept, this.#largest.first[grid]!, this.#lines, 2 * grid);
  }

  /** Works out the error of a grid without a user that has `count` records there. */
  #candidate(grid: number, count: number): Candidate {
    this.evaluations += 1;
    const total = this.#occupancy.samplesOfGrid[grid]!;
    const kept = this.#keptOfGrid[grid]! - count;
    const first = this.#largest.first[grid]!;
    const largest = count === first ? this.#largest.second[grid]! : first;
    const isClosed = grid === this.#protectedGrid;
    const error = isClosed ? Number.POSITIVE_INFINITY : this.#model.error(total, kept, largest);
    return { grid, count, total, kept, largest, error };
  }

  /** Smaller error first, lower grid on ties; exact. A grid that may not lose the user is never better. */
  #better(best: Candidate, grid: number, count: number): Candidate {
    const other = this.#candidate(grid, count);
    if (other.error === Number.POSITIVE_INFINITY) return best;
    const order = this.#model.compare(other, other.error, best, best.error);
    return order < 0 || (order === 0 && other.grid < best.grid) ? other : best;
  }
}

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
