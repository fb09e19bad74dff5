/** Exact totals under a plan: whole groups added up as they are, cut ones record by record in the order of section 5. */
import type { KeepRule, LongWorkOptions, Plan } from "../../../core/planning/index.ts";
import { type Decisions, decisionsOf } from "../decisions.ts";
import type { TotalsReading, TotalsRequest } from "../engine.ts";
import { partNames } from "../part-names.ts";
import { checkUnchanged } from "../plan-fits.ts";
import { totalsReading } from "../totals-reading.ts";
import { type BinaryRow, binaryRows, textOf } from "./copy.ts";
import type { Database } from "./database.ts";
import type { Groups } from "./occupancy-reader.ts";
import { type RecordsQuery, recordsSql, sameParts, squareColumns } from "./records-sql.ts";
import { relation } from "./sql-text.ts";

export interface TotalsWork {
  readonly query: RecordsQuery;
  readonly plan: Plan;
  readonly groups: Groups;
  readonly request: TotalsRequest;
}

/** Groups with their sums, numbered by p. */
export const GROUPS = "pg_temp.veilgrid_groups";
const DECISIONS = "pg_temp.veilgrid_decisions";
const CUT = "pg_temp.veilgrid_cut";
const ROWS_AT_A_TIME = 2 ** 16;

/** Needs the table of groups as it was read. */
export async function addUp(database: Database, work: TotalsWork, options: LongWorkOptions): Promise<TotalsReading> {
  const { plan, groups, request } = work;
  const { coded } = groups;
  const decisions = decisionsOf(coded, plan, work.query.asked);
  const mostRecords = await uploadDecisions(database, groups, decisions, options);
  const chosen = new Set(decisions.chosen);
  const sums = new Map<number, bigint[]>();
  const doubledClampedSums = request.clampedSums ? new Map<number, bigint>() : undefined;
  let clampedValues = 0;

  const sumNames = sumColumns(work);
  options.onProgress?.({ step: "adding up", done: 0 });
  await read(wholeSql(work), (grid, numbers) => {
    if (!chosen.has(grid)) return;
    clampedValues += Number(numbers.pop());
    if (doubledClampedSums !== undefined) doubledClampedSums.set(grid, numbers.pop()!);
    sums.set(grid, inUnits(work, numbers));
  });
  if (decisions.cut > 0) {
    await database.run(cutTableSql(work), "reading capped records", options);
    let seen = 0;
    await read(cutSql(work, { isWide: mostRecords > MOST_FOR_64_BITS }), (grid, numbers) => {
      seen += Number(numbers.pop());
      const whole = sums.get(grid)!;
      inUnits(work, numbers).forEach((number, index) => {
        whole[index]! += number;
      });
    });
    checkUnchanged(seen, decisions.recordsCut);
  }
  return totalsReading({ sums, doubledClampedSums, clampedValues }, { coded, decisions, request });

  /** Sums come as text, which holds any of them. */
  async function read(sql: string, take: (grid: number, numbers: bigint[]) => void): Promise<void> {
    const names = [...sumNames, ...(sql.includes(" AS doubled") ? ["doubled"] : []), "last"];
    const fields = names.map((name) => `CAST(coalesce(${name}, 0) AS text)`);
    const from = (row: BinaryRow): void => {
      const grid = groups.gridNumbers.of(row, names.length);
      take(
        grid,
        names.map((_, index) => BigInt(textOf(row, index))),
      );
    };
    await database.stream(
      `SELECT ${[...fields, ...partNames(work.query.recipe)].join(", ")} FROM ${relation(sql)}`,
      from,
      options,
    );
  }
}

/** Records kept, Σ i, Σ i² in its parts, and a count for each threshold. */
function sumColumns({ query, request }: TotalsWork): string[] {
  const squares = squareColumns(query.lattice!).map(({ name }) => name);
  return ["n", "s", ...squares, ...(request.thresholds ?? []).map((_, index) => `c${index}`)];
}

/** The same with Σ i² as one number. */
function inUnits({ query }: TotalsWork, [n, s, ...rest]: readonly bigint[]): bigint[] {
  const squares = squareColumns(query.lattice!);
  const square = squares.reduce((sum, { unit }, index) => sum + unit * rest[index]!, 0n);
  return [n!, s!, square, ...rest.slice(squares.length)];
}

/** Leaves in the table of decisions the groups of which not everything is kept; the most records that one of those has. */
async function uploadDecisions(
  database: Database,
  { user, grid, pair, coded }: Groups,
  { users, grids, kept }: Decisions,
  options: LongWorkOptions,
): Promise<number> {
  const gridCount = coded.grids.length;
  const keeping = new Map<number, number>();
  for (let at = 0; at < users.length; at++) keeping.set(users[at]! * gridCount + grids[at]!, kept[at]!);
  const pairs = new Uint32Array(keeping.size);
  const keeps = new Uint32Array(keeping.size);
  let length = 0;
  for (let row = 0; row < user.length && length < pairs.length; row++) {
    const keep = keeping.get(user[row]! * gridCount + grid[row]!);
    if (keep === undefined) continue;
    pairs[length] = pair![row]!;
    keeps[length] = keep;
    length += 1;
  }
  await database.run(
    "CREATE TEMP TABLE veilgrid_decisions (p bigint, kept bigint) ON COMMIT DROP",
    "sending the plan",
    options,
  );
  for (let from = 0; from < length; from += ROWS_AT_A_TIME) {
    const rows = binaryRows(Math.min(ROWS_AT_A_TIME, length - from), 2, (row, put) => {
      put.whole(BigInt(pairs[from + row]!));
      put.whole(BigInt(keeps[from + row]!));
    });
    await database.append("veilgrid_decisions", rows, options);
  }
  await database.run(`ANALYZE ${DECISIONS}; SET LOCAL enable_nestloop = off`);
  return coded.occupancy.byUser.count.reduce((most, count) => Math.max(most, count), 0);
}

/** Sums of what is kept whole, by grid; all users' clamped sums where they are asked for; last, how many values were outside. */
function wholeSql(work: TotalsWork): string {
  const { query, request } = work;
  const parts = partNames(query.recipe).join(", ");
  const steps = `CAST('${query.lattice!.steps}' AS numeric)`;
  const keeping = "coalesce(kept, n)";
  const columns = [
    ...sumColumns(work).map((name) => `sum(${name}) FILTER (WHERE kept IS NULL) AS ${name}`),
    // Σ over users of clamp(2·s, N·(m − Γ), N·(m + Γ)): each user's sum over all its records, held to what it may move.
    ...(request.clampedSums
      ? [
          `sum(greatest(${steps} * (n - ${keeping}), least(${steps} * (n + ${keeping}), 2 * CAST(coalesce(s, 0) AS numeric)))) AS doubled`,
        ]
      : []),
    "sum(outside) AS last",
  ];
  return `SELECT ${parts}, ${columns.join(", ")} FROM ${GROUPS} LEFT JOIN ${DECISIONS} USING (p) GROUP BY ${parts}`;
}

function cutTableSql({ query }: TotalsWork): string {
  const parts = partNames(query.recipe).join(", ");
  return (
    `CREATE TEMP TABLE veilgrid_cut ON COMMIT DROP AS SELECT p, usr, ${parts}, n AS m, kept AS c FROM ${GROUPS} JOIN ${DECISIONS} USING (p) WHERE kept > 0; ` +
    `ANALYZE ${CUT}`
  );
}

/**
 * Totals by grid of the groups that are cut but not dropped; last, how many records they had. Ranks are by time, then value. Rows are
 * kept narrow, because all of them are sorted.
 */
function cutSql(work: TotalsWork, { isWide }: { isWide: boolean }): string {
  const { query, plan, request } = work;
  const parts = partNames(query.recipe);
  const present = query.recipe.missing === "drop" ? " WHERE NOT missing" : "";
  const order = query.recipe.time === null ? "i" : "instant NULLS LAST, i";
  const ofPair = sameParts(
    parts,
    (part) => `record.${part}`,
    (part) => `cut.${part}`,
  );
  const ranked =
    `SELECT p, m, c, i, row_number() OVER (PARTITION BY p ORDER BY ${order}) - 1 AS r ` +
    `FROM (${recordsSql(query)}) AS record JOIN ${CUT} AS cut ON record.usr = cut.usr AND ${ofPair}${present}`;
  const counts = (request.thresholds ?? []).map(
    (threshold, index) => `, count(*) FILTER (WHERE is_kept AND i >= ${threshold}) AS c${index}`,
  );
  const ofPairs =
    `SELECT p, count(*) FILTER (WHERE is_kept) AS n, sum(i) FILTER (WHERE is_kept) AS s, ` +
    `${squareColumns(query.lattice!)
      .map(({ name, of }) => `sum(${of}) FILTER (WHERE is_kept) AS ${name}, `)
      .join("")}count(*) AS seen${counts.join("")} ` +
    `FROM (SELECT p, i, ${isKeptSql(plan.keep, { isWide })} AS is_kept FROM ${relation(ranked)}) AS marked GROUP BY p`;
  const sums = sumColumns(work).map((name) => `sum(${name}) AS ${name}`);
  const listed = parts.join(", ");
  return `SELECT ${listed}, ${sums.join(", ")}, sum(seen) AS last FROM (${ofPairs}) AS pairs JOIN ${CUT} AS cut USING (p) GROUP BY ${listed}`;
}

/** 2·m² and a little more stay within 63 bits. */
const MOST_FOR_64_BITS = 2 ** 30;

/** `isKeptRank` of columns m, c and r. */
export function isKeptSql(keep: KeepRule, { isWide }: { isWide: boolean }): string {
  if (keep === "first") return "r < c";
  const [m, c, r] = isWide ? ["CAST(m AS numeric)", "CAST(c AS numeric)", "CAST(r AS numeric)"] : ["m", "c", "r"];
  const quotient = (dividend: string, divisor: string): string =>
    isWide ? `div(${dividend}, ${divisor})` : `(${dividend}) / (${divisor})`;
  const nth = `CASE WHEN 2 * ${c} * ${r} <= ${m} THEN 0 ELSE ${quotient(`2 * ${c} * ${r} + ${m} - 1`, `2 * ${m}`)} END`;
  return `(${nth} < ${c} AND (2 * (${nth}) + 1) * ${m} < 2 * ${c} * (${r} + 1))`;
}
