/** The two largest contributions left in every grid while users are dropped, without sorting the grids. */
import type { Occupancy } from "../occupancy/index.ts";
import type { DropLog } from "./drop-log.ts";

/** How many of the largest a scan of a grid remembers; the grid is scanned again once fewer than two are left. */
const REMEMBERED = 16;
/** −1 in 32 bits. */
const NONE = 0xffffffff;

export class LargestCounts {
  /** The largest contribution left. */
  readonly first: Float64Array;
  /** The next one, equal to `first` where two users tie; 0 where there is none. */
  readonly second: Float64Array;
  readonly #occupancy: Occupancy;
  readonly #drops: DropLog;
  /** Per grid up to REMEMBERED entries, largest count first. */
  readonly #entries: Uint32Array;
  readonly #length: Uint8Array;
  /** What an entry must exceed to be remembered: the smallest count once the memory is full, 0 before. */
  readonly #threshold: Float64Array;
  /** Whether everyone left in the grid is remembered, so that another scan would find no more. */
  readonly #complete: Uint8Array;
  /** The user that alone is the heaviest of a grid, and as linked lists the grids each such user leads. */
  readonly #leader: Uint32Array;
  readonly #firstLed: Map<number, number> = new Map();
  readonly #nextLed: Uint32Array;
  readonly #isLeader: Bits;
  readonly #isDropped: Bits;

  constructor(occupancy: Occupancy, drops: DropLog) {
    const grids = occupancy.grids.length;
    this.first = new Float64Array(grids);
    this.second = new Float64Array(grids);
    this.#occupancy = occupancy;
    this.#drops = drops;
    this.#entries = new Uint32Array(grids * REMEMBERED);
    this.#length = new Uint8Array(grids);
    this.#threshold = new Float64Array(grids);
    this.#complete = new Uint8Array(grids);
    this.#leader = new Uint32Array(grids).fill(NONE);
    this.#nextLed = new Uint32Array(grids).fill(NONE);
    this.#isLeader = new Bits(occupancy.users.length);
    this.#isDropped = new Bits(occupancy.users.length);
    const { grid, count } = occupancy.byUser;
    for (let entry = 0; entry < grid.length; entry++) {
      if (count[entry]! > this.#threshold[grid[entry]!]!) this.#remember(grid[entry]!, entry);
    }
    for (let g = 0; g < grids; g++) {
      this.#complete[g] = occupancy.usersOfGrid(g) === this.#length[g] ? 1 : 0;
      this.#publish(g);
    }
  }

  /** The first grid that a user alone is the heaviest of, or −1. Only there can its leaving lower the noise. */
  firstLedBy(user: number): number {
    return this.#isLeader.has(user) ? this.#firstLed.get(user)! : -1;
  }

  /** The next one of the same user, or −1. */
  nextLedAfter(grid: number): number {
    return this.#nextLed[grid]! | 0;
  }

  /** A user left the grid with `count` records; the log knows already. */
  drop(grid: number, user: number, count: number): void {
    if (count < this.#threshold[grid]!) return;
    const base = grid * REMEMBERED;
    const length = this.#length[grid]!;
    const at = this.#entries.subarray(base, base + length).indexOf(this.#occupancy.entryOf(user, grid));
    if (at < 0) return;
    this.#entries.copyWithin(base + at, base + at + 1, base + length);
    this.#length[grid] = length - 1;
    if (length - 1 < 2 && this.#complete[grid] === 0) this.#scan(grid);
    this.#publish(grid);
  }

  /** Finds the largest entries left in a grid again. */
  #scan(grid: number): void {
    const { byGrid, byUser } = this.#occupancy;
    for (const user of this.#drops.usersDroppedFrom(grid)) this.#isDropped.add(user);
    let left = 0;
    this.#length[grid] = 0;
    this.#threshold[grid] = 0;
    for (let position = byGrid.start[grid]!; position < byGrid.start[grid + 1]!; position++) {
      if (this.#isDropped.has(byGrid.user[position]!)) continue;
      left += 1;
      if (byUser.count[byGrid.entry[position]!]! > this.#threshold[grid]!)
        this.#remember(grid, byGrid.entry[position]!);
    }
    for (const user of this.#drops.usersDroppedFrom(grid)) this.#isDropped.delete(user);
    this.#complete[grid] = left === this.#length[grid] ? 1 : 0;
  }

  /** Inserts an entry in descending order, pushing the smallest out if the memory is full. */
  #remember(grid: number, entry: number): void {
    const { count } = this.#occupancy.byUser;
    const base = grid * REMEMBERED;
    const length = Math.min(this.#length[grid]! + 1, REMEMBERED);
    let at = base + length - 1;
    for (; at > base && count[this.#entries[at - 1]!]! < count[entry]!; at--)
      this.#entries[at] = this.#entries[at - 1]!;
    this.#entries[at] = entry;
    this.#length[grid] = length;
    if (length === REMEMBERED) this.#threshold[grid] = count[this.#entries[base + length - 1]!]!;
  }

  #publish(grid: number): void {
    const { count } = this.#occupancy.byUser;
    const base = grid * REMEMBERED;
    const length = this.#length[grid]!;
    this.first[grid] = length > 0 ? count[this.#entries[base]!]! : 0;
    this.second[grid] = length > 1 ? count[this.#entries[base + 1]!]! : 0;
    const leader = this.first[grid]! > this.second[grid]! ? this.#occupancy.userOfEntry(this.#entries[base]!) : NONE;
    const before = this.#leader[grid]!;
    if (leader === before) return;
    this.#leader[grid] = leader;
    if (before !== NONE) this.#unlink(before, grid);
    if (leader !== NONE) {
      this.#nextLed[grid] = this.#firstLed.get(leader) ?? NONE;
      this.#firstLed.set(leader, grid);
      this.#isLeader.add(leader);
    }
  }

  #unlink(user: number, grid: number): void {
    const after = this.#nextLed[grid]!;
    let at = this.#firstLed.get(user)!;
    if (at !== grid) {
      while (this.#nextLed[at] !== grid) at = this.#nextLed[at]!;
      this.#nextLed[at] = after;
    } else if (after !== NONE) {
      this.#firstLed.set(user, after);
    } else {
      this.#firstLed.delete(user);
      this.#isLeader.delete(user);
    }
  }
}

/** A set of small integers, one bit each. */
class Bits {
  readonly #words: Uint32Array;

  constructor(size: number) {
    this.#words = new Uint32Array((size >>> 5) + 1);
  }

  has(member: number): boolean {
    return (this.#words[member >>> 5]! & (1 << (member & 31))) !== 0;
  }

  add(member: number): void {
    this.#words[member >>> 5]! |= 1 << (member & 31);
  }

  delete(member: number): void {
    this.#words[member >>> 5]! &= ~(1 << (member & 31));
  }
}
