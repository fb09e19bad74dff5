/** DuckDB in memory with a private folder to spill to. One that was used without a fault is kept open for a moment: opening and closing take as long as a small survey. */
import { rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { makeTemporaryFolder } from "../../sources/index.ts";
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
  readonly #folder: string;
  readonly #settings: string;
  /** A program that ends without closing the database leaves no spilled values behind. */
  readonly #atExit = (): void => rmSync(this.#folder, { recursive: true, force: true });

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, folder: string, settings: string) {
    this.#instance = instance;
    this.connection = connection;
    this.#folder = folder;
    this.#settings = settings;
    process.once("exit", this.#atExit);
  }

  static async open(options: DatabaseOptions): Promise<Opened> {
    const settings = JSON.stringify([options.memory, options.threads]);
    if (kept !== undefined && kept.opened.#settings === settings) return takeKept()!;
    // Spilled rows hold protected values: the folder is ours alone and goes away with the database.
    const folder = makeTemporaryFolder("veilgrid-");
    const instance = await DuckDBInstance.create(":memory:", {
      memory_limit: options.memory,
      temp_directory: path.join(folder, "spill"),
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
    await rm(this.#folder, { recursive: true, force: true });
    process.removeListener("exit", this.#atExit);
  }
}

let kept: { readonly opened: Opened; readonly timer: NodeJS.Timeout } | undefined;

function takeKept(): Opened | undefined {
  const taken = kept;
  kept = undefined;
  clearTimeout(taken?.timer);
  return taken?.opened;
}
