/** Records in PostgreSQL: counted and added up by the server that holds them. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { inputLattice, type LongWorkOptions, type Plan, throwIfCancelled } from "../../../core/planning/index.ts";
import {
  checkParameters,
  type DatabaseUrl,
  type DialectOptions,
  POSTGRES_LOGIN_PARAMETERS,
  parseDatabaseUrl,
  postgresLogin,
  type SourceDescription,
} from "../../sources/index.ts";
import { type AskedGrids, askedGrids } from "../asked-grids.ts";
import { checkColumns } from "../check-columns.ts";
import type { DescribeOptions, Engine, OccupancyReading, Records, TotalsReading, TotalsRequest } from "../engine.ts";
import { checkSameCounts, checkSameReading } from "../plan-fits.ts";
import { troubleIn } from "../row-checks.ts";
import { refuseDialect, tableNamed } from "../table-source.ts";
import { describeTrouble, inSoManyRecords, type Trouble } from "../trouble.ts";
import { Turns } from "../turns.ts";
import { mapPlaces } from "./cells.ts";
import { Database } from "./database.ts";
import { describeTable, findTable, nameOf } from "./describe-table.ts";
import { asEngineError } from "./engine-errors.ts";
import type { Table } from "./fields-sql.ts";
import { readGroups } from "./occupancy-reader.ts";
import { ASKED, groupsSql, needsMapping, type RecordsQuery, troubleSql, withoutUserSql } from "./records-sql.ts";
import { addUp, GROUPS } from "./totals.ts";

export interface PostgresOptions {
  /** About as much memory as the server may take for one reading before it spills to disk (default 1GB). */
  readonly memory?: string | undefined;
}

const UNITS: Readonly<Record<string, number>> = {
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

export class PostgresEngine implements Engine {
  readonly name = "postgres";
  readonly #turns = new Turns();
  readonly #url: DatabaseUrl;
  readonly #memoryBytes: number;
  #database: Database | undefined;

  private constructor(url: DatabaseUrl, memoryBytes: number) {
    this.#url = url;
    this.#memoryBytes = memoryBytes;
  }

  /** Connects; `url` names the server and database, each source that is read its table. */
  static async open(url: DatabaseUrl, options: PostgresOptions = {}): Promise<PostgresEngine> {
    const memory = options.memory ?? "1GB";
    const size = /^([1-9]\d{0,6}) ?(MB|GB|TB|MiB|GiB|TiB)$/i.exec(memory);
    if (size === null)
      throw new VeilgridError(
        "PARAMETER_INVALID",
        `--memory ${quoteForMessage(memory)} is no size; write it like 512MB or 4GB`,
      );
    const engine = new PostgresEngine(url, Number(size[1]) * UNITS[size[2]!.toLowerCase()]!);
    await engine.#inOurWords(() => engine.#connected());
    return engine;
  }

  async describe(
    source: string,
    dialect: DialectOptions = {},
    options: DescribeOptions = {},
  ): Promise<SourceDescription> {
    refuseDialect(dialect);
    return this.#turns.take(() =>
      this.#inOurWords(async () => {
        const database = await this.#connected();
        return database.atOneMoment("READ ONLY", async () => {
          const table = await this.#tableOf(database, source);
          return describeTable(database, { source, table }, options);
        });
      }, options),
    );
  }

  async readOccupancy(records: Records, options: LongWorkOptions = {}): Promise<OccupancyReading> {
    checkColumns(records);
    const { recipe } = records;
    return this.#reading(records, options, async (database, table) => {
      const query = { table, recipe, lattice: undefined };
      const messages = await this.#place(database, query, options);
      options.onProgress?.({ step: "reading records", done: 0 });
      const groups = groupsSql(query, []);
      await database.chooseWorkers(groups);
      const { coded } = await readGroups(database, { groups, query, numbered: false }, options);
      const { occupancy, notes } = coded;
      if (recipe.emptyUser !== "drop") return { occupancy, notes, messages };
      const [leftOut] = await database.rows(withoutUserSql(query), [], options);
      return { occupancy, notes: { ...notes, withoutUser: Number(leftOut![0]) }, messages };
    });
  }

  async checkTotals(): Promise<void> {
    return this.#turns.take(() => this.#inOurWords(async () => this.#checkTables(await this.#connected())));
  }

  async readTotals(
    records: Records,
    plan: Plan,
    request: TotalsRequest = {},
    options: LongWorkOptions = {},
  ): Promise<TotalsReading> {
    checkColumns(records);
    checkSameReading(records, plan);
    const { recipe } = records;
    const lattice = inputLattice(plan.objective.bounds, plan.latticeStep);
    const asked = askedGrids(recipe, plan, request.only);
    return this.#reading(
      records,
      options,
      async (database, table) => {
        const query: RecordsQuery = { table, recipe, lattice, asked };
        if (asked !== undefined) await uploadAsked(database, asked, options);
        await this.#place(database, query, options);
        const counted = groupsSql(query, request.thresholds ?? []);
        await database.chooseWorkers(counted);
        await database.run(
          `CREATE TEMP TABLE veilgrid_groups ON COMMIT DROP AS SELECT row_number() OVER () AS p, grouped.* FROM (${counted}) AS grouped`,
          "reading records",
          options,
        );
        const groups = await readGroups(
          database,
          { groups: `SELECT * FROM ${GROUPS}`, query, numbered: true },
          options,
        );
        checkSameCounts(groups.coded.occupancy, plan, asked);
        return addUp(database, { query, plan, groups, request }, options);
      },
      { needsTables: true },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database?.[Symbol.asyncDispose]();
  }

  /** A session that was lost is replaced: whatever it held was temporary. */
  async #connected(): Promise<Database> {
    if (this.#database === undefined || !this.#database.isOpen)
      this.#database = await Database.connect(await postgresLogin(this.#url), this.#memoryBytes);
    return this.#database;
  }

  async #tableOf(database: Database, source: string): Promise<Table> {
    const url = parseDatabaseUrl(source);
    if (url === undefined || url.kind !== "postgres" || url.shown !== this.#url.shown)
      throw new VeilgridError(
        "USAGE",
        `${quoteForMessage(url?.shown ?? source)} is not in the database that is open, ${quoteForMessage(this.#url.shown)}`,
      );
    checkParameters(url, ["table", "schema", ...POSTGRES_LOGIN_PARAMETERS]);
    const name = { table: tableNamed(url), schema: url.parameters.get("schema") };
    return findTable(database, name, url.shown);
  }

  /** Counting and adding up see one moment of the table. Nothing is written but temporary tables, and those only where they are needed. */
  async #reading<Result>(
    records: Records,
    options: LongWorkOptions,
    work: (database: Database, table: Table) => Promise<Result>,
    { needsTables } = { needsTables: needsMapping(records.recipe.place) },
  ): Promise<Result> {
    return this.#turns.take(() =>
      this.#inOurWords(async () => {
        const database = await this.#connected();
        if (needsTables) this.#checkTables(database);
        try {
          return await database.atOneMoment(needsTables ? "READ WRITE" : "READ ONLY", async () =>
            work(database, await this.#tableOf(database, records.source.source)),
          );
        } catch (error) {
          const trouble = troubleIn(error);
          if (trouble === undefined || options.signal?.aborted) throw error;
          throw await this.#locate(records, trouble, options);
        }
      }, options),
    );
  }

  #checkTables({ facts }: Database): void {
    const server = quoteForMessage(this.#url.shown);
    if (facts.isStandby)
      throw new VeilgridError(
        "ENGINE_UNSUPPORTED",
        `${server} is a standby, which takes no temporary tables; a survey without hexagons works there, for more read from the primary server`,
      );
    if (!facts.mayMakeTables)
      throw new VeilgridError(
        "ENGINE_UNSUPPORTED",
        `${server} does not let this user make temporary tables, which hold hexagons and what a plan leaves out while records are read; GRANT TEMPORARY ON DATABASE … TO the user`,
      );
  }

  async #place(database: Database, query: RecordsQuery, options: LongWorkOptions): Promise<string[]> {
    const { place } = query.recipe;
    if (!needsMapping(place)) return [];
    const places = await mapPlaces(database, { query, resolution: place.resolution }, options);
    return [
      `${places.toLocaleString("en-US")} distinct places were mapped to hexagons here and sent back to the server; a column that holds cells, named by --cell, would spare that`,
    ];
  }

  /** Says how many records are at fault: a table has no order that a row could be named by. A protected column's text is not in the message. */
  async #locate(records: Records, trouble: Trouble, options: LongWorkOptions): Promise<VeilgridError> {
    const database = await this.#connected();
    const { recipe, source } = records;
    const [count, shown, name] = await database.atOneMoment("READ ONLY", async () => {
      const table = await this.#tableOf(database, source.source);
      options.onProgress?.({ step: "finding the records", done: 0 });
      const [found] = await database.rows(troubleSql({ table, recipe }, trouble), [], options);
      return [Number(found![0]), found![1], nameOf(table)] as const;
    });
    if (count === 0)
      return new VeilgridError("INPUT_MALFORMED", "a record could not be read; the table may have changed meanwhile");
    return describeTrouble(records, trouble, {
      where: `table ${quoteForMessage(name)}, ${inSoManyRecords(count)}`,
      shown: shown ?? "",
    });
  }

  async #inOurWords<Result>(work: () => Promise<Result>, { signal }: LongWorkOptions = {}): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throwIfCancelled(signal);
      throw asEngineError(error, this.#url.shown);
    }
  }
}

async function uploadAsked(database: Database, { columns }: AskedGrids, options: LongWorkOptions): Promise<void> {
  const types = columns.map(({ name, isText }) => `${name} ${isText ? "text" : "bigint"}`).join(", ");
  // As text whole numbers keep all their digits.
  const rows = columns[0]!.values.map((_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row]?.toString() ?? null])),
  );
  await database.run(`CREATE TEMP TABLE veilgrid_asked (${types}) ON COMMIT DROP`, "sending the grids", options);
  const sent = `SELECT * FROM json_to_recordset(CAST($1 AS json)) AS sent(${types})`;
  await database.rows(`INSERT INTO ${ASKED} ${sent}`, [JSON.stringify(rows)], options);
  await database.run(`ANALYZE ${ASKED}; SET LOCAL enable_nestloop = off`);
}
