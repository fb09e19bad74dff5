/** SQL on a DuckDB in memory, with progress, cancellation and a private folder to spill to. */
import path from "node:path";
import { type DuckDBConnection, DuckDBDataChunk, DuckDBInstance, UINTEGER } from "@duckdb/node-api";
import { checkpoint, type LongWorkOptions } from "../../../core/planning/index.ts";
import { TemporaryFolder } from "../../sources/index.ts";
import { cancellable, type SentColumn } from "../pipeline/exchange.ts";
import { itemsOf, registerCellFunction } from "./vectors.ts";

const PROGRESS_MS = 200;
/** Half a million rows between two looks at the clock and at signals. */
const CHUNKS_AT_A_TIME = 256;
/** The engine's own number of rows in a vector. */
const ROWS_OF_A_CHUNK = 2048;
export class Database implements AsyncDisposable {
  readonly #opened: Opened;
  /** After a fault, or with settings changed, it is closed and not kept for others. */
  #isWorn = false;
  readonly #tables = new Set<string>();

  private constructor(opened: Opened) {
    this.#opened = opened;
  }

  static async open(options: DatabaseOptions): Promise<Database> {
    return new Database(await openOrTake(options));
  }

  get #connection(): DuckDBConnection {
    return this.#opened.connection;
  }

  async run(sql: string, step?: string, options: LongWorkOptions = {}): Promise<void> {
    await this.#watched(() => this.#connection.run(sql), step, options);
  }

  /** A table of this connection alone, in place of one of that name; `definition` is `AS` with a query, or its columns. */
  async make(table: string, definition: string, step?: string, options: LongWorkOptions = {}): Promise<void> {
    this.#tables.add(table);
    await this.run(`CREATE OR REPLACE TEMP TABLE ${table} ${definition}`, step, options);
  }

  async drop(...tables: string[]): Promise<void> {
    for (const table of tables) this.#tables.delete(table);
    await this.run(tables.map((table) => `DROP TABLE IF EXISTS ${table}`).join("; "));
  }

  /** The rows of a small result, as plain JavaScript values. */
  async rows(sql: string, step?: string, options: LongWorkOptions = {}): Promise<unknown[][]> {
    const reader = await this.#watched(() => this.#connection.runAndReadAll(sql), step, options);
    return reader.getRows() as unknown[][];
  }

  /** The rows of a small result as objects, values as JSON has them. */
  async objects(sql: string): Promise<Array<Record<string, unknown>>> {
    const reader = await this.#watched(() => this.#connection.runAndReadAll(sql), undefined, {});
    return reader.getRowObjectsJson();
  }

  /** Hands over a result chunk by chunk. The engine holds it whole: fetching chunks one by one takes a wait for each. */
  async chunks(
    sql: string,
    take: (chunk: DuckDBDataChunk, rowsInAll: number) => void,
    options: LongWorkOptions = {},
  ): Promise<void> {
    const result = await this.#watched(() => this.#connection.run(sql), undefined, options);
    const { chunkCount, rowCount } = result;
    for (let index = 0; index < chunkCount; index++) {
      if (index % CHUNKS_AT_A_TIME === 0) await checkpoint(options.signal);
      take(result.getChunk(index), rowCount);
    }
  }

  async append(table: string, columns: readonly Uint32Array[]): Promise<void> {
    const appender = await this.#connection.createAppender(table);
    const rows = columns[0]?.length ?? 0;
    for (let from = 0; from < rows; from += ROWS_OF_A_CHUNK) {
      const to = Math.min(rows, from + ROWS_OF_A_CHUNK);
      const chunk = DuckDBDataChunk.create(
        columns.map(() => UINTEGER),
        to - from,
      );
      columns.forEach((column, index) => {
        const vector = chunk.getColumnVector(index);
        itemsOf(vector, Uint32Array).set(column.subarray(from, to));
        vector.flush();
      });
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
  }

  /** Fills a small table of texts and whole numbers, given by columns. */
  async insert(table: string, columns: readonly SentColumn[]): Promise<void> {
    const appender = await this.#connection.createAppender(table);
    const rows = columns[0]?.values.length ?? 0;
    for (let row = 0; row < rows; row++) {
      for (const { values } of columns) {
        const value = values[row]!;
        if (value === null) appender.appendNull();
        else if (typeof value === "string") appender.appendVarchar(value);
        else appender.appendBigInt(BigInt(value));
      }
      appender.endRow();
    }
    appender.closeSync();
  }

  /** Drops every table that was made; there may be sums of values among them. */
  async clear(): Promise<void> {
    if (this.#tables.size > 0) await this.drop(...this.#tables);
  }

  /** Trades speed for memory from here on. */
  async beFrugal(): Promise<void> {
    this.#isWorn = true;
    await this.clear();
    await this.run("SET threads = 1; SET preserve_insertion_order = false");
  }

  async #watched<Result>(
    work: () => Promise<Result>,
    step: string | undefined,
    { signal, onProgress }: LongWorkOptions,
  ): Promise<Result> {
    const report = (): void => {
      const { percentage } = this.#connection.progress;
      onProgress?.({ step: `${step}, per cent`, done: Math.max(0, Math.floor(percentage)), of: 100 });
    };
    const timer = step === undefined || onProgress === undefined ? undefined : setInterval(report, PROGRESS_MS);
    try {
      return await cancellable(signal, () => this.#connection.interrupt(), work);
    } catch (error) {
      this.#isWorn = true;
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // What cannot be dropped is worn, and goes with all of it.
    await this.clear().catch(() => undefined);
    await (this.#isWorn ? this.#opened.close() : keep(this.#opened));
  }
}

/** One that was used without a fault is kept open for a moment: opening and closing take as long as a small survey. */
const KEPT_MS = 1_000;

export interface DatabaseOptions {
  /** As DuckDB writes it: `1GB`. */
  readonly memory: string;
  readonly threads?: number | undefined;
}

interface Opened {
  readonly connection: DuckDBConnection;
  readonly settings: string;
  close(): Promise<void>;
}

async function openOrTake(options: DatabaseOptions): Promise<Opened> {
  const settings = JSON.stringify([options.memory, options.threads]);
  if (kept !== undefined && kept.opened.settings === settings) return takeKept()!;
  // Spilled rows hold protected values: the folder is ours alone and goes away with the database.
  const folder = TemporaryFolder.make();
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: options.memory,
    temp_directory: path.join(folder.path, "spill"),
    // A file may be another when it is read again.
    enable_external_file_cache: "false",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
  });
  const connection = await instance.connect();
  registerCellFunction(connection);
  // Texts without an offset are clock readings: reading them as UTC changes nothing in them.
  await connection.run("SET TimeZone = 'UTC'; SET enable_progress_bar = true; SET enable_progress_bar_print = false");
  const close = async (): Promise<void> => {
    connection.closeSync();
    instance.closeSync();
    folder[Symbol.dispose]();
  };
  return { connection, settings, close };
}

let kept: { readonly opened: Opened; readonly timer: NodeJS.Timeout } | undefined;

/** For the next who opens one; there must be no table left in it. */
async function keep(opened: Opened): Promise<void> {
  const before = takeKept();
  // What cannot be removed now is removed when the program ends.
  const close = (): void =>
    void takeKept()
      ?.close()
      .catch(() => undefined);
  kept = { opened, timer: setTimeout(close, KEPT_MS).unref() };
  await before?.close();
}

function takeKept(): Opened | undefined {
  const taken = kept;
  kept = undefined;
  clearTimeout(taken?.timer);
  return taken?.opened;
}
