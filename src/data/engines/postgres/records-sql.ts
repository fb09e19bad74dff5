/** The pipeline from a table to records with user, grid and lattice integer, as one query: filters, repeated records, missing values, in this order. */

import type { InputLattice } from "../../../core/planning/index.ts";
import {
  CLOCK,
  HAS_OFFSET,
  INSTANT,
  instantExpression,
  LOCAL,
  localExpression,
  type Place,
  type Recipe,
  recipeColumns,
  STORED_CELL,
  slotStartExpression,
  storedCellExpression,
  storedCellIsSound,
  timeFilter,
} from "../../partition/index.ts";
import type { AskedGrids } from "../asked-grids.ts";
import { partNames } from "../part-names.ts";
import {
  type Checked,
  END_OF_TIMES,
  earliestTime,
  hasTrouble,
  hasValue,
  placeIsFilled,
  type RowChecks,
  shownText,
  signalOf,
} from "../row-checks.ts";
import type { Trouble } from "../trouble.ts";
import { SourceFields, type Table } from "./fields-sql.ts";
import { double, fenced, identifier, printCondition, printExpression, relation } from "./sql-text.ts";

/** Hexagons of places: latitude, longitude, cell. Filled before records are read. */
export const CELLS = "pg_temp.veilgrid_cells";

/** Grids that are asked for: the columns that make a grid. Filled before records are read. */
export const ASKED = "pg_temp.veilgrid_asked";

/** After all times. */
const NO_TIME = 2n ** 62n;

export interface RecordsQuery {
  readonly table: Table;
  readonly recipe: Recipe;
  /** Absent: only counts are wanted. */
  readonly lattice: InputLattice | undefined;
  /** Only records of these grids, which stand in the table of those asked for. */
  readonly asked?: AskedGrids | undefined;
}

/**
 * Records that count, one row each: usr, the parts of the grid, instant, i, missing, outside; `copies` where repeated ones were
 * taken out. Ids become text last: up to there they are the table's own columns, of which the planner knows how many differ.
 */
export function recordsSql(query: RecordsQuery): string {
  const { table, recipe, lattice } = query;
  const fields = fieldsOf(table, recipe);
  const own = partNames(recipe).filter((part) => part === "cell" || part === "slot");
  const cells = !needsMapping(recipe.place)
    ? ""
    : ` LEFT JOIN ${CELLS} AS places ON places.latitude = lat AND places.longitude = lon`;
  const placed = `SELECT ${[...idColumns(fields, recipe), ...placedParts(recipe), `${instantColumn(recipe)} AS instant`, "x"].join(", ")} FROM ${relation(checkedSql(query))}${cells}`;
  const asked = query.asked === undefined ? "" : ` WHERE ${isAskedSql(fields, recipe)}`;
  const mapped = `SELECT ${[...idColumns(fields, recipe), ...own, "instant", latticeColumns(query)].join(", ")} FROM ${relation(recipe.time === null ? placed : fenced(placed))}${asked}`;
  const columns = [
    `${userOf(fields, recipe)} AS usr`,
    ...recipe.by.map((column, index) => `${fields.text(column)} AS by${index}`),
    ...own,
    ...(recipe.dedupe ?? []).map((column, index) => `${fields.text(column)} AS key${index}`),
    "instant, i, missing, outside",
  ];
  const records = `SELECT ${columns.join(", ")} FROM ${relation(lattice === undefined ? mapped : fenced(mapped))}`;
  return recipe.dedupe === null ? records : dedupedSql(records, query);
}

function isAskedSql(fields: SourceFields, recipe: Recipe): string {
  const texts = new Map(recipe.by.map((column, index) => [`by${index}`, fields.text(column)]));
  const isSame = sameParts(
    partNames(recipe),
    (part) => texts.get(part) ?? `relation.${part}`,
    (part) => `asked.${part}`,
  );
  return `EXISTS (SELECT FROM ${ASKED} AS asked WHERE ${isSame})`;
}

/** Equality that also holds between two missing parts, in a form that can be hashed. */
export function sameParts(
  parts: readonly string[],
  left: (part: string) => string,
  right: (part: string) => string,
): string {
  return parts
    .map((part) => {
      const nothing = part === "cell" || part === "slot" ? "0" : "''";
      const filled = (side: string): string => `coalesce(${side}, ${nothing})`;
      return `${filled(left(part))} = ${filled(right(part))} AND (${left(part)} IS NULL) = (${right(part)} IS NULL)`;
    })
    .join(" AND ");
}

function fieldsOf(table: Table, recipe: Recipe): SourceFields {
  return new SourceFields(
    table,
    recipeColumns(recipe).map(({ column }) => column),
    recipe.time ?? undefined,
  );
}

/** As the table has them. */
function idColumns(fields: SourceFields, { user, by, dedupe }: Recipe): string[] {
  return [...new Set([user, ...by, ...(dedupe ?? [])])].map((column) => fields.raw(column));
}

/** Whether hexagons are found by coordinates, and not stored. */
export function needsMapping(place: Place | null): place is Exclude<Place, { kind: "cell" }> {
  return place !== null && place.kind !== "cell";
}

/** Every place of records that count, once. */
export function placesSql(query: RecordsQuery): string {
  return `SELECT DISTINCT lat, lon FROM ${relation(checkedSql(query))} WHERE lat IS NOT NULL AND lon IS NOT NULL`;
}

/** Rows that pass the filters; anything wrong in them is signalled. */
function checkedSql({ table, recipe }: RecordsQuery): string {
  const row = readRow(table, recipe);
  const columns = [
    ...idColumns(row.fields, recipe),
    ...(recipe.place === null ? [] : recipe.place.kind === "cell" ? [STORED_CELL] : ["lat", "lon"]),
    ...(recipe.time === null ? [] : [INSTANT]),
    hasValue(recipe) ? "x_read AS x" : `CASE WHEN ${FINITE} THEN x_read END AS x`,
  ].join(", ");
  return `SELECT ${columns} FROM ${relation(row.rows)} WHERE ${passes(row, recipe)}`;
}

/** Rows as read from the table, and what may be wrong with one. */
interface ReadRow extends RowChecks {
  readonly rows: string;
  readonly fields: SourceFields;
}

/** NaN comes after everything else, and so after infinity. */
const FINITE = "x_read > CAST('-Infinity' AS double precision) AND x_read < CAST('Infinity' AS double precision)";
const INFINITE = "x_read IN (CAST('-Infinity' AS double precision), CAST('Infinity' AS double precision))";

function readRow(table: Table, recipe: Recipe): ReadRow {
  const { place, time } = recipe;
  const fields = fieldsOf(table, recipe);
  const columns = [`${fields.number(recipe.value)} AS x_read`];
  if (place?.kind === "columns")
    columns.push(`${fields.number(place.latitude)} AS lat`, `${fields.number(place.longitude)} AS lon`);
  if (place?.kind === "point") {
    const { latitude, longitude } = fields.point(place.column);
    columns.push(`${latitude} AS lat`, `${longitude} AS lon`);
  }
  if (place?.kind === "cell") columns.push(`${fields.cell(place.column)} AS ${STORED_CELL}`);
  if (time !== null) {
    const { clock, hasOffset } = fields.time(time.column, time.format);
    columns.push(`${clock} AS ${CLOCK}`, `${hasOffset} AS ${HAS_OFFSET}`);
  }
  const rows = `SELECT *, ${columns.join(", ")} FROM ${relation(fields.rows)}`;
  const isPlain = place === null && time === null && fields.isPlainNumber(recipe.value);
  return {
    rows: timedSql(isPlain ? rows : fenced(rows), recipe),
    fields,
    sound: {
      time: time === null ? "true" : `${CLOCK} >= ${earliestTime(time)} AND ${CLOCK} < ${END_OF_TIMES}`,
      place: soundPlace(place),
      value: FINITE,
    },
    filled: {
      time: time === null ? "false" : fields.isFilled(time.column),
      place: placeIsFilled(recipe, (column) => fields.isFilled(column)),
      // NaN is how some writers say that there is no value; infinity is no number.
      value: `CASE WHEN x_read IS NULL THEN ${fields.isFilled(recipe.value)} ELSE ${INFINITE} END`,
    },
  };
}

function soundPlace(place: Place | null): string {
  if (place === null) return "true";
  return place.kind === "cell"
    ? printCondition(storedCellIsSound(place.resolution))
    : "lat BETWEEN -90 AND 90 AND lon BETWEEN -180 AND 180";
}

/** One condition with an order of its own, so that a row outside the filters is never found fault with. Sound rows leave it first. */
function passes({ fields, sound, filled }: ReadRow, recipe: Recipe): string {
  const filter = filterOf(recipe, fields);
  const all = [
    ...(recipe.time === null ? [] : [sound.time]),
    ...(recipe.place === null ? [] : [sound.place]),
    sound.value,
  ];
  const isUnsound = (what: Checked): string => (all.length === 1 ? "" : `NOT coalesce(${sound[what]}, false) AND `);
  const wrong = (what: Checked): string =>
    `WHEN ${isUnsound(what)}(${filled[what]}) THEN ${signal(what, fields.raw(recipe.user))}`;
  const isSound = all.length === 1 ? "" : `WHEN coalesce(${sound.value}, false) THEN true `;
  return [
    `CASE WHEN ${[...all, ...(filter === undefined ? [] : [filter])].join(" AND ")} THEN true`,
    ...(recipe.time === null ? [] : [wrong("time")]),
    ...(filter === undefined ? [] : [`WHEN NOT coalesce(${filter}, false) THEN false`]),
    ...(recipe.place === null ? [] : [wrong("place")]),
    wrong("value"),
    hasValue(recipe) ? `${isSound}ELSE ${signal("missing", fields.raw(recipe.user))} END` : "ELSE true END",
  ].join(" ");
}

/**
 * The server has no function that fails on demand: a text that is no boolean does, and its message quotes nothing else. It is made of
 * nothing but a column's first no letters, or the planner would make it, and fail, before there is a row.
 */
function signal(trouble: Trouble, column: string): string {
  return `CAST(concat('${signalOf(trouble)}', left(CAST(${column} AS text), 0)) AS boolean)`;
}

function timedSql(rows: string, { time }: Recipe): string {
  if (time === null) return rows;
  const timed = fenced(
    `SELECT *, ${printExpression(instantExpression(time.zone))} AS ${INSTANT} FROM ${relation(rows)}`,
  );
  return time.hours === null
    ? timed
    : fenced(`SELECT *, ${printExpression(localExpression(time.zone))} AS ${LOCAL} FROM ${relation(timed)}`);
}

function filterOf(recipe: Recipe, fields: SourceFields): string | undefined {
  const filters = [
    timesWanted(recipe) ?? [],
    recipe.emptyUser === "drop" ? `${userOf(fields, recipe)} <> ''` : [],
  ].flat();
  return filters.length === 0 ? undefined : filters.join(" AND ");
}

function timesWanted({ time }: Recipe): string | undefined {
  const filter = time === null ? undefined : timeFilter(time);
  return filter === undefined ? undefined : printCondition(filter);
}

function userOf(fields: SourceFields, { user }: Recipe): string {
  return `coalesce(${fields.text(user)}, '')`;
}

/** `least` passes over nulls, so a missing time is looked at first. */
function placedParts({ place, time }: Recipe): string[] {
  return [
    ...(place === null
      ? []
      : [`${place.kind === "cell" ? printExpression(storedCellExpression(place.resolution)) : "places.cell"} AS cell`]),
    ...(time === null || time.slot === null
      ? []
      : [
          `CASE WHEN ${INSTANT} IS NOT NULL THEN ${printExpression(slotStartExpression(time.slot, time.zone))} END AS slot`,
        ]),
  ];
}

function instantColumn({ time }: Recipe): string {
  return time === null ? "CAST(NULL AS bigint)" : INSTANT;
}

/** The largest integer of the server's short type, whose sums take half the time. */
const SHORT = 2n ** 31n - 1n;

/**
 * The server stops where a division of doubles overflows or vanishes, so values at and beyond the bounds, and those within a quarter
 * of a step above the lower one, are looked at first; the formula gives the same for them.
 */
function latticeColumns({ lattice, recipe }: RecordsQuery): string {
  const missing = hasValue(recipe) ? "false" : "x IS NULL";
  if (lattice === undefined) return `0 AS i, ${missing} AS missing, false AS outside`;
  const { lower, upper, step, steps, midpoint } = lattice;
  const rounded = `floor((x - ${double(lower)}) / ${double(step)} + ${double(0.5)})`;
  const type = steps <= SHORT ? "integer" : "bigint";
  const whole = (value: bigint): string => `CAST('${value}' AS ${type})`;
  const i =
    `CASE ${hasValue(recipe) ? "" : `WHEN x IS NULL THEN ${whole(midpoint)} `}` +
    `WHEN x <= ${double(lower)} THEN ${whole(0n)} WHEN x >= ${double(upper)} THEN ${whole(steps)} ` +
    `WHEN x - ${double(lower)} < ${double(step / 4)} THEN ${whole(0n)} ` +
    `ELSE CAST(least(${double(Number(steps))}, ${rounded}) AS ${type}) END`;
  return `${i} AS i, ${missing} AS missing, coalesce(x < ${double(lower)} OR x > ${double(upper)}, false) AS outside`;
}

/** Of records alike in user, grid and key columns one survives, the first of them as a list of integers; then the rule for missing values. */
function dedupedSql(mapped: string, { recipe, lattice }: RecordsQuery): string {
  const kept = ["usr", ...partNames(recipe)].join(", ");
  const order = `ARRAY[CASE WHEN missing THEN 1 ELSE 0 END, coalesce(instant, ${NO_TIME}), CAST(i AS bigint) * 2 + CASE WHEN outside THEN 1 ELSE 0 END]`;
  const keys = [...(recipe.dedupe ?? []).map((_, index) => `key${index}`), kept].join(", ");
  const first = `SELECT ${kept}, min(${order}) AS first, count(*) AS copies FROM ${relation(mapped)} GROUP BY ${keys}`;
  const type = lattice !== undefined && lattice.steps > SHORT ? "bigint" : "integer";
  const unpacked =
    `SELECT ${kept}, nullif(first[2], ${NO_TIME}) AS instant, CAST(first[3] >> 1 AS ${type}) AS i, ` +
    `first[1] = 1 AS missing, (first[3] & 1) = 1 AS outside, copies FROM ${relation(first)}`;
  if (recipe.missing !== "refuse") return unpacked;
  return `SELECT * FROM ${relation(unpacked)} WHERE CASE WHEN missing THEN ${signal("missing", "usr")} ELSE true END`;
}

/** How many records have this trouble, and the text that is at fault where that may be shown, the first of those by bytes. */
export function troubleSql({ table, recipe }: Pick<RecordsQuery, "table" | "recipe">, trouble: Trouble): string {
  const row = readRow(table, recipe);
  const { rows, fields } = row;
  const shown = shownText(recipe, trouble, { text: (column) => fields.text(column), hidden: "CAST(NULL AS text)" });
  const isWrong = hasTrouble(row, trouble, filterOf(recipe, fields));
  return `SELECT count(*), min(${shown}) FROM ${relation(rows)} WHERE ${isWrong}`;
}

/** How many records are left out for want of a user. */
export function withoutUserSql({ table, recipe }: RecordsQuery): string {
  const { rows, fields } = readRow(table, recipe);
  return `SELECT count(*) FROM ${relation(rows)} WHERE ${userOf(fields, recipe)} = '' AND ${timesWanted(recipe) ?? "true"}`;
}

/** How many records each user has in each grid, and with a lattice what they add up to. */
export function groupsSql(query: RecordsQuery, thresholds: readonly bigint[]): string {
  const { recipe, lattice } = query;
  const keys = ["usr", ...partNames(recipe)].map(identifier).join(", ");
  const counted = recipe.missing === "drop" ? " FILTER (WHERE NOT missing)" : "";
  const columns = [
    ...countColumns(recipe).map(({ name, sql }) => `${sql} AS ${name}`),
    ...(lattice === undefined
      ? []
      : [
          `sum(i)${counted} AS s`,
          ...squareColumns(lattice).map(({ name, of }) => `sum(${of})${counted} AS ${name}`),
          "count(*) FILTER (WHERE outside) AS outside",
          ...thresholds.map(
            (threshold, index) =>
              `count(*) FILTER (WHERE i >= ${threshold}${counted === "" ? "" : " AND NOT missing"}) AS c${index}`,
          ),
        ]),
  ];
  return `SELECT ${keys}, ${columns.join(", ")} FROM ${relation(recordsSql(query))} GROUP BY ${keys}`;
}

/**
 * What i² is added up in. Halves of 31 bits add up in 64 bits, for 2^32 records of a group; sums of anything longer take more room,
 * more than the planner gives a hash table, and it sorts all records instead.
 */
export function squareColumns({
  steps,
}: InputLattice): Array<{ readonly name: string; readonly of: string; readonly unit: bigint }> {
  if (steps > SHORT) return [{ name: "q", of: "CAST(i AS numeric) * i", unit: 1n }];
  const square = "CAST(i AS bigint) * i";
  return [
    { name: "q1", of: `CAST((${square}) >> 31 AS integer)`, unit: 2n ** 31n },
    { name: "q0", of: `CAST((${square}) & ${2n ** 31n - 1n} AS integer)`, unit: 1n },
  ];
}

/** What a group is counted in, each a bigint. */
export function countColumns(recipe: Recipe): Array<{ readonly name: "n" | "blank" | "copies"; readonly sql: string }> {
  const counted = recipe.missing === "drop" ? " FILTER (WHERE NOT missing)" : "";
  return [
    { name: "n", sql: `count(*)${counted}` },
    ...(recipe.missing === "refuse" ? [] : [{ name: "blank" as const, sql: "count(*) FILTER (WHERE missing)" }]),
    ...(recipe.dedupe === null ? [] : [{ name: "copies" as const, sql: "CAST(sum(copies) AS bigint)" }]),
  ];
}
