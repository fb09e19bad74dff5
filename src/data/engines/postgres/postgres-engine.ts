/** The PostgreSQL engine: the server that holds the records counts them and adds them up. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import type { LongWorkOptions } from "../../../core/planning/index.ts";
import { type Place, partNames, type Recipe } from "../../partition/index.ts";
import {
  checkParameters,
  type DatabaseUrl,
  type DialectOptions,
  POSTGRES_LOGIN_PARAMETERS,
  parseDatabaseUrl,
  postgresLogin,
  type SourceDescription,
} from "../../sources/index.ts";
import type { DescribeOptions, Records } from "../engine.ts";
import {
  cutRecordsSql,
  groupsSql,
  placesSql,
  type RecordsQuery,
  troubleSql,
  withoutUserSql,
} from "../pipeline/records.ts";
import { refuseDialect, tableNamed } from "../pipeline/source-checks.ts";
import { memoryBytes, type Purpose, type Reading, SqlEngine } from "../pipeline/sql-engine.ts";
import type { CountedGroups } from "../pipeline/totals.ts";
import { foundInTable } from "../pipeline/trouble.ts";
import { CELLS, mapPlaces } from "./cells.ts";
import { GridNumbers, type Groups, readGroups } from "./counting.ts";
import { Database } from "./database.ts";
import { describeTable, findTable, nameOf } from "./describe-table.ts";
import { dialect } from "./dialect.ts";
import { asEngineError } from "./engine-errors.ts";
import { exchangeOver } from "./exchange.ts";
import { type Table, TableFields } from "./fields.ts";

export class PostgresEngine extends SqlEngine {
  readonly name = "postgres";
  readonly #url: DatabaseUrl;
  readonly #memoryBytes: number;
  #database: Database | undefined;

  private constructor(url: DatabaseUrl, memoryBytes: number) {
    super();
    this.#url = url;
    this.#memoryBytes = memoryBytes;
  }

  /** Connects; `url` names the server and database, each source that is read its table. */
  static async open(
    url: DatabaseUrl,
    /** About as much memory as the server may take for one reading before it spills to disk. */
    { memory = "1GB" }: { readonly memory?: string | undefined } = {},
  ): Promise<PostgresEngine> {
    const engine = new PostgresEngine(url, memoryBytes(memory));
    await engine.inTurn([], {}, () => engine.#connected());
    return engine;
  }

  async describe(
    source: string,
    dialect: DialectOptions = {},
    options: DescribeOptions = {},
  ): Promise<SourceDescription> {
    refuseDialect(dialect);
    return this.inTurn([], options, async () => {
      const database = await this.#connected();
      return database.atOneMoment("READ ONLY", async () => {
        const table = await this.#tableOf(database, source);
        return describeTable(database, { source, table }, options);
      });
    });
  }

  checkTotals(): Promise<void> {
    return this.inTurn([], {}, async () => this.#checkTables(await this.#connected()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database?.[Symbol.asyncDispose]();
  }

  /** Counting and adding up see one moment of the table. Nothing is written but temporary tables, and those only where they are needed. */
  protected async open<Result>(
    { source, recipe }: Records,
    purpose: Purpose,
    options: LongWorkOptions,
    work: (reading: Reading) => Promise<Result>,
  ): Promise<Result> {
    const database = await this.#connected();
    const needsTables = purpose === "totals" || (purpose === "counts" && needsMapping(recipe.place));
    if (needsTables) this.#checkTables(database);
    return database.atOneMoment(needsTables ? "READ WRITE" : "READ ONLY", async () =>
      work(readingOf(database, { table: await this.#tableOf(database, source.source), recipe }, options)),
    );
  }

  protected inOurWords(error: unknown): VeilgridError {
    return asEngineError(error, this.#url.shown);
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
}

/** Whether hexagons are found by coordinates, and not stored. */
function needsMapping(place: Place | null): place is Exclude<Place, { kind: "cell" }> {
  return place !== null && place.kind !== "cell";
}

const HEXAGON = {
  join: ` LEFT JOIN ${CELLS} AS places ON places.latitude = relation.latitude AND places.longitude = relation.longitude`,
  cell: "places.cell",
};

function readingOf(
  database: Database,
  { table, recipe }: { readonly table: Table; readonly recipe: Recipe },
  options: LongWorkOptions,
): Reading {
  const fields = new TableFields(table, recipe);
  const parts = [fields];
  const gridNumbers = new GridNumbers(recipe);
  const exchange = exchangeOver(database, gridNumbers);
  return {
    dialect,
    exchange,
    count: async ({ lattice, thresholds, asked }) => {
      const sent = asked === undefined ? undefined : await exchange.send("asked", asked.columns, options);
      const messages: string[] = [];
      if (needsMapping(recipe.place)) {
        const { resolution } = recipe.place;
        const places = await mapPlaces(
          database,
          { placesSql: placesSql(dialect, { recipe, parts }), resolution },
          options,
        );
        messages.push(
          `${places.toLocaleString("en-US")} distinct places were mapped to hexagons here and sent back to the server; a column that holds cells, named by --cell, would spare that`,
        );
      }
      const hexagon = needsMapping(recipe.place) ? HEXAGON : undefined;
      const query: RecordsQuery = { recipe, parts, lattice, hexagon, asked: sent };
      const sql = groupsSql(dialect, query, thresholds);
      await database.chooseWorkers(sql);
      const numbered = lattice !== undefined;
      const numberedSql = `SELECT row_number() OVER () AS p, grouped.* FROM (${sql}) AS grouped`;
      options.onProgress?.({ step: "reading records", done: 0 });
      const kept = numbered ? await exchange.keep("groups", numberedSql, { ...options, step: "reading records" }) : "";
      const from = numbered ? `SELECT * FROM ${kept}` : sql;
      const groups = await readGroups(database, { from, recipe, asked, numbered, gridNumbers }, options);
      return { counted: countedGroups(groups, kept, query), messages };
    },
    withoutUser: async () => {
      const [row] = await database.rows(withoutUserSql(dialect, { recipe, parts }), [], options);
      return Number(row?.[0]);
    },
    /** A table has no order that a row could be named by: records at fault are counted. */
    find: async (trouble) => {
      if (trouble === "unread") return undefined;
      options.onProgress?.({ step: "finding the records", done: 0 });
      // The first text of those at fault, by bytes.
      const sql = troubleSql(dialect, { recipe, fields, trouble }, { select: (shown) => `count(*), min(${shown})` });
      const [row] = await database.rows(sql, [], options);
      return foundInTable(nameOf(table), row);
    },
  };
}

/** Groups are numbered by p in the server's table, grids by their parts. */
function countedGroups({ user, grid, pair, coded }: Groups, groups: string, query: RecordsQuery): CountedGroups {
  const { recipe } = query;
  const parts = partNames(recipe);
  let rowOf: Uint32Array | undefined;
  return {
    coded,
    groups,
    pair: ["p"],
    grid: parts,
    pairs: ({ users, grids }) => {
      const gridCount = coded.grids.length;
      const at = new Map(Array.from(users, (code, index) => [code * gridCount + grids[index]!, index]));
      const values = new Uint32Array(users.length);
      for (const [row, code] of user.entries()) {
        const index = at.get(code * gridCount + grid[row]!);
        if (index !== undefined) values[index] = pair[row]!;
      }
      return [{ name: "p", type: "count", values }];
    },
    codes: ([numbers]) => {
      rowOf ??= rowsByNumber(pair);
      const rows = numbers!.map((p) => rowOf![p]!);
      return { users: rows.map((row) => user[row]!), grids: rows.map((row) => grid[row]!) };
    },
    cutSql: (decided) =>
      `SELECT p, usr, ${parts.join(", ")}, n AS m, kept_and_one - 1 AS c FROM ${groups} JOIN ${decided} USING (p) WHERE kept_and_one > 1`,
    cutRecordsSql: (cut) => cutRecordsSql(dialect, query, { pair: "p", cut }),
  };
}

/** Groups are numbered from 1 without a gap. */
function rowsByNumber(pair: Uint32Array): Uint32Array {
  const rowOf = new Uint32Array(pair.length + 1);
  pair.forEach((p, row) => {
    rowOf[p] = row;
  });
  return rowOf;
}
