/** Prints the pipeline from a table to groups as one flat query, which shards can answer, and the questions asked beside it. */
import { groupColumns } from "../pipeline/formulas.ts";
import { shownText } from "../pipeline/row-checks.ts";
import type { Trouble } from "../pipeline/trouble.ts";
import { allOf, Definitions, dialectWith, type Names, not } from "./dialect.ts";
import { type KeyColumn, type RecordSql, recordSql, whereSql } from "./record.ts";
import type { RecordsQuery } from "./records-query.ts";

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

function isAskedSql(keys: readonly KeyColumn[], table: string, names: Names): string {
  const asked = gridKeys(keys).map(({ name }) => names(`asked_${name}`));
  const own = gridKeys(keys).map(({ name, sql }) => `${conversionOf(name)}(${sql})`);
  return `(${own.join(", ")}) GLOBAL IN (SELECT ${asked.join(", ")} FROM ${table})`;
}

/** All but the user. */
export function gridKeys(keys: readonly KeyColumn[]): readonly KeyColumn[] {
  return keys.slice(1);
}

/** Ids are sent as text, whatever type of the table's they are grouped by; old servers compare like types only. */
function conversionOf(name: string): string {
  if (name === "cell" || name === "slot") return "toInt64";
  return name.endsWith("_null") ? "toUInt32" : "toString";
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
  return `(${keys.map(({ sql }) => sql).join(", ")}) GLOBAL IN (SELECT ${columns.join(", ")} FROM ${table})`;
}

/** Of records alike in user, grid and key columns one survives; then the rule for missing values. */
function dedupedRelation(
  { recipe, table }: RecordsQuery,
  record: RecordSql,
  { from, where }: { from: string; where: string },
): RecordsRelation {
  const { names } = table;
  const d = dialectWith(names);
  const all = [...record.keys, ...record.dedupeKeys];
  const listed = all.map(({ name, sql }) => `${sql} AS ${names(name)}`).join(", ");
  const first =
    `SELECT ${listed}, min(${d.pack(record)}) AS ${names("first")}, count() AS ${names("copies")} ` +
    `FROM ${from} WHERE ${where} GROUP BY ${all.map(({ name }) => names(name)).join(", ")}`;
  const keyNames = record.keys.map(({ name }) => names(name));
  const unpacked = Object.entries(d.unpack(names("first"), undefined)).map(([name, sql]) => `${sql} AS ${names(name)}`);
  const survivors = `SELECT ${[...keyNames, ...unpacked, names("copies")].join(", ")} FROM (${record.definitions.before(first)})`;
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
    ...relation.keys.map(({ name, sql }) => named(sql, names(name))),
    ...(["instant", "i"] as const).map((name) => named(relation[name], names(name))),
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
  const columns = groupColumns(dialectWith(names), relation, { recipe, lattice, thresholds });
  const listed = [...relation.keys, ...columns].map(({ name, sql }) => named(sql, names(name)));
  const where = relation.where === "1" ? "" : ` WHERE ${relation.where}`;
  return relation.definitions.before(
    `SELECT ${listed.join(", ")} FROM ${relation.from}${where} ` +
      `GROUP BY ${relation.keys.map(({ name }) => names(name)).join(", ")}`,
  );
}

function named(sql: string, name: string): string {
  return sql === name ? name : `${sql} AS ${name}`;
}

/** Points of the records that pass, once each, as `lat` and `lon`. Old servers do not find an alias of an alias on shards. */
export function pointsSql(
  query: RecordsQuery,
  having?: (place: { latitude: string; longitude: string }) => string,
): string {
  const { definitions, passes, ...place } = recordSql({ ...query, points: undefined });
  const listed = `${place.latitude}, ${place.longitude}`;
  const where = passes === "1" ? "" : ` WHERE ${passes}`;
  const points = definitions.before(`SELECT ${listed} FROM ${query.table.sql}${where} GROUP BY ${listed}`);
  return having === undefined ? points : `SELECT ${listed} FROM (${points}) WHERE ${having(place)}`;
}

/** How many records are left out for want of a user. */
export function withoutUserSql(query: RecordsQuery): string {
  const { definitions, lacksUser } = recordSql({ ...query, points: undefined });
  return definitions.before(`SELECT count() FROM ${query.table.sql} WHERE ${lacksUser}`);
}

/** The first and the last clock reading, and how many there are. */
export function clocksSql(query: RecordsQuery): string {
  const { definitions, clock, timeIsAbsent, wrong } = recordSql({ ...query, clocks: undefined });
  const sound = allOf([not(timeIsAbsent), not(wrong.time)]);
  return definitions.before(
    `SELECT toString(min(${clock})), toString(max(${clock})), count() FROM ${query.table.sql} WHERE ${sound}`,
  );
}

/** How many records have this trouble, and the text that is at fault in one where that may be shown; undefined where none can have it. */
export function troubleSql(query: RecordsQuery, trouble: Trouble | "unread"): string | undefined {
  const { recipe, table } = query;
  const record = recordSql({ ...query, points: undefined, clocks: undefined, geoToH3: null });
  const wrong = trouble === "missing" && recipe.dedupe !== null ? record.missing : record.wrong[trouble];
  if (wrong === "0") return undefined;
  const inFilter = trouble === "time" || record.passes === "1" ? [] : [record.passes];
  const text = (column: string): string => `ifNull(toString(${record.fields.raw(column)}), '')`;
  const shown = shownText(recipe, trouble, { text, hidden: "''" });
  return record.definitions.before(
    `SELECT count(), any(${shown}) FROM ${table.sql} WHERE ${allOf([wrong, ...inFilter])}`,
  );
}
