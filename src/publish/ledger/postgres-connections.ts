/** Connects to a ledger's server: connections are made when needed, kept for a moment, made again when they break, and lead to the server that takes writes. */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { hangUp, type PostgresLogin } from "../../data/sources/index.ts";
import { asLedgerError, mayPass, NO_ANSWER, stateOf } from "./postgres-errors.ts";
import { ledgerUnavailable } from "./store-failures.ts";

interface ConnectionOptions {
  readonly login: PostgresLogin;
  /** In the order to try them. */
  readonly hosts: readonly Pick<PostgresLogin, "host" | "port">[];
  /** For messages. */
  readonly shown: string;
  /** For getting in, and for any single answer. */
  readonly answerMs: number;
  /** The server keeps what it confirmed in a way that its settings do not show. */
  readonly trusted?: boolean | undefined;
}

export interface Connection {
  readonly client: pg.Client;
  /** It follows another server: good for reading only. */
  readonly isStandby: boolean;
}

const READ_ONLY = "25006";
const IDLE_MS = 10_000;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 500];
const KEEP_ALIVE_MS = 10_000;

export class PostgresConnections implements AsyncDisposable {
  readonly #options: ConnectionOptions;
  readonly #idle = new Map<Connection, NodeJS.Timeout>();
  readonly #broken = new WeakSet<pg.Client>();
  /** Once a server was found there, one that is gone is expected back; likewise one that took writes. */
  readonly #found = new Set<"write" | "read">();

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /**
   * A connection on which `begin` has succeeded. A failure that may pass is waited out until the deadline, by the clock of
   * `performance`, but only where a server has answered before: a wrong address is told at once.
   */
  async take(
    mode: "write" | "read",
    begin: (client: pg.Client) => Promise<void>,
    deadline: number,
  ): Promise<Connection> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const idle = this.#takeIdle(mode);
      try {
        const connection = idle ?? (await this.#connect(mode));
        try {
          await begin(connection.client);
          this.#found.add(connection.isStandby ? "read" : mode);
          return connection;
        } catch (error) {
          await this.discard(connection);
          throw error;
        }
      } catch (error) {
        // A connection that lay idle may have died unnoticed, which says nothing of the server.
        if (idle !== undefined && mayPass(error)) continue;
        if (!this.mayComeBack(error) || performance.now() + pauseMs > deadline) throw error;
      }
      await sleep(pauseMs);
    }
  }

  /** Back for the next one; nothing may be under way on it. */
  give(connection: Connection): void {
    if (this.#broken.has(connection.client)) return void this.discard(connection);
    const end = (): void => {
      this.#idle.delete(connection);
      void this.discard(connection);
    };
    this.#idle.set(connection, setTimeout(end, IDLE_MS).unref());
  }

  /** Whatever the server was doing on it comes to nothing, unless it was committing. */
  async discard({ client }: Connection): Promise<void> {
    this.#broken.add(client);
    hangUp(client);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const idle = [...this.#idle];
    this.#idle.clear();
    for (const [connection, timer] of idle) {
      clearTimeout(timer);
      await connection.client.end().catch(() => undefined);
    }
  }

  /** Whether it is worth waiting: for what was there before. */
  mayComeBack(error: unknown): boolean {
    if (!mayPass(error)) return false;
    return stateOf(error) === READ_ONLY ? this.#found.has("write") : this.#found.size > 0;
  }

  #takeIdle(mode: "write" | "read"): Connection | undefined {
    for (const [connection, timer] of this.#idle) {
      if (mode === "write" && connection.isStandby) continue;
      clearTimeout(timer);
      this.#idle.delete(connection);
      if (!this.#broken.has(connection.client)) return connection;
    }
    return undefined;
  }

  /** To the first host that takes writes; for reading, to one that follows if there is no other. */
  async #connect(mode: "write" | "read"): Promise<Connection> {
    let standby: Connection | undefined;
    let failure: unknown;
    for (const host of this.#options.hosts) {
      try {
        const client = await this.#open(host);
        const connection = { client, isStandby: await this.#look(client) };
        if (!connection.isStandby) {
          if (standby !== undefined) await this.discard(standby);
          return connection;
        }
        if (standby === undefined) standby = connection;
        else await this.discard(connection);
      } catch (error) {
        failure ??= error;
      }
    }
    if (standby === undefined) throw failure;
    if (mode === "read" || failure === undefined) return standby;
    await this.discard(standby);
    throw failure;
  }

  async #open(host: Pick<PostgresLogin, "host" | "port">): Promise<pg.Client> {
    const { login, answerMs } = this.#options;
    const { default: driver } = await import("pg");
    const client = new driver.Client({
      ...login,
      ...host,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      application_name: "veilgrid ledger",
      pipeline: true,
    });
    // A connection that breaks while it is idle has nobody else to tell.
    client.on("error", () => this.#broken.add(client));
    client.on("end", () => this.#broken.add(client));
    try {
      await client.connect();
      return client;
    } catch (error) {
      hangUp(client);
      // What the client says of itself is for programmers.
      const isKnown = mayPass(error) || asLedgerError(error, this.#options.shown) !== error;
      throw isKnown ? error : ledgerUnavailable(this.#options.shown, NO_ANSWER);
    }
  }

  /** Whether it is a standby. Refuses a server that could lose, or change, what it confirms. */
  async #look(client: pg.Client): Promise<boolean> {
    const { shown, trusted } = this.#options;
    const { rows } = await client
      .query(
        `SELECT pg_is_in_recovery() AS "isStandby", current_setting('fsync') AS fsync,
         current_setting('full_page_writes') AS pages, current_setting('server_encoding') AS encoding`,
      )
      .catch(async (error: unknown) => {
        await this.discard({ client, isStandby: false });
        throw error;
      });
    const { isStandby, fsync, pages, encoding } = rows[0] as Record<string, unknown>;
    const off = [fsync === "on" ? [] : ["fsync"], pages === "on" ? [] : ["full_page_writes"]].flat();
    const complaint =
      encoding !== "UTF8"
        ? "is in a database that cannot keep every text; make one with ENCODING 'UTF8'"
        : off.length > 0 && !trusted
          ? `is on a server with ${off.join(" and ")} off, which can forget in a power cut what was charged; turn it on, or say ?durability=trusted if the server keeps its data safe by other means`
          : undefined;
    if (complaint === undefined) return isStandby === true;
    await this.discard({ client, isStandby: false });
    throw ledgerUnavailable(shown, complaint);
  }
}
