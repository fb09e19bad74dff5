/** The two largest contributions left in every grid while users are dropped; a grid is sorted only once that is needed. */
import type { Occupancy } from "../occupancy/index.ts";
import { Bits } from "./bits.ts";
import type { DropLog } from "./drop-log.ts";
import { SortedGrid } from "./sorted-grid.ts";

/** How many of its largest a grid remembers at first. Many grids never lose so many of them. */
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
  /** Grids that used their memory up. */
  readonly #sorted = new Map<number, SortedGrid>();
  /** The user that alone is the heaviest of a grid, and as doubly linked lists the grids that each such user leads. */
  readonly #leader: Uint32Array;
  readonly #firstLed = new Map<number, number>();
  readonly #nextLed: Uint32Array;
  readonly #previousLed: Uint32Array;
  readonly #isLeader: Bits;

  constructor(occupancy: Occupancy, drops: DropLog) {
    const grids = occupancy.grids.length;
    this.first = new Float64Array(grids);
    this.second = new Float64Array(grids);
    this.#occupancy = occupancy;
    this.#drops = drops;
    this.#entries = new Uint32Array(grids * REMEMBERED);
    this.#length = new Uint8Array(grids);
    this.#threshold = new Float64Array(grids);
    this.#leader = new Uint32Array(grids).fill(NONE);
    this.#nextLed = new Uint32Array(grids).fill(NONE);
    this.#previousLed = new Uint32Array(grids).fill(NONE);
    this.#isLeader = new Bits(occupancy.users.length);
    const { grid, count } = occupancy.byUser;
    const threshold = this.#threshold;
    const remembered = new Uint32Array(grids * REMEMBERED);
    for (let entry = 0; entry < grid.length; entry++) {
      const g = grid[entry]!;
      if (count[entry]! > threshold[g]!) this.#remember(g, entry, count[entry]!, remembered);
    }
    for (let g = 0; g < grids; g++) this.#publishRemembered(g);
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
    const sorted = this.#sorted.get(grid);
    if (sorted !== undefined) {
      sorted.drop(this.#occupancy.entryOf(user, grid));
      this.#publish(grid, sorted.first, sorted.second);
      return;
    }
    if (count < this.#threshold[grid]!) return;
    const base = grid * REMEMBERED;
    const length = this.#length[grid]!;
    const at = this.#entries.subarray(base, base + length).indexOf(this.#occupancy.entryOf(user, grid));
    if (at < 0) return;
    this.#entries.copyWithin(base + at, base + at + 1, base + length);
    this.#length[grid] = length - 1;
    // A memory that was never full holds everyone there is.
    if (length - 1 < 2 && this.#threshold[grid]! > 0) this.#sort(grid);
    else this.#publishRemembered(grid);
  }

  #sort(grid: number): void {
    const { byGrid, byUser } = this.#occupancy;
    const dropped = new Set(this.#drops.usersDroppedFrom(grid));
    const left: number[] = [];
    for (let position = byGrid.start[grid]!; position < byGrid.start[grid + 1]!; position++) {
      if (!dropped.has(byGrid.user[position]!)) left.push(byGrid.entry[position]!);
    }
    const sorted = new SortedGrid(left, byUser.count);
    this.#sorted.set(grid, sorted);
    this.#publish(grid, sorted.first, sorted.second);
  }

  /** Inserts an entry in descending order of counts, which stand beside the entries, pushing the smallest out if the memory is full. */
  #remember(grid: number, entry: number, count: number, counts: Uint32Array): void {
    const entries = this.#entries;
    const base = grid * REMEMBERED;
    const length = Math.min(this.#length[grid]! + 1, REMEMBERED);
    let at = base + length - 1;
    for (; at > base && counts[at - 1]! < count; at--) {
      entries[at] = entries[at - 1]!;
      counts[at] = counts[at - 1]!;
    }
    entries[at] = entry;
    counts[at] = count;
    this.#length[grid] = length;
    if (length === REMEMBERED) this.#threshold[grid] = counts[base + length - 1]!;
  }

  #publishRemembered(grid: number): void {
    const base = grid * REMEMBERED;
    const length = this.#length[grid]!;
    this.#publish(
      grid,
      length > 0 ? this.#entries[base]! : undefined,
      length > 1 ? this.#entries[base + 1]! : undefined,
    );
  }

  #publish(grid: number, first: number | undefined, second: number | undefined): void {
    const { count } = this.#occupancy.byUser;
    this.first[grid] = first === undefined ? 0 : count[first]!;
    this.second[grid] = second === undefined ? 0 : count[second]!;
    const alone = first !== undefined && this.first[grid]! > this.second[grid]!;
    const leader = alone ? this.#occupancy.userOfEntry(first) : NONE;
    const before = this.#leader[grid]!;
    if (leader === before) return;
    this.#leader[grid] = leader;
    if (before !== NONE) this.#unlink(before, grid);
    if (leader !== NONE) this.#link(leader, grid);
  }

  #link(user: number, grid: number): void {
    const head = this.#firstLed.get(user) ?? NONE;
    this.#nextLed[grid] = head;
    this.#previousLed[grid] = NONE;
    if (head !== NONE) this.#previousLed[head] = grid;
    this.#firstLed.set(user, grid);
    this.#isLeader.add(user);
  }

  #unlink(user: number, grid: number): void {
    const next = this.#nextLed[grid]!;
    const previous = this.#previousLed[grid]!;
    if (next !== NONE) this.#previousLed[next] = previous;
    if (previous !== NONE) this.#nextLed[previous] = next;
    else if (next !== NONE) this.#firstLed.set(user, next);
    else {
      this.#firstLed.delete(user);
      this.#isLeader.delete(user);
    }
  }
}
