/** Reads groups counted by DuckDB into occupancy columns: each id once, everything else in typed arrays. */
import type { DuckDBBlobValue } from "@duckdb/node-api";
import { type CodedRows, IdTable } from "../../../core/occupancy/index.ts";
import type { LongWorkOptions } from "../../../core/planning/index.ts";
import { partNames, type Recipe, slotLabel } from "../../partition/index.ts";
import type { AskedGrids } from "../pipeline/asked-grids.ts";
import { type CodedOccupancy, codedOccupancy } from "../pipeline/counted.ts";
import { sameGrid } from "../pipeline/records.ts";
import type { Database } from "./database.ts";
import { dialect } from "./dialect.ts";
import { itemsOf } from "./vectors.ts";

/** Users whose ids the engine joins into one text: some megabytes. */
const IDS_AT_A_TIME = 1 << 16;

/**
 * Reads the table `groups` (usr, parts, n, …). To keep its sums leaves tables `users` (usr, u), `grids` (parts, g) and `coded`
 * (u, g, n, …) behind, otherwise nothing.
 */
export async function readGroups(
  database: Database,
  { recipe, asked }: { readonly recipe: Recipe; readonly asked?: AskedGrids | undefined },
  { keepSums, ...options }: LongWorkOptions & { readonly keepSums: boolean },
): Promise<CodedOccupancy> {
  const parts = partNames(recipe);
  const columns = parts.join(", ");
  const joined = `groups JOIN users USING (usr) JOIN grids ON ${sameGrid(dialect, recipe, { left: "groups", right: "grids" })}`;
  const number = (by: string): string => `CAST(row_number() OVER (ORDER BY ${by}) - 1 AS UINTEGER)`;
  const make = (table: string, sql: string): Promise<void> =>
    database.make(table, `AS ${sql}`, "numbering users and grids", options);
  await make("users", `SELECT usr, ${number("usr")} AS u FROM (SELECT DISTINCT usr FROM groups)`);
  await make("grids", `SELECT ${columns}, ${number(columns)} AS g FROM (SELECT DISTINCT ${columns} FROM groups)`);
  if (keepSums) await make("coded", `SELECT u, g, groups.* EXCLUDE (usr, ${columns}) FROM ${joined}`);
  // Asked at once: the engine works on one answer while another is taken over here; the longest comes first.
  const [rows, users, gridParts, counts] = await Promise.all([
    pairs(database, keepSums ? "coded" : joined, options),
    userIds(database),
    Promise.all(parts.map((part) => partColumn(database, part, recipe))),
    countsOfRecords(database, recipe),
  ]);
  // The engine lets go of what is read while we work on it.
  const dropped = keepSums ? database.drop("groups") : database.drop("groups", "users", "grids");
  try {
    return codedOccupancy(recipe, { users, gridParts, rows, ...counts }, asked);
  } finally {
    // Also where nothing is left to count: whoever comes next makes tables of the same names.
    await dropped;
  }
}

async function pairs(database: Database, table: string, options: LongWorkOptions): Promise<CodedRows> {
  let rows = { user: new Uint32Array(), grid: new Uint32Array(), count: new Float64Array() };
  let length = 0;
  await database.chunks(
    `SELECT u, g, CAST(n AS DOUBLE) FROM ${table}`,
    (chunk, of) => {
      if (length === 0) rows = { user: new Uint32Array(of), grid: new Uint32Array(of), count: new Float64Array(of) };
      rows.user.set(itemsOf(chunk.getColumnVector(0), Uint32Array), length);
      rows.grid.set(itemsOf(chunk.getColumnVector(1), Uint32Array), length);
      rows.count.set(itemsOf(chunk.getColumnVector(2), Float64Array), length);
      length += chunk.rowCount;
      options.onProgress?.({ step: "reading user–grid pairs", done: length, of });
    },
    options,
  );
  return rows;
}

/** Users as bytes, many at a time: `users` numbers them in the order of their bytes. */
async function userIds(database: Database): Promise<IdTable> {
  const [texts, lengths] = await Promise.all([
    column<DuckDBBlobValue>(
      database,
      `SELECT encode(string_agg(usr, '' ORDER BY u)) FROM users GROUP BY u // ${IDS_AT_A_TIME} ORDER BY u // ${IDS_AT_A_TIME}`,
    ),
    whole(database, "SELECT CAST(strlen(usr) AS UINTEGER) FROM users ORDER BY u"),
  ]);
  const bytes = new Uint8Array(texts.reduce((sum, text) => sum + text.bytes.length, 0));
  let length = 0;
  for (const text of texts) {
    bytes.set(text.bytes, length);
    length += text.bytes.length;
  }
  return IdTable.ofBytes(bytes, lengths);
}

async function whole(database: Database, sql: string): Promise<Uint32Array> {
  let numbers = new Uint32Array();
  let length = 0;
  await database.chunks(sql, (chunk, of) => {
    if (length === 0) numbers = new Uint32Array(of);
    numbers.set(itemsOf(chunk.getColumnVector(0), Uint32Array), length);
    length += chunk.rowCount;
  });
  return numbers;
}

/** One part of each grid's id, by the grid's number. */
async function partColumn(database: Database, part: string, recipe: Recipe): Promise<Array<string | null>> {
  if (part === "slot") {
    const starts = await column<bigint | null>(database, "SELECT slot FROM grids ORDER BY g");
    return starts.map((start) => (start === null ? null : slotLabel(start, recipe.time!.zone)));
  }
  // The driver takes a byte order mark at the beginning of a text for its encoding's, and leaves it out: something stands before it.
  const text = part === "cell" ? "printf('%x', cell)" : part;
  const guarded = await column<string | null>(database, `SELECT '_' || ${text} FROM grids ORDER BY g`);
  return guarded.map((each) => (each === null ? null : each.slice(1)));
}

async function column<Item>(database: Database, sql: string): Promise<Item[]> {
  const items: Item[] = [];
  await database.chunks(sql, (chunk) => {
    const vector = chunk.getColumnVector(0);
    for (let row = 0; row < chunk.rowCount; row++) items.push(vector.getItem(row) as Item);
  });
  return items;
}

/** What the pairs do not say: records before repeated ones were taken out, and those without a value. */
async function countsOfRecords(database: Database, recipe: Recipe): Promise<{ copies: number; missing: number }> {
  const copies = recipe.dedupe === null ? "0" : "sum(n_copies)";
  const missing = recipe.missing === "refuse" ? "0" : "sum(n_blank)";
  if (copies === missing) return { copies: 0, missing: 0 };
  const [row] = await database.rows(`SELECT ${copies}, ${missing} FROM groups`);
  return { copies: Number(row![0] ?? 0), missing: Number(row![1] ?? 0) };
}
