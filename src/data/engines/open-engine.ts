/** Opens the engine for a source: the database that an address names, otherwise DuckDB. */
import { type DatabaseKind, type DatabaseUrl, parseDatabaseUrl } from "../sources/index.ts";
import { DuckDbEngine, type DuckDbOptions } from "./duckdb/duckdb-engine.ts";
import type { Engine } from "./engine.ts";

/** Their clients are loaded when an address names them: most commands never do. */
const DATABASES: Readonly<Record<DatabaseKind, (url: DatabaseUrl, options: DuckDbOptions) => Promise<Engine>>> = {
  postgres: async (url, { memory }) =>
    (await import("./postgres/postgres-engine.ts")).PostgresEngine.open(url, { memory }),
  clickhouse: async (url) => (await import("./clickhouse/clickhouse-engine.ts")).ClickHouseEngine.open(url),
};

/** Of the options `threads` is the embedded engine's alone; `memory` is about as much as a database may take for one reading as well. */
export async function openEngine(source: string, options: DuckDbOptions = {}): Promise<Engine> {
  const url = parseDatabaseUrl(source);
  return url === undefined ? DuckDbEngine.open(options) : DATABASES[url.kind](url, options);
}
