/** The embedded default engine: DuckDB in process, over files. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { inputLattice, type LongWorkOptions, type Plan, throwIfCancelled } from "../../../core/planning/index.ts";
import { checkWhole, type DialectOptions, type SourceDescription } from "../../sources/index.ts";
import { type AskedGrids, askedGrids } from "../asked-grids.ts";
import { checkColumns } from "../check-columns.ts";
import type { Engine, OccupancyReading, Records, TotalsReading, TotalsRequest } from "../engine.ts";
import { checkSameCounts, checkSameReading } from "../plan-fits.ts";
import { troubleIn } from "../row-checks.ts";
import { describeTrouble, type Trouble } from "../trouble.ts";
import { Turns } from "../turns.ts";
import { Database } from "./database.ts";
import { describeFiles, expandSource } from "./describe-files.ts";
import { asEngineError, isOutOfMemory } from "./engine-errors.ts";
import { readGroups } from "./occupancy-reader.ts";
import { groupsSql, type RecordsQuery, troubleSql, withoutUserSql } from "./records-sql.ts";
import { text } from "./sql-text.ts";
import { addUp } from "./totals.ts";

export interface DuckDbOptions {
  /** Most memory the engine takes before it spills to disk (default 1GB). */
  readonly memory?: string | undefined;
  readonly threads?: number | undefined;
}

export class DuckDbEngine implements Engine {
  readonly name = "duckdb";
  readonly #turns = new Turns();
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
  }

  static async open(options: DuckDbOptions = {}): Promise<DuckDbEngine> {
    const memory = options.memory ?? "1GB";
    if (!/^[1-9]\d{0,6} ?(MB|GB|TB|MiB|GiB|TiB)$/i.test(memory)) {
      throw new VeilgridError(
        "PARAMETER_INVALID",
        `--memory ${quoteForMessage(memory)} is no size; write it like 512MB or 4GB`,
      );
    }
    return new DuckDbEngine(await Database.open({ memory, threads: options.threads }));
  }

  async describe(
    source: string,
    dialect: DialectOptions = {},
    _options: LongWorkOptions = {},
  ): Promise<SourceDescription> {
    try {
      return await this.#turns.take(() => describeFiles(this.#database, source, dialect));
    } catch (error) {
      throw asEngineError(error, [source]);
    }
  }

  /** The files that `describe` would look at, none of them opened but one that is called like a pattern. */
  async filesOf(source: string): Promise<string[]> {
    try {
      return await this.#turns.take(() => expandSource(this.#database, source));
    } catch (error) {
      throw asEngineError(error, [source]);
    }
  }

  async readOccupancy(records: Records, options: LongWorkOptions = {}): Promise<OccupancyReading> {
    checkColumns(records);
    return this.#reading(records, options, async () => {
      const { recipe, source } = records;
      const query: RecordsQuery = { files: source.files, recipe, lattice: undefined };
      await this.#group(query, [], options);
      const { occupancy, notes } = await readGroups(this.#database, query, { ...options, keepSums: false });
      if (recipe.emptyUser !== "drop") return { occupancy, notes };
      const [leftOut] = await this.#database.rows(withoutUserSql(query), "counting records without a user", options);
      return { occupancy, notes: { ...notes, withoutUser: Number(leftOut![0]) } };
    });
  }

  async readTotals(
    records: Records,
    plan: Plan,
    request: TotalsRequest = {},
    options: LongWorkOptions = {},
  ): Promise<TotalsReading> {
    checkColumns(records);
    checkSameReading(records, plan);
    const query: RecordsQuery = {
      files: records.source.files,
      recipe: records.recipe,
      lattice: inputLattice(plan.objective.bounds, plan.latticeStep),
      asked: askedGrids(records.recipe, plan, request.only),
    };
    return this.#reading(records, options, async () => {
      if (query.asked !== undefined) await this.#ask(query.asked);
      await this.#group(query, request.thresholds ?? [], options);
      const coded = await readGroups(this.#database, query, { ...options, keepSums: true });
      checkSameCounts(coded.occupancy, plan, query.asked);
      return addUp(this.#database, { query, plan, coded, request }, options);
    });
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

  async #ask({ columns }: AskedGrids): Promise<void> {
    const types = columns.map(({ name, isText }) => `${name} ${isText ? "VARCHAR" : "BIGINT"}`);
    await this.#database.make("asked", `(${types.join(", ")})`);
    await this.#database.insert(
      "asked",
      columns.map(({ values }) => values),
    );
  }

  async #group(query: RecordsQuery, thresholds: readonly bigint[], options: LongWorkOptions): Promise<void> {
    await this.#database.make("groups", `AS ${groupsSql(query, thresholds)}`, "reading records", options);
  }

  /** Runs while the files are checked for being whole; whatever goes wrong comes out in our words. */
  #reading<Result>(records: Records, options: LongWorkOptions, work: () => Promise<Result>): Promise<Result> {
    return this.#turns.take(() => this.#readingAlone(records, options, work));
  }

  async #readingAlone<Result>(
    records: Records,
    options: LongWorkOptions,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { files } = records.source;
    const stop = new AbortController();
    const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
    const whole = Promise.all(files.map((file) => checkWhole(file, signal)));
    whole.catch(() => undefined);
    try {
      const result = await this.#withinMemory(work);
      await whole;
      return result;
    } catch (error) {
      throwIfCancelled(options.signal);
      // A file that ends early is the cause, whatever its last row looks like.
      if (!(error instanceof VeilgridError)) await whole;
      throw await this.#explain(error, records, options);
    } finally {
      stop.abort();
      // An engine may be kept for long; sums of values are not.
      await this.#database.clear().catch(() => undefined);
    }
  }

  /** Whatever went wrong, also while looking for what went wrong, in our words. */
  async #explain(error: unknown, records: Records, options: LongWorkOptions): Promise<VeilgridError> {
    const paths = records.source.files.map((file) => file.path);
    const trouble = troubleIn(error);
    try {
      return trouble === undefined ? asEngineError(error, paths) : await this.#locate(records, trouble, options);
    } catch (another) {
      return asEngineError(another, paths);
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

  /** Names the first row at fault. A protected column's text is not in the message. */
  async #locate(records: Records, trouble: Trouble, options: LongWorkOptions): Promise<VeilgridError> {
    const { recipe } = records;
    for (const file of records.source.files) {
      const [found] = await this.#database.rows(troubleSql(file, recipe, trouble), "finding the row", options);
      if (found === undefined) continue;
      const [row, shown] = found;
      return describeTrouble(records, trouble, {
        where: `${quoteForMessage(file.path)}: row ${Number(row).toLocaleString("en-US")}`,
        shown: shown === null ? "" : String(shown),
      });
    }
    return new VeilgridError("INPUT_MALFORMED", "a record could not be read; the files may have changed meanwhile");
  }
}
