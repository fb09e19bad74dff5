/** Opens the SQLite file of a state folder, brings it to the newest format, and reads and writes it durably; several processes may. */
import { resolve } from "node:path";
import Driver from "libsql";
import { asStateError, DAMAGED, NOT_A_STATE, stateUnavailable } from "./state-folder.ts";

const FORMAT = "veilgrid service";

/** Statement i brings a file from version i to version i + 1. Flags are 0 and 1; lists and objects are JSON. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
   INSERT INTO meta VALUES ('format', '${FORMAT}'), ('version', '0');
   CREATE TABLE tokens (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, role TEXT NOT NULL, datasets TEXT NOT NULL,
     secretHash TEXT NOT NULL, created TEXT NOT NULL, expires TEXT, revoked TEXT, oneTime INTEGER NOT NULL);
   CREATE TABLE datasets (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, recipe TEXT NOT NULL, bounds TEXT NOT NULL,
     statistics TEXT, unit TEXT, plan TEXT, key TEXT, onlyReleased INTEGER NOT NULL, created TEXT NOT NULL);
   CREATE TABLE plans (number INTEGER PRIMARY KEY, hash TEXT NOT NULL, dataset TEXT NOT NULL, created TEXT NOT NULL, summary TEXT NOT NULL,
     UNIQUE (hash, dataset));
   CREATE INDEX plans_of_dataset ON plans (dataset);
   CREATE TABLE jobs (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, dataset TEXT NOT NULL, wishes TEXT NOT NULL,
     state TEXT NOT NULL, created TEXT NOT NULL, started TEXT, ended TEXT, result TEXT NOT NULL, error TEXT NOT NULL);
   CREATE INDEX jobs_of_dataset ON jobs (dataset);`,
];

/** Others hold the file for milliseconds; who holds it longer is stuck. */
const BUSY_MS = 5_000;

export interface StateDatabaseOptions {
  /** How long to wait for other processes. */
  readonly busyMs?: number | undefined;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export type Value = string | number | null;

export class StateDatabase implements Disposable {
  readonly #folder: string;
  readonly #database: Driver.Database;
  readonly #statements = new Map<string, Driver.Statement>();

  /** service.db must be there, an empty one for a new state. */
  constructor(folder: string, options: StateDatabaseOptions) {
    this.#folder = folder;
    this.#database = connect(folder);
    try {
      // As the ledger: one file, no log beside it to forget in a copy; EXTRA also syncs the folder, so that a change outlives a power cut.
      this.#orStateError(() =>
        this.#database.exec(
          `PRAGMA busy_timeout = ${options.busyMs ?? BUSY_MS}; PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA; PRAGMA fullfsync = 1`,
        ),
      );
      this.#migrate();
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** How many rows changed. Once it returns, they are on disk. */
  run(sql: string, values: readonly Value[]): number {
    return this.#orStateError(() => this.#prepared(sql).run(values).changes);
  }

  /**
   * The named columns, as texts, `from` somewhere. They are asked for as bytes and read here: the driver ends the whole process over a text
   * that is not UTF-8, and a damaged file may hold anything anywhere.
   */
  all(columns: string, from: string, values: readonly Value[] = []): Array<Record<string, string | null>> {
    const names = columns.split(", ");
    const list = names.map((name) => `CAST(${name} AS BLOB) AS ${name}`).join(", ");
    const rows = this.#orStateError(
      () => this.#prepared(`SELECT ${list} FROM ${from}`).all(values) as Array<Record<string, ArrayBuffer | null>>,
    );
    try {
      return rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell === null ? null : utf8.decode(cell)])),
      );
    } catch (error) {
      throw stateUnavailable(this.#folder, DAMAGED, error);
    }
  }

  [Symbol.dispose](): void {
    // A statement would still work, and keep the file open.
    this.#statements.clear();
    this.#database.close();
  }

  #migrate(): void {
    if (this.#version() === MIGRATIONS.length) return;
    this.#orStateError(() => {
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        // Another process may have been first.
        for (const sql of MIGRATIONS.slice(this.#version())) this.#database.exec(sql);
        this.#database.prepare("UPDATE meta SET value = ? WHERE name = 'version'").run([String(MIGRATIONS.length)]);
        this.#database.exec("COMMIT");
      } finally {
        if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
      }
    });
  }

  /** 0 for an empty file; refuses other people's databases and those of a later time. */
  #version(): number {
    if (this.all("name", "sqlite_master WHERE type = 'table'").length === 0) return 0;
    const columns = this.all("name", "pragma_table_info('meta')").map(({ name }) => name);
    if (!columns.includes("name") || !columns.includes("value")) throw stateUnavailable(this.#folder, NOT_A_STATE);
    const meta = new Map(this.all("name, value", "meta").map(({ name, value }) => [name, value]));
    const version = Number(meta.get("version"));
    if (meta.get("format") !== FORMAT || !Number.isInteger(version) || version < 1)
      throw stateUnavailable(this.#folder, NOT_A_STATE);
    if (version > MIGRATIONS.length)
      throw stateUnavailable(
        this.#folder,
        `has format version ${version}, this veilgrid knows up to ${MIGRATIONS.length}; update veilgrid`,
      );
    return version;
  }

  #prepared(sql: string): Driver.Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #orStateError<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw asStateError(error, this.#folder);
    }
  }
}

function connect(folder: string): Driver.Database {
  try {
    // A path and nothing else, whatever SQLite would make of `:memory:` or `file:`.
    return new Driver(resolve(folder, "service.db"));
  } catch (error) {
    throw stateUnavailable(folder, undefined, error);
  }
}
