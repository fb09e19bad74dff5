/** The two largest kept contributions of every grid while users are dropped from it, without sorting the grids. */
import type { Occupancy } from "../occupancy/index.ts";

/** How many of the largest a scan of a grid remembers; the grid is scanned again once fewer than two are left. */
const REMEMBERED = 16;
const NOBODY = 0xffffffff;

export class LargestCounts {
  /** The largest kept contribution. */
  readonly first: Float64Array;
  /** The next one, equal to `first` where two users tie; 0 where there is none. */
  readonly second: Float64Array;
  /** How many grids a user alone is the heaviest of: only there can its leaving lower the noise. */
  readonly gridsLedByUser: Uint32Array;
  readonly #occupancy: Occupancy;
  readonly #kept: Uint32Array;
  readonly #entries: Uint32Array;
  readonly #users: Uint32Array;
  readonly #length: Uint8Array;
  /** Whether everyone left in the grid is remembered, so that another scan would find no more. */
  readonly #complete: Uint8Array;
  readonly #leader: Uint32Array;

  /** `kept` by entry; the caller sets an entry to 0 before telling that it was dropped. */
  constructor(occupancy: Occupancy, kept: Uint32Array) {
    const grids = occupancy.grids.length;
    this.first = new Float64Array(grids);
    this.second = new Float64Array(grids);
    this.gridsLedByUser = new Uint32Array(occupancy.users.length);
    this.#occupancy = occupancy;
    this.#kept = kept;
    this.#entries = new Uint32Array(grids * REMEMBERED);
    this.#users = new Uint32Array(grids * REMEMBERED);
    this.#length = new Uint8Array(grids);
    this.#complete = new Uint8Array(grids);
    this.#leader = new Uint32Array(grids).fill(NOBODY);
    for (let grid = 0; grid < grids; grid++) {
      this.#scan(grid);
      this.#publish(grid);
    }
  }

  drop(grid: number, entry: number, count: number): void {
    if (count < this.#smallestRemembered(grid)) return;
    const base = grid * REMEMBERED;
    const length = this.#length[grid]!;
    const at = this.#entries.subarray(base, base + length).indexOf(entry);
    if (at < 0) return;
    this.#entries.copyWithin(base + at, base + at + 1, base + length);
    this.#users.copyWithin(base + at, base + at + 1, base + length);
    this.#length[grid] = length - 1;
    if (length - 1 < 2 && this.#complete[grid] === 0) this.#scan(grid);
    this.#publish(grid);
  }

  #smallestRemembered(grid: number): number {
    const length = this.#length[grid]!;
    return length === 0 ? 0 : this.#kept[this.#entries[grid * REMEMBERED + length - 1]!]!;
  }

  /** Finds the largest kept entries of a grid again. */
  #scan(grid: number): void {
    const { start, entry, user } = this.#occupancy.byGrid;
    const kept = this.#kept;
    const base = grid * REMEMBERED;
    let length = 0;
    let left = 0;
    for (let position = start[grid]!; position < start[grid + 1]!; position++) {
      const candidate = entry[position]!;
      const count = kept[candidate]!;
      if (count === 0) continue;
      left += 1;
      if (length === REMEMBERED && count <= kept[this.#entries[base + length - 1]!]!) continue;
      let place = length < REMEMBERED ? length++ : length - 1;
      while (place > 0 && kept[this.#entries[base + place - 1]!]! < count) {
        this.#entries[base + place] = this.#entries[base + place - 1]!;
        this.#users[base + place] = this.#users[base + place - 1]!;
        place -= 1;
      }
      this.#entries[base + place] = candidate;
      this.#users[base + place] = user[position]!;
    }
    this.#length[grid] = length;
    this.#complete[grid] = left === length ? 1 : 0;
  }

  #publish(grid: number): void {
    const base = grid * REMEMBERED;
    const length = this.#length[grid]!;
    this.first[grid] = length > 0 ? this.#kept[this.#entries[base]!]! : 0;
    this.second[grid] = length > 1 ? this.#kept[this.#entries[base + 1]!]! : 0;
    const leader = this.first[grid]! > this.second[grid]! ? this.#users[base]! : NOBODY;
    const before = this.#leader[grid]!;
    if (leader === before) return;
    if (before !== NOBODY) this.gridsLedByUser[before]! -= 1;
    if (leader !== NOBODY) this.gridsLedByUser[leader]! += 1;
    this.#leader[grid] = leader;
  }
}
