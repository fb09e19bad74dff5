/** The embedded default engine: DuckDB in process, over files. */
import { quoteForMessage, VeilgridError } from "../../errors/index.ts";
import { occupancyHash } from "../../occupancy/index.ts";
import { recipeColumns, recipeJson } from "../../partition/index.ts";
import { inputLattice, type LongWorkOptions, type Plan, throwIfCancelled } from "../../planning/index.ts";
import {
  checkWhole,
  type DialectWishes,
  looksLikeAmount,
  nativeHash,
  type SourceDescription,
} from "../../sources/index.ts";
import type { Engine, OccupancyReading, Records, TotalsReading, TotalsRequest } from "../engine.ts";
import { Database } from "./database.ts";
import { describeFiles, expandSource } from "./describe-files.ts";
import { asEngineError, isOutOfMemory } from "./engine-errors.ts";
import { readGroups } from "./occupancy-reader.ts";
import { groupsSql, type RecordsQuery, type Trouble, troubleIn, troubleSql } from "./records-sql.ts";
import { text } from "./sql-text.ts";
import { addUp } from "./totals.ts";

export interface DuckDbOptions {
  /** Most memory the engine takes before it spills to disk (default 1GB). */
  readonly memory?: string | undefined;
  readonly threads?: number | undefined;
}

export class DuckDbEngine implements Engine {
  readonly name = "duckdb";
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

  /** One thing at a time: readings share tables inside the database. */
  #last: Promise<unknown> = Promise.resolve();

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async describe(
    source: string,
    wishes: DialectWishes = {},
    _options: LongWorkOptions = {},
  ): Promise<SourceDescription> {
    try {
      return await this.#inTurn(() => describeFiles(this.#database, source, wishes));
    } catch (error) {
      throw asEngineError(error, [source]);
    }
  }

  /** The files that `describe` would look at, none of them opened but one that is called like a pattern. */
  async filesOf(source: string): Promise<string[]> {
    try {
      return await this.#inTurn(() => expandSource(this.#database, source));
    } catch (error) {
      throw asEngineError(error, [source]);
    }
  }

  async readOccupancy(records: Records, options: LongWorkOptions = {}): Promise<OccupancyReading> {
    checkColumns(records);
    return this.#reading(records, options, async () => {
      await this.#group({ files: records.source.files, recipe: records.recipe, lattice: undefined }, [], options);
      const { occupancy, notes } = await readGroups(this.#database, records.recipe, { ...options, keepSums: false });
      return { occupancy, notes };
    });
  }

  async readTotals(
    records: Records,
    plan: Plan,
    request: TotalsRequest = {},
    options: LongWorkOptions = {},
  ): Promise<TotalsReading> {
    checkColumns(records);
    if (plan.partition !== null && JSON.stringify(plan.partition) !== JSON.stringify(recipeJson(records.recipe)))
      throw new VeilgridError(
        "PLAN_MISMATCH",
        "the plan's records are read in another way; take the flags from the plan",
      );
    const query: RecordsQuery = {
      files: records.source.files,
      recipe: records.recipe,
      lattice: inputLattice(plan.objective.bounds, plan.latticeStep),
    };
    return this.#reading(records, options, async () => {
      await this.#group(query, request.thresholds ?? [], options);
      const coded = await readGroups(this.#database, records.recipe, { ...options, keepSums: true });
      if (occupancyHash(coded.occupancy, nativeHash) !== plan.occupancy.sha256)
        throw new VeilgridError(
          "PLAN_MISMATCH",
          "the plan was made for another occupancy array; plan again from this data",
        );
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

  async #group(query: RecordsQuery, thresholds: readonly bigint[], options: LongWorkOptions): Promise<void> {
    const sql = `CREATE OR REPLACE TEMP TABLE groups AS ${groupsSql(query, thresholds)}`;
    await this.#database.run(sql, "reading records", options);
  }

  /** Runs while the files are checked for being whole; whatever goes wrong comes out in our words. */
  #reading<Result>(records: Records, options: LongWorkOptions, work: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(() => this.#readingAlone(records, options, work));
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
    const trouble = error instanceof VeilgridError || !(error instanceof Error) ? undefined : troubleIn(error.message);
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

function describeTrouble(
  { recipe }: Records,
  trouble: Trouble,
  { where, shown }: { where: string; shown: string },
): VeilgridError {
  const column = (name: string): string => `column ${quoteForMessage(name)}`;
  const message = {
    time: () =>
      `${where}: ${column(recipe.time!.column)}: ${quoteForMessage(shown)} is not a time written as ${recipe.time!.format.replace("date:", "")}; see --time-format`,
    place: () => {
      const { place } = recipe;
      const columns =
        place!.kind === "point"
          ? column(place!.column)
          : `${column(place!.latitude)} and ${quoteForMessage(place!.longitude)}`;
      const wanted = place!.kind === "point" ? "[longitude, latitude]" : "latitude, longitude";
      return `${where}: ${columns}: ${quoteForMessage(shown)} is no place on Earth; expected ${wanted} in degrees, latitude within ±90 and longitude within ±180`;
    },
    value: () =>
      `${where}: ${column(recipe.value)} holds text that is not a number (not shown: values are protected); correct it`,
    missing: () =>
      `${where}: ${column(recipe.value)} is empty; use --missing midpoint to count such records as the middle of the range, or --missing drop to leave them out (which makes it public that they were empty)`,
  }[trouble]();
  return new VeilgridError("INPUT_MALFORMED", message);
}

/** Every file must have every column; in JSON, among its first thousands of objects. A name written wrong would pass for a missing field. */
function checkColumns({ source, recipe }: Records): void {
  for (const file of source.files) {
    for (const { flag, column } of recipeColumns(recipe)) {
      if (file.columns.includes(column)) continue;
      // A first row taken for a header may hold values.
      const names = file.columns
        .slice(0, 20)
        .map((name) => (looksLikeAmount(name) ? "…" : quoteForMessage(name)))
        .join(", ");
      throw new VeilgridError(
        "INPUT_MALFORMED",
        `${quoteForMessage(file.path)} has no column ${quoteForMessage(column)} (${flag}); it has ${names}`,
      );
    }
  }
}
