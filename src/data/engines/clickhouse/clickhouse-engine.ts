/** The ClickHouse engine: one table of a server, or of the cluster behind it, over HTTP. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import type { LongWorkOptions } from "../../../core/planning/index.ts";
import type { Recipe } from "../../partition/index.ts";
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
import { type Purpose, type Reading, SqlEngine } from "../pipeline/sql-engine.ts";
import { BY_NUMBERS, type CountedGroups, mostRecords } from "../pipeline/totals.ts";
import { foundInTable, TROUBLES, type Trouble } from "../pipeline/trouble.ts";
import { type CodedGroups, codeGroups, readCoded } from "./counting.ts";
import { arraysSql, cutSql, joinedToCut } from "./cut.ts";
import { Database } from "./database.ts";
import { describeTable, findTable, type KnownTable } from "./describe-table.ts";
import { dialectWith, identifier, type Names } from "./dialect.ts";
import { asEngineError, isTrouble } from "./engine-errors.ts";
import type { RecordsQuery } from "./fields.ts";
import type { NativeColumn } from "./native-format.ts";
import { mapPoints } from "./points.ts";
import {
  clocksSql,
  gridKeys,
  groupsSql,
  type KeyColumn,
  plainRelation,
  recordsRelation,
  troubleSql,
  withoutUserSql,
} from "./records.ts";
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
      const table = await findTable(this.#database, url);
      return await work(readingOf(this.#database, table, records.recipe, options));
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
    return recordsChanged();
  }
}

function recordsChanged(): VeilgridError {
  return new VeilgridError("PLAN_MISMATCH", "the records changed while they were read; try again");
}

function addressIn(source: string): DatabaseUrl {
  const url = parseDatabaseUrl(source);
  if (url?.kind !== "clickhouse")
    throw new VeilgridError("USAGE", `${quoteForMessage(source)} is no address of a ClickHouse table`);
  return url;
}

function readingOf(database: Database, table: KnownTable, recipe: Recipe, options: LongWorkOptions): Reading {
  const { names } = table;
  const { geoToH3, windowFunctions } = database.capabilities;
  const dialect = dialectWith(names);
  const exchange = exchangeOver(database, names);
  const counts: RecordsQuery = { table, recipe, lattice: undefined, geoToH3, points: undefined, clocks: undefined };

  async function clocks(): Promise<RecordsQuery["clocks"]> {
    if (recipe.time === null || recipe.time.zone.transitions.length <= FEW_TRANSITIONS) return undefined;
    const step = "finding the first and last time";
    const [row] = await database.rows(clocksSql(counts), { ...options, step });
    const [from, to, count] = (row ?? []).map(String);
    return Number(count) === 0 ? { from: 0n, to: 0n } : { from: BigInt(from ?? 0), to: BigInt(to ?? 0) };
  }

  function countedGroups(
    query: RecordsQuery,
    { tables }: CodedGroups,
    { coded, areWhole }: Pick<CountedGroups, "coded"> & { readonly areWhole: boolean },
  ): CountedGroups {
    // Groups that are cut are of the grids that are asked for.
    const all = { ...query, asked: undefined };
    const base = recordsRelation(all);
    const within = (cut: string) => plainRelation(all, recordsRelation(all, cut));
    return {
      coded,
      groups: identifier(tables.coded),
      ...BY_NUMBERS,
      cutSql: (decided) => {
        checkRankable(mostRecords(coded));
        return cutSql(query, { tables, decided, keys: base.keys });
      },
      cutRecordsSql: (cut) => {
        const columns = ["u", "g", "m", "c", "instant", "i"].map(names);
        return `SELECT ${columns.join(", ")} FROM ${joinedToCut(all, within(cut), cut)}`;
      },
      keepCutSums: async (cut, request) => {
        const staysOnShards = areWhole && recipe.dedupe === null && base.isOpen;
        if (windowFunctions && !staysOnShards) return undefined;
        const sql = arraysSql({ query: all, relation: staysOnShards ? base : within(cut), cut }, request);
        const settings = staysOnShards ? UNMERGED : {};
        const step = "reading capped records";
        return identifier(await database.keep("cut_sums", sql, { ...options, settings, step }));
      },
    };
  }

  return {
    dialect,
    exchange,
    /** Counts and adds up per user and grid, on the shards where that is enough. */
    count: async ({ lattice, thresholds, asked }) => {
      const timed = { ...counts, lattice, clocks: await clocks() };
      const { points, messages } = await mapPoints(database, timed, options);
      const placed = { ...timed, points };
      const { keys } = recordsRelation(placed);
      const query =
        asked === undefined
          ? placed
          : { ...placed, asked: await exchange.send("asked", askedColumns(keys, asked), options) };
      const sums =
        lattice === undefined
          ? []
          : sumParts(dialect, { lattice, thresholds }).flatMap(({ name }) => (name === "n" ? "n_outside" : name));
      const reading = { recipe, names, keys, sums, asked };
      const isSharded = recipe.dedupe === null && isShardedBy(table.engine, recipe.user);
      for (const areWhole of isSharded ? [true, false] : [false]) {
        const settings = areWhole ? UNMERGED : {};
        const step = "reading records";
        const groups = await database.keep("groups", groupsSql(query, thresholds), { ...options, settings, step });
        // A user's rows may lie where the key would not put them: then a group comes from two shards, and shards must be merged.
        const found = await codeGroups(database, reading, { groups, mayRepeat: areWhole }, options);
        if (found === undefined) continue;
        const coded = await readCoded(database, reading, found, options);
        return { counted: countedGroups(query, found, { coded, areWhole }), messages };
      }
      throw recordsChanged();
    },
    withoutUser: async () => {
      const [row] = await database.rows(withoutUserSql(counts), options);
      return Number(row?.[0]);
    },
    /** A table has no order that a row could be named by: records at fault are counted. */
    find: async (trouble) => {
      const sql = troubleSql(counts, trouble);
      const [found] = sql === undefined ? [] : await database.rows(sql, { signal: options.signal });
      return foundInTable(table.name, found);
    },
  };
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
  return gridKeys(keys).map(({ name: key }): SentColumn => {
    const name = `asked_${key}`;
    const { type, values } = named.get(key) ?? named.get(key.replace(/_null$/, ""))!;
    if (type === "integer") {
      const nowhere = key === "cell" ? 0n : NO_TIME;
      return { name, type, values: values.map((value) => value ?? nowhere) };
    }
    if (named.has(key)) return { name, type: "text", values: (values as string[]).map((value) => value ?? "") };
    return { name, type: "count", values: Uint32Array.from(values as string[], (value) => Number(value === null)) };
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
      const from = identifier(await database.keep("sums", sql, options));
      const columns = [names("g"), ...sums.map((name) => `toUInt64(${names(name)})`)];
      await database.read({ columns, from, rows: await database.count(from) }, ([codes, ...read], rows) => {
        for (let row = 0; row < rows; row++)
          take(
            (codes as Uint32Array)[row]!,
            read.map((column) => (column as BigUint64Array)[row]!),
          );
      });
    },
    readColumns: async ({ from, counts, integers }, take, options) => {
      const columns = [...counts.map((sql) => `toUInt32(${sql})`), ...integers.map((sql) => `toUInt64(${sql})`)];
      const rows = await database.count(from, options);
      await database.read(
        { columns, from, rows },
        (read) =>
          take({
            counts: read.slice(0, counts.length) as Uint32Array[],
            integers: read.slice(counts.length) as BigUint64Array[],
          }),
        options,
      );
    },
  };
}

function nativeColumn(column: SentColumn): NativeColumn {
  if (column.type === "count") return column.values;
  if (column.type === "integer") return BigInt64Array.from(column.values, (value) => value ?? 0n);
  return column.values.map((value) => value ?? "");
}
