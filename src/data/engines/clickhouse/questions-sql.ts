/** What is asked of a table before or after its groups: points, the first and last time, and what is wrong with records. */
import { shownText } from "../row-checks.ts";
import type { Trouble } from "../trouble.ts";
import { recordSql } from "./record-sql.ts";
import type { RecordsQuery } from "./records-query.ts";
import { allOf, not } from "./sql-text.ts";

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
