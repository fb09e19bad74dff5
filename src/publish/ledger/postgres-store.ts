/** Keeps a ledger in PostgreSQL, shared by processes on many machines. A transaction that returns is committed, whole; if the answer to a commit is lost, the server is asked about it. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { invariant, itemAt } from "../../core/errors/index.ts";
import type { PostgresLogin } from "../../data/sources/index.ts";
import { type Connection, PostgresConnections } from "./postgres-connections.ts";
import {
  asLedgerError,
  FORGOT,
  IN_DOUBT,
  IS_STANDBY,
  isAnswer,
  mayPass,
  stateOf,
  UNCONFIRMED,
} from "./postgres-errors.ts";
import { COMMIT_ON_DISK, ledgerVersion, migrate, migrations, quotedName } from "./postgres-schema.ts";
import { PostgresState } from "./postgres-state.ts";
import { Semaphore } from "./semaphore.ts";
import type { JournalRow, LedgerState, LedgerStore } from "./store.ts";
import { ledgerUnavailable } from "./store-failures.ts";

/** Written out, as programs' compilers need no types of `pg` for it. */
export interface PostgresStoreOptions {
  readonly login: PostgresLogin;
  /** Of one cluster, in the order to try them: whichever takes writes is used. */
  readonly hosts: ReadonlyArray<Pick<PostgresLogin, "host" | "port">>;
  /** The address, for messages. */
  readonly shown: string;
  /** The server keeps what it confirmed in a way that its settings do not show. */
  readonly trusted?: boolean | undefined;
  readonly schema: string;
  /** Make the tables if there are none. */
  readonly create?: boolean | undefined;
  /** How long to wait for other processes. */
  readonly busyMs?: number | undefined;
  /** How long to wait for a server that was there before, and for word of a commit. */
  readonly patienceMs?: number | undefined;
  /** How long any single answer may take. */
  readonly answerMs?: number | undefined;
}

/** Charging a million users takes that long on a small server, under the lock. */
const BUSY_MS = 30_000;
const PATIENCE_MS = 30_000;
const ANSWER_MS = 60_000;
/** How long a process may think within a transaction before the server gives the others their turn. */
const THINKING_MS = 300_000;
const READERS = 4;
const FORGET_WRITERS_AFTER = "30 days";
const PAUSE_MS = 100;

export class PostgresStore implements LedgerStore {
  readonly #shown: string;
  readonly #schema: string;
  readonly #times: Readonly<Record<"busyMs" | "patienceMs" | "answerMs", number>>;
  readonly #connections: PostgresConnections;
  readonly #writes = new Semaphore(1);
  readonly #reads = new Semaphore(READERS);
  /** Under this name the ledger knows which of our transactions it has. */
  readonly #writer = randomUUID();
  #transactions = 0;
  /** The last line that we know to be committed: a server that lacks it has lost it. */
  #seen: Pick<JournalRow, "line" | "hash"> | undefined;

  private constructor(options: PostgresStoreOptions) {
    this.#shown = options.shown;
    this.#schema = quotedName(options.schema);
    const { busyMs = BUSY_MS, patienceMs = PATIENCE_MS, answerMs = ANSWER_MS } = options;
    this.#times = { busyMs, patienceMs, answerMs };
    this.#connections = new PostgresConnections({ ...options, answerMs });
  }

  /** undefined if there is no ledger and none is to be made. */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore | undefined> {
    const store = new PostgresStore(options);
    try {
      if (await store.#prepare(options)) return store;
      await store[Symbol.asyncDispose]();
      return undefined;
    } catch (error) {
      await store[Symbol.asyncDispose]();
      throw asLedgerError(error, options.shown);
    }
  }

  async transact<Result>(
    work: (state: LedgerState) => Promise<Result>,
    mode: "write" | "read" = "write",
  ): Promise<Result> {
    try {
      return await (mode === "write"
        ? this.#writes.run(() => this.#write(work))
        : this.#reads.run(() => this.#read(work)));
    } catch (error) {
      throw asLedgerError(error, this.#shown);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writes.settled();
    await this.#reads.settled();
    await this.#connections[Symbol.asyncDispose]();
  }

  /** Whether there is a ledger now. Looks again where a connection was lost: tables are made whole, or not at all. */
  async #prepare(options: PostgresStoreOptions): Promise<boolean> {
    const deadline = this.#deadline();
    for (;;) {
      try {
        return await this.#lookAndMake(options);
      } catch (error) {
        if (!this.#connections.mayComeBack(error) || performance.now() + PAUSE_MS > deadline) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  async #lookAndMake({ schema, create }: PostgresStoreOptions): Promise<boolean> {
    const found = await this.#connections.take("read", async () => undefined, this.#deadline());
    try {
      const version = await ledgerVersion(found.client, { schema, shown: this.#shown });
      if (version === undefined && !create) return false;
      if (version === migrations(this.#schema).length) return true;
    } finally {
      this.#connections.give(found);
    }
    const connection = await this.#connections.take("write", async () => undefined, this.#deadline());
    try {
      if (connection.isStandby) throw ledgerUnavailable(this.#shown, IS_STANDBY);
      await migrate(connection.client, { schema, shown: this.#shown, busyMs: this.#times.busyMs });
    } finally {
      // It may have failed in the middle of a transaction.
      await this.#connections.discard(connection);
    }
    return true;
  }

  async #read<Result>(work: (state: LedgerState) => Promise<Result>): Promise<Result> {
    const begin = async (client: pg.Client): Promise<void> => {
      await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${this.#limits()}`);
    };
    const connection = await this.#connections.take("read", begin, this.#deadline());
    const state = new PostgresState(connection.client, this.#schema);
    try {
      const result = await work(state);
      await state.settled();
      invariant(!state.hasWritten, "a transaction to read has written");
      return result;
    } finally {
      await this.#rollback(connection);
    }
  }

  async #write<Result>(work: (state: LedgerState) => Promise<Result>): Promise<Result> {
    const connection = await this.#connections.take("write", (client) => this.#begin(client), this.#deadline());
    const state = new PostgresState(connection.client, this.#schema);
    let result: Result;
    let last: JournalRow | undefined;
    try {
      result = await work(state);
      last = await state.lastLine();
      await state.settled();
      if (!state.hasWritten) {
        await this.#rollback(connection);
        return result;
      }
      await this.#sign(connection.client);
    } catch (error) {
      await this.#rollback(connection);
      throw error;
    }
    await this.#commit(connection);
    if (last !== undefined) this.#seen = { line: last.line, hash: last.hash };
    return result;
  }

  /** The lock comes first, so that whatever is read afterwards is what the last writer left; it conflicts with no reader. */
  async #begin(client: pg.Client): Promise<void> {
    const results = (await client.query(
      `BEGIN ISOLATION LEVEL READ COMMITTED; ${this.#limits()}
       SET LOCAL lock_timeout = ${this.#times.busyMs};
       ${COMMIT_ON_DISK}
       LOCK TABLE ${this.#schema}.meta IN EXCLUSIVE MODE;
       SELECT (SELECT value FROM ${this.#schema}.meta WHERE name = 'version') AS version,
         (SELECT hash FROM ${this.#schema}.journal WHERE line = ${this.#seen?.line ?? 0}) AS seen`,
    )) as unknown as pg.QueryResult[];
    const [found] = itemAt(results, results.length - 1).rows as [{ version: string | null; seen: string | null }];
    const { version, seen } = found;
    const known = migrations(this.#schema).length;
    if (Number(version) !== known)
      throw ledgerUnavailable(
        this.#shown,
        `has format version ${version}, this veilgrid knows ${known}; update veilgrid`,
      );
    if (this.#seen !== undefined && seen !== this.#seen.hash) throw ledgerUnavailable(this.#shown, FORGOT);
  }

  /** Leaves word in the transaction by which it can be recognised, should the answer to its commit be lost. */
  async #sign(client: pg.Client): Promise<void> {
    this.#transactions += 1;
    if (this.#transactions === 1)
      await client.query(`DELETE FROM ${this.#schema}.writers WHERE seen < now() - interval '${FORGET_WRITERS_AFTER}'`);
    await client.query(
      `INSERT INTO ${this.#schema}.writers (writer, transactions, seen) VALUES ($1, $2, now())
       ON CONFLICT (writer) DO UPDATE SET transactions = excluded.transactions, seen = excluded.seen`,
      [this.#writer, this.#transactions],
    );
    // A commit that waits for a standby and is told to stop counts as done without it: it is not told.
    await client.query("SET LOCAL statement_timeout = 0");
  }

  /** Returns if the transaction is committed; throws if it is not, or if nobody can say. */
  async #commit(connection: Connection): Promise<void> {
    const { client } = connection;
    let warned = false;
    const warn = ({ code }: { code?: string | undefined }): void => {
      warned ||= code?.startsWith("01") === true;
    };
    client.on("notice", warn);
    try {
      const { command } = await client.query("COMMIT");
      invariant(command === "COMMIT", "a transaction that failed was to be committed");
      this.#connections.give(connection);
    } catch (error) {
      await this.#connections.discard(connection);
      if (isAnswer(error)) throw error;
      if (await this.#isCommitted()) return;
      throw error;
    } finally {
      client.removeListener("notice", warn);
    }
    if (warned) throw ledgerUnavailable(this.#shown, UNCONFIRMED);
  }

  /**
   * Whether our last transaction is committed. Its lock is asked for again: the server gives it once the transaction has ended,
   * one way or the other, and not before.
   */
  async #isCommitted(): Promise<boolean> {
    const deadline = this.#deadline();
    for (;;) {
      let connection: Connection | undefined;
      try {
        connection = await this.#connections.take("write", (client) => this.#begin(client), deadline);
        const { rows } = await connection.client.query(
          `SELECT transactions FROM ${this.#schema}.writers WHERE writer = $1`,
          [this.#writer],
        );
        return Number((rows[0] as { transactions: string } | undefined)?.transactions ?? 0) === this.#transactions;
      } catch (error) {
        const mayEnd = mayPass(error) || stateOf(error) === "55P03";
        if (!mayEnd) throw error;
        if (performance.now() > deadline) throw ledgerUnavailable(this.#shown, IN_DOUBT);
        await sleep(PAUSE_MS);
      } finally {
        if (connection !== undefined) await this.#rollback(connection);
      }
    }
  }

  async #rollback(connection: Connection): Promise<void> {
    try {
      await connection.client.query("ROLLBACK");
      this.#connections.give(connection);
    } catch {
      await this.#connections.discard(connection);
    }
  }

  /**
   * Nothing waits for ever, and functions are the server's own whatever else the schemas hold. Rows are found by their keys and read
   * in their order, some thousand of millions at a time: the server, which plans for tables as they were before, would read them whole.
   */
  #limits(): string {
    const off = ["seqscan", "bitmapscan", "hashjoin", "mergejoin", "sort"].map(
      (way) => `SET LOCAL enable_${way} = off;`,
    );
    return `${off.join(" ")} SET LOCAL jit = off; SET LOCAL search_path = pg_catalog, pg_temp;
      SET LOCAL statement_timeout = ${this.#times.answerMs}; SET LOCAL idle_in_transaction_session_timeout = ${THINKING_MS};`;
  }

  #deadline(): number {
    return performance.now() + this.#times.patienceMs;
  }
}
