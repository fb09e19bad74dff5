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
  const [users, rows, grids, counts] = await Promise.all([
    ids(database, "SELECT usr FROM users ORDER BY u", ([user]) => String(user)),
    pairs(database, keepSums ? "coded" : joined, options),
    ids(database, `SELECT ${printedParts(recipe)} FROM grids ORDER BY g`, (row) =>
      gridId(row.map((part, index) => partText(part, parts[index]!, recipe))),
    ),
    countsForNotes(database, recipe),
  ]);
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
  return { users, grids, occupancy, notes: notesOf(recipe, counts, { all, occupancy }) };
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

function printedParts(recipe: Recipe): string {
  return partNames(recipe)
    .map((part) => (part === "cell" ? "printf('%x', cell)" : part))
    .join(", ");
}

function partText(part: unknown, name: string, recipe: Recipe): string | null {
  if (part === null) return null;
  return name === "slot" ? slotLabel(part as bigint, recipe.time!.zone) : String(part);
}

async function ids(database: Database, sql: string, print: (row: unknown[]) => string): Promise<string[]> {
  const found: string[] = [];
  await database.chunks(sql, (chunk) => {
    const columns = Array.from({ length: chunk.columnCount }, (_, column) => chunk.getColumnVector(column));
    for (let row = 0; row < chunk.rowCount; row++) found.push(print(columns.map((column) => column.getItem(row))));
  });
  return found;
}

interface NoteCounts {
  readonly copies: number;
  readonly missing: number;
  readonly withoutUser: number;
  readonly withoutGrid: number;
}

async function countsForNotes(database: Database, recipe: Recipe): Promise<NoteCounts> {
  const parts = partNames(recipe);
  const columns = [
    recipe.dedupe === null ? "0" : "sum(copies)",
    recipe.missing === "refuse" ? "0" : "sum(blank)",
    "sum(n) FILTER (usr = '')",
    `sum(n) FILTER (${parts.map((part) => (part.startsWith("by") ? `coalesce(${part}, '') = ''` : `${part} IS NULL`)).join(" OR ")})`,
  ];
  const [row] = await database.rows(`SELECT ${columns.join(", ")} FROM groups`);
  const [copies, missing, withoutUser, withoutGrid] = row!.map((count) => Number(count ?? 0));
  return { copies: copies!, missing: missing!, withoutUser: withoutUser!, withoutGrid: withoutGrid! };
}

function notesOf(
  recipe: Recipe,
  { copies, missing, withoutUser, withoutGrid }: NoteCounts,
  { all, occupancy }: { all: Occupancy; occupancy: Occupancy },
): OccupancyReading["notes"] {
  const distinct = all.samples + (recipe.missing === "drop" ? missing : 0);
  const records = recipe.dedupe === null ? distinct : copies;
  return {
    records,
    repeated: records - distinct,
    missing,
    withoutUser,
    withoutGrid,
    inOtherGrids: all.samples - occupancy.samples,
  };
}
