/** Prints the pipeline from a table to groups as one flat query, which shards can answer, and the questions asked beside it. */
import { groupColumns, onLattice } from "../pipeline/formulas.ts";
import { hasValue, shownText } from "../pipeline/row-checks.ts";
import type { Trouble } from "../pipeline/trouble.ts";
import { allOf, anyOf, choose, Definitions, dialectWith, double, type Names, not, unsigned } from "./dialect.ts";
import { type RecordsQuery, TableFields } from "./fields.ts";
import { placedTable, placeSql } from "./place.ts";
import { timeSql } from "./time.ts";

/** A column that, with others, makes a group: `usr`, `by0`, `by0_null`, …, `cell`, `slot`. */
export interface KeyColumn {
  readonly name: string;
  readonly sql: string;
}

/** What one query over the table can say of a record. */
function recordSql(query: RecordsQuery) {
  const { recipe, table } = query;
  const definitions = new Definitions(table.names);
  const fields = new TableFields(table, definitions);
  const ids = (columns: readonly string[], flag: string, as: string): KeyColumn[] =>
    columns.flatMap((column, index) => {
      const { key, isNull } = fields.id(column, flag);
      return [
        { name: `${as}${index}`, sql: key },
        ...(isNull === undefined ? [] : [{ name: `${as}${index}_null`, sql: isNull }]),
      ];
    });
  const user: KeyColumn = { name: "usr", sql: fields.user(recipe.user) };
  const by = ids(recipe.by, "--by", "by");
  const dedupeKeys = ids(recipe.dedupe ?? [], "--dedupe", "key");
  const hasUser = fields.hasUser(recipe.user);
  const value = fields.number(recipe.value, "--value", "x");
  const place = placeSql(query, fields);
  const time = timeSql(query, fields);
  return {
    definitions,
    keys: [
      user,
      ...by,
      ...(place.cell === undefined ? [] : [{ name: "cell", sql: place.cell }]),
      ...(time.slot === undefined ? [] : [{ name: "slot", sql: time.slot }]),
    ],
    dedupeKeys,
    ...place,
    ...latticeSql(query, fields, value.value),
    instant: time.instant,
    clock: time.clock,
    timeIsAbsent: time.absent,
    /** Whether the record passes the filters. */
    passes: recipe.emptyUser === "drop" ? allOf([time.passes, hasUser]) : time.passes,
    /** Whether it passes all filters but one that asks for a user, and has none. */
    lacksUser: allOf([time.passes, not(hasUser)]),
    /** Conditions of which none may hold for any record that passes, nor `time` for any at all. */
    wrong: {
      time: time.wrong,
      place: place.wrong,
      value: value.wrong,
      missing: hasValue(recipe) ? `isNaN(${value.value})` : "0",
      unread: anyOf([value.unread, place.unread]),
    },
    fields,
    /** The table, with what is joined to it. */
    from: placedTable(query, place),
  };
}

type RecordSql = ReturnType<typeof recordSql>;

/** One condition, so that no part of it is tried on fewer records than are meant. */
function whereSql({ wrong, passes }: RecordSql, also: readonly string[]): string {
  const faults = anyOf([wrong.time, allOf([passes, anyOf([wrong.place, wrong.value, wrong.missing, wrong.unread])])]);
  const kept = allOf([passes, ...also]);
  return faults === "0" ? kept : `if(throwIf(${faults}), 0, ${kept})`;
}

function latticeSql(
  { lattice, recipe, table }: RecordsQuery,
  fields: TableFields,
  x: string,
): { i: string; missing: string; outside: string } {
  const missing = hasValue(recipe) ? "0" : fields.define("missing", `isNaN(${x})`);
  if (lattice === undefined) return { i: unsigned(0n), missing, outside: "0" };
  // Converting NaN to an integer is an error on some servers, whichever branch it is in.
  const isSafe = choose(missing, double(lattice.lower), x);
  const { i, outside } = onLattice(dialectWith(table.names), x, { lattice, missing, isSafe });
  return { i: fields.define("i", i), missing, outside: fields.define("outside", outside) };
}

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

function isAskedSql(keys: readonly KeyColumn[], table: string, names: Names): string {
  const own = gridKeys(keys).map(({ name, sql }) => ({ name, sql: `${conversionOf(name)}(${sql})` }));
  return isIn(own, table, (name) => names(`asked_${name}`));
}

function isIn(keys: readonly KeyColumn[], table: string, column: (name: string) => string): string {
  const columns = keys.map(({ name }) => column(name));
  return `(${keys.map(({ sql }) => sql).join(", ")}) GLOBAL IN (SELECT ${columns.join(", ")} FROM ${table})`;
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

/** `within` is a table with the columns `cut_usr`, `cut_by0`, …: only records of these groups are wanted. */
export function recordsRelation(query: RecordsQuery, within?: string): RecordsRelation {
  const record = recordSql(query);
  const { names } = query.table;
  const where = whereSql(record, [
    ...(query.asked === undefined ? [] : [isAskedSql(record.keys, query.asked, names)]),
    ...(within === undefined ? [] : [isIn(record.keys, within, (name) => names(`cut_${name}`))]),
  ]);
  if (query.recipe.dedupe !== null) return dedupedRelation(query, record, where);
  return { ...record, where, copies: "1", isOpen: query.points === undefined };
}

/** Of records alike in user, grid and key columns one survives; then the rule for missing values. */
function dedupedRelation({ recipe, table }: RecordsQuery, record: RecordSql, where: string): RecordsRelation {
  const { names } = table;
  const d = dialectWith(names);
  const all = [...record.keys, ...record.dedupeKeys];
  const listed = all.map(({ name, sql }) => `${sql} AS ${names(name)}`).join(", ");
  const first =
    `SELECT ${listed}, min(${d.pack(record)}) AS ${names("first")}, count() AS ${names("copies")} ` +
    `FROM ${record.from} WHERE ${where} GROUP BY ${all.map(({ name }) => names(name)).join(", ")}`;
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
