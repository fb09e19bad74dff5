/** One in-memory DuckDB with a limit on its memory and a private folder to spill to; runs SQL with progress and cancellation. */
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type DuckDBConnection, type DuckDBDataChunk, DuckDBInstance } from "@duckdb/node-api";
import { checkpoint, type LongWorkOptions, throwIfCancelled } from "../../planning/index.ts";
import { registerCellFunction } from "./cell-function.ts";

const PROGRESS_MS = 200;
/** Half a million rows between two looks at the clock and at signals. */
const CHUNKS_AT_A_TIME = 256;
/** What counting and adding up leave behind; sums of values among it. */
const READING_TABLES = ["groups", "users", "grids", "coded", "decisions", "chosen", "cut_totals"];

export interface DatabaseOptions {
  /** As DuckDB writes it: `1GB`. */
  readonly memory: string;
  readonly threads?: number | undefined;
}

export class Database implements AsyncDisposable {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #folder: string;
  /** A program that ends without closing the database leaves no spilled values behind. */
  readonly #atExit = (): void => rmSync(this.#folder, { recursive: true, force: true });

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, folder: string) {
    this.#instance = instance;
    this.#connection = connection;
    this.#folder = folder;
    process.once("exit", this.#atExit);
  }

  static async open(options: DatabaseOptions): Promise<Database> {
    // Spilled rows hold protected values: the folder is ours alone and goes away with the database.
    const folder = await mkdtemp(path.join(tmpdir(), "veilgrid-"));
    const instance = await DuckDBInstance.create(":memory:", {
      memory_limit: options.memory,
      temp_directory: path.join(folder, "spill"),
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
    });
    const connection = await instance.connect();
    registerCellFunction(connection);
    const database = new Database(instance, connection, folder);
    // Texts without an offset are clock readings: reading them as UTC changes nothing in them.
    await database.run("SET TimeZone = 'UTC'; SET enable_progress_bar = true; SET enable_progress_bar_print = false");
    return database;
  }

  /** Runs one or more statements for their effect. */
  async run(sql: string, step?: string, options: LongWorkOptions = {}): Promise<void> {
    await this.#watched(() => this.#connection.run(sql), step, options);
  }

  /** The rows of a small result, as plain JavaScript values. */
  async rows(sql: string, step?: string, options: LongWorkOptions = {}): Promise<unknown[][]> {
    const reader = await this.#watched(() => this.#connection.runAndReadAll(sql), step, options);
    return reader.getRows() as unknown[][];
  }

  /** The rows of a small result as objects, values as JSON has them. */
  async objects(sql: string): Promise<Array<Record<string, unknown>>> {
    const reader = await this.#connection.runAndReadAll(sql);
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

  /** Fills a table of whole numbers, given by columns. */
  async append(table: string, columns: readonly Uint32Array[]): Promise<void> {
    const appender = await this.#connection.createAppender(table);
    const rows = columns[0]?.length ?? 0;
    for (let row = 0; row < rows; row++) {
      for (const column of columns) appender.appendUInteger(column[row]!);
      appender.endRow();
    }
    appender.closeSync();
  }

  /** Drops every table of a reading. */
  async clear(): Promise<void> {
    await this.run(READING_TABLES.map((table) => `DROP TABLE IF EXISTS ${table}`).join("; "));
  }

  /** Trades speed for memory from here on. */
  async beFrugal(): Promise<void> {
    await this.clear();
    await this.run("SET threads = 1; SET preserve_insertion_order = false");
  }

  async #watched<Result>(
    work: () => Promise<Result>,
    step: string | undefined,
    { signal, onProgress }: LongWorkOptions,
  ): Promise<Result> {
    throwIfCancelled(signal);
    const interrupt = (): void => this.#connection.interrupt();
    signal?.addEventListener("abort", interrupt);
    const timer =
      step === undefined || onProgress === undefined
        ? undefined
        : setInterval(() => {
            const { percentage } = this.#connection.progress;
            onProgress({ step: `${step}, per cent`, done: Math.max(0, Math.floor(percentage)), of: 100 });
          }, PROGRESS_MS);
    try {
      return await work();
    } catch (error) {
      throwIfCancelled(signal);
      throw error;
    } finally {
      clearInterval(timer);
      signal?.removeEventListener("abort", interrupt);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.closeSync();
    this.#instance.closeSync();
    process.removeListener("exit", this.#atExit);
    await rm(this.#folder, { recursive: true, force: true });
  }
}
