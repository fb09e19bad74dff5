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
    const users = this.#userIds.finish();
    const grids = this.#gridIds.finish();
    const rows = this.#count.length;
    const user = renumber(this.#user.view(), users.indexOfNumber);
    const grid = renumber(this.#grid.view(), grids.indexOfNumber);
    const count = this.#count.view();

    const occupancy = arrange(users.table, grids.table, { user, grid, count });
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
  const length = rows.user.length;
  const usedUser = new Uint8Array(ids.users.length);
  const usedGrid = new Uint8Array(ids.grids.length);
  let samples = 0;
  let named = 0;
  for (let row = 0; row < length; row++) {
    const count = rows.count[row]!;
    if (count === 0) continue;
    if (!(Number.isInteger(count) && count > 0 && count <= LARGEST_COUNT)) {
      throw new VeilgridError(
        "INPUT_TOO_LARGE",
        `a user has ${count} records in one grid; at most ${LARGEST_COUNT} are counted`,
      );
    }
    samples += count;
    usedUser[rows.user[row]!] = 1;
    usedGrid[rows.grid[row]!] = 1;
    named += 1;
  }
  if (!Number.isSafeInteger(samples))
    throw new VeilgridError("INPUT_TOO_LARGE", "the counts add up to more than 2^53 - 1, beyond exact doubles");
  const users = rankUsed(ids.users, usedUser);
  const grids = rankUsed(ids.grids, usedGrid);
  const ranked = { user: new Uint32Array(named), grid: new Uint32Array(named), count: new Uint32Array(named) };
  for (let row = 0, to = 0; row < length; row++) {
    if (rows.count[row] === 0) continue;
    ranked.user[to] = users.rank[rows.user[row]!]!;
    ranked.grid[to] = grids.rank[rows.grid[row]!]!;
    ranked.count[to] = rows.count[row]!;
    to += 1;
  }
  return arrange(users.table, grids.table, ranked);
}

/** The sorted table of the ids in use, and each one's place in it. */
function rankUsed(ids: readonly string[], used: Uint8Array): { table: IdTable; rank: Uint32Array } {
  const interner = new IdInterner();
  const number = Uint32Array.from(ids, (id, code) => (used[code] === 1 ? interner.internText(id) : 0));
  const { table, indexOfNumber } = interner.finish();
  return { table, rank: number.map((each) => indexOfNumber[each] ?? 0) };
}

/** Counting sort by user, then each user's few rows by grid; rows of one pair are added up. */
function arrange(
  users: IdTable,
  grids: IdTable,
  rows: { user: Uint32Array; grid: Uint32Array; count: Uint32Array },
): Occupancy {
  const length = rows.user.length;
  const start = countStarts(rows.user, users.length);
  const next = start.slice(0, -1);
  const sortedGrid = new Uint32Array(length);
  const sortedCount = new Uint32Array(length);
  for (let row = 0; row < length; row++) {
    const position = next[rows.user[row]!]!++;
    sortedGrid[position] = rows.grid[row]!;
    sortedCount[position] = rows.count[row]!;
  }
  for (let user = 0; user < users.length; user++) sortSlice(sortedGrid, sortedCount, start[user]!, start[user + 1]!);

  const entries = mergeDuplicates(start, sortedGrid, sortedCount, (user, grid) => {
    const pair = `user ${quoteForMessage(users.get(user))} in grid ${quoteForMessage(grids.get(grid))}`;
    throw new VeilgridError("INPUT_TOO_LARGE", `the counts of ${pair} add up to more than ${LARGEST_COUNT}`);
  });
  return new Occupancy(users, grids, {
    start,
    grid: sortedGrid.slice(0, entries),
    count: sortedCount.slice(0, entries),
  });
}

function renumber(column: Uint32Array, indexOfNumber: Uint32Array): Uint32Array {
  for (let row = 0; row < column.length; row++) column[row] = indexOfNumber[column[row]!]!;
  return column;
}

function countStarts(keys: Uint32Array, distinct: number): Uint32Array {
  const start = new Uint32Array(distinct + 1);
  for (let row = 0; row < keys.length; row++) start[keys[row]! + 1]! += 1;
  for (let key = 0; key < distinct; key++) start[key + 1]! += start[key]!;
  return start;
}

/** Sorts one user's rows by grid: by insertion where there are few, through an index where there are many. */
function sortSlice(grid: Uint32Array, count: Uint32Array, from: number, to: number): void {
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
  for (let row = from + 1; row < to; row++) {
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
