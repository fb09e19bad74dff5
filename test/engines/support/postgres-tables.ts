/** Puts records into tables of a test server's: all columns text, or each of the type its contents have. */
import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { PostgresEngine } from "../../../src/data/engines/postgres/postgres-engine.ts";
import { parseDatabaseUrl } from "../../../src/data/sources/index.ts";
import { JSON_POINT, type RecordsWriter } from "../../conformance/write-records.ts";
import type { RecordRow } from "../../support/reference-records.ts";
import { postgresAddress } from "./servers.ts";

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A connection of the tests' own, open while those of a file run. */
export function setUpClient(): () => pg.Client {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: postgresAddress() });
    await client.connect();
  });
  afterAll(() => client.end());
  return () => client;
}

export function openPostgres(address = postgresAddress()): Promise<PostgresEngine> {
  return PostgresEngine.open(parseDatabaseUrl(address)!, { memory: "64MB" });
}

export function sourceOf(table: string): string {
  return `${postgresAddress()}?table=${encodeURIComponent(table)}`;
}

interface Column {
  readonly name: string;
  readonly texts: ReadonlyArray<string | null>;
}

/** Every table takes the place of the one before: hundreds are written. */
async function write(
  client: pg.Client,
  table: string,
  columns: ReadonlyArray<Column & { type: string }>,
): Promise<string> {
  const listed = columns.map(({ name, type }) => `${quoted(name)} ${type}`).join(", ");
  await client.query(`DROP TABLE IF EXISTS ${table}; CREATE UNLOGGED TABLE ${table} (${listed})`);
  const unnested = columns.map((_, index) => `$${index + 1}::text[]`).join(", ");
  const cast = columns.map(({ type }, index) => `c${index}::${type}`).join(", ");
  const names = columns.map((_, index) => `c${index}`).join(", ");
  await client.query(
    `INSERT INTO ${table} SELECT ${cast} FROM unnest(${unnested}) AS rows(${names})`,
    columns.map(({ texts }) => texts),
  );
  return sourceOf(table);
}

let tables = 0;

function columnsOf(records: readonly RecordRow[]): Column[] {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  return names.map((name) => ({ name, texts: records.map((record) => record[name] ?? null) }));
}

/** Some tables live at once; none is needed after a few more were written. */
const nextTable = (kind: string): string => {
  tables += 1;
  return `conformance_${kind}_${tables % 20}`;
};

export function writeTextTable(client: () => pg.Client): RecordsWriter {
  return (records) =>
    write(
      client(),
      nextTable("text"),
      columnsOf(records).map((column) => ({ ...column, type: "text" })),
    );
}

const INTEGER = /^-?(0|[1-9]\d{0,17})$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const OFFSET_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d(:?\d\d)?)$/;
const PLAIN_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?$/;

/** The narrowest type that all contents of a column fit without a change, where the recipe reads numbers, times or points. */
function typeOf({ name, texts }: Column, draw: number): { type: string; texts: ReadonlyArray<string | null> } {
  const filled = texts.filter((text) => text !== null);
  const all = (pattern: RegExp): boolean => filled.length > 0 && filled.every((text) => pattern.test(text));
  const oneOf = (...types: string[]): string => types[draw % types.length]!;
  if (["speed", "lat", "lon"].includes(name) && all(NUMBER))
    return {
      type: filled.every((text) => Number.isFinite(Number(text))) ? oneOf("double precision", "numeric") : "numeric",
      texts,
    };
  if (name === "point" && all(JSON_POINT))
    return draw % 2 === 0
      ? {
          type: "double precision[]",
          texts: texts.map((text) => (text === null ? null : text.replace("[", "{").replace("]", "}"))),
        }
      : {
          type: "point",
          texts: texts.map((text) => (text === null ? null : text.replace("[", "(").replace("]", ")"))),
        };
  if (name === "cell" && all(INTEGER)) return { type: oneOf("bigint", "numeric"), texts };
  if (name === "when" && all(INTEGER)) return { type: oneOf("bigint", "numeric"), texts };
  if (name === "when" && all(NUMBER)) return { type: "numeric", texts };
  if (name === "when" && all(OFFSET_TIME)) return { type: "timestamp with time zone", texts };
  if (name === "when" && all(PLAIN_TIME)) return { type: "timestamp without time zone", texts };
  if (name === "when" && all(/^\d{4}-\d\d-\d\d$/)) return { type: "date", texts };
  if (["who", "shop", "line", "key"].includes(name))
    return { type: oneOf("text", "character varying(400)", 'text COLLATE "people"'), texts };
  return { type: "text", texts };
}

/** Ids are also in a column whose collation takes letters with and without accents, large and small, for the same. */
export function writeTypedTable(client: () => pg.Client): RecordsWriter {
  return async (records) => {
    await client().query(
      `CREATE COLLATION IF NOT EXISTS people (provider = icu, locale = 'und-u-ks-level1', deterministic = false)`,
    );
    const table = nextTable("typed");
    return write(
      client(),
      table,
      columnsOf(records).map((column, index) => ({ name: column.name, ...typeOf(column, tables + index) })),
    );
  };
}
