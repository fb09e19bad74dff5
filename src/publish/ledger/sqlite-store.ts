/** Keeps a ledger in one SQLite file, shared by processes. A transaction that returns is on disk, whole. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type Database from "libsql";
import { Semaphore } from "./semaphore.ts";
import { asBytes, SqliteState, sqliteRow } from "./sqlite-state.ts";
import { FORMAT, type LedgerState, type LedgerStore } from "./store.ts";
import { DAMAGED, DamagedRow, ledgerUnavailable } from "./store-failures.ts";

const NOT_A_LEDGER = "is not a ledger; name another file, or a new one in veilgrid ledger init";
const EMPTY = "is an empty file and not a ledger; veilgrid ledger init makes it one";
export const CANNOT_OPEN = "cannot be opened; check that it is a file, and the permissions of the file and its folder";
const LOCKED = "is locked by another process; nothing was changed; repeat when that is done";

const BUSY_MS = 10_000;
const LONGEST_PAUSE_MS = 50;
/** Larger files are checked for damaged pages by `ledger verify` only. */
const CHECKED_BYTES = 8 * 2 ** 20;

/** Statement i brings a file from version i to version i + 1. Losses are decimal text: they exceed 64 bits. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
   INSERT INTO meta VALUES ('format', '${FORMAT}'), ('version', '0');
   CREATE TABLE datasets (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, budget TEXT NOT NULL, created TEXT NOT NULL, users_key_check TEXT);
   CREATE TABLE releases (id INTEGER PRIMARY KEY, dataset TEXT NOT NULL, key TEXT NOT NULL, plan_hash TEXT NOT NULL, header TEXT NOT NULL,
     created TEXT NOT NULL, UNIQUE (dataset, key));
   CREATE TABLE parts (id INTEGER PRIMARY KEY, dataset TEXT NOT NULL, key TEXT NOT NULL, part TEXT NOT NULL, state TEXT NOT NULL,
     reservation INTEGER NOT NULL, sha256 TEXT, text TEXT, UNIQUE (dataset, key, part));
   CREATE TABLE reservations (id INTEGER PRIMARY KEY, dataset TEXT NOT NULL, key TEXT NOT NULL, chunks INTEGER NOT NULL, users INTEGER NOT NULL,
     largest TEXT NOT NULL, refunded INTEGER NOT NULL);
   CREATE INDEX reservations_of_release ON reservations (dataset, key);
   CREATE TABLE charges (reservation INTEGER NOT NULL, chunk INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (reservation, chunk));
   CREATE TABLE balances (dataset TEXT NOT NULL, user TEXT NOT NULL, units TEXT NOT NULL, PRIMARY KEY (dataset, user)) WITHOUT ROWID;
   CREATE TABLE journal (line INTEGER PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL);`,
];

export interface SqliteStoreOptions {
  /** Make the tables if the file is empty. */
  readonly create?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
  /** How long to wait for other processes. */
  readonly busyMs?: number | undefined;
  /** The most pages the file may have: for tests of a full disk. */
  readonly maxPages?: number | undefined;
}

export class SqliteStore implements LedgerStore {
  readonly #path: string;
  readonly #database: Database.Database;
  readonly #state: SqliteState;
  readonly #busyMs: number;
  /** Which file it is, whatever is under its name later. */
  readonly #file: string | undefined;
  readonly #queue = new Semaphore(1);

  private constructor(path: string, file: string | undefined, database: Database.Database, busyMs: number) {
    this.#path = path;
    this.#file = file;
    this.#database = database;
    this.#state = new SqliteState(database);
    this.#busyMs = busyMs;
  }

  /** Opens a file that exists. */
  static async open(path: string, options: SqliteStoreOptions = {}): Promise<SqliteStore> {
    const store = new SqliteStore(path, await fileAt(path), await connect(path), options.busyMs ?? BUSY_MS);
    try {
      await store.#configure(options);
      await store.#migrate(options);
      if (options.maxPages !== undefined) store.#database.exec(`PRAGMA max_page_count = ${options.maxPages}`);
      return store;
    } catch (error) {
      store.#database.close();
      throw asLedgerError(error, path);
    }
  }

  transact<Result>(work: (state: LedgerState) => Promise<Result>, mode: "write" | "read" = "write"): Promise<Result> {
    return this.#transact(async (state) => {
      if (mode === "write") await this.#refuseOther();
      return work(state);
    }, mode);
  }

  #transact<Result>(work: (state: LedgerState) => Promise<Result>, mode: "write" | "read" = "write"): Promise<Result> {
    return this.#queue.run(async () => {
      try {
        await this.#begin(mode);
        const result = await work(this.#state);
        // Readers of the file can hold up a commit, which may be tried again as it stands.
        await this.#patiently(() => this.#database.exec("COMMIT"));
        return result;
      } catch (error) {
        // Some failures, such as a full disk, have rolled back already.
        if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
        throw asLedgerError(error, this.#path);
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue.run(async () => this.#database.close());
  }

  async #configure(options: SqliteStoreOptions): Promise<void> {
    // EXTRA also syncs the folder, so that a commit outlives a power cut.
    // Nothing is written before the commit, so that no reader can stop a transaction half way.
    await this.#patiently(() =>
      this.#database.exec(
        "PRAGMA synchronous = EXTRA; PRAGMA fullfsync = 1; PRAGMA cache_spill = 0; PRAGMA cache_size = -131072",
      ),
    );
    if (options.readOnly) this.#database.exec("PRAGMA query_only = 1");
  }

  async #migrate({ create, readOnly }: SqliteStoreOptions): Promise<void> {
    const version = await this.transact(async (state) => {
      const found = this.#version();
      if (found !== undefined && this.#isSmall() && !(await state.isSound())) throw new DamagedRow();
      return found;
    }, "read");
    if (version === undefined && !create) throw ledgerUnavailable(this.#path, EMPTY);
    // One file, no log beside it to forget in a copy. This is kept in the file, so that it waits until it is known to be ours.
    await this.#patiently(() => this.#database.exec("PRAGMA journal_mode = DELETE"));
    if (version === MIGRATIONS.length || readOnly) return;
    await this.#transact(async () => {
      // Another process may have been first.
      const from = this.#version() ?? 0;
      for (const sql of MIGRATIONS.slice(from)) this.#database.exec(sql);
      this.#database.prepare("UPDATE meta SET value = ? WHERE name = ?").run([String(MIGRATIONS.length), "version"]);
    });
  }

  /** undefined for an empty file; refuses other people's databases and ledgers of a later time. */
  #version(): number | undefined {
    const count = (sql: string): number => (this.#database.prepare(sql).all([])[0] as { found: number }).found;
    if (count("SELECT count(*) AS found FROM sqlite_master") === 0) return undefined;
    const columns = count(
      `SELECT count(*) AS found FROM sqlite_master JOIN pragma_table_info('meta') AS field
       WHERE sqlite_master.name = 'meta' AND sqlite_master.type = 'table' AND field.name IN ('name', 'value')`,
    );
    if (columns < 2) throw ledgerUnavailable(this.#path, NOT_A_LEDGER);
    const rows = this.#database.prepare(`SELECT ${asBytes("name")}, ${asBytes("value")} FROM meta`).all([]);
    const meta = new Map(rows.map(sqliteRow).map((row) => [row.text("name"), row.text("value")]));
    const version = Number(meta.get("version"));
    if (meta.get("format") !== FORMAT || !Number.isInteger(version) || version < 1)
      throw ledgerUnavailable(this.#path, NOT_A_LEDGER);
    if (version > MIGRATIONS.length)
      throw ledgerUnavailable(
        this.#path,
        `has format version ${version}, this veilgrid knows up to ${MIGRATIONS.length}; update veilgrid`,
      );
    return version;
  }

  /** Whether looking at every page takes no time that anyone would notice. */
  #isSmall(): boolean {
    const [row] = this.#database
      .prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
      .all([]) as [{ bytes: number }];
    return row.bytes <= CHECKED_BYTES;
  }

  /** Since it was opened, somebody may have put a backup in its place, or a newer veilgrid moved it on. What is charged to a file that nobody finds again is not charged. */
  async #refuseOther(): Promise<void> {
    if ((await fileAt(this.#path)) !== this.#file)
      throw ledgerUnavailable(
        this.#path,
        "was moved, removed or replaced while it was open; nothing was changed; start again",
      );
    if (this.#version() !== MIGRATIONS.length) throw ledgerUnavailable(this.#path, NOT_A_LEDGER);
  }

  async #begin(mode: "write" | "read"): Promise<void> {
    if (mode !== "read") return this.#patiently(() => void this.#database.exec("BEGIN IMMEDIATE"));
    this.#database.exec("BEGIN");
    // The first look takes the lock that makes all others see the same moment. It is not prepared: a prepared statement that
    // was told to wait stays under way until it is collected, and keeps the lock that its transaction gave back.
    await this.#patiently(() => void this.#database.exec("SELECT 1 FROM sqlite_master LIMIT 1"));
  }

  /** SQLite's own waiting would hold up this process, and with it whoever in it has the lock. */
  async #patiently<Result>(work: () => Result): Promise<Result> {
    const deadline = performance.now() + this.#busyMs;
    for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await sleep(pauseMs);
      }
    }
  }
}

async function fileAt(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found === undefined ? undefined : `${found.dev} ${found.ino}`;
}

/** The driver is native code, loaded when a ledger is opened and not before. */
async function connect(path: string): Promise<Database.Database> {
  const { default: Driver } = await import("libsql");
  try {
    // A path and nothing else, whatever SQLite would make of `:memory:` or `file:`.
    return new Driver(resolve(path));
  } catch (error) {
    throw ledgerUnavailable(path, CANNOT_OPEN, error);
  }
}

/** By SQLite's primary result code. */
const SENTENCES: ReadonlyMap<number, string> = new Map([
  [5, LOCKED],
  [6, LOCKED],
  [8, "cannot be written; nothing was changed; check the permissions of the file and its folder"],
  [10, "could not be read or written by the disk; run veilgrid ledger verify, then repeat: nothing is charged twice"],
  [11, DAMAGED],
  [13, "cannot grow, the disk is full; nothing was changed; make room and repeat"],
  [26, NOT_A_LEDGER],
]);

/** undefined if the error is not the database's. */
function sentenceOf(error: unknown): string | undefined {
  const raw = (error as { rawCode?: unknown } | null)?.rawCode;
  return typeof raw === "number" ? (SENTENCES.get(raw & 0xff) ?? CANNOT_OPEN) : undefined;
}

/** Another process has the lock. */
export function isBusy(error: unknown): boolean {
  return sentenceOf(error) === LOCKED;
}

/** Errors that are not the database's pass unchanged. */
export function asLedgerError(error: unknown, path: string): unknown {
  if (error instanceof DamagedRow) return ledgerUnavailable(path, DAMAGED);
  const sentence = sentenceOf(error);
  return sentence === undefined ? error : ledgerUnavailable(path, sentence, error);
}
