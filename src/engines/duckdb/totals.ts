/** Exact totals under a plan: whole groups added up as they are, cut ones record by record in the order of section 5. */
import { invariant, VeilgridError } from "../../errors/index.ts";
import { keptUnderPlan, type LongWorkOptions, type Plan } from "../../planning/index.ts";
import type { GridTotals, TotalsReading, TotalsRequest } from "../engine.ts";
import type { Database } from "./database.ts";
import { type CodedOccupancy, sameParts } from "./occupancy-reader.ts";
import { partNames, type RecordsQuery, recordsSql } from "./records-sql.ts";

export interface TotalsWork {
  readonly query: RecordsQuery;
  readonly plan: Plan;
  readonly coded: CodedOccupancy;
  readonly request: TotalsRequest;
}

/** Needs the tables `groups`, `users`, `grids` and `coded` as `readGroups` leaves them. */
export async function addUp(database: Database, work: TotalsWork, options: LongWorkOptions): Promise<TotalsReading> {
  const { plan, coded, request } = work;
  const changed = await uploadDecisions(database, work);
  const thresholds = (request.thresholds ?? []).map((_, index) => `c${index}`);
  const sums = ["n", "s", "q", ...thresholds];
  const whole =
    `SELECT g, ${sums.map((column) => `sum(${column}) AS ${column}`).join(", ")} FROM coded ` +
    `ANTI JOIN decisions USING (u, g) GROUP BY g`;
  const parts = [whole];
  if (changed.cut > 0) {
    await database.run(`CREATE OR REPLACE TEMP TABLE cut_totals AS ${cutSql(work)}`, "reading capped records", options);
    const [seen] = await database.rows("SELECT sum(seen) FROM cut_totals");
    if (Number(seen![0]) !== changed.recordsCut)
      throw new VeilgridError("PLAN_MISMATCH", "the records changed while they were read; plan again");
    parts.push(`SELECT g, ${sums.join(", ")} FROM cut_totals`);
  }
  const totals = await database.rows(
    `SELECT g, ${sums.map((column) => `CAST(coalesce(sum(${column}), 0) AS HUGEINT)`).join(", ")} FROM (${parts.join(" UNION ALL ")}) GROUP BY g`,
    "adding up",
    options,
  );
  const clamped = request.clampedSums ? await clampedSums(database, work) : undefined;
  const [outside] = await database.rows("SELECT coalesce(sum(outside), 0) FROM coded");

  const byGrid = new Map(totals.map(([g, ...numbers]) => [coded.grids[Number(g)]!, numbers as bigint[]]));
  const readings = plan.grids.map((grid): GridTotals => {
    const [kept, sum, sumOfSquares, ...atLeast] = byGrid.get(grid) ?? sums.map(() => 0n);
    return {
      grid,
      kept: Number(kept),
      sum: sum!,
      sumOfSquares: sumOfSquares!,
      atLeast,
      doubledClampedSum: clamped === undefined ? null : (clamped.get(grid) ?? 0n),
    };
  });
  readings.forEach((reading, index) => {
    invariant(
      reading.kept === changed.keptOfGrid[index],
      "the engine kept another number of records than the plan says",
    );
  });
  return { totals: readings, clampedValues: Number(outside![0]) };
}

/** Leaves the plan's grids in table `coded`, and in table `decisions` the groups of which not everything is kept. */
async function uploadDecisions(
  database: Database,
  { plan, coded }: TotalsWork,
): Promise<{ cut: number; recordsCut: number; keptOfGrid: Float64Array }> {
  const { occupancy } = coded;
  const kept = keptUnderPlan(occupancy, plan);
  const userCode = codesOf(coded.users);
  const gridCode = codesOf(coded.grids);
  const { start, grid, count } = occupancy.byUser;
  const users: number[] = [];
  const grids: number[] = [];
  const keeps: number[] = [];
  let cut = 0;
  let recordsCut = 0;
  for (let user = 0; user < occupancy.users.length; user++) {
    let code: number | undefined;
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
      const keeping = kept.ofEntry[entry]!;
      if (keeping === count[entry]!) continue;
      code ??= userCode.get(occupancy.users.get(user))!;
      users.push(code);
      grids.push(gridCode.get(occupancy.grids.get(grid[entry]!))!);
      keeps.push(keeping);
      if (keeping === 0) continue;
      cut += 1;
      recordsCut += count[entry]!;
    }
  }
  await database.run(
    `CREATE OR REPLACE TEMP TABLE decisions (u UINTEGER, g UINTEGER, kept UINTEGER);
     CREATE OR REPLACE TEMP TABLE chosen (g UINTEGER)`,
  );
  await database.append("decisions", [Uint32Array.from(users), Uint32Array.from(grids), Uint32Array.from(keeps)]);
  await database.append("chosen", [Uint32Array.from(occupancy.grids, (id) => gridCode.get(id)!)]);
  if (occupancy.grids.length < coded.grids.length)
    await database.run("DELETE FROM coded WHERE g NOT IN (SELECT g FROM chosen)");
  await database.run("DROP TABLE groups");
  return { cut, recordsCut, keptOfGrid: kept.ofGrid };
}

function codesOf(ids: readonly string[]): Map<string, number> {
  return new Map(ids.map((id, code) => [id, code]));
}

/**
 * Totals of the groups that are cut but not dropped, and how many records they had. Ranks are by time, then value; which are kept
 * is `isKeptRank`, in integers wide enough for any count. Rows are kept narrow, because all of them are sorted.
 */
function cutSql({ query, plan, request }: TotalsWork): string {
  const parts = partNames(query.recipe);
  const cut =
    `SELECT CAST(u AS UBIGINT) * 4294967296 + g AS pair, usr, ${parts.join(", ")}, CAST(n AS UINTEGER) AS m, kept AS c ` +
    `FROM coded JOIN decisions USING (u, g) JOIN users USING (u) JOIN grids USING (g) WHERE kept > 0`;
  const present = query.recipe.missing === "drop" ? " WHERE NOT missing" : "";
  const order = query.recipe.time === null ? "i" : "instant NULLS LAST, i";
  const ranked =
    `SELECT pair, m, c, i, row_number() OVER (PARTITION BY pair ORDER BY ${order}) - 1 AS r ` +
    `FROM (${recordsSql(query)}) AS record JOIN (${cut}) AS cut ON record.usr = cut.usr AND ${sameParts("record", "cut", parts)}${present}`;
  const wide =
    "SELECT CAST(pair % 4294967296 AS UINTEGER) AS g, i, CAST(m AS HUGEINT) AS m, CAST(c AS HUGEINT) AS c, CAST(r AS HUGEINT) AS r";
  const nth = "CASE WHEN 2 * c * r <= m THEN 0 ELSE (2 * c * r + m - 1) // (2 * m) END";
  const isKept = plan.keep === "first" ? "r < c" : `${nth} < c AND (2 * (${nth}) + 1) * m < 2 * c * (r + 1)`;
  const counts = (request.thresholds ?? []).map(
    (threshold, index) => `, count(*) FILTER (kept AND i >= ${threshold}) AS c${index}`,
  );
  return (
    `SELECT g, count(*) FILTER (kept) AS n, sum(i) FILTER (kept) AS s, sum(CAST(i AS HUGEINT) * i) FILTER (kept) AS q, count(*) AS seen${counts.join("")} ` +
    `FROM (SELECT g, i, ${isKept} AS kept FROM (${wide} FROM (${ranked}))) GROUP BY g`
  );
}

/** Σ over users of clamp(2·s, N·(m − Γ), N·(m + Γ)) per grid: each user's sum over all its records, held to what it may move. */
async function clampedSums(database: Database, { query, coded }: TotalsWork): Promise<Map<string, bigint>> {
  const steps = `CAST(${query.lattice!.steps} AS HUGEINT)`;
  const rows = await database.rows(
    `SELECT g, CAST(sum(greatest(${steps} * (n - keeping), least(${steps} * (n + keeping), 2 * s))) AS HUGEINT) FROM (` +
      `SELECT coded.g, n, s, coalesce(kept, n) AS keeping FROM coded LEFT JOIN decisions ON coded.u = decisions.u AND coded.g = decisions.g` +
      `) GROUP BY g`,
  );
  return new Map(rows.map(([g, sum]) => [coded.grids[Number(g)]!, sum as bigint]));
}
