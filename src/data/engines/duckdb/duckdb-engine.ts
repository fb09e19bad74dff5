/** The embedded default engine: DuckDB in process, over files. */
import { itemAt, quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { type LongWorkOptions, throwIfCancelled } from "../../../core/planning/index.ts";
import { partNames, type Recipe, recipeColumns } from "../../partition/index.ts";
import { checkWhole, type DialectOptions, type SourceDescription } from "../../sources/index.ts";
import type { Records } from "../engine.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import { cutRecordsSql, groupsSql, type RecordsQuery, troubleSql, withoutUserSql } from "../pipeline/records.ts";
import { memoryBytes, type Purpose, type Reading, SqlEngine } from "../pipeline/sql-engine.ts";
import { BY_NUMBERS } from "../pipeline/totals.ts";
import { readGroups } from "./counting.ts";
import { Database } from "./database.ts";
import { describeFiles, expandSource } from "./describe-files.ts";
import { dialect, text } from "./dialect.ts";
import { asEngineError, isOutOfMemory } from "./engine-errors.ts";
import { fieldsOf } from "./fields.ts";
import { CELL_FUNCTION, itemsOf } from "./vectors.ts";

export interface DuckDbOptions {
  /** Most memory the engine takes before it spills to disk (default 1GB). */
  readonly memory?: string | undefined;
  readonly threads?: number | undefined;
}

export class DuckDbEngine extends SqlEngine {
  readonly name = "duckdb";
  protected readonly inOurWords: (error: unknown, paths: readonly string[]) => VeilgridError = asEngineError;
  readonly #database: Database;

  private constructor(database: Database) {
    super();
    this.#database = database;
  }

  static async open(options: DuckDbOptions = {}): Promise<DuckDbEngine> {
    const memory = options.memory ?? "1GB";
    memoryBytes(memory);
    return new DuckDbEngine(await Database.open({ memory, threads: options.threads }));
  }

  describe(source: string, stated: DialectOptions = {}, options: LongWorkOptions = {}): Promise<SourceDescription> {
    return this.inTurn([source], options, () => describeFiles(this.#database, source, stated));
  }

  /** The files that `describe` would look at, none of them opened but one that is called like a pattern. */
  filesOf(source: string): Promise<string[]> {
    return this.inTurn([source], {}, () => expandSource(this.#database, source));
  }

  /**
   * Rewrites a CSV file with a header as Parquet; column types as given, or sniffed by the engine. For data that may be seen by
   * everyone, such as simulated records and published statistics.
   */
  async toParquet(
    from: string,
    to: string,
    {
      columns,
      ...options
    }: LongWorkOptions & { readonly columns?: ReadonlyArray<{ name: string; type: string }> } = {},
  ): Promise<void> {
    const typed = (columns ?? []).map(({ name, type }) => `${text(name)}: ${text(type)}`).join(", ");
    const reading =
      columns === undefined ? "sample_size = -1" : `header = true, auto_detect = false, columns = {${typed}}`;
    try {
      const sql = `COPY (FROM read_csv(${text(from)}, ${reading})) TO ${text(to)} (FORMAT parquet)`;
      await this.#database.run(sql, "writing Parquet", options);
    } catch (error) {
      throw asEngineError(error, [from]);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database[Symbol.asyncDispose]();
  }

  /** Files are checked for being whole while they are read. */
  protected async open<Result>(
    { source: { files }, recipe }: Records,
    _purpose: Purpose,
    options: LongWorkOptions,
    work: (reading: Reading) => Promise<Result>,
  ): Promise<Result> {
    const stop = new AbortController();
    const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
    const whole = Promise.all(files.map((file) => checkWhole(file, signal)));
    whole.catch(() => undefined);
    const reading = readingOf(this.#database, { files, recipe }, options);
    try {
      const result = await this.#withinMemory(() => work(reading));
      await whole;
      return result;
    } catch (error) {
      throwIfCancelled(options.signal);
      // A file that ends early is the cause, whatever its last row looks like.
      if (!(error instanceof VeilgridError)) await whole;
      throw error;
    } finally {
      stop.abort();
      // An engine may be kept for long; sums of values are not.
      await this.#database.clear().catch(() => undefined);
    }
  }

  /** One thread needs less memory than several: the second try is slower, but succeeds where the first did not fit. */
  async #withinMemory<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      await this.#database.beFrugal();
      return work();
    }
  }
}

function readingOf(
  database: Database,
  { files, recipe }: { readonly files: Records["source"]["files"]; readonly recipe: Recipe },
  options: LongWorkOptions,
): Reading {
  const columns = recipeColumns(recipe).map(({ column }) => column);
  const parts = fieldsOf(files, columns);
  const cell = `${CELL_FUNCTION}(latitude, longitude, CAST(${recipe.place?.resolution} AS UTINYINT))`;
  const exchange = exchangeOver(database);
  return {
    dialect,
    exchange,
    count: async ({ lattice, thresholds, asked }) => {
      const sent = asked === undefined ? undefined : await exchange.send("asked", asked.columns, options);
      const query: RecordsQuery = { recipe, parts, lattice, hexagon: { join: "", cell }, asked: sent };
      await database.make("groups", `AS ${groupsSql(dialect, query, thresholds)}`, "reading records", options);
      const coded = await readGroups(database, { recipe, asked }, { ...options, keepSums: lattice !== undefined });
      return {
        counted: {
          coded,
          groups: "coded",
          ...BY_NUMBERS,
          cutSql: (decided) =>
            `SELECT u, g, usr, ${partNames(recipe).join(", ")}, CAST(n AS UINTEGER) AS m, kept_and_one - 1 AS c ` +
            `FROM coded JOIN ${decided} USING (u, g) JOIN users USING (u) JOIN grids USING (g) WHERE kept_and_one > 1`,
          cutRecordsSql: (cut) => cutRecordsSql(dialect, query, { pair: "u, g", cut }),
        },
      };
    },
    withoutUser: async () => {
      const sql = withoutUserSql(dialect, { recipe, parts });
      const [row] = await database.rows(sql, "counting records without a user", options);
      return Number(row?.[0]);
    },
    /** The first row at fault, by its number in its file. */
    find: async (trouble) => {
      if (trouble === "unread") return undefined;
      for (const file of files) {
        const fields = itemAt(fieldsOf([file], columns), 0);
        const sql = troubleSql(dialect, { recipe, fields, trouble }, FIRST_ROW);
        const [found] = await database.rows(sql, "finding the row", options);
        if (found === undefined) continue;
        const [row, shown] = found;
        const where = `${quoteForMessage(file.path)}: row ${Number(row).toLocaleString("en-US")}`;
        return { where, shown: String(shown ?? "") };
      }
      return undefined;
    },
  };
}

const FIRST_ROW: Parameters<typeof troubleSql>[2] = {
  select: (shown) => `row, ${shown}`,
  extra: ["row_number() OVER () AS row"],
  order: " ORDER BY row LIMIT 1",
};

const TYPES = { count: "UINTEGER", integer: "BIGINT", text: "VARCHAR" } as const;

function exchangeOver(database: Database): Exchange {
  return {
    send: async (name, columns) => {
      await database.make(name, `(${columns.map((column) => `${column.name} ${TYPES[column.type]}`).join(", ")})`);
      const counts = columns.flatMap(({ type, values }) => (type === "count" ? [values] : []));
      if (counts.length === columns.length) await database.append(name, counts);
      else await database.insert(name, columns);
      return name;
    },
    keep: async (name, sql, { step, ...options }) => {
      await database.make(name, `AS ${sql}`, step, options);
      return name;
    },
    readSums: async ({ sql, names }, take, options) => {
      const rows = await database.rows(`SELECT g, ${names.join(", ")} FROM (${sql})`, "adding up", options);
      for (const [grid, ...sums] of rows) take(Number(grid), sums as bigint[]);
    },
    readColumns: async ({ from, counts, integers }, take, options) => {
      const columns = [
        ...counts.map((sql) => `CAST(${sql} AS UINTEGER)`),
        ...integers.map((sql) => `CAST(${sql} AS UBIGINT)`),
      ];
      await database.chunks(
        `SELECT ${columns.join(", ")} FROM ${from}`,
        (chunk) => {
          const vectors = columns.map((_, at) => chunk.getColumnVector(at));
          take({
            counts: vectors.slice(0, counts.length).map((vector) => itemsOf(vector, Uint32Array)),
            integers: vectors.slice(counts.length).map((vector) => itemsOf(vector, BigUint64Array)),
          });
        },
        options,
      );
    },
  };
}
