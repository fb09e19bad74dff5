/** Describes a ClickHouse table: its columns and their types, a few rows, and how its rows lie on shards. */
import { itemAt, quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import type { DatabaseUrl, Sample, SourceDescription } from "../../sources/index.ts";
import { describedTable, tableNamed } from "../pipeline/source-checks.ts";
import { columnType } from "./column-type.ts";
import type { Database } from "./database.ts";
import { identifier, namesBeside } from "./dialect.ts";
import type { RecordsTable } from "./fields.ts";

const SAMPLE_ROWS = 200;

/** A table as the server knows it. */
export interface KnownTable extends RecordsTable {
  /** The server's own names of types, by column. */
  readonly typeNames: ReadonlyMap<string, string>;
  /** As the server writes it: `Distributed(…)`, `MergeTree …`. */
  readonly engine: string;
}

export async function findTable(database: Database, url: DatabaseUrl): Promise<KnownTable> {
  const name = tableNamed(url);
  const parameters = { name, ...(url.database === undefined ? {} : { of: url.database }) };
  const inDatabase = url.database === undefined ? "database = currentDatabase()" : "database = {of:String}";
  const columns = await database.rows(
    `SELECT name, type, database FROM system.columns WHERE ${inDatabase} AND table = {name:String}`,
    { parameters },
  );
  if (columns.length === 0)
    throw new VeilgridError(
      "INPUT_NOT_FOUND",
      `${quoteForMessage(url.shown)} has no table ${quoteForMessage(name)}; check the database and ?table=`,
    );
  const [, , schema] = itemAt(columns, 0).map(String);
  const sql = `${identifier(schema ?? "")}.${identifier(name)}`;
  const typeNames = new Map(columns.map(([column, type]) => [String(column), String(type)]));
  return {
    name: `${schema}.${name}`,
    sql,
    typeNames,
    types: new Map([...typeNames].map(([column, type]) => [column, columnType(type)])),
    engine: await engineOf(database, sql),
    exactDoubles: database.capabilities.exactDoubles,
    names: namesBeside(typeNames.keys()),
  };
}

/** From the statement that made the table: `system.tables` works out every other table's as well. */
async function engineOf(database: Database, table: string): Promise<string> {
  const [row] = await database.rows(`SHOW CREATE TABLE ${table}`);
  return engineIn(String(row?.[0] ?? ""));
}

/** What follows ENGINE, outside of names and texts; empty for a view. */
export function engineIn(statement: string): string {
  return /^(?:[^'`]|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)*?\sENGINE = (.*)$/s.exec(statement)?.[1] ?? "";
}

export async function describeTable(
  database: Database,
  { source, sampled }: { source: string; sampled: readonly string[] | undefined },
  table: KnownTable,
): Promise<SourceDescription> {
  /** Digits after the second, of an instant. */
  const digitsOf = (column: string): number | undefined => {
    const { is } = table.types.get(column)!;
    return is.kind === "instant" ? is.digits : undefined;
  };
  const read = (columns: readonly string[]): ReturnType<Database["rows"]> => {
    const listed = columns.map((column, at) => {
      const digits = digitsOf(column);
      const name = identifier(column);
      // Seconds of a plain time, which cannot be before 1970; finer ones can.
      const instant = digits === 0 ? `1000 * toInt64(toUnixTimestamp(${name}))` : `toUnixTimestamp64Milli(${name})`;
      // Old servers write names into JSON as they are, whatever is in them.
      return `${digits === undefined ? name : `toString(${instant})`} AS ${table.names(`sample${at}`)}`;
    });
    return database.rows(`SELECT ${listed.join(", ")} FROM ${table.sql} LIMIT ${SAMPLE_ROWS}`);
  };
  return describedTable(
    source,
    { name: table.name, types: table.typeNames },
    {
      sampled,
      most: SAMPLE_ROWS,
      read,
      sampleOf: (cell, column) => (digitsOf(column) === undefined ? sampleOf(cell) : isoText(cell)),
    },
  );
}

function isoText(milliseconds: unknown): string | null {
  return milliseconds === null ? null : new Date(Number(milliseconds)).toISOString().replace(".000Z", "Z");
}

function sampleOf(value: unknown): Sample {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? JSON.stringify(value)
    : (value as Sample);
}
