/** The pipeline from a table to groups of records: filters, repeated records, missing values, in this order, then counts and sums. */
import { isAskedSql } from "./asked-table.ts";
import { highSquare, lowSquare } from "./lattice-sql.ts";
import { type KeyColumn, type RecordSql, recordSql, whereSql } from "./record-sql.ts";
import type { RecordsQuery } from "./records-query.ts";
import { allOf, Definitions, identifier, type Names, not, unsigned } from "./sql-text.ts";

/** Records as a relation that can be grouped; what an aggregate needs of one goes by the same names whatever it is made of. */
export interface RecordsRelation {
  /** Of the names that are used below. */
  readonly definitions: Definitions;
  readonly keys: readonly KeyColumn[];
  readonly from: string;
  readonly where: string;
  readonly instant: string;
  readonly i: string;
  readonly missing: string;
  readonly outside: string;
  /** How many records it stands for. */
  readonly copies: string;
  /** Whether another table can be joined to it: where nothing else is. */
  readonly isOpen: boolean;
}

/** A table with the columns `cut_usr`, `cut_by0`, …: only records of these groups are wanted. */
export interface Within {
  readonly table: string;
}

export function recordsRelation(query: RecordsQuery, within?: Within): RecordsRelation {
  const record = recordSql(query);
  const { names } = query.table;
  const where = whereSql(record, [
    ...(query.asked === undefined ? [] : [isAskedSql(record.keys, query.asked, names)]),
    ...(within === undefined ? [] : [groupIn(record.keys, within, names)]),
  ]);
  const { from } = record;
  if (query.recipe.dedupe !== null) return dedupedRelation(query, record, { from, where });
  return {
    definitions: record.definitions,
    keys: record.keys,
    from,
    where,
    instant: record.instant,
    i: record.i,
    missing: record.missing,
    outside: record.outside,
    copies: "1",
    isOpen: query.points === undefined,
  };
}

function groupIn(keys: readonly KeyColumn[], { table }: Within, names: Names): string {
  const columns = keys.map(({ name }) => names(`cut_${name}`));
  return `(${keys.map(({ sql }) => sql).join(", ")}) GLOBAL IN (SELECT ${columns.join(", ")} FROM ${identifier(table)})`;
}

/** Of records alike in user, grid and key columns one survives: with a value first, then earliest, then smallest; then the rule for missing values. */
function dedupedRelation(
  { recipe, table }: RecordsQuery,
  record: RecordSql,
  { from, where }: { from: string; where: string },
): RecordsRelation {
  const { names } = table;
  const all = [...record.keys, ...record.dedupeKeys];
  const listed = all.map(({ name, sql }) => `${sql} AS ${names(name)}`).join(", ");
  const order = `(toUInt8(${record.missing}), ${record.instant}, ${record.i} * 2 + toUInt8(${record.outside}))`;
  const first =
    `SELECT ${listed}, min(${order}) AS ${names("first")}, count() AS ${names("copies")} ` +
    `FROM ${from} WHERE ${where} GROUP BY ${all.map(({ name }) => names(name)).join(", ")}`;
  const keyNames = record.keys.map(({ name }) => names(name));
  const element = (at: number): string => `tupleElement(${names("first")}, ${at})`;
  const survivors =
    `SELECT ${keyNames.join(", ")}, ${element(1)} AS ${names("missing")}, ${element(2)} AS ${names("instant")}, ` +
    `bitShiftRight(${element(3)}, 1) AS ${names("i")}, toUInt8(bitAnd(${element(3)}, 1)) AS ${names("outside")}, ${names("copies")} FROM (${record.definitions.before(first)})`;
  return {
    definitions: new Definitions(names),
    keys: record.keys.map(({ name }) => ({ name, sql: names(name) })),
    from: `(${survivors})`,
    where: recipe.missing === "refuse" ? `if(throwIf(${names("missing")}), 0, 1)` : "1",
    instant: names("instant"),
    i: names("i"),
    missing: recipe.missing === "refuse" ? "0" : names("missing"),
    outside: names("outside"),
    copies: names("copies"),
    isOpen: true,
  };
}

/** The same records as a table with plain columns: keys, `instant` and `i`; those left out for want of a value are not among them. */
export function plainRelation(query: RecordsQuery, relation: RecordsRelation): RecordsRelation {
  const { names } = query.table;
  const present = query.recipe.missing === "drop" ? [not(relation.missing)] : [];
  const listed = [
    ...relation.keys.map(({ name, sql }) => (sql === names(name) ? sql : `${sql} AS ${names(name)}`)),
    ...(["instant", "i"] as const).map((name) =>
      relation[name] === names(name) ? names(name) : `${relation[name]} AS ${names(name)}`,
    ),
  ];
  const where = allOf([relation.where, ...present]);
  return {
    ...relation,
    definitions: new Definitions(names),
    keys: relation.keys.map(({ name }) => ({ name, sql: names(name) })),
    from: `(${relation.definitions.before(`SELECT ${listed.join(", ")} FROM ${relation.from}${where === "1" ? "" : ` WHERE ${where}`}`)})`,
    where: "1",
    instant: names("instant"),
    i: names("i"),
    missing: "0",
    isOpen: true,
  };
}

/** How many records each user has in each grid, and with a lattice what they add up to. */
export function groupsSql(query: RecordsQuery, thresholds: readonly bigint[]): string {
  const { recipe, lattice, table } = query;
  const { names } = table;
  const relation = recordsRelation(query);
  const { i, missing, outside, copies } = relation;
  const isDropping = recipe.missing === "drop";
  const counted = (condition?: string): string => {
    const conditions = [...(condition === undefined ? [] : [condition]), ...(isDropping ? [not(missing)] : [])];
    return conditions.length === 0 ? "count()" : `countIf(${allOf(conditions)})`;
  };
  const sum = (of: string): string => (isDropping ? `sumIf(${of}, ${not(missing)})` : `sum(${of})`);
  const columns = [
    `${counted()} AS ${names("n")}`,
    ...(recipe.missing === "refuse" ? [] : [`countIf(${missing}) AS ${names("blank")}`]),
    ...(recipe.dedupe === null ? [] : [`sum(${copies}) AS ${names("copies_of")}`]),
    ...(lattice === undefined
      ? []
      : [
          `${sum(i)} AS ${names("s")}`,
          `${sum(lowSquare(i))} AS ${names("q_low")}`,
          `${sum(highSquare(i, lattice))} AS ${names("q_high")}`,
          `countIf(${outside}) AS ${names("out")}`,
          ...thresholds.map(
            (threshold, index) => `${counted(`${i} >= ${unsigned(threshold)}`)} AS ${names(`c${index}`)}`,
          ),
        ]),
  ];
  const keys = relation.keys.map(({ name, sql }) => (sql === names(name) ? sql : `${sql} AS ${names(name)}`));
  const where = relation.where === "1" ? "" : ` WHERE ${relation.where}`;
  return relation.definitions.before(
    `SELECT ${[...keys, ...columns].join(", ")} FROM ${relation.from}${where} ` +
      `GROUP BY ${relation.keys.map(({ name }) => names(name)).join(", ")}`,
  );
}

/** Columns of `groupsSql` beside the keys and the counts of records. */
export function sumNames(thresholds: readonly bigint[]): string[] {
  return ["s", "q_low", "q_high", "out", ...thresholds.map((_, index) => `c${index}`)];
}
