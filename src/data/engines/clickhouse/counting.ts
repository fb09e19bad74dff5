/** Numbers users and grids inside ClickHouse and reads groups into occupancy columns. */
import { invariant } from "../../../core/errors/index.ts";
import type { CodedRows } from "../../../core/occupancy/index.ts";
import type { LongWorkOptions } from "../../../core/planning/index.ts";
import { partNames, type Recipe, slotLabel } from "../../partition/index.ts";
import type { AskedGrids } from "../pipeline/asked-grids.ts";
import { type CodedOccupancy, codedOccupancy } from "../pipeline/counted.ts";
import type { Database } from "./database.ts";
import { identifier, type Names } from "./dialect.ts";
import type { NativeColumn } from "./native-format.ts";
import type { KeyColumn } from "./record.ts";

/** Temporary tables: `users` (usr, u), `grids` (parts, g), `coded` (u, g, n and the sums asked for). */
export interface CodedTables {
  readonly users: string;
  readonly grids: string;
  readonly coded: string;
}

/** What is known of the tables before they are read. */
export interface CodedGroups {
  readonly tables: CodedTables;
  readonly rows: Readonly<Record<keyof CodedTables, number>>;
  /** Records before repeated ones were taken out; of no account where none are. */
  readonly copies: number;
  /** Records without a value. */
  readonly missing: number;
}

export interface GroupsReading {
  readonly recipe: Recipe;
  readonly names: Names;
  readonly keys: readonly KeyColumn[];
  /** The grids of which records were read, where not of all. */
  readonly asked: AskedGrids | undefined;
  /** A temporary table as `groupsSql` makes it; it is dropped. */
  readonly groups: string;
  /** Whether groups came from shards that were not merged. */
  readonly mayRepeat: boolean;
  /** Columns of the groups that totals are made of. */
  readonly sums: readonly string[];
}

/** Numbers users and grids; undefined if a group is there twice, which only shards that were not merged can bring about. */
export async function codeGroups(
  database: Database,
  { recipe, names, keys, groups, mayRepeat, sums }: GroupsReading,
  options: LongWorkOptions,
): Promise<CodedGroups | undefined> {
  const v = names;
  const from = identifier(groups);
  const step = "numbering users and grids";
  const parts = keys.slice(1).map(({ name }) => v(name));
  const number = (columns: string, as: string): string =>
    `SELECT ${columns}, toUInt32(rowNumberInAllBlocks()) AS ${v(as)} FROM (SELECT DISTINCT ${columns} FROM ${from} ORDER BY ${columns})`;
  const users = await database.keep("users", number(v("usr"), "u"), { ...options, step });
  const grids = await database.keep("grids", number(parts.join(", "), "g"), { ...options, step });
  const kept = ["n", ...sums].map(v).join(", ");
  const coded = await database.keep(
    "coded",
    `SELECT ${v("u")}, ${v("g")}, ${kept} FROM (SELECT ${v("usr")}, ${v("g")}, ${kept} FROM ${from} ` +
      `ALL INNER JOIN ${identifier(grids)} USING (${parts.join(", ")})) ALL INNER JOIN ${identifier(users)} USING (${v("usr")})`,
    { ...options, step },
  );
  const copies = recipe.dedupe === null ? "0" : `sum(${v("n_copies")})`;
  const missing = recipe.missing === "refuse" ? "0" : `sum(${v("n_blank")})`;
  const [all] = await database.rows(`SELECT count(), ${copies}, ${missing} FROM ${from}`, options);
  const pair = `toUInt64(${v("u")}) * ${2n ** 32n} + ${v("g")}`;
  const distinctPairs = mayRepeat ? `uniqExact(${pair})` : "count()";
  const [numbered] = await database.rows(
    `SELECT count(), ${distinctPairs}, max(${v("u")}) + 1, max(${v("g")}) + 1 FROM ${identifier(coded)}`,
    options,
  );
  await database.drop(groups);
  const [pairs, distinct, ...most] = numbered!.map(Number) as [number, number, number, number];
  invariant(pairs === Number(all![0]), "every group has a user and a grid");
  const [ofUsers, ofGrids] = pairs === 0 ? [0, 0] : most;
  if (pairs !== distinct) {
    await database.drop(users, grids, coded);
    return undefined;
  }
  return {
    tables: { users, grids, coded },
    rows: { users: ofUsers, grids: ofGrids, coded: pairs },
    copies: Number(all![1]),
    missing: Number(all![2]),
  };
}

/** Takes the numbered groups over. */
export async function readCoded(
  database: Database,
  { recipe, names, keys, asked }: Pick<GroupsReading, "recipe" | "names" | "keys" | "asked">,
  { tables, rows, copies, missing }: CodedGroups,
  options: LongWorkOptions,
): Promise<CodedOccupancy> {
  const users = await readUsers(database, { table: tables.users, rows: rows.users }, names, options);
  const gridParts = await readParts(database, { recipe, names, keys, table: tables.grids, rows: rows.grids }, options);
  const pairs = await readPairs(database, { table: tables.coded, rows: rows.coded }, names, options);
  return codedOccupancy(recipe, { users, gridParts, rows: pairs, copies, missing }, asked);
}

interface KnownRows {
  readonly table: string;
  readonly rows: number;
}

async function readUsers(
  database: Database,
  from: KnownRows,
  names: Names,
  options: LongWorkOptions,
): Promise<string[]> {
  const users: string[] = [];
  await database.read(
    { ...from, columns: [`toString(${names("usr")})`, names("u")] },
    ([ids, codes], rows) => {
      for (let row = 0; row < rows; row++) users[(codes as Uint32Array)[row]!] = (ids as string[])[row]!;
    },
    options,
  );
  return users;
}

async function readPairs(
  database: Database,
  from: KnownRows,
  names: Names,
  options: LongWorkOptions,
): Promise<CodedRows> {
  const of = from.rows;
  const rows = { user: new Uint32Array(of), grid: new Uint32Array(of), count: new Float64Array(of) };
  let length = 0;
  await database.read(
    { ...from, columns: [names("u"), names("g"), `toFloat64(${names("n")})`] },
    ([user, grid, count], read) => {
      rows.user.set(user as Uint32Array, length);
      rows.grid.set(grid as Uint32Array, length);
      rows.count.set(count as Float64Array, length);
      length += read;
      options.onProgress?.({ step: "reading user–grid pairs", done: length, of });
    },
    options,
  );
  return rows;
}

/** One part of each grid's id, by the grid's number. */
async function readParts(
  database: Database,
  { recipe, names, keys, ...from }: Pick<GroupsReading, "recipe" | "names" | "keys"> & KnownRows,
  options: LongWorkOptions,
): Promise<Array<Array<string | null>>> {
  const parts = partNames(recipe);
  const gridParts = parts.map((): Array<string | null> => []);
  const nullable = new Set(keys.map(({ name }) => name));
  const columns = parts.flatMap((part) => {
    if (part === "cell") return [names(part), "toUInt8(0)"];
    if (part === "slot") return [names(part), "toUInt8(0)"];
    return [`toString(${names(part)})`, nullable.has(`${part}_null`) ? names(`${part}_null`) : "toUInt8(0)"];
  });
  await database.read(
    { ...from, columns: [names("g"), ...columns] },
    ([codes, ...read], rows) => {
      for (let row = 0; row < rows; row++) {
        const grid = (codes as Uint32Array)[row]!;
        parts.forEach((part, at) => {
          const isNull = (read[2 * at + 1] as Uint8Array)[row] === 1;
          gridParts[at]![grid] = isNull ? null : partText(part, read[2 * at]!, row, recipe);
        });
      }
    },
    options,
  );
  return gridParts;
}

/** Beyond all times, where there is none. */
const FARTHEST = 2n ** 61n;

function partText(part: string, column: NativeColumn, row: number, recipe: Recipe): string | null {
  const value = column[row]!;
  if (part === "cell") return value === 0n ? null : (value as bigint).toString(16);
  if (part === "slot") return (value as bigint) > FARTHEST ? null : slotLabel(value as bigint, recipe.time!.zone);
  return value as string;
}
