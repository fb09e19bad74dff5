/** From a table of groups inside DuckDB to occupancy columns: ids once each, everything else as typed arrays. */
import type { DuckDBDataChunk } from "@duckdb/node-api";
import { invariant, VeilgridError } from "../../errors/index.ts";
import { type CodedRows, type Occupancy, occupancyFromCoded, selectGrids } from "../../occupancy/index.ts";
import { gridId, type Recipe, slotLabel } from "../../partition/index.ts";
import type { LongWorkOptions } from "../../planning/index.ts";
import type { OccupancyReading } from "../engine.ts";
import type { Database } from "./database.ts";
import { partNames } from "./records-sql.ts";

/** Ids by the engine's own numbers, as they stand in the tables `users` and `grids`. */
export interface CodedOccupancy extends OccupancyReading {
  readonly users: readonly string[];
  readonly grids: readonly string[];
}

/**
 * Reads the table `groups` (usr, parts, n, …). To keep its sums leaves tables `users` (usr, u), `grids` (parts, g) and `coded`
 * (u, g, n, …) behind, otherwise nothing.
 */
export async function readGroups(
  database: Database,
  recipe: Recipe,
  { keepSums, ...options }: LongWorkOptions & { readonly keepSums: boolean },
): Promise<CodedOccupancy> {
  const parts = partNames(recipe);
  const joined = `groups JOIN users USING (usr) JOIN grids ON ${sameParts("groups", "grids", parts)}`;
  await database.run(
    `CREATE OR REPLACE TEMP TABLE users AS SELECT usr, CAST(row_number() OVER (ORDER BY usr) - 1 AS UINTEGER) AS u FROM (SELECT DISTINCT usr FROM groups);
     CREATE OR REPLACE TEMP TABLE grids AS SELECT ${parts.join(", ")}, CAST(row_number() OVER (ORDER BY ${parts.join(", ")}) - 1 AS UINTEGER) AS g FROM (SELECT DISTINCT ${parts.join(", ")} FROM groups)`,
    "numbering users and grids",
    options,
  );
  if (keepSums) {
    await database.run(
      `CREATE OR REPLACE TEMP TABLE coded AS SELECT u, g, groups.* EXCLUDE (usr, ${parts.join(", ")}) FROM ${joined}`,
      "numbering users and grids",
      options,
    );
  }
  // Asked at once: the engine works on one answer while another is taken over here.
  const [users, rows, gridParts, counts] = await Promise.all([
    column<string>(database, "SELECT usr FROM users ORDER BY u"),
    pairs(database, keepSums ? "coded" : joined, options),
    Promise.all(parts.map((part) => partColumn(database, part, recipe))),
    countsOfRecords(database, recipe),
  ]);
  const grids = Array.from(gridParts[0]!, (_, code) => gridId(gridParts.map((part) => part[code]!)));
  // The engine lets go of what is read while we work on it.
  const dropped = keepSums ? undefined : database.run("DROP TABLE groups; DROP TABLE users; DROP TABLE grids");
  const all = occupancyFromCoded({ users, grids }, rows);
  await dropped;
  if (all.samples === 0) {
    throw new VeilgridError(
      "INPUT_EMPTY",
      "no record is left after the filters; check --from, --to, --hours and --missing",
    );
  }
  const occupancy = selectGrids(all, recipe);
  if (occupancy.samples === 0) {
    throw new VeilgridError(
      "INPUT_EMPTY",
      `no grid has ${recipe.minUsers} users; lower --min-users or make grids larger`,
    );
  }
  return {
    users,
    grids,
    occupancy,
    notes: notesOf(recipe, counts, { all, occupancy, unplaced: unplacedGrids(gridParts, grids) }),
  };
}

async function pairs(database: Database, table: string, options: LongWorkOptions): Promise<CodedRows> {
  let rows = { user: new Uint32Array(), grid: new Uint32Array(), count: new Float64Array() };
  let length = 0;
  await database.chunks(
    `SELECT u, g, CAST(n AS DOUBLE) FROM ${table} ORDER BY u, g`,
    (chunk, of) => {
      if (length === 0) rows = { user: new Uint32Array(of), grid: new Uint32Array(of), count: new Float64Array(of) };
      rows.user.set(numbers(chunk, 0), length);
      rows.grid.set(numbers(chunk, 1), length);
      rows.count.set(numbers(chunk, 2), length);
      length += chunk.rowCount;
      options.onProgress?.({ step: "reading user–grid pairs", done: length, of });
    },
    options,
  );
  return rows;
}

/** A column of a chunk as the typed array it is; the driver's own accessor takes a call per item. */
function numbers(chunk: DuckDBDataChunk, column: number): ArrayLike<number> {
  const { items } = chunk.getColumnVector(column) as unknown as { items?: unknown };
  invariant(items instanceof Uint32Array || items instanceof Float64Array, "the driver gives a column in another form");
  return items;
}

/** Equality that also holds between two missing parts. */
export function sameParts(left: string, right: string, parts: readonly string[]): string {
  return parts.map((part) => `${left}.${part} IS NOT DISTINCT FROM ${right}.${part}`).join(" AND ");
}

/** One part of each grid's id, by the grid's number. */
async function partColumn(database: Database, part: string, recipe: Recipe): Promise<Array<string | null>> {
  const sql = (expression: string): string => `SELECT ${expression} FROM grids ORDER BY g`;
  if (part !== "slot") return column(database, sql(part === "cell" ? "printf('%x', cell)" : part));
  const starts = await column<bigint | null>(database, sql(part));
  return starts.map((start) => (start === null ? null : slotLabel(start, recipe.time!.zone)));
}

async function column<Item>(database: Database, sql: string): Promise<Item[]> {
  const items: Item[] = [];
  await database.chunks(sql, (chunk) => {
    const vector = chunk.getColumnVector(0);
    for (let row = 0; row < chunk.rowCount; row++) items.push(vector.getItem(row) as Item);
  });
  return items;
}

/** Ids of grids with a part that is missing or empty. */
function unplacedGrids(gridParts: ReadonlyArray<ReadonlyArray<string | null>>, grids: readonly string[]): string[] {
  return grids.filter((_, code) => gridParts.some((part) => part[code] === null || part[code] === ""));
}

/** What the pairs do not say: records before repeated ones were taken out, and those without a value. */
async function countsOfRecords(database: Database, recipe: Recipe): Promise<{ copies: number; missing: number }> {
  const copies = recipe.dedupe === null ? "0" : "sum(copies)";
  const missing = recipe.missing === "refuse" ? "0" : "sum(blank)";
  if (copies === missing) return { copies: 0, missing: 0 };
  const [row] = await database.rows(`SELECT ${copies}, ${missing} FROM groups`);
  return { copies: Number(row![0] ?? 0), missing: Number(row![1] ?? 0) };
}

function notesOf(
  recipe: Recipe,
  { copies, missing }: { copies: number; missing: number },
  { all, occupancy, unplaced }: { all: Occupancy; occupancy: Occupancy; unplaced: readonly string[] },
): OccupancyReading["notes"] {
  const distinct = all.samples + (recipe.missing === "drop" ? missing : 0);
  const records = recipe.dedupe === null ? distinct : copies;
  return {
    records,
    repeated: records - distinct,
    missing,
    withoutUser: recordsOfUser(all, ""),
    withoutGrid: unplaced.reduce((sum, grid) => sum + (all.samplesOfGrid[all.grids.indexOf(grid)] ?? 0), 0),
    inOtherGrids: all.samples - occupancy.samples,
  };
}

function recordsOfUser({ users, byUser }: Occupancy, id: string): number {
  const user = users.indexOf(id);
  return user < 0
    ? 0
    : byUser.count.subarray(byUser.start[user]!, byUser.start[user + 1]!).reduce((sum, count) => sum + count, 0);
}
