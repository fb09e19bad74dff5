/** Exact totals under a plan: whole groups added up as they are, cut ones record by record in the order of section 5. */
import type { LongWorkOptions, Plan } from "../../../core/planning/index.ts";
import type { CodedOccupancy } from "../coded-occupancy.ts";
import { type Decisions, decisionsOf } from "../decisions.ts";
import type { TotalsReading, TotalsRequest } from "../engine.ts";
import { partNames } from "../part-names.ts";
import { checkUnchanged } from "../plan-fits.ts";
import { totalsReading } from "../totals-reading.ts";
import type { Database } from "./database.ts";
import { type RecordsQuery, recordsSql, sameParts } from "./records-sql.ts";

export interface TotalsWork {
  readonly query: RecordsQuery;
  readonly plan: Plan;
  readonly coded: CodedOccupancy;
  readonly request: TotalsRequest;
}

/** Needs the tables `groups`, `users`, `grids` and `coded` as `readGroups` leaves them. */
export async function addUp(database: Database, work: TotalsWork, options: LongWorkOptions): Promise<TotalsReading> {
  const { plan, coded, request } = work;
  const decisions = decisionsOf(coded, plan, work.query.asked);
  await uploadDecisions(database, coded, decisions);
  const thresholds = (request.thresholds ?? []).map((_, index) => `c${index}`);
  const columns = ["n", "s", "q", ...thresholds];
  const whole =
    `SELECT g, ${columns.map((column) => `sum(${column}) AS ${column}`).join(", ")} FROM coded ` +
    `ANTI JOIN decisions USING (u, g) GROUP BY g`;
  const parts = [whole];
  if (decisions.cut > 0) {
    await database.make("cut_totals", `AS ${cutSql(work)}`, "reading capped records", options);
    const [seen] = await database.rows("SELECT sum(seen) FROM cut_totals");
    checkUnchanged(Number(seen![0]), decisions.recordsCut);
    parts.push(`SELECT g, ${columns.join(", ")} FROM cut_totals`);
  }
  const rows = await database.rows(
    `SELECT g, ${columns.map((column) => `CAST(coalesce(sum(${column}), 0) AS HUGEINT)`).join(", ")} FROM (${parts.join(" UNION ALL ")}) GROUP BY g`,
    "adding up",
    options,
  );
  const doubledClampedSums = request.clampedSums ? await clampedSums(database, work) : undefined;
  const [outside] = await database.rows("SELECT coalesce(sum(outside), 0) FROM coded");
  const sums = new Map(rows.map(([g, ...numbers]) => [Number(g), numbers as bigint[]]));
  return totalsReading({ sums, doubledClampedSums, clampedValues: Number(outside![0]) }, { coded, decisions, request });
}

/** Leaves the plan's grids in table `coded`, and in table `decisions` the groups of which not everything is kept. */
async function uploadDecisions(database: Database, coded: CodedOccupancy, decisions: Decisions): Promise<void> {
  await database.make("decisions", "(u UINTEGER, g UINTEGER, kept UINTEGER)");
  await database.make("chosen", "(g UINTEGER)");
  await database.append("decisions", [decisions.users, decisions.grids, decisions.kept]);
  await database.append("chosen", [decisions.chosen]);
  if (decisions.chosen.length < coded.grids.length)
    await database.run("DELETE FROM coded WHERE g NOT IN (SELECT g FROM chosen)");
  await database.drop("groups");
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
async function clampedSums(database: Database, { query }: TotalsWork): Promise<Map<number, bigint>> {
  const steps = `CAST(${query.lattice!.steps} AS HUGEINT)`;
  const rows = await database.rows(
    `SELECT g, CAST(sum(greatest(${steps} * (n - keeping), least(${steps} * (n + keeping), 2 * s))) AS HUGEINT) FROM (` +
      `SELECT coded.g, n, s, coalesce(kept, n) AS keeping FROM coded LEFT JOIN decisions ON coded.u = decisions.u AND coded.g = decisions.g` +
      `) GROUP BY g`,
  );
  return new Map(rows.map(([g, sum]) => [Number(g), sum as bigint]));
}
