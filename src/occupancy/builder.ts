/** Builds the occupancy array from (user, grid, count) triples in any order, by sorting integer columns. */
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import { GrowableUint32 } from "./growable.ts";
import { IdInterner, type IdTable } from "./ids.ts";
import { Occupancy } from "./occupancy.ts";

/** Counts are kept in 32 bits. */
export const LARGEST_COUNT = 0xffffffff;

const INSERTION_SORT_LIMIT = 32;

/** What was done to the triples on the way, for the person who brought them. */
export interface BuildNotes {
  readonly rows: number;
  /** Rows whose (user, grid) pair stood in an earlier row; their counts were added. */
  readonly duplicateRows: number;
  /** Rows with count 0, which say nothing and were passed over. */
  readonly zeroRows: number;
}

export class OccupancyBuilder {
  readonly #userIds = new IdInterner();
  readonly #gridIds = new IdInterner();
  readonly #user = new GrowableUint32();
  readonly #grid = new GrowableUint32();
  readonly #count = new GrowableUint32();
  #zeroRows = 0;
  #samples = 0;

  add(user: string, grid: string, count: number): void {
    if (this.#admit(count)) this.#push(this.#userIds.internText(user), this.#gridIds.internText(grid), count);
  }

  /** As `add`, with ids as bytes of `source`; a TypeError says that one is not valid UTF-8. */
  addBytes(
    source: Uint8Array,
    user: { start: number; end: number },
    grid: { start: number; end: number },
    count: number,
  ): void {
    if (!this.#admit(count)) return;
    this.#push(
      this.#userIds.internBytes(source, user.start, user.end),
      this.#gridIds.internBytes(source, grid.start, grid.end),
      count,
    );
  }

  #admit(count: number): boolean {
    if (!Number.isInteger(count) || count < 0) {
      throw new VeilgridError("INPUT_MALFORMED", `count ${quoteForMessage(String(count))} is not a whole number ≥ 0`);
    }
    if (count > LARGEST_COUNT) throw new VeilgridError("INPUT_TOO_LARGE", `count ${count} is above ${LARGEST_COUNT}`);
    this.#samples += count;
    if (!Number.isSafeInteger(this.#samples)) {
      throw new VeilgridError("INPUT_TOO_LARGE", "the counts add up to more than 2^53 - 1, beyond exact doubles");
    }
    if (count === 0) this.#zeroRows += 1;
    return count > 0;
  }

  #push(user: number, grid: number, count: number): void {
    this.#user.push(user);
    this.#grid.push(grid);
    this.#count.push(count);
  }

  /** The array, with duplicate pairs added up. The builder is spent afterwards. */
  build(): { occupancy: Occupancy; notes: BuildNotes } {
    const rows = this.#count.length;
    const occupancy = arrange(ranked(this.#userIds), ranked(this.#gridIds), {
      user: this.#user.view(),
      grid: this.#grid.view(),
      count: this.#count.view(),
    });
    const notes = { rows: rows + this.#zeroRows, duplicateRows: rows - occupancy.entries, zeroRows: this.#zeroRows };
    return { occupancy, notes };
  }
}

/** A small array from a literal list of triples. */
export function occupancyFromTriples(
  triples: Iterable<readonly [user: string, grid: string, count: number]>,
): Occupancy {
  const builder = new OccupancyBuilder();
  for (const [user, grid, count] of triples) builder.add(user, grid, count);
  return builder.build().occupancy;
}

/** Rows by column, ids as indices into lists. Counts are whole numbers of at most 32 bits; a row with 0 says nothing. */
export interface CodedRows {
  readonly user: Uint32Array;
  readonly grid: Uint32Array;
  readonly count: ArrayLike<number>;
}

/** The array of rows as engines give them, in any order. An id that no row with a count names is not in it. */
export function occupancyFromCoded(
  ids: { users: readonly string[]; grids: readonly string[] },
  rows: CodedRows,
): Occupancy {
  const usedUser = new Uint8Array(ids.users.length);
  const usedGrid = new Uint8Array(ids.grids.length);
  let samples = 0;
  for (let row = 0; row < rows.user.length; row++) {
    const count = rows.count[row]!;
    if (count === 0) continue;
    if (!(count > 0 && count <= LARGEST_COUNT && count === Math.floor(count))) {
      throw new VeilgridError(
        "INPUT_TOO_LARGE",
        `a user has ${count} records in one grid; at most ${LARGEST_COUNT} are counted`,
      );
    }
    samples += count;
    usedUser[rows.user[row]!] = 1;
    usedGrid[rows.grid[row]!] = 1;
  }
  if (!Number.isSafeInteger(samples))
    throw new VeilgridError("INPUT_TOO_LARGE", "the counts add up to more than 2^53 - 1, beyond exact doubles");
  return arrange(rankedAmong(ids.users, usedUser), rankedAmong(ids.grids, usedGrid), rows);
}

/** Sorted ids, and for each code that rows give them its place there. */
interface RankedIds {
  readonly table: IdTable;
  readonly rank: Uint32Array;
}

function ranked(interner: IdInterner): RankedIds {
  const { table, indexOfNumber } = interner.finish();
  return { table, rank: indexOfNumber };
}

/** Only the ids in use. */
function rankedAmong(ids: readonly string[], used: Uint8Array): RankedIds {
  const interner = new IdInterner();
  const number = Uint32Array.from(ids, (id, code) => (used[code] === 1 ? interner.internText(id) : 0));
  const { table, rank } = ranked(interner);
  return { table, rank: number.map((each) => rank[each] ?? 0) };
}

/** Counting sort by user, then each user's few rows by grid; rows of one pair are added up, rows with 0 passed over. */
function arrange(
  { table: users, rank: userRank }: RankedIds,
  { table: grids, rank: gridRank }: RankedIds,
  rows: CodedRows,
): Occupancy {
  const { user: userOf, grid: gridOf, count: countOf } = rows;
  const start = new Uint32Array(users.length + 1);
  for (let row = 0; row < userOf.length; row++) if (countOf[row] !== 0) start[userRank[userOf[row]!]! + 1]! += 1;
  for (let user = 0; user < users.length; user++) start[user + 1]! += start[user]!;
  const next = start.slice(0, -1);
  const sortedGrid = new Uint32Array(start[users.length]!);
  const sortedCount = new Uint32Array(start[users.length]!);
  for (let row = 0; row < userOf.length; row++) {
    if (countOf[row] === 0) continue;
    const position = next[userRank[userOf[row]!]!]!++;
    sortedGrid[position] = gridRank[gridOf[row]!]!;
    sortedCount[position] = countOf[row]!;
  }
  for (let user = 0; user < users.length; user++) sortSlice(sortedGrid, sortedCount, start[user]!, start[user + 1]!);

  const entries = mergeDuplicates(start, sortedGrid, sortedCount, (user, grid) => {
    const pair = `user ${quoteForMessage(users.get(user))} in grid ${quoteForMessage(grids.get(grid))}`;
    throw new VeilgridError("INPUT_TOO_LARGE", `the counts of ${pair} add up to more than ${LARGEST_COUNT}`);
  });
  return new Occupancy(users, grids, {
    start,
    grid: trimmed(sortedGrid, entries),
    count: trimmed(sortedCount, entries),
  });
}

/** A copy only where it is shorter. */
function trimmed(column: Uint32Array, length: number): Uint32Array {
  return length === column.length ? column : column.slice(0, length);
}

/** Sorts one user's rows by grid: by insertion where there are few, through an index where there are many. */
function sortSlice(grid: Uint32Array, count: Uint32Array, from: number, to: number): void {
  let sorted = from + 1;
  while (sorted < to && grid[sorted - 1]! <= grid[sorted]!) sorted += 1;
  if (sorted >= to) return;
  if (to - from > INSERTION_SORT_LIMIT) {
    const gridBefore = grid.slice(from, to);
    const countBefore = count.slice(from, to);
    const order = new Uint32Array(to - from)
      .map((_, at) => at)
      .sort((left, right) => gridBefore[left]! - gridBefore[right]!);
    for (let at = 0; at < order.length; at++) {
      grid[from + at] = gridBefore[order[at]!]!;
      count[from + at] = countBefore[order[at]!]!;
    }
    return;
  }
  for (let row = sorted; row < to; row++) {
    const movedGrid = grid[row]!;
    const movedCount = count[row]!;
    let hole = row;
    for (; hole > from && grid[hole - 1]! > movedGrid; hole--) {
      grid[hole] = grid[hole - 1]!;
      count[hole] = count[hole - 1]!;
    }
    grid[hole] = movedGrid;
    count[hole] = movedCount;
  }
}

/** Adds up neighbours of one user and grid, closing the gaps in place; returns how many entries are left. */
function mergeDuplicates(
  start: Uint32Array,
  grid: Uint32Array,
  count: Uint32Array,
  refuse: (user: number, grid: number) => never,
): number {
  let kept = 0;
  for (let user = 0; user < start.length - 1; user++) {
    const from = start[user]!;
    const to = start[user + 1]!;
    start[user] = kept;
    for (let row = from; row < to; row++) {
      if (kept > start[user]! && grid[kept - 1] === grid[row]) {
        const merged = count[kept - 1]! + count[row]!;
        if (merged > LARGEST_COUNT) refuse(user, grid[row]!);
        count[kept - 1] = merged;
      } else {
        grid[kept] = grid[row]!;
        count[kept] = count[row]!;
        kept += 1;
      }
    }
  }
  start[start.length - 1] = kept;
  return kept;
}
