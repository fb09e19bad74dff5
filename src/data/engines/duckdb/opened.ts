/** DuckDB in memory with a private folder to spill to. One that was used without a fault is kept open for a moment: opening and closing take as long as a small survey. */
import path from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { TemporaryFolder } from "../../sources/index.ts";
import { registerCellFunction } from "./cell-function.ts";

const KEPT_MS = 1_000;

export interface DatabaseOptions {
  /** As DuckDB writes it: `1GB`. */
  readonly memory: string;
  readonly threads?: number | undefined;
}

export class Opened {
  readonly connection: DuckDBConnection;
  readonly #instance: DuckDBInstance;
  readonly #folder: TemporaryFolder;
  readonly #settings: string;

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    folder: TemporaryFolder,
    settings: string,
  ) {
    this.#instance = instance;
    this.connection = connection;
    this.#folder = folder;
    this.#settings = settings;
  }

  static async open(options: DatabaseOptions): Promise<Opened> {
    const settings = JSON.stringify([options.memory, options.threads]);
    if (kept !== undefined && kept.opened.#settings === settings) return takeKept()!;
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
    return new Opened(instance, connection, folder, settings);
  }

  /** For the next who opens one; there must be no table left in it. */
  async keep(): Promise<void> {
    const before = takeKept();
    // What cannot be removed now is removed when the program ends.
    const close = (): void =>
      void takeKept()
        ?.close()
        .catch(() => undefined);
    kept = { opened: this, timer: setTimeout(close, KEPT_MS).unref() };
    await before?.close();
  }

  async close(): Promise<void> {
    this.connection.closeSync();
    this.#instance.closeSync();
    this.#folder[Symbol.dispose]();
  }
}

let kept: { readonly opened: Opened; readonly timer: NodeJS.Timeout } | undefined;

function takeKept(): Opened | undefined {
  const taken = kept;
  kept = undefined;
  clearTimeout(taken?.timer);
  return taken?.opened;
}
