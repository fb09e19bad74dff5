/** Builds the occupancy array from (user, grid, count) triples in any order, by sorting integer columns. */
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import { GrowableUint32 } from "./growable.ts";
import { IdInterner, IdTable } from "./ids.ts";
import { Occupancy } from "./occupancy.ts";

/** Counts are kept in 32 bits. */
export const LARGEST_COUNT = 0xffffffff;

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
    checkTotal(this.#samples);
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
    const occupancy = arrange(this.#userIds.finish(), this.#gridIds.finish(), {
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

/** Rows by column, ids as indices into lists; they are written over when an array is made of them. Counts are whole numbers of at most 32 bits; a row with 0 says nothing. */
export interface CodedRows {
  readonly user: Uint32Array;
  readonly grid: Uint32Array;
  readonly count: Uint32Array | Float64Array;
}

/** By the number that rows give them: as text in any order, or distinct and sorted as they will be. */
export type CodedIds = readonly string[] | IdTable;

/** The array of rows as engines give them, in any order. An id that no row with a count names is not in it. */
export function occupancyFromCoded(ids: { users: CodedIds; grids: CodedIds }, rows: CodedRows): Occupancy {
  const usedUser = new Uint8Array(ids.users.length);
  const usedGrid = new Uint8Array(ids.grids.length);
  let samples = 0;
  for (let row = 0; row < rows.user.length; row++) {
    const count = rows.count[row]!;
    if (!(count >= 0 && count <= LARGEST_COUNT && count === Math.floor(count))) {
      throw new VeilgridError(
        "INPUT_TOO_LARGE",
        `a user has ${count} records in one grid; at most ${LARGEST_COUNT} are counted`,
      );
    }
    if (count === 0) continue;
    samples += count;
    usedUser[rows.user[row]!] = 1;
    usedGrid[rows.grid[row]!] = 1;
  }
  checkTotal(samples);
  return arrange(rankedAmong(ids.users, usedUser), rankedAmong(ids.grids, usedGrid), rows);
}

/** What many doubles add up to is exact until it is above this, and above it ever after. */
export function checkTotal(samples: number): void {
  if (!Number.isSafeInteger(samples))
    throw new VeilgridError("INPUT_TOO_LARGE", "the counts add up to more than 2^53 - 1, beyond exact doubles");
}

/** Sorted ids, and for each code that rows give them its place there. */
type RankedIds = ReturnType<IdInterner["finish"]>;

/** Only the ids in use. */
function rankedAmong(ids: CodedIds, used: Uint8Array): RankedIds {
  if (ids instanceof IdTable) return rankedInTable(ids, used);
  const interner = new IdInterner();
  const number = Uint32Array.from(ids, (id, code) => (used[code] === 1 ? interner.internText(id) : 0));
  const { table, rank } = interner.finish();
  return { table, rank: number.map((each) => rank[each] ?? 0) };
}

function rankedInTable(ids: IdTable, used: Uint8Array): RankedIds {
  const rank = new Uint32Array(ids.length);
  const codes = new GrowableUint32();
  for (let code = 0; code < ids.length; code++) {
    rank[code] = codes.length;
    if (used[code] === 1) codes.push(code);
  }
  if (codes.length === ids.length) return { table: ids, rank };
  const lengths = codes.view().map((code) => ids.starts[code + 1]! - ids.starts[code]!);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let length = 0;
  for (const code of codes.view()) {
    bytes.set(ids.bytesOf(code), length);
    length += ids.starts[code + 1]! - ids.starts[code]!;
  }
  return { table: IdTable.ofBytes(bytes, lengths), rank };
}

/** Sorts by counting, which never looks at two rows at once; rows of one pair are added up, rows with 0 passed over. The rows are spent. */
function arrange(
  { table: users, rank: userRank }: RankedIds,
  { table: grids, rank: gridRank }: RankedIds,
  rows: CodedRows,
): Occupancy {
  const rankedRows =
    rows.count.includes(0) || !isIdentity(userRank) || !isIdentity(gridRank)
      ? rankInPlace(rows, userRank, gridRank)
      : rows;
  const start = startsOf(rankedRows.user, users.length);
  const { grid, count } = isInOrder(rankedRows)
    ? { grid: rankedRows.grid.slice(), count: Uint32Array.from(rankedRows.count) }
    : sortedByUserAndGrid(rankedRows, start, grids.length);
  const entries = mergeDuplicates(start, grid, count, (user, grid) => {
    const pair = `user ${quoteForMessage(users.get(user))} in grid ${quoteForMessage(grids.get(grid))}`;
    throw new VeilgridError("INPUT_TOO_LARGE", `the counts of ${pair} add up to more than ${LARGEST_COUNT}`);
  });
  return new Occupancy(users, grids, { start, grid: trimmed(grid, entries), count: trimmed(count, entries) });
}

/** Ranks in place of codes, without the rows with 0; in the columns themselves, because there may be hundreds of millions. */
function rankInPlace({ user, grid, count }: CodedRows, userRank: Uint32Array, gridRank: Uint32Array): CodedRows {
  let kept = 0;
  for (let row = 0; row < user.length; row++) {
    if (count[row] === 0) continue;
    user[kept] = userRank[user[row]!]!;
    grid[kept] = gridRank[grid[row]!]!;
    count[kept] = count[row]!;
    kept += 1;
  }
  return { user: user.subarray(0, kept), grid: grid.subarray(0, kept), count: count.subarray(0, kept) };
}

function isIdentity(rank: Uint32Array): boolean {
  return rank.every((each, code) => each === code);
}

function isInOrder({ user, grid }: CodedRows): boolean {
  for (let row = 1; row < user.length; row++) {
    if (user[row - 1]! > user[row]! || (user[row - 1] === user[row] && grid[row - 1]! > grid[row]!)) return false;
  }
  return true;
}

/** By grid first, then by user, which keeps the order of grids. */
function sortedByUserAndGrid(
  { user, grid, count }: CodedRows,
  userStart: Uint32Array,
  grids: number,
): { grid: Uint32Array; count: Uint32Array } {
  const gridStart = startsOf(grid, grids);
  const nextOfGrid = gridStart.slice(0, -1);
  const userByGrid = new Uint32Array(user.length);
  const countByGrid = new Uint32Array(user.length);
  for (let row = 0; row < user.length; row++) {
    const position = nextOfGrid[grid[row]!]!++;
    userByGrid[position] = user[row]!;
    countByGrid[position] = count[row]!;
  }
  const nextOfUser = userStart.slice(0, -1);
  const sorted = { grid: new Uint32Array(user.length), count: new Uint32Array(user.length) };
  for (let each = 0; each < grids; each++) {
    for (let row = gridStart[each]!; row < gridStart[each + 1]!; row++) {
      const position = nextOfUser[userByGrid[row]!]!++;
      sorted.grid[position] = each;
      sorted.count[position] = countByGrid[row]!;
    }
  }
  return sorted;
}

/** Where the rows of each of `many` begin once they are sorted, and where the last ones end. */
function startsOf(column: Uint32Array, many: number): Uint32Array {
  const start = new Uint32Array(many + 1);
  for (let row = 0; row < column.length; row++) start[column[row]! + 1]! += 1;
  for (let at = 0; at < many; at++) start[at + 1]! += start[at]!;
  return start;
}

/** A copy only where it is shorter. */
function trimmed(column: Uint32Array, length: number): Uint32Array {
  return length === column.length ? column : column.slice(0, length);
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
