/** Queries over groups of which a plan keeps some records, also for servers without window functions and for shards that answer alone. */
import { keptRank } from "../pipeline/formulas.ts";
import type { CutRequest } from "../pipeline/totals.ts";
import type { CodedGroups } from "./counting.ts";
import { allOf, dialectWith, identifier, not, unsigned, unsignedPrinter } from "./dialect.ts";
import type { RecordsQuery } from "./fields.ts";
import { gridKeys, type KeyColumn, type RecordsRelation } from "./records.ts";

/** Groups that are cut: their numbers, records m, how many are kept c, and what records know them by. */
export function cutSql(
  { table: { names: v } }: RecordsQuery,
  { tables, decided, keys }: { tables: CodedGroups["tables"]; decided: string; keys: readonly KeyColumn[] },
): string {
  const limit = v("kept_and_one");
  const pair = `${v("u")}, ${v("g")}`;
  const kept =
    `SELECT ${pair}, ${v("n")} AS ${v("m")}, toUInt64(${limit} - 1) AS ${v("c")} FROM ${identifier(tables.coded)} ` +
    `ALL INNER JOIN (SELECT ${pair}, ${limit} FROM ${decided} WHERE ${limit} > 1) USING (${pair})`;
  const withUser =
    `SELECT ${pair}, ${v("m")}, ${v("c")}, ${v("usr")} AS ${v("cut_usr")} FROM (${kept}) ` +
    `ALL INNER JOIN ${identifier(tables.users)} USING (${v("u")})`;
  const named = gridKeys(keys)
    .map(({ name }) => `${v(name)} AS ${v(`cut_${name}`)}`)
    .join(", ");
  return (
    `SELECT ${pair}, ${v("m")}, ${v("c")}, ${v("cut_usr")}, ${named} FROM (${withUser}) ` +
    `ALL INNER JOIN ${identifier(tables.grids)} USING (${v("g")})`
  );
}

/** Records beside the groups that are cut. */
export function joinedToCut({ table: { names } }: RecordsQuery, relation: RecordsRelation, cut: string): string {
  const on = relation.keys.map(({ name, sql }) => `${sql} = ${names(`cut_${name}`)}`).join(" AND ");
  return `${relation.from} GLOBAL ALL INNER JOIN ${cut} ON ${on}`;
}

/** Sums of the records kept in each group, its records taken as a sorted array. */
export function arraysSql(
  { query, relation, cut }: { query: RecordsQuery; relation: RecordsRelation; cut: string },
  { keep, lattice, thresholds }: CutRequest,
): string {
  const v = query.table.names;
  const present = query.recipe.missing === "drop" && relation.missing !== "0" ? [not(relation.missing)] : [];
  const where = allOf([relation.where, ...present]);
  const ordered = relation.definitions.define(
    "ordered",
    `arrayMap(x -> tupleElement(x, 2), arraySort(groupArray((${relation.instant}, ${relation.i}))))`,
  );
  const rank = unsignedPrinter((name) => (name === "r" ? "toUInt64(r - 1)" : v(name))).condition(keptRank(keep));
  const squares = dialectWith(v).squares("x", lattice);
  const kept = relation.definitions.define(
    "kept_values",
    `arrayFilter((x, r) -> ${rank}, ${ordered}, arrayEnumerate(${ordered}))`,
  );
  const columns = [
    `toUInt64(length(${kept})) AS ${v("n")}`,
    `arraySum(${kept}) AS ${v("s")}`,
    ...squares.map(({ name, of }) => `arraySum(x -> ${of}, ${kept}) AS ${v(name)}`),
    `toUInt64(length(${ordered})) AS ${v("seen")}`,
    ...thresholds.map(
      (threshold, index) => `toUInt64(arrayCount(x -> x >= ${unsigned(threshold)}, ${kept})) AS ${v(`c${index}`)}`,
    ),
  ];
  return relation.definitions.before(
    `SELECT ${v("u")}, ${v("g")}, ${v("m")}, ${v("c")}, ${columns.join(", ")} FROM ${joinedToCut(query, relation, cut)}` +
      `${where === "1" ? "" : ` WHERE ${where}`} GROUP BY ${v("u")}, ${v("g")}, ${v("m")}, ${v("c")}`,
  );
}
