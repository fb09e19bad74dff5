/** Exact totals under a plan: whole groups added up as they are, cut ones record by record in the order of section 5. */
import { VeilgridError } from "../../../core/errors/index.ts";
import type { LongWorkOptions, Plan } from "../../../core/planning/index.ts";
import type { AskedGrids } from "../asked-grids.ts";
import type { CodedOccupancy } from "../coded-occupancy.ts";
import { type Decisions, decisionsOf } from "../decisions.ts";
import type { TotalsReading, TotalsRequest } from "../engine.ts";
import { checkUnchanged } from "../plan-fits.ts";
import { totalsReading } from "../totals-reading.ts";
import { arraysSql, type CutWork, cutSql, windowSql } from "./cut-sql.ts";
import type { Database } from "./database.ts";
import type { CodedTables } from "./occupancy-reader.ts";
import type { RecordsQuery } from "./records-query.ts";
import { plainRelation, recordsRelation } from "./records-sql.ts";
import { FIRST_32_BITS, identifier, type Names, not, unsigned } from "./sql-text.ts";

export interface TotalsWork {
  readonly query: RecordsQuery;
  readonly plan: Plan;
  readonly coded: CodedOccupancy;
  readonly tables: CodedTables;
  readonly request: TotalsRequest;
  readonly asked: AskedGrids | undefined;
  /** Whether no group lies on two shards. */
  readonly groupsAreWhole: boolean;
}

/** 2·c·(r + 1) and (2i + 1)·m stay below 2⁶³ for groups of fewer records, which is what ranks are worked out in. */
const MOST_RANKED = 2 ** 30;

export async function addUp(database: Database, work: TotalsWork, options: LongWorkOptions): Promise<TotalsReading> {
  const { plan, coded, request } = work;
  const decisions = decisionsOf(coded, plan, work.asked);
  checkRankable(coded, decisions);
  const { names } = work.query.table;
  const decided = await database.upload(
    "decisions",
    [
      { name: names("u"), values: decisions.users },
      { name: names("g"), values: decisions.grids },
      { name: names("kept"), values: decisions.kept },
    ],
    options,
  );
  const chosen = await database.upload("chosen", [{ name: names("g"), values: decisions.chosen }], options);
  const whole = await database.keep("whole", wholeSql(work, decisions, { decided, chosen }), {
    ...options,
    step: "adding up",
  });
  const sums = new Map<number, bigint[]>();
  const doubledClampedSums = new Map<number, bigint>();
  let clampedValues = 0;
  await readSums(database, work, { table: whole, columns: wholeColumns(work) }, (g, sumOf) => {
    sums.set(g, totalsIn(sumOf, work));
    clampedValues += Number(sumOf("out"));
    if (request.clampedSums)
      doubledClampedSums.set(g, work.query.lattice!.steps * sumOf("all") + sumOf("up") - sumOf("down"));
  });
  if (decisions.cut > 0) {
    let seen = 0;
    const cut = await cutTotals(database, work, decided, options);
    await readSums(database, work, { table: cut, columns: cutColumns(work) }, (g, sumOf) => {
      const kept = totalsIn(sumOf, work);
      sums.set(
        g,
        kept.map((sum, at) => sum + (sums.get(g)?.[at] ?? 0n)),
      );
      seen += Number(sumOf("seen"));
    });
    checkUnchanged(seen, decisions.recordsCut);
  }
  return totalsReading(
    { sums, doubledClampedSums: request.clampedSums ? doubledClampedSums : undefined, clampedValues },
    { coded, decisions, request },
  );
}

/** n, Σ i, Σ i² and one count for each threshold. */
function totalsIn(sumOf: (name: string) => bigint, work: TotalsWork): bigint[] {
  return [sumOf("n"), sumOf("s"), sumOf("q_low") + sumOf("q_high") * 2n ** 32n, ...countNames(work).map(sumOf)];
}

function checkRankable({ occupancy }: CodedOccupancy, { cut }: Decisions): void {
  if (cut === 0 || !occupancy.byUser.count.some((count) => count >= MOST_RANKED)) return;
  throw new VeilgridError(
    "ENGINE_UNSUPPORTED",
    `a user has ${MOST_RANKED.toLocaleString("en-US")} records or more in one grid, too many to be ranked; make grids smaller, or plan without caps and trims`,
  );
}

/** A column of sums by grid. Counts stay below 2⁵³; others come in halves of 32 bits, whose sums over 2³² groups stay below 2⁶⁴. */
interface SumColumn {
  readonly name: string;
  readonly isHalved: boolean;
}

const VALUE_SUMS: readonly SumColumn[] = ["s", "q_low", "q_high"].map((name) => ({ name, isHalved: true }));
const count = (name: string): SumColumn => ({ name, isHalved: false });

function countNames({ request }: Pick<TotalsWork, "request">): string[] {
  return (request.thresholds ?? []).map((_, index) => `c${index}`);
}

function groupSums(work: TotalsWork): SumColumn[] {
  return [count("n"), ...countNames(work).map(count), ...VALUE_SUMS];
}

function wholeColumns(work: TotalsWork): SumColumn[] {
  const clamped = [count("all"), { name: "up", isHalved: true }, { name: "down", isHalved: true }];
  return [...groupSums(work), count("out"), ...(work.request.clampedSums ? clamped : [])];
}

function cutColumns(work: TotalsWork): SumColumn[] {
  return [...groupSums(work), count("seen")];
}

/** What a column of sums goes by in the table of them. */
function sumNames({ name, isHalved }: SumColumn): string[] {
  return isHalved ? [`sum_${name}_low`, `sum_${name}_high`] : [`sum_${name}`];
}

function sumSql(
  column: SumColumn,
  { of, condition, names }: { of: string; condition?: string | undefined; names: Names },
): string[] {
  const sum = (each: string): string => (condition === undefined ? `sum(${each})` : `sumIf(${each}, ${condition})`);
  const parts = column.isHalved ? [`bitAnd(${of}, ${FIRST_32_BITS})`, `bitShiftRight(${of}, 32)`] : [of];
  return sumNames(column).map((name, at) => `${sum(parts[at]!)} AS ${names(name)}`);
}

/**
 * Sums by grid over the groups that are kept whole, and over all groups what the curator and centred means need:
 * Σ clamp(2s, N(m − Γ), N(m + Γ)) is N·Σ m plus what sums are above the middle less what they are below it, each at most N·Γ. In
 * 64 bits without a sign: 0 ≤ s ≤ N·m < 2⁶⁴.
 */
function wholeSql(
  work: TotalsWork,
  { users }: Decisions,
  { decided, chosen }: { decided: string; chosen: string },
): string {
  const { names } = work.query.table;
  const v = names;
  const steps = unsigned(work.query.lattice!.steps);
  const hasDecisions = users.length > 0;
  const isWhole = hasDecisions ? not(v("decided")) : undefined;
  const keeping = hasDecisions ? `if(${v("decided")}, toUInt64(${v("kept")}), ${v("n")})` : v("n");
  // A difference has a sign for the server, its bits are right without.
  const difference = (more: string, less: string): string => `toUInt64(${more} - ${less})`;
  const below = difference(`${v("n")} * ${steps}`, v("s"));
  const excess = (more: string, less: string): string =>
    `if(${more} > ${less}, ${difference(more, less)}, ${unsigned(0n)})`;
  const held = (amount: string): string => `least(${amount}, ${keeping} * ${steps})`;
  const ofAll: Readonly<Record<string, string>> = {
    out: v("out"),
    all: v("n"),
    up: held(excess(v("s"), below)),
    down: held(excess(below, v("s"))),
  };
  const columns = wholeColumns(work).flatMap((column) => {
    const of = ofAll[column.name];
    return sumSql(column, of === undefined ? { of: v(column.name), condition: isWhole, names } : { of, names });
  });
  const coded = identifier(work.tables.coded);
  const from = hasDecisions
    ? `${coded} ANY LEFT JOIN (SELECT ${v("u")}, ${v("g")}, ${v("kept")}, toUInt8(1) AS ${v("decided")} FROM ${identifier(decided)}) USING (${v("u")}, ${v("g")})`
    : coded;
  return `SELECT ${v("g")}, ${columns.join(", ")} FROM ${from} WHERE ${v("g")} IN (SELECT ${v("g")} FROM ${identifier(chosen)}) GROUP BY ${v("g")}`;
}

/** Totals of the groups that are cut but not dropped, and how many records they had; the table they are in. */
async function cutTotals(
  database: Database,
  work: TotalsWork,
  decided: string,
  options: LongWorkOptions,
): Promise<string> {
  // Groups that are cut are of the grids that are asked for.
  const query: RecordsQuery = { ...work.query, asked: undefined };
  const { names } = query.table;
  const base = recordsRelation(query);
  const cutting: CutWork = { query, keep: work.plan.keep, thresholds: work.request.thresholds ?? [] };
  const { tables } = work;
  const cut = await database.keep("cut", cutSql(cutting, { tables, decided }, base.keys), options);
  const staysOnShards = work.groupsAreWhole && query.recipe.dedupe === null && base.isOpen;
  const sql =
    database.capabilities.windowFunctions && !staysOnShards
      ? windowSql(cutting, plainRelation(query, recordsRelation(query, { table: cut })), cut)
      : arraysSql(cutting, staysOnShards ? base : plainRelation(query, recordsRelation(query, { table: cut })), cut);
  const settings = staysOnShards ? { distributed_group_by_no_merge: "1" } : {};
  const groups = await database.keep("cut_groups", sql, { ...options, settings, step: "reading capped records" });
  const sums = cutColumns(work).flatMap((column) => sumSql(column, { of: names(column.name), names }));
  return database.keep(
    "cut_totals",
    `SELECT ${names("g")}, ${sums.join(", ")} FROM ${identifier(groups)} GROUP BY ${names("g")}`,
    options,
  );
}

/** By grid number, each sum put together again. */
async function readSums(
  database: Database,
  { query }: TotalsWork,
  { table, columns }: { table: string; columns: readonly SumColumn[] },
  take: (g: number, sumOf: (name: string) => bigint) => void,
): Promise<void> {
  const { names } = query.table;
  const listed = columns.flatMap(sumNames);
  const asked = [names("g"), ...listed.map((name) => `toUInt64(${names(name)})`)];
  await database.read({ columns: asked, table, rows: await database.count(table) }, ([codes, ...read], rows) => {
    const byName = new Map(listed.map((name, at) => [name, read[at] as BigUint64Array]));
    const byColumn = new Map(columns.map((column) => [column.name, column]));
    for (let row = 0; row < rows; row++)
      take((codes as Uint32Array)[row]!, (name) => {
        const [low, high] = sumNames(byColumn.get(name)!).map((each) => byName.get(each)![row]!);
        return low! + (high ?? 0n) * 2n ** 32n;
      });
  });
}
