/** A PostgreSQL session: settings that make its answers the same everywhere, transactions, rows and cancellation. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { itemAt, VeilgridError } from "../../../core/errors/index.ts";
import type { LongWorkOptions } from "../../../core/planning/index.ts";
import { hangUp, type PostgresLogin } from "../../sources/index.ts";
import { cancellable } from "../pipeline/exchange.ts";
import { type BinaryRow, CopyIn, CopyOut } from "./copy.ts";
import { identifier } from "./dialect.ts";

const REPORT_EVERY = 2 ** 16;
const ASK_AGAIN_MS = 100;

/** Everything as the server writes it: nothing becomes a Date or a rounded number on the way. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/**
 * Functions and operators are the server's own: in a path with other schemas, somebody else's that fits an argument better would be
 * called instead. Texts of numbers, times and bytes do not depend on how the server was set up.
 */
const SETTINGS = [
  "search_path = pg_catalog, pg_temp",
  "client_encoding = 'UTF8'",
  "standard_conforming_strings = on",
  "TimeZone = 'UTC'",
  "DateStyle = 'ISO, YMD'",
  "IntervalStyle = 'postgres'",
  "extra_float_digits = 3",
  "bytea_output = 'hex'",
  "transform_null_equals = off",
  "statement_timeout = 0",
  "lock_timeout = 0",
  "idle_in_transaction_session_timeout = 0",
  // Compiling a zone's hundreds of comparisons takes longer than it saves.
  "jit = off",
];

/** Hash tables that spill, and as much memory for them as is said. */
const OLDEST_VERSION = 130_000;

/** What is asked for before our own path hides it. */
export interface ServerFacts {
  /** Schemas that a name without one is looked for in, in order. */
  readonly searchPath: readonly string[];
  /** Whether temporary tables may be made in this database. */
  readonly mayMakeTables: boolean;
  readonly isStandby: boolean;
}

/** A server that does not answer at all is given up after this. */
const PATIENCE_MS = 30_000;

function clientOptions(login: PostgresLogin): pg.ClientConfig {
  return { ...login, application_name: "veilgrid", keepAlive: true, connectionTimeoutMillis: PATIENCE_MS };
}

export class Database implements AsyncDisposable {
  readonly #client: pg.Client;
  readonly #login: PostgresLogin;
  readonly #pid: string;
  readonly #memoryBytes: number;
  readonly facts: ServerFacts;
  #isOpen = true;

  private constructor(
    client: pg.Client,
    { login, pid, facts, memoryBytes }: { login: PostgresLogin; pid: string; facts: ServerFacts; memoryBytes: number },
  ) {
    this.#client = client;
    this.#login = login;
    this.#pid = pid;
    this.#memoryBytes = memoryBytes;
    this.facts = facts;
    // A connection that is lost fails what runs on it; without a listener it would end the program as well.
    for (const event of ["error", "end"] as const)
      client.on(event, () => {
        this.#isOpen = false;
      });
  }

  /** `memoryBytes`: about as much as the server's processes take together for one reading before they spill. */
  static async connect(login: PostgresLogin, memoryBytes: number): Promise<Database> {
    const client = new pg.Client(clientOptions(login));
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<string[]>({
        text: `SELECT pg_catalog.pg_backend_pid(), pg_catalog.array_to_json(pg_catalog.current_schemas(false)),
                 pg_catalog.has_database_privilege(pg_catalog.current_database(), 'TEMPORARY'), pg_catalog.pg_is_in_recovery(),
                 pg_catalog.current_setting('server_version_num')`,
        rowMode: "array",
        types: AS_TEXT,
      });
      const [pid, searchPath, mayMakeTables, isStandby, version] = itemAt(rows, 0);
      if (Number(version) < OLDEST_VERSION)
        throw new VeilgridError(
          "ENGINE_UNSUPPORTED",
          `the server is PostgreSQL ${Math.floor(Number(version) / 10_000)}; 13 and later are read`,
        );
      // The one setting that a server takes only before there is a temporary table; it changes no answer.
      await client.query(`SET temp_buffers = '${workMemory(memoryBytes / 8)}kB'`);
      const facts = {
        searchPath: JSON.parse(searchPath!) as string[],
        mayMakeTables: mayMakeTables === "t",
        isStandby: isStandby === "t",
      };
      return new Database(client, { login, pid: pid!, facts, memoryBytes });
    } catch (error) {
      hangUp(client);
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Everything inside sees one moment of the database. Nothing it leaves behind outlives it, settings included: where a pool lends
   * connections by the transaction, others come after us, and our next transaction may be on another one.
   */
  async atOneMoment<Result>(mode: "READ ONLY" | "READ WRITE", work: () => Promise<Result>): Promise<Result> {
    // A hash table takes twice its memory, and a few processes may work at once.
    const settings = [...SETTINGS, `work_mem = ${workMemory(this.#memoryBytes / 8)}`, "hash_mem_multiplier = 2"];
    const local = settings.map((setting) => `SET LOCAL ${setting}`);
    await this.run([`BEGIN ISOLATION LEVEL REPEATABLE READ, ${mode}`, ...local].join("; "));
    try {
      return await work();
    } finally {
      // Temporary tables go with it. A session that cannot even do this is of no use any more.
      await this.run("ROLLBACK").catch(() => this[Symbol.asyncDispose]());
    }
  }

  async run(sql: string, step?: string, options: LongWorkOptions = {}): Promise<void> {
    if (step !== undefined) options.onProgress?.({ step, done: 0 });
    await this.#watched(() => this.#client.query(sql), options);
  }

  /** The rows of a small result, as the server writes them. Values may stand for $1, $2 … */
  async rows(
    sql: string,
    values: readonly string[] = [],
    options: LongWorkOptions = {},
  ): Promise<Array<Array<string | null>>> {
    const query = { text: sql, values: [...values], rowMode: "array" as const, types: AS_TEXT };
    const result = await this.#watched(() => this.#client.query<Array<string | null>>(query), options);
    return result.rows;
  }

  /**
   * To be asked inside a transaction before a query that groups. Where several workers would each end up with most of the groups,
   * one process is faster than all of them: nothing is saved before the last step, which is done by one in any case. A process that
   * works alone may have their memory.
   */
  async chooseWorkers(grouping: string): Promise<void> {
    const [row] = await this.rows(`EXPLAIN (FORMAT JSON) ${grouping}`);
    const [{ Plan: plan }] = JSON.parse(row?.[0] ?? "") as [{ Plan: PlanNode }];
    if (someNode(plan, isGather) && !someNode(plan, savesNothing)) return;
    await this.run(
      `SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL work_mem = ${workMemory(this.#memoryBytes / 4)}`,
    );
  }

  /** Hands over a large result row by row; the server waits while we are busy. */
  async stream(
    sql: string,
    take: (row: BinaryRow) => void,
    { step, ...options }: LongWorkOptions & { readonly step?: string } = {},
  ): Promise<void> {
    let done = 0;
    const counted = (row: BinaryRow): void => {
      take(row);
      done += 1;
      if (step !== undefined && done % REPORT_EVERY === 0) options.onProgress?.({ step, done });
    };
    const copy = new CopyOut(`COPY (${sql}) TO STDOUT (FORMAT binary)`, counted);
    await this.#watched(() => this.#client.query(copy).done, options);
  }

  /** Adds rows, given in the server's binary form, to a temporary table of ours. */
  async append(table: string, rows: Buffer, options: LongWorkOptions = {}): Promise<void> {
    const copy = new CopyIn(`COPY pg_temp.${identifier(table)} FROM STDIN (FORMAT binary)`, rows);
    await this.#watched(() => this.#client.query(copy).done, options);
  }

  async #watched<Result>(work: () => Promise<Result>, { signal }: LongWorkOptions): Promise<Result> {
    let isOver = false;
    let cancelling: Promise<void> | undefined;
    const cancel = (): void => {
      cancelling = this.#cancel(() => isOver);
    };
    try {
      return await cancellable(signal, cancel, work);
    } finally {
      isOver = true;
      // A cancellation that comes late must not hit what is asked next.
      await cancelling;
    }
  }

  /**
   * Asks the server, from a second connection, to stop what runs on this one, again and again: a request that arrives before the
   * server has begun is lost. If that fails, leaves.
   */
  async #cancel(isOver: () => boolean): Promise<void> {
    const client = new pg.Client(clientOptions(this.#login));
    client.on("error", () => undefined);
    try {
      await client.connect();
      while (!isOver()) {
        await client.query("SELECT pg_catalog.pg_cancel_backend($1)", [this.#pid]);
        await sleep(ASK_AGAIN_MS);
      }
    } catch {
      await this[Symbol.asyncDispose]();
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOpen = false;
    await this.#client.end().catch(() => undefined);
  }
}

/** In the server's unit, kB, within what it takes. */
function workMemory(bytes: number): number {
  return Math.min(2 ** 31 - 1, Math.max(4096, Math.floor(bytes / 1024)));
}

/** What the server's planner says of a step. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Partial Mode"?: string;
  readonly "Plan Rows": number;
  readonly Plans?: readonly PlanNode[];
}

function someNode(node: PlanNode, holds: (node: PlanNode) => boolean): boolean {
  return holds(node) || (node.Plans ?? []).some((input) => someNode(input, holds));
}

const isGather = (node: PlanNode): boolean => node["Node Type"].startsWith("Gather");

/** More than a quarter of a worker's rows are groups of their own to it. */
function savesNothing(node: PlanNode): boolean {
  return (
    node["Partial Mode"] === "Partial" && (node.Plans ?? []).some((input) => 4 * node["Plan Rows"] > input["Plan Rows"])
  );
}
