/** A record as ClickHouse expressions: the columns of its group, its instant and lattice integer, and what may be wrong with it. */
import { onLattice } from "../pipeline/formulas.ts";
import { hasValue } from "../pipeline/row-checks.ts";
import type { Trouble } from "../pipeline/trouble.ts";
import { allOf, anyOf, choose, Definitions, dialectWith, double, not, unsigned } from "./dialect.ts";
import { TableFields } from "./fields.ts";
import { placedTable, placeSql } from "./place.ts";
import type { RecordsQuery } from "./records-query.ts";
import { timeSql } from "./time.ts";

/** A column that, with others, makes a group: `usr`, `by0`, `by0_null`, …, `cell`, `slot`. */
export interface KeyColumn {
  readonly name: string;
  readonly sql: string;
}

/** What one query over the table can say of a record. Names are defined in `definitions`. */
export interface RecordSql {
  readonly definitions: Definitions;
  readonly keys: readonly KeyColumn[];
  readonly dedupeKeys: readonly KeyColumn[];
  readonly latitude: string;
  readonly longitude: string;
  readonly cell: string | undefined;
  readonly instant: string;
  readonly clock: string | undefined;
  readonly timeIsAbsent: string;
  readonly i: string;
  readonly missing: string;
  readonly outside: string;
  /** Whether the record passes the filters. */
  readonly passes: string;
  /** Whether the record passes all filters but one that asks for a user, and has none. */
  readonly lacksUser: string;
  /** Conditions of which none may hold for any record that passes, nor `time` for any at all. */
  readonly wrong: Readonly<Record<Trouble | "unread", string>>;
  readonly fields: TableFields;
  /** The table, with what is joined to it. */
  readonly from: string;
}

export function recordSql(query: RecordsQuery): RecordSql {
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
    passes: recipe.emptyUser === "drop" ? allOf([time.passes, hasUser]) : time.passes,
    lacksUser: allOf([time.passes, not(hasUser)]),
    wrong: {
      time: time.wrong,
      place: place.wrong,
      value: value.wrong,
      missing: hasValue(recipe) ? `isNaN(${value.value})` : "0",
      unread: anyOf([value.unread, place.unread]),
    },
    fields,
    from: placedTable(query, place),
  };
}

/** One condition, so that no part of it is tried on fewer records than are meant. */
export function whereSql({ wrong, passes }: RecordSql, also: readonly string[] = []): string {
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
