/** A ClickHouse session over HTTP: runs SQL with progress and cancellation, reads and writes columns, keeps temporary tables. */
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { checkpoint, type LongWorkOptions } from "../../../core/planning/index.ts";
import { checkParameters, type DatabaseUrl, isThisMachine } from "../../sources/index.ts";
import { cancellable } from "../pipeline/exchange.ts";
import { askCapabilities, type Capabilities } from "./capabilities.ts";
import { identifier, text } from "./dialect.ts";
import { asEngineError, errorCode, isForbidden } from "./engine-errors.ts";
import { BrokenAnswer, type NativeColumn, nativeBlocks, nativeBytes, typeOf } from "./native-format.ts";

/** To be answered at all; what is asked then may take its time. */
const GREETING_MS = 10_000;
const PROGRESS_MS = 500;
/** A crashed program's temporary tables are gone after this long without a question; ours are dropped before. */
const SESSION_SECONDS = 600;

export interface QueryOptions extends LongWorkOptions {
  /** What is being done, for progress. */
  readonly step?: string | undefined;
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** Texts that the query names as `{name:String}`. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

type TableColumns = ReadonlyArray<{ readonly name: string; readonly values: NativeColumn }>;

export class Database implements AsyncDisposable {
  readonly shown: string;
  readonly capabilities: Capabilities;
  readonly #client: ClickHouseClient;
  #session = newSession();
  readonly #tables = new Set<string>();
  #made = 0;

  private constructor(client: ClickHouseClient, shown: string, capabilities: Capabilities) {
    this.#client = client;
    this.shown = shown;
    this.capabilities = capabilities;
  }

  static async open(url: DatabaseUrl): Promise<Database> {
    const client = connect(url);
    try {
      const answer = await client.ping({ select: true, abort_signal: AbortSignal.timeout(GREETING_MS) });
      if (!answer.success) throw answer.error;
      const capabilities = await askCapabilities(async (sql, given) => {
        try {
          return await smallRows(client, sql, given);
        } catch (error) {
          // Not understood: the answer is no. Not allowed, or not heard: there is none.
          if (errorCode(error) === undefined || isForbidden(error)) throw error;
          return undefined;
        }
      });
      return new Database(client, url.shown, capabilities);
    } catch (error) {
      await client.close();
      throw asEngineError(error, url.shown);
    }
  }

  /**
   * Begins anew, in a session of its own, whose settings are ours: old servers work out `CREATE … AS SELECT` with the session's
   * settings and not with those that come with the statement.
   */
  async begin(options: QueryOptions = {}): Promise<void> {
    await this.clear();
    this.#session = newSession();
    await this.#set(this.capabilities.settings, options);
  }

  async #set(settings: Readonly<Record<string, string>>, options: QueryOptions): Promise<void> {
    const written = (value: string): string => (/^\d+$/.test(value) ? value : text(value));
    const listed = Object.entries(settings).map(([name, value]) => `${name} = ${written(value)}`);
    await this.run(`SET ${listed.join(", ")}`, { signal: options.signal });
  }

  async run(sql: string, options: QueryOptions = {}): Promise<void> {
    await this.#answer(sql, options, drained);
  }

  /** The rows of a small result. 64-bit integers are text. */
  async rows(sql: string, options: QueryOptions = {}): Promise<unknown[][]> {
    const { parameters } = options;
    const hasParameters = this.capabilities.parameters;
    const asked = parameters === undefined || hasParameters ? sql : withLiterals(sql, parameters);
    return this.#answer(`${asked} FORMAT JSONCompact`, options, rowsIn, hasParameters ? { parameters } : {});
  }

  /** Makes a temporary table, in the server's memory and for this session only, of what a query gives; its name. */
  async keep(what: string, sql: string, options: QueryOptions = {}): Promise<string> {
    const table = this.#newTable(what);
    const settings = this.#known(options.settings);
    const hasOwn = Object.keys(settings).length > 0;
    if (hasOwn) await this.#set(settings, options);
    try {
      await this.run(`CREATE TEMPORARY TABLE ${identifier(table)} ENGINE = Memory AS ${sql}`, options);
    } finally {
      if (hasOwn) await this.#set(this.capabilities.settings, {}).catch(() => undefined);
    }
    return table;
  }

  /** Makes a temporary table of columns; its name. */
  async upload(what: string, columns: TableColumns, options: QueryOptions = {}): Promise<string> {
    const table = this.#newTable(what);
    const types = columns.map(({ name, values }) => `${identifier(name)} ${typeOf(values)}`);
    await this.run(`CREATE TEMPORARY TABLE ${identifier(table)} (${types.join(", ")}) ENGINE = Memory`, options);
    if (columns.every(({ values }) => values.length === 0)) return table;
    const sql = `INSERT INTO ${identifier(table)} FORMAT Native`;
    await this.#answer(sql, options, drained, { values: Readable.from(nativeBytes(columns), { objectMode: false }) });
    return table;
  }

  /** Hands over columns of a temporary table block by block, and makes sure that all its rows arrive. */
  async read(
    { columns, from, rows: of }: { readonly columns: readonly string[]; readonly from: string; readonly rows: number },
    take: (columns: readonly NativeColumn[], rows: number) => void,
    options: QueryOptions = {},
  ): Promise<void> {
    let seen = 0;
    const sql = `SELECT ${columns.join(", ")} FROM ${from} FORMAT Native`;
    await this.#answer(
      sql,
      options,
      async (stream) => {
        for await (const block of nativeBlocks(stream, columns.length)) {
          take(block.columns, block.rows);
          seen += block.rows;
          await checkpoint(options.signal);
        }
      },
      { streamed: true },
    );
    if (seen !== of) throw new BrokenAnswer("rows are missing from the answer");
  }

  async count(from: string, options: QueryOptions = {}): Promise<number> {
    const [row] = await this.rows(`SELECT count() FROM ${from}`, options);
    return Number(row![0]);
  }

  async drop(...tables: string[]): Promise<void> {
    for (const table of tables) {
      await this.run(`DROP TABLE IF EXISTS ${identifier(table)}`);
      this.#tables.delete(table);
    }
  }

  /** Drops every table of a reading; what does not go now goes with the session. */
  async clear(): Promise<void> {
    for (const table of this.#tables) await this.drop(table).catch(() => undefined);
    this.#tables.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.clear();
    await this.#client.close();
  }

  #newTable(what: string): string {
    this.#made += 1;
    const table = `${this.#session.replaceAll("-", "_")}_${this.#made}_${what}`;
    this.#tables.add(table);
    return table;
  }

  /** Hands over the answer; unless it is `streamed`, errors come before anything of it, not after some. */
  #answer<Result>(
    query: string,
    options: QueryOptions,
    take: (stream: AsyncIterable<Uint8Array>) => Promise<Result>,
    {
      parameters,
      values,
      streamed = false,
    }: Pick<QueryOptions, "parameters"> & { values?: Readable; streamed?: boolean } = {},
  ): Promise<Result> {
    const clickhouse_settings: Record<string, string | number> = {
      ...this.capabilities.settings,
      ...this.#known(options.settings),
      session_timeout: SESSION_SECONDS,
      ...(streamed ? {} : { wait_end_of_query: 1 }),
    };
    return this.#watched(options, async (query_id, abort_signal) => {
      const { stream } = await this.#client.exec({
        query,
        query_id,
        abort_signal,
        session_id: this.#session,
        clickhouse_settings,
        ...(parameters === undefined ? {} : { query_params: parameters }),
        ...(values === undefined ? {} : { values }),
      });
      return take(stream);
    });
  }

  /** Those that the server has. */
  #known(settings: QueryOptions["settings"]): Record<string, string> {
    const known = Object.entries(settings ?? {}).filter(([name]) => name in this.capabilities.settings);
    return Object.fromEntries(known);
  }

  async #watched<Result>(
    { signal, onProgress, step }: QueryOptions,
    work: (queryId: string, abort: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const queryId = randomUUID();
    const stop = new AbortController();
    const report =
      step === undefined || onProgress === undefined ? undefined : () => void this.#report(queryId, step, onProgress);
    const timer = report === undefined ? undefined : setInterval(report, PROGRESS_MS);
    const cancel = (): void => void this.#kill(queryId).finally(() => stop.abort());
    try {
      return await cancellable(signal, cancel, () => work(queryId, stop.signal));
    } finally {
      clearInterval(timer);
    }
  }

  /** Outside the session, which is busy. */
  async #kill(queryId: string): Promise<void> {
    await drained(
      (await this.#client.exec({ query: `KILL QUERY WHERE query_id = ${text(queryId)} ASYNC` })).stream,
    ).catch(() => undefined);
  }

  async #report(queryId: string, step: string, onProgress: NonNullable<LongWorkOptions["onProgress"]>): Promise<void> {
    const sql = `SELECT read_rows, total_rows_approx FROM system.processes WHERE query_id = ${text(queryId)}`;
    const [row] = await smallRows(this.#client, sql).catch(() => []);
    const [done, of] = (row ?? []).map(Number);
    if (done === undefined || !(of! > 0)) return;
    onProgress({ step: `${step}, per cent`, done: Math.min(100, Math.floor((100 * done) / of!)), of: 100 });
  }
}

function newSession(): string {
  return `veilgrid-${randomUUID()}`;
}

/** Where a server has no parameters: the same texts as literals. */
function withLiterals(sql: string, parameters: Readonly<Record<string, string>>): string {
  return sql.replace(/\{(\w+):String\}/g, (_, name: string) => text(parameters[name]!));
}

/** Outside a session. */
async function smallRows(
  client: ClickHouseClient,
  sql: string,
  { settings, parameters }: Pick<QueryOptions, "settings" | "parameters"> = {},
): Promise<unknown[][]> {
  const { stream } = await client.exec({
    query: `${sql} FORMAT JSONCompact`,
    clickhouse_settings: { ...settings, wait_end_of_query: 1 },
    ...(parameters === undefined ? {} : { query_params: parameters }),
  });
  return rowsIn(stream);
}

async function rowsIn(stream: AsyncIterable<Uint8Array>): Promise<unknown[][]> {
  const answer = (await drained(stream)).toString("utf8");
  try {
    return (JSON.parse(answer) as { data: unknown[][] }).data;
  } catch {
    throw new BrokenAnswer(answer);
  }
}

async function drained(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Nothing is sent yet. Passwords come from the environment alone. */
function connect(url: DatabaseUrl): ClickHouseClient {
  checkParameters(url, ["table", "secure", "timeout"]);
  // Off this machine a password and ids would travel in plain text: that has to be asked for.
  const isSecure = isOn(url, "secure", !isThisMachine(url.host));
  const host = url.host ?? "localhost";
  const port = url.port ?? (isSecure ? 8443 : 8123);
  return createClient({
    url: `${isSecure ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    username: url.user ?? process.env["CLICKHOUSE_USER"] ?? "default",
    password: process.env["CLICKHOUSE_PASSWORD"] ?? "",
    ...(url.database === undefined ? {} : { database: url.database }),
    request_timeout: 1000 * timeoutSeconds(url),
    // Its log would hold queries and servers' messages.
    log: { level: ClickHouseLogLevel.OFF },
    compression: { request: false, response: false },
  });
}

function isOn(url: DatabaseUrl, parameter: string, otherwise: boolean): boolean {
  const value = url.parameters.get(parameter);
  if (value === undefined) return otherwise;
  if (/^(1|true|0|false)$/.test(value)) return value === "1" || value === "true";
  throw badParameter(url, `${parameter} is 1 or 0, not ${quoteForMessage(value)}`);
}

function timeoutSeconds(url: DatabaseUrl): number {
  const value = url.parameters.get("timeout") ?? "3600";
  const seconds = /^\d{1,5}$/.test(value) ? Number(value) : 0;
  if (seconds >= 1) return seconds;
  throw badParameter(url, `timeout is a number of seconds from 1 to 99999, not ${quoteForMessage(value)}`);
}

function badParameter({ shown }: DatabaseUrl, what: string): VeilgridError {
  return new VeilgridError("USAGE", `${quoteForMessage(shown)}: ${what}`);
}
