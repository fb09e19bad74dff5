/** Reads groups counted by PostgreSQL into occupancy columns: each id once, everything else in typed arrays. */
import { itemAt } from "../../../core/errors/index.ts";
import { GrowableUint32 } from "../../../core/occupancy/index.ts";
import type { LongWorkOptions } from "../../../core/planning/index.ts";
import { partNames, type Recipe, slotLabel } from "../../partition/index.ts";
import type { AskedGrids } from "../pipeline/asked-grids.ts";
import { type CodedOccupancy, codedOccupancy } from "../pipeline/counted.ts";
import { type BinaryRow, isNull, textOf, wholeNumber } from "./copy.ts";
import type { Database } from "./database.ts";
import { relation } from "./dialect.ts";

/** Grids by our own numbers, told apart by the bytes of their parts as the server sends them. */
export class GridNumbers {
  readonly names: readonly string[];
  readonly #recipe: Recipe;
  readonly #numbers = new Map<string, number>();
  /** One part of every grid's id, by the grid's number. */
  readonly parts: Array<Array<string | null>>;

  constructor(recipe: Recipe) {
    this.names = partNames(recipe);
    this.#recipe = recipe;
    this.parts = this.names.map(() => []);
  }

  /** The number of the grid whose parts are the row's fields from `first` to its last. */
  of(row: BinaryRow, first: number): number {
    const last = first + this.names.length - 1;
    const end = Math.max(itemAt(row.start, last), itemAt(row.end, last));
    const key = row.bytes.toString("latin1", itemAt(row.start, first) - 4, end);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    this.names.forEach((name, index) => {
      itemAt(this.parts, index).push(this.#part(name, row, first + index));
    });
    return number;
  }

  #part(name: string, row: BinaryRow, field: number): string | null {
    if (isNull(row, field)) return null;
    if (name !== "cell" && name !== "slot") return textOf(row, field);
    const whole = row.bytes.readBigInt64BE(row.start[field]);
    return name === "cell" ? whole.toString(16) : slotLabel(whole, this.#recipe.time!.zone);
  }
}

export interface Groups {
  readonly coded: CodedOccupancy;
  /** Every group's user and grid by our numbers, and its own in the server's table where groups are numbered there. */
  readonly user: Uint32Array;
  readonly grid: Uint32Array;
  readonly pair: Uint32Array;
}

/** Reads a query with usr, the parts, what a group is counted in and, where it is said to be `numbered`, p. */
export async function readGroups(
  database: Database,
  {
    from,
    recipe,
    asked,
    numbered,
    gridNumbers,
  }: {
    from: string;
    recipe: Recipe;
    asked: AskedGrids | undefined;
    numbered: boolean;
    gridNumbers: GridNumbers;
  },
  options: LongWorkOptions,
): Promise<Groups> {
  const counts = [
    "n",
    ...(recipe.missing === "refuse" ? [] : ["n_blank"]),
    ...(recipe.dedupe === null ? [] : ["n_copies"]),
  ];
  const whole = [...(numbered ? ["p"] : []), ...counts].map((name) => `CAST(${name} AS bigint)`);
  const fields = [...whole, "usr", ...gridNumbers.names];
  const countField = numbered ? 1 : 0;
  const userField = countField + counts.length;
  const columns = { user: new GrowableUint32(), grid: new GrowableUint32(), pair: new GrowableUint32() };
  const count: number[] = [];
  const sums = { n_blank: 0, n_copies: 0 };
  const users: string[] = [];
  const userNumbers = new Map<string, number>();
  const take = (row: BinaryRow): void => {
    const key = row.bytes.toString("latin1", row.start[userField], row.end[userField]);
    let user = userNumbers.get(key);
    if (user === undefined) {
      user = users.length;
      userNumbers.set(key, user);
      users.push(textOf(row, userField));
    }
    columns.user.push(user);
    columns.grid.push(gridNumbers.of(row, userField + 1));
    if (numbered) columns.pair.push(wholeNumber(row, 0));
    count.push(wholeNumber(row, countField));
    for (let index = 1; index < counts.length; index++)
      sums[counts[index] as keyof typeof sums] += wholeNumber(row, countField + index);
  };
  await database.stream(`SELECT ${fields.join(", ")} FROM ${relation(from)}`, take, {
    ...options,
    step: "reading user–grid pairs",
  });
  const user = columns.user.view();
  const grid = columns.grid.view();
  const found = {
    users,
    gridParts: gridNumbers.parts,
    // Making an array writes over its rows; these numbers are asked for again.
    rows: { user: user.slice(), grid: grid.slice(), count: Float64Array.from(count) },
    copies: sums.n_copies,
    missing: sums.n_blank,
  };
  const coded = codedOccupancy(recipe, found, asked);
  return { coded, user, grid, pair: columns.pair.view() };
}
