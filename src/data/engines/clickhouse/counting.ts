/** Numbers users and grids inside ClickHouse and reads groups into occupancy columns. */
import { invariant, itemAt } from "../../../core/errors/index.ts";
import type { LongWorkOptions } from "../../../core/planning/index.ts";
import { partNames, type Recipe, slotLabel } from "../../partition/index.ts";
import type { AskedGrids } from "../pipeline/asked-grids.ts";
import { type CodedCounts, type CodedOccupancy, codedOccupancy } from "../pipeline/counted.ts";
import type { Database } from "./database.ts";
import { identifier, type Names } from "./dialect.ts";
import type { NativeColumn } from "./native-format.ts";
import type { KeyColumn } from "./records.ts";

/** What is known of the numbered groups before they are read. */
export interface CodedGroups extends Pick<CodedCounts, "copies" | "missing"> {
  /** Temporary ones: `users` (usr, u), `grids` (parts, g), `coded` (u, g, n and the sums asked for). */
  readonly tables: Readonly<Record<"users" | "grids" | "coded", string>>;
  readonly rows: Readonly<Record<"users" | "grids" | "coded", number>>;
}

export interface GroupsReading {
  readonly recipe: Recipe;
  readonly names: Names;
  readonly keys: readonly KeyColumn[];
  /** The grids of which records were read, where not of all. */
  readonly asked: AskedGrids | undefined;
  /** Columns of the groups that totals are made of. */
  readonly sums: readonly string[];
}

/** Numbers users and grids; undefined if a group is there twice, which only shards that were not merged can bring about. */
export async function codeGroups(
  database: Database,
  { recipe, names: v, keys, sums }: GroupsReading,
  /** `groups` is a temporary table as `groupsSql` makes it, and is dropped; it `mayRepeat` groups where shards were not merged. */
  { groups, mayRepeat }: { groups: string; mayRepeat: boolean },
  options: LongWorkOptions,
): Promise<CodedGroups | undefined> {
  const from = identifier(groups);
  const numbering = { ...options, step: "numbering users and grids" };
  const parts = keys.slice(1).map(({ name }) => v(name));
  const number = (columns: string, as: string): string =>
    `SELECT ${columns}, toUInt32(rowNumberInAllBlocks()) AS ${v(as)} FROM (SELECT DISTINCT ${columns} FROM ${from} ORDER BY ${columns})`;
  const users = await database.keep("users", number(v("usr"), "u"), numbering);
  const grids = await database.keep("grids", number(parts.join(", "), "g"), numbering);
  const kept = ["n", ...sums].map(v).join(", ");
  const coded = await database.keep(
    "coded",
    `SELECT ${v("u")}, ${v("g")}, ${kept} FROM (SELECT ${v("usr")}, ${v("g")}, ${kept} FROM ${from} ` +
      `ALL INNER JOIN ${identifier(grids)} USING (${parts.join(", ")})) ALL INNER JOIN ${identifier(users)} USING (${v("usr")})`,
    numbering,
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
  { recipe, names, keys, asked }: GroupsReading,
  { tables, rows: sizes, copies, missing }: CodedGroups,
  options: LongWorkOptions,
): Promise<CodedOccupancy> {
  const read = (table: keyof typeof tables, columns: readonly string[], take: Parameters<Database["read"]>[1]) =>
    database.read({ from: identifier(tables[table]), rows: sizes[table], columns }, take, options);
  const users: string[] = [];
  await read("users", [`toString(${names("usr")})`, names("u")], ([ids, codes], length) => {
    for (let row = 0; row < length; row++) users[(codes as Uint32Array)[row]!] = itemAt(ids as string[], row);
  });
  const parts = partNames(recipe);
  const gridParts = parts.map((): Array<string | null> => []);
  const nullable = new Set(keys.map(({ name }) => name));
  const columns = parts.flatMap((part) => [
    part === "cell" || part === "slot" ? names(part) : `toString(${names(part)})`,
    nullable.has(`${part}_null`) ? names(`${part}_null`) : "toUInt8(0)",
  ]);
  await read("grids", [names("g"), ...columns], ([codes, ...found], length) => {
    for (let row = 0; row < length; row++) {
      const grid = (codes as Uint32Array)[row]!;
      parts.forEach((part, at) => {
        const isNull = (found[2 * at + 1] as Uint8Array)[row] === 1;
        itemAt(gridParts, at)[grid] = isNull ? null : partText(part, itemAt(found, 2 * at)[row]!, recipe);
      });
    }
  });
  const of = sizes.coded;
  const rows = { user: new Uint32Array(of), grid: new Uint32Array(of), count: new Float64Array(of) };
  let done = 0;
  await read("coded", [names("u"), names("g"), `toFloat64(${names("n")})`], ([user, grid, count], length) => {
    rows.user.set(user as Uint32Array, done);
    rows.grid.set(grid as Uint32Array, done);
    rows.count.set(count as Float64Array, done);
    done += length;
    options.onProgress?.({ step: "reading user–grid pairs", done, of });
  });
  return codedOccupancy(recipe, { users, gridParts, rows, copies, missing }, asked);
}

/** Beyond all times, where there is none. */
const FARTHEST = 2n ** 61n;

function partText(part: string, value: NativeColumn[number], recipe: Recipe): string | null {
  if (part === "cell") return value === 0n ? null : (value as bigint).toString(16);
  if (part === "slot") return (value as bigint) > FARTHEST ? null : slotLabel(value as bigint, recipe.time!.zone);
  return value as string;
}
