/** The distributed engine: ClickHouse over HTTP, one table of a server or of a cluster behind it. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { inputLattice, type LongWorkOptions, type Plan, throwIfCancelled } from "../../../core/planning/index.ts";
import {
  type DatabaseUrl,
  type DialectOptions,
  parseDatabaseUrl,
  type SourceDescription,
} from "../../sources/index.ts";
import { type AskedGrids, askedGrids } from "../asked-grids.ts";
import { checkColumns } from "../check-columns.ts";
import type { CodedOccupancy } from "../coded-occupancy.ts";
import type { DescribeOptions, Engine, OccupancyReading, Records, TotalsReading, TotalsRequest } from "../engine.ts";
import { checkSameCounts, checkSameReading } from "../plan-fits.ts";
import { refuseDialect } from "../table-source.ts";
import { describeTrouble, inSoManyRecords, TROUBLES } from "../trouble.ts";
import { Turns } from "../turns.ts";
import { uploadAsked } from "./asked-table.ts";
import { Database } from "./database.ts";
import { describeTable, findTable, type KnownTable } from "./describe-table.ts";
import { asEngineError, isTrouble } from "./engine-errors.ts";
import { type CodedTables, codeGroups, readCoded } from "./occupancy-reader.ts";
import { mapPoints } from "./points.ts";
import { clocksSql, troubleSql, withoutUserSql } from "./questions-sql.ts";
import type { RecordsQuery } from "./records-query.ts";
import { groupsSql, recordsRelation } from "./records-sql.ts";
import { isShardedBy } from "./sharding.ts";
import { addUp } from "./totals.ts";
import { FEW_TRANSITIONS } from "./zone-window.ts";

/** What counting leaves behind on the server, and what it found. */
interface Counted {
  readonly query: RecordsQuery;
  readonly coded: CodedOccupancy;
  readonly tables: CodedTables;
  readonly groupsAreWhole: boolean;
  readonly messages: readonly string[];
}

export class ClickHouseEngine implements Engine {
  readonly name = "clickhouse";
  readonly #turns = new Turns();
  readonly #database: Database;

  /** Over a database that is open; it is closed with the engine. */
  constructor(database: Database) {
    this.#database = database;
  }

  static async open(url: DatabaseUrl): Promise<ClickHouseEngine> {
    return new ClickHouseEngine(await Database.open(url));
  }

  async describe(
    source: string,
    dialect: DialectOptions = {},
    { sampled }: DescribeOptions = {},
  ): Promise<SourceDescription> {
    refuseDialect(dialect);
    const url = addressIn(source);
    return this.#turns.take(async () => {
      try {
        return await describeTable(this.#database, { source, sampled }, await findTable(this.#database, url));
      } catch (error) {
        throw asEngineError(error, url.shown);
      }
    });
  }

  async readOccupancy(records: Records, options: LongWorkOptions = {}): Promise<OccupancyReading> {
    checkColumns(records);
    return this.#reading(records, options, async (table) => {
      const { coded, query, messages } = await this.#count(this.#query(table, records, undefined), {}, options);
      const { occupancy, notes } = coded;
      const said = messages.length === 0 ? {} : { messages };
      if (records.recipe.emptyUser !== "drop") return { occupancy, notes, ...said };
      const [leftOut] = await this.#database.rows(withoutUserSql(query), options);
      return { occupancy, notes: { ...notes, withoutUser: Number(leftOut![0]) }, ...said };
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
    const lattice = inputLattice(plan.objective.bounds, plan.latticeStep);
    const asked = askedGrids(records.recipe, plan, request.only);
    return this.#reading(records, options, async (table) => {
      const query = this.#query(table, records, lattice);
      const counted = await this.#count(query, { thresholds: request.thresholds ?? [], asked }, options);
      checkSameCounts(counted.coded.occupancy, plan, asked);
      return addUp(this.#database, { ...counted, plan, request, asked }, options);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database[Symbol.asyncDispose]();
  }

  #query(table: KnownTable, { recipe }: Records, lattice: RecordsQuery["lattice"]): RecordsQuery {
    const { geoToH3 } = this.#database.capabilities;
    return { table, recipe, lattice, geoToH3, points: undefined, clocks: undefined };
  }

  /** Counts and adds up per user and grid, on the shards where that is enough. */
  async #count(
    wanted: RecordsQuery,
    { thresholds, asked }: { readonly thresholds?: readonly bigint[]; readonly asked?: AskedGrids | undefined },
    options: LongWorkOptions,
  ): Promise<Counted> {
    const timed = { ...wanted, clocks: await this.#clocks(wanted, options) };
    const { points, messages } = await mapPoints(this.#database, timed, options);
    const placed = { ...timed, points };
    const { recipe, table } = placed;
    const reading = { recipe, names: table.names, keys: recordsRelation(placed).keys, thresholds, asked };
    const query =
      asked === undefined ? placed : { ...placed, asked: await uploadAsked(this.#database, reading, asked, options) };
    const isSharded = recipe.dedupe === null && isShardedBy((table as KnownTable).engine, recipe.user);
    for (const groupsAreWhole of isSharded ? [true, false] : [false]) {
      const settings = groupsAreWhole ? { distributed_group_by_no_merge: "1" } : {};
      const groups = await this.#database.keep("groups", groupsSql(query, thresholds ?? []), {
        ...options,
        settings,
        step: "reading records",
      });
      // A user's rows may lie where the key would not put them: then a group comes from two shards, and shards must be merged.
      const found = await codeGroups(this.#database, { ...reading, groups, mayRepeat: groupsAreWhole }, options);
      if (found === undefined) continue;
      const coded = await readCoded(this.#database, reading, found, options);
      return { query, coded, tables: found.tables, groupsAreWhole, messages };
    }
    throw new VeilgridError("PLAN_MISMATCH", "the records changed while they were read; try again");
  }

  async #clocks(query: RecordsQuery, options: LongWorkOptions): Promise<RecordsQuery["clocks"]> {
    const { time } = query.recipe;
    if (time === null || time.zone.transitions.length <= FEW_TRANSITIONS) return undefined;
    const [row] = await this.#database.rows(clocksSql(query), { ...options, step: "finding the first and last time" });
    const [from, to, count] = row!;
    return Number(count) === 0 ? { from: 0n, to: 0n } : { from: BigInt(String(from)), to: BigInt(String(to)) };
  }

  /** Whatever goes wrong comes out in our words, and nothing stays behind. */
  #reading<Result>(
    records: Records,
    options: LongWorkOptions,
    work: (table: KnownTable) => Promise<Result>,
  ): Promise<Result> {
    return this.#turns.take(async () => {
      const url = addressIn(records.source.source);
      let table: KnownTable | undefined;
      try {
        throwIfCancelled(options.signal);
        await this.#database.begin(options);
        table = await findTable(this.#database, url);
        return await work(table);
      } catch (error) {
        throwIfCancelled(options.signal);
        throw await this.#explain(error, records, { url, table, options });
      } finally {
        // An engine may be kept for long; sums of values are not.
        await this.#database.clear();
      }
    });
  }

  /** Whatever went wrong, also while looking for what went wrong, in our words. */
  async #explain(
    error: unknown,
    records: Records,
    { url, table, options }: { url: DatabaseUrl; table: KnownTable | undefined; options: LongWorkOptions },
  ): Promise<VeilgridError> {
    try {
      return table !== undefined && isTrouble(error)
        ? await this.#locate(records, table, options)
        : asEngineError(error, url.shown);
    } catch (another) {
      return asEngineError(another, url.shown);
    }
  }

  /** Says how many records are at fault: a table has no order that a row could be named by. A protected column's text is not in the message. */
  async #locate(records: Records, table: KnownTable, { signal }: LongWorkOptions): Promise<VeilgridError> {
    const query = this.#query(table, records, undefined);
    for (const trouble of [...TROUBLES, "unread"] as const) {
      const sql = troubleSql(query, trouble);
      const [found] = sql === undefined ? [] : await this.#database.rows(sql, { signal });
      const count = Number(found?.[0] ?? 0);
      if (count === 0) continue;
      const where = `table ${quoteForMessage(table.name)}, ${inSoManyRecords(count)}`;
      if (trouble !== "unread") return describeTrouble(records, trouble, { where, shown: String(found![1]) });
      return new VeilgridError(
        "ENGINE_UNSUPPORTED",
        `${where}: a number of more than 15 digits, which this server cannot read exactly from text or a decimal; store it as Float64`,
      );
    }
    return new VeilgridError("PLAN_MISMATCH", "the records changed while they were read; try again");
  }
}

function addressIn(source: string): DatabaseUrl {
  const url = parseDatabaseUrl(source);
  if (url?.kind !== "clickhouse")
    throw new VeilgridError("USAGE", `${quoteForMessage(source)} is no address of a ClickHouse table`);
  return url;
}
