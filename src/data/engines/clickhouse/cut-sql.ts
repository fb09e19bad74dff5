/** Groups of which a plan keeps some records: their totals, record by record in the order of section 5. */
import type { KeepRule } from "../../../core/planning/index.ts";
import { highSquare, lowSquare } from "./lattice-sql.ts";
import type { CodedTables } from "./occupancy-reader.ts";
import type { KeyColumn } from "./record-sql.ts";
import type { RecordsQuery } from "./records-query.ts";
import type { RecordsRelation } from "./records-sql.ts";
import { allOf, identifier, not, unsigned } from "./sql-text.ts";

/** What is cut, and how. */
export interface CutWork {
  readonly query: RecordsQuery;
  readonly keep: KeepRule;
  readonly thresholds: readonly bigint[];
}

/** Groups that are cut: their numbers, records m, how many are kept c, and what records know them by. */
export function cutSql(
  { query }: CutWork,
  { tables, decided }: { tables: CodedTables; decided: string },
  keys: readonly KeyColumn[],
): string {
  const v = query.table.names;
  const parts = keys.slice(1).map(({ name }) => name);
  const kept =
    `SELECT ${v("u")}, ${v("g")}, ${v("n")} AS ${v("m")}, toUInt64(${v("kept")}) AS ${v("c")} FROM ${identifier(tables.coded)} ` +
    `ALL INNER JOIN (SELECT ${v("u")}, ${v("g")}, ${v("kept")} FROM ${identifier(decided)} WHERE ${v("kept")} > 0) USING (${v("u")}, ${v("g")})`;
  const withUser =
    `SELECT ${v("u")}, ${v("g")}, ${v("m")}, ${v("c")}, ${v("usr")} AS ${v("cut_usr")} FROM (${kept}) ` +
    `ALL INNER JOIN ${identifier(tables.users)} USING (${v("u")})`;
  const named = parts.map((name) => `${v(name)} AS ${v(`cut_${name}`)}`).join(", ");
  return (
    `SELECT ${v("u")}, ${v("g")}, ${v("m")}, ${v("c")}, ${v("cut_usr")}, ${named} FROM (${withUser}) ` +
    `ALL INNER JOIN ${identifier(tables.grids)} USING (${v("g")})`
  );
}

function joined({ query }: CutWork, relation: RecordsRelation, cut: string): string {
  const { names } = query.table;
  const on = relation.keys.map(({ name, sql }) => `${sql} = ${names(`cut_${name}`)}`).join(" AND ");
  return `${relation.from} GLOBAL ALL INNER JOIN ${identifier(cut)} ON ${on}`;
}

/** `isKeptRank`, in integers. Rank r is from 0. */
function isKept({ keep }: CutWork, { r, m, c }: { r: string; m: string; c: string }): string {
  if (keep === "first") return `${r} < ${c}`;
  const nth = `if(2 * ${c} * ${r} <= ${m}, ${unsigned(0n)}, intDiv(toUInt64(2 * ${c} * ${r} + ${m} - 1), 2 * ${m}))`;
  return `(${nth} < ${c} AND (2 * ${nth} + 1) * ${m} < 2 * ${c} * (${r} + 1))`;
}

/** Each group's records as a sorted array. Works on shards, whatever their age. */
export function arraysSql(work: CutWork, relation: RecordsRelation, cut: string): string {
  const { query, thresholds } = work;
  const v = query.table.names;
  const lattice = query.lattice!;
  const present = query.recipe.missing === "drop" && relation.missing !== "0" ? [not(relation.missing)] : [];
  const where = allOf([relation.where, ...present]);
  const ordered = relation.definitions.define(
    "ordered",
    `arrayMap(x -> tupleElement(x, 2), arraySort(groupArray((${relation.instant}, ${relation.i}))))`,
  );
  const rank = isKept(work, { r: "toUInt64(r - 1)", m: v("m"), c: v("c") });
  const kept = relation.definitions.define(
    "kept_values",
    `arrayFilter((x, r) -> ${rank}, ${ordered}, arrayEnumerate(${ordered}))`,
  );
  const columns = [
    `toUInt64(length(${kept})) AS ${v("n")}`,
    `arraySum(${kept}) AS ${v("s")}`,
    `arraySum(x -> ${lowSquare("x")}, ${kept}) AS ${v("q_low")}`,
    `arraySum(x -> ${highSquare("x", lattice)}, ${kept}) AS ${v("q_high")}`,
    `toUInt64(length(${ordered})) AS ${v("seen")}`,
    ...thresholds.map(
      (threshold, index) => `toUInt64(arrayCount(x -> x >= ${unsigned(threshold)}, ${kept})) AS ${v(`c${index}`)}`,
    ),
  ];
  return relation.definitions.before(
    `SELECT ${v("u")}, ${v("g")}, ${v("m")}, ${v("c")}, ${columns.join(", ")} FROM ${joined(work, relation, cut)}` +
      `${where === "1" ? "" : ` WHERE ${where}`} GROUP BY ${v("u")}, ${v("g")}, ${v("m")}, ${v("c")}`,
  );
}

/** Each record's rank by a window function. */
export function windowSql(work: CutWork, relation: RecordsRelation, cut: string): string {
  const { query, thresholds } = work;
  const v = query.table.names;
  const ranked =
    `SELECT ${v("u")}, ${v("g")}, ${v("m")}, ${v("c")}, ${relation.i} AS ${v("i")}, ` +
    `toUInt64(row_number() OVER (PARTITION BY ${v("u")}, ${v("g")} ORDER BY ${relation.instant}, ${relation.i}) - 1) AS ${v("r")} ` +
    `FROM ${joined(work, relation, cut)}`;
  const kept = `SELECT ${v("u")}, ${v("g")}, ${v("i")}, ${isKept(work, { r: v("r"), m: v("m"), c: v("c") })} AS ${v("is_kept")} FROM (${ranked})`;
  const sum = (of: string): string => `sumIf(${of}, ${v("is_kept")})`;
  const columns = [
    `countIf(${v("is_kept")}) AS ${v("n")}`,
    `${sum(v("i"))} AS ${v("s")}`,
    `${sum(lowSquare(v("i")))} AS ${v("q_low")}`,
    `${sum(highSquare(v("i"), query.lattice!))} AS ${v("q_high")}`,
    `count() AS ${v("seen")}`,
    ...thresholds.map(
      (threshold, index) => `countIf(${v("is_kept")} AND ${v("i")} >= ${unsigned(threshold)}) AS ${v(`c${index}`)}`,
    ),
  ];
  return `SELECT ${v("u")}, ${v("g")}, ${columns.join(", ")} FROM (${kept}) GROUP BY ${v("u")}, ${v("g")}`;
}
