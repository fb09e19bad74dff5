/** The ClickHouse engine: one table of a server, or of the cluster behind it, over HTTP. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import type { LongWorkOptions } from "../../../core/planning/index.ts";
import {
  type DatabaseUrl,
  type DialectOptions,
  parseDatabaseUrl,
  type SourceDescription,
} from "../../sources/index.ts";
import type { DescribeOptions, Records } from "../engine.ts";
import type { AskedGrids } from "../pipeline/asked-grids.ts";
import type { Exchange, SentColumn } from "../pipeline/exchange.ts";
import { NO_TIME, sumParts } from "../pipeline/formulas.ts";
import { refuseDialect } from "../pipeline/source-checks.ts";
import { type CountRequest, type Purpose, type Reading, SqlEngine } from "../pipeline/sql-engine.ts";
import { type CountedGroups, mostRecords } from "../pipeline/totals.ts";
import { inSoManyRecords, TROUBLES, type Trouble } from "../pipeline/trouble.ts";
import { type CodedGroups, codeGroups, readCoded } from "./counting.ts";
import { arraysSql, cutSql, joinedToCut } from "./cut.ts";
import { Database } from "./database.ts";
import { describeTable, findTable, type KnownTable } from "./describe-table.ts";
import { dialectWith, identifier, type Names } from "./dialect.ts";
import { asEngineError, isTrouble } from "./engine-errors.ts";
import type { NativeColumn } from "./native-format.ts";
import { mapPoints } from "./points.ts";
import type { KeyColumn } from "./record.ts";
import {
  clocksSql,
  gridKeys,
  groupsSql,
  plainRelation,
  recordsRelation,
  troubleSql,
  withoutUserSql,
} from "./records.ts";
import type { RecordsQuery } from "./records-query.ts";
import { isShardedBy } from "./sharding.ts";
import { FEW_TRANSITIONS } from "./time.ts";

/** Shards answer for themselves: no group lies on two of them. */
const UNMERGED = { distributed_group_by_no_merge: "1" };

export class ClickHouseEngine extends SqlEngine {
  readonly name = "clickhouse";
  readonly #database: Database;

  /** Over a database that is open; it is closed with the engine. */
  constructor(database: Database) {
    super();
    this.#database = database;
  }

  static async open(url: DatabaseUrl): Promise<ClickHouseEngine> {
    return new ClickHouseEngine(await Database.open(url));
  }

  async describe(
    source: string,
    dialect: DialectOptions = {},
    { sampled, ...options }: DescribeOptions = {},
  ): Promise<SourceDescription> {
    refuseDialect(dialect);
    const url = addressIn(source);
    return this.inTurn([source], options, async () =>
      describeTable(this.#database, { source, sampled }, await findTable(this.#database, url)),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database[Symbol.asyncDispose]();
  }

  protected async open<Result>(
    records: Records,
    _purpose: Purpose,
    options: LongWorkOptions,
    work: (reading: Reading) => Promise<Result>,
  ): Promise<Result> {
    const url = addressIn(records.source.source);
    try {
      await this.#database.begin(options);
      return await work(new TableReading(this.#database, await findTable(this.#database, url), records, options));
    } finally {
      // An engine may be kept for long; sums of values are not.
      await this.#database.clear();
    }
  }

  protected inOurWords(error: unknown, [source]: readonly string[]): VeilgridError {
    return asEngineError(error, parseDatabaseUrl(source ?? "")?.shown ?? this.#database.shown);
  }

  /** Servers do not say which of the conditions of a query failed it. */
  protected override troublesIn(error: unknown): ReadonlyArray<Trouble | "unread"> {
    return isTrouble(error) ? [...TROUBLES, "unread"] : [];
  }

  protected override nothingFound(): VeilgridError {
    return new VeilgridError("PLAN_MISMATCH", "the records changed while they were read; try again");
  }
}

function addressIn(source: string): DatabaseUrl {
  const url = parseDatabaseUrl(source);
  if (url?.kind !== "clickhouse")
    throw new VeilgridError("USAGE", `${quoteForMessage(source)} is no address of a ClickHouse table`);
  return url;
}

class TableReading implements Reading {
  readonly dialect: Reading["dialect"];
  readonly exchange: Exchange;
  readonly #database: Database;
  readonly #table: KnownTable;
  readonly #recipe: Records["recipe"];
  readonly #options: LongWorkOptions;

  constructor(database: Database, table: KnownTable, { recipe }: Records, options: LongWorkOptions) {
    this.dialect = dialectWith(table.names);
    this.exchange = exchangeOver(database, table.names);
    this.#database = database;
    this.#table = table;
    this.#recipe = recipe;
    this.#options = options;
  }

  /** Counts and adds up per user and grid, on the shards where that is enough. */
  async count({
    lattice,
    thresholds,
    asked,
  }: CountRequest): Promise<{ counted: CountedGroups; messages: readonly string[] }> {
    const database = this.#database;
    const options = this.#options;
    const recipe = this.#recipe;
    const table = this.#table;
    const timed = { ...this.#query(lattice), clocks: await this.#clocks() };
    const { points, messages } = await mapPoints(database, timed, options);
    const placed = { ...timed, points };
    const { keys } = recordsRelation(placed);
    const query =
      asked === undefined
        ? placed
        : { ...placed, asked: await this.exchange.send("asked", askedColumns(keys, asked), options) };
    const sums =
      lattice === undefined
        ? []
        : sumParts(this.dialect, { lattice, thresholds }).flatMap(({ name }) => (name === "n" ? "n_outside" : name));
    const reading = { recipe, names: table.names, keys, sums, asked };
    const isSharded = recipe.dedupe === null && isShardedBy(table.engine, recipe.user);
    for (const groupsAreWhole of isSharded ? [true, false] : [false]) {
      const settings = groupsAreWhole ? UNMERGED : {};
      const step = "reading records";
      const groups = await database.keep("groups", groupsSql(query, thresholds), { ...options, settings, step });
      // A user's rows may lie where the key would not put them: then a group comes from two shards, and shards must be merged.
      const found = await codeGroups(database, { ...reading, groups, mayRepeat: groupsAreWhole }, options);
      if (found === undefined) continue;
      const coded = await readCoded(database, reading, found, options);
      return { counted: { coded, ...this.#counted(query, found, groupsAreWhole, coded) }, messages };
    }
    throw new VeilgridError("PLAN_MISMATCH", "the records changed while they were read; try again");
  }

  async withoutUser(): Promise<number> {
    const [row] = await this.#database.rows(withoutUserSql(this.#query(undefined)), this.#options);
    return Number(row?.[0]);
  }

  /** A table has no order that a row could be named by: records at fault are counted. */
  async find(trouble: Trouble | "unread"): Promise<{ where: string; shown: string } | undefined> {
    const sql = troubleSql(this.#query(undefined), trouble);
    const [found] = sql === undefined ? [] : await this.#database.rows(sql, { signal: this.#options.signal });
    const count = Number(found?.[0] ?? 0);
    if (count === 0) return undefined;
    return {
      where: `table ${quoteForMessage(this.#table.name)}, ${inSoManyRecords(count)}`,
      shown: String(found?.[1]),
    };
  }

  #query(lattice: RecordsQuery["lattice"]): RecordsQuery {
    const { geoToH3 } = this.#database.capabilities;
    return { table: this.#table, recipe: this.#recipe, lattice, geoToH3, points: undefined, clocks: undefined };
  }

  async #clocks(): Promise<RecordsQuery["clocks"]> {
    const { time } = this.#recipe;
    if (time === null || time.zone.transitions.length <= FEW_TRANSITIONS) return undefined;
    const step = "finding the first and last time";
    const [row] = await this.#database.rows(clocksSql(this.#query(undefined)), { ...this.#options, step });
    const [from, to, count] = (row ?? []).map(String);
    return Number(count) === 0 ? { from: 0n, to: 0n } : { from: BigInt(from ?? 0), to: BigInt(to ?? 0) };
  }

  #counted(
    query: RecordsQuery,
    { tables }: CodedGroups,
    groupsAreWhole: boolean,
    coded: CountedGroups["coded"],
  ): Omit<CountedGroups, "coded"> {
    const { names } = this.#table;
    // Groups that are cut are of the grids that are asked for.
    const all = { ...query, asked: undefined };
    const base = recordsRelation(all);
    const within = (cut: string) => plainRelation(all, recordsRelation(all, { table: cut }));
    return {
      groups: identifier(tables.coded),
      pair: ["u", "g"],
      grid: ["g"],
      pairs: ({ users, grids }) => [
        { name: "u", type: "count", values: users },
        { name: "g", type: "count", values: grids },
      ],
      cutSql: (decided) => {
        checkRankable(mostRecords(coded));
        return cutSql(query, { tables, decided, keys: base.keys });
      },
      cutRecordsSql: (cut) => {
        const columns = ["u", "g", "m", "c", "instant", "i"].map(names);
        return `SELECT ${columns.join(", ")} FROM ${joinedToCut(all, within(cut), cut)}`;
      },
      keepCutSums: async (cut, request) => {
        const staysOnShards = groupsAreWhole && this.#recipe.dedupe === null && base.isOpen;
        if (this.#database.capabilities.windowFunctions && !staysOnShards) return undefined;
        const sql = arraysSql({ query: all, relation: staysOnShards ? base : within(cut), cut }, request);
        const settings = staysOnShards ? UNMERGED : {};
        const step = "reading capped records";
        return identifier(await this.#database.keep("cut_sums", sql, { ...this.#options, settings, step }));
      },
    };
  }
}

/** 2·c·(r + 1) and (2i + 1)·m stay below 2⁶³ for groups of fewer records, which is what ranks are worked out in. */
const MOST_RANKED = 2 ** 30;

function checkRankable(most: number): void {
  if (most < MOST_RANKED) return;
  throw new VeilgridError(
    "ENGINE_UNSUPPORTED",
    `a user has ${MOST_RANKED.toLocaleString("en-US")} records or more in one grid, too many to be ranked; make grids smaller, or plan without caps and trims`,
  );
}

/** The grids that are asked for, a column `asked_by0`, … for each key of a grid and none of them null. */
function askedColumns(keys: readonly KeyColumn[], { columns }: AskedGrids): SentColumn[] {
  const named = new Map(columns.map((column) => [column.name, column]));
  return gridKeys(keys).flatMap(({ name }): SentColumn[] => {
    const own = named.get(name);
    const part = named.get(name.replace(/_null$/, ""));
    if (own?.type === "integer") {
      const nowhere = name === "cell" ? 0n : NO_TIME;
      return [{ name: `asked_${name}`, type: "integer", values: own.values.map((value) => value ?? nowhere) }];
    }
    if (own?.type === "text")
      return [{ name: `asked_${name}`, type: "text", values: own.values.map((value) => value ?? "") }];
    if (part?.type !== "text") return [];
    return [
      {
        name: `asked_${name}`,
        type: "count",
        values: Uint32Array.from(part.values, (value) => Number(value === null)),
      },
    ];
  });
}

/** By temporary tables of the session. */
function exchangeOver(database: Database, names: Names): Exchange {
  return {
    send: async (table, columns, options) => {
      const sent = columns.map((column) => ({ name: names(column.name), values: nativeColumn(column) }));
      return identifier(await database.upload(table, sent, options));
    },
    keep: async (table, sql, options) => identifier(await database.keep(table, sql, options)),
    readSums: async ({ sql, names: sums }, take, options) => {
      const table = await database.keep("sums", sql, options);
      const columns = [names("g"), ...sums.map((name) => `toUInt64(${names(name)})`)];
      await database.read({ columns, table, rows: await database.count(table) }, ([codes, ...read], rows) => {
        for (let row = 0; row < rows; row++)
          take(
            (codes as Uint32Array)[row]!,
            read.map((column) => (column as BigUint64Array)[row]!),
          );
      });
    },
  };
}

function nativeColumn(column: SentColumn): NativeColumn {
  if (column.type === "count") return column.values;
  if (column.type === "integer") return BigInt64Array.from(column.values, (value) => value ?? 0n);
  return column.values.map((value) => value ?? "");
}
