/** The two largest contributions left in every grid while CLIP-USER drops users, and the grids that each user alone is the heaviest of. */
import type { Occupancy } from "../../occupancy/index.ts";

/** How many of its largest entries a grid lists at first. Many grids never lose so many of them. */
const LISTED_FIRST = 16;
/** −1 in 32 bits. */
const NONE = 0xffffffff;
const NO_GRIDS: ReadonlySet<number> = new Set();

/** A set of small integers, one bit each. */
export class Bits {
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
}

/** Each grid lists its entries by count, largest first, and marks the two largest that are left: a mark moves forward only. */
export class LargestCounts {
  /** The largest contribution left. */
  readonly first: Float64Array;
  /** The next one, equal to `first` where two users tie; 0 where there is none. */
  readonly second: Float64Array;
  readonly #occupancy: Occupancy;
  readonly #dropped: Bits;
  /** The LISTED_FIRST largest entries of a grid, or, once they are used up, all that were left by then. */
  readonly #listOfGrid: Uint32Array[];
  readonly #firstMark: Uint32Array;
  readonly #secondMark: Uint32Array;
  readonly #isComplete: Uint8Array;
  /** The user that alone is the heaviest of a grid, and the grids by such user. */
  readonly #leader: Uint32Array;
  readonly #ledBy = new Map<number, Set<number>>();

  /** `dropped` are entries; whoever adds one calls `drop`. */
  constructor(occupancy: Occupancy, dropped: Bits) {
    const grids = occupancy.grids.length;
    this.#occupancy = occupancy;
    this.#dropped = dropped;
    this.first = new Float64Array(grids);
    this.second = new Float64Array(grids);
    this.#listOfGrid = largestEntries(occupancy);
    this.#firstMark = new Uint32Array(grids);
    this.#secondMark = new Uint32Array(grids).fill(1);
    this.#isComplete = Uint8Array.from({ length: grids }, (_, grid) =>
      Number(occupancy.usersOfGrid(grid) <= LISTED_FIRST),
    );
    this.#leader = new Uint32Array(grids).fill(NONE);
    for (let grid = 0; grid < grids; grid++) this.#readMarks(grid);
  }

  /** The grids that a user alone is the heaviest of. Only there can its leaving lower the noise. */
  gridsLedBy(user: number): ReadonlySet<number> {
    return this.#ledBy.get(user) ?? NO_GRIDS;
  }

  /** The entry, of `count` records, was dropped from its grid. */
  drop(grid: number, entry: number, count: number): void {
    if (count < this.second[grid]!) return;
    const list = this.#listOfGrid[grid]!;
    const first = this.#firstMark[grid]!;
    const second = this.#secondMark[grid]!;
    if (entry !== list[first] && entry !== list[second]) return;
    const nextFirst = this.#nextLeft(list, first);
    const nextSecond = this.#nextLeft(list, Math.max(second, nextFirst + 1));
    this.#firstMark[grid] = nextFirst;
    this.#secondMark[grid] = nextSecond;
    if (nextSecond >= list.length && this.#isComplete[grid] === 0) this.#listAll(grid);
    this.#readMarks(grid);
  }

  #nextLeft(list: Uint32Array, from: number): number {
    let at = from;
    while (at < list.length && this.#dropped.has(list[at]!)) at += 1;
    return at;
  }

  #listAll(grid: number): void {
    const { byGrid, byUser } = this.#occupancy;
    const entries = byGrid.entry.subarray(byGrid.start[grid], byGrid.start[grid + 1]);
    const { count } = byUser;
    this.#listOfGrid[grid] = entries
      .filter((entry) => !this.#dropped.has(entry))
      .sort((left, right) => count[right]! - count[left]! || left - right);
    this.#firstMark[grid] = 0;
    this.#secondMark[grid] = 1;
    this.#isComplete[grid] = 1;
  }

  #readMarks(grid: number): void {
    const { count } = this.#occupancy.byUser;
    const list = this.#listOfGrid[grid]!;
    const entry = list[this.#firstMark[grid]!];
    const next = list[this.#secondMark[grid]!];
    const first = entry === undefined ? 0 : count[entry]!;
    const second = next === undefined ? 0 : count[next]!;
    this.first[grid] = first;
    this.second[grid] = second;
    this.#setLeader(grid, entry !== undefined && first > second ? this.#occupancy.userOfEntry(entry) : NONE);
  }

  #setLeader(grid: number, leader: number): void {
    const before = this.#leader[grid]!;
    if (leader === before) return;
    this.#leader[grid] = leader;
    const ledBefore = this.#ledBy.get(before);
    ledBefore?.delete(grid);
    if (ledBefore?.size === 0) this.#ledBy.delete(before);
    if (leader === NONE) return;
    const led = this.#ledBy.get(leader);
    if (led === undefined) this.#ledBy.set(leader, new Set([grid]));
    else led.add(grid);
  }
}

/** The LISTED_FIRST largest entries of every grid, largest first, on ties the earlier entry. */
function largestEntries({ grids, byUser }: Occupancy): Uint32Array[] {
  const entries = new Uint32Array(grids.length * LISTED_FIRST);
  const counts = new Uint32Array(entries.length);
  const lengths = new Uint8Array(grids.length);
  /** What an entry must exceed to be listed: the smallest count once the list is full, 0 before. */
  const thresholds = new Float64Array(grids.length);
  const { grid, count } = byUser;
  for (let entry = 0; entry < grid.length; entry++) {
    const g = grid[entry]!;
    const own = count[entry]!;
    if (own <= thresholds[g]!) continue;
    const base = g * LISTED_FIRST;
    const length = Math.min(lengths[g]! + 1, LISTED_FIRST);
    let at = base + length - 1;
    for (; at > base && counts[at - 1]! < own; at--) {
      entries[at] = entries[at - 1]!;
      counts[at] = counts[at - 1]!;
    }
    entries[at] = entry;
    counts[at] = own;
    lengths[g] = length;
    if (length === LISTED_FIRST) thresholds[g] = counts[base + length - 1]!;
  }
  return Array.from(lengths, (length, g) => entries.subarray(g * LISTED_FIRST, g * LISTED_FIRST + length));
}
