/** Prints the pipeline from rows to groups as nested queries: read, check, filter, place, asked grids, round, dedupe, group. */
import type { InputLattice } from "../../../core/planning/index.ts";
import {
  CLOCK,
  HAS_OFFSET,
  INSTANT,
  instantExpression,
  LOCAL,
  localExpression,
  partNames,
  type Recipe,
  STORED_CELL,
  slotStartExpression,
  storedCellExpression,
  storedCellIsSound,
  type TimeFormat,
  timeFilter,
} from "../../partition/index.ts";
import { type Dialect, type ExpressionPrinter, expressionPrinter } from "./dialect.ts";
import { groupColumns, type Named, onLattice } from "./formulas.ts";
import { END_OF_TIMES, earliestTime, hasTrouble, hasValue, passes, type RowChecks, shownText } from "./row-checks.ts";
import type { Trouble } from "./trouble.ts";

/** Columns of a source as an engine reads them, each an expression over a row of `rows`. */
export interface SourceFields {
  /** What rows with the recipe's columns are selected from. */
  readonly relation: string;
  /** The column as it is read. */
  raw(name: string): string;
  /** A user, or a column that is part of a grid or of a key, as text. */
  user(name: string): string;
  id(name: string): string;
  /** As a message shows it. */
  text(name: string): string;
  /** Doubles; null where there is nothing or no number. A value may be an amount. */
  value(name: string): string;
  number(name: string): string;
  point(name: string): { readonly latitude: string; readonly longitude: string };
  /** The number of an H3 cell; null where there is none. */
  cell(name: string): string;
  /** Microseconds since 1970 of what the clock showed, or of the instant where an offset was written. */
  time(name: string, format: TimeFormat): { readonly clock: string; readonly hasOffset: string };
  isFilled(name: string): string;
  /** Whether something stands in the value column that is no number, `x_read` being what was read of it. */
  isNoNumber(name: string): string;
  /** Whether what is read of a row is cheap enough to be worked out wherever it is used. */
  isPlain(recipe: Recipe): boolean;
}

/** What an engine adds to the dialect for reading rows. */
export interface RowDialect extends Dialect {
  isFinite(of: string): string;
  /** Rows of a relation that have their like in a table. */
  semiJoin(relation: string, table: string, same: (left: string, right: string) => string): string;
  /** A condition that fails the query and says why. It is made of a column, or a planner would work it out beforehand. */
  signal(trouble: Trouble, column: string): string;
  readonly noInstant: string;
  readonly noText: string;
  /** The columns that ids are made of, where they become text only after everything else; as text from the start if absent. */
  idColumns?(fields: SourceFields, recipe: Recipe): readonly string[];
}

export interface RecordsQuery {
  readonly recipe: Recipe;
  /** Parts of the source that are read alike; their rows are read one part after the other. */
  readonly parts: readonly SourceFields[];
  /** Absent: only counts are wanted. */
  readonly lattice: InputLattice | undefined;
  /** How a place becomes a hexagon: what is joined to the rows, and the cell. */
  readonly hexagon?: { readonly join: string; readonly cell: string } | undefined;
  /** A table of the grids whose records alone are wanted. */
  readonly asked?: string | undefined;
}

/** Over columns of the rows, in integers of 64 bits. */
const plainPrinter = ({ identifier, integer, quotient, commonBits, shiftedRight }: Dialect): ExpressionPrinter =>
  expressionPrinter({ identifier, integer, quotient, commonBits, shiftedRight });

const listed = (columns: readonly Named[]): string[] =>
  columns.map(({ name, sql }) => (name === sql ? name : `${sql} AS ${name}`));

/** The texts that say whose a record is, and that make its grid and key. */
function ids(fields: SourceFields, { user, by, dedupe }: Recipe): Named[] {
  return [
    { name: "usr", sql: fields.user(user) },
    ...by.map((column, index) => ({ name: `by${index}`, sql: fields.id(column) })),
    ...(dedupe ?? []).map((column, index) => ({ name: `key${index}`, sql: fields.id(column) })),
  ];
}

/** Names of an id's columns up to the step at which they become text. */
function carried(d: RowDialect, fields: SourceFields, recipe: Recipe): readonly string[] {
  return d.idColumns?.(fields, recipe) ?? ids(fields, recipe).map(({ name }) => name);
}

/** What is read of a record's place. */
function placeNames({ place }: Recipe): string[] {
  if (place === null) return [];
  return place.kind === "cell" ? [STORED_CELL] : ["latitude", "longitude"];
}

/** Rows as read, and what may be wrong with one. */
interface ReadRows extends RowChecks {
  readonly rows: string;
}

function readRows(d: RowDialect, fields: SourceFields, recipe: Recipe, extra: readonly string[] = []): ReadRows {
  const { place, time } = recipe;
  const columns: Named[] = d.idColumns === undefined ? ids(fields, recipe) : [];
  columns.push({ name: "x_read", sql: fields.value(recipe.value) });
  if (place?.kind === "cell") columns.push({ name: STORED_CELL, sql: fields.cell(place.column) });
  else if (place !== null) {
    const { latitude, longitude } =
      place.kind === "point"
        ? fields.point(place.column)
        : { latitude: fields.number(place.latitude), longitude: fields.number(place.longitude) };
    columns.push({ name: "latitude", sql: latitude }, { name: "longitude", sql: longitude });
  }
  if (time !== null) {
    const { clock, hasOffset } = fields.time(time.column, time.format);
    columns.push({ name: CLOCK, sql: clock }, { name: HAS_OFFSET, sql: hasOffset });
  }
  const rows = `SELECT ${["*", ...listed(columns), ...extra].join(", ")} FROM ${fields.relation}`;
  const filters = [timesWanted(d, recipe) ?? [], recipe.emptyUser === "drop" ? hasUser(d, fields, recipe) : []].flat();
  return {
    rows: timed(d, fields.isPlain(recipe) ? rows : d.fenced(rows), recipe),
    read: [...(time === null ? [] : ["time" as const]), ...(place === null ? [] : ["place" as const]), "value"],
    sound: {
      time: time === null ? "true" : `${CLOCK} >= ${earliestTime(time)} AND ${CLOCK} < ${END_OF_TIMES}`,
      place: soundPlace(d, recipe),
      value: d.isFinite("x_read"),
    },
    filled: {
      time: time === null ? "false" : fields.isFilled(time.column),
      place:
        placeColumns(recipe)
          .map((column) => fields.isFilled(column))
          .join(" OR ") || "false",
      value: fields.isNoNumber(recipe.value),
    },
    filter: filters.length === 0 ? undefined : filters.join(" AND "),
  };
}

function placeColumns({ place }: Recipe): string[] {
  if (place === null) return [];
  return place.kind === "columns" ? [place.latitude, place.longitude] : [place.column];
}

function soundPlace(d: RowDialect, { place }: Recipe): string {
  if (place === null) return "true";
  return place.kind === "cell"
    ? plainPrinter(d).condition(storedCellIsSound(place.resolution))
    : "latitude BETWEEN -90 AND 90 AND longitude BETWEEN -180 AND 180";
}

/** Adds the instant, and what local clocks showed where hours are wanted. */
function timed(d: RowDialect, rows: string, { time }: Recipe): string {
  if (time === null) return rows;
  const print = plainPrinter(d).expression;
  const step = (column: string, of: string): string => d.fenced(`SELECT *, ${column} FROM ${d.relation(of)}`);
  const withInstant = step(`${print(instantExpression(time.zone))} AS ${INSTANT}`, rows);
  return time.hours === null ? withInstant : step(`${print(localExpression(time.zone))} AS ${LOCAL}`, withInstant);
}

function timesWanted(d: RowDialect, { time }: Recipe): string | undefined {
  const filter = time === null ? undefined : timeFilter(time);
  return filter === undefined ? undefined : plainPrinter(d).condition(filter);
}

function hasUser(d: RowDialect, fields: SourceFields, { user }: Recipe): string {
  return `${d.idColumns === undefined ? "usr" : fields.user(user)} <> ''`;
}

/** Rows that pass the filters; anything wrong in them is signalled. */
function checkedSql(d: RowDialect, { recipe, parts }: Pick<RecordsQuery, "recipe" | "parts">): string {
  return parts
    .map((fields) => {
      const row = readRows(d, fields, recipe);
      const names = carried(d, fields, recipe);
      const columns = [
        ...names,
        ...placeNames(recipe),
        ...(recipe.time === null ? [] : [INSTANT]),
        hasValue(recipe) ? "x_read AS x" : `CASE WHEN ${d.isFinite("x_read")} THEN x_read END AS x`,
      ];
      const signal = (trouble: Trouble): string => d.signal(trouble, names[0] ?? "usr");
      return `SELECT ${columns.join(", ")} FROM ${d.relation(row.rows)} WHERE ${passes(row, { recipe, signal })}`;
    })
    .join(" UNION ALL ");
}

/** Every place of records that count, once. */
export function placesSql(d: RowDialect, query: Pick<RecordsQuery, "recipe" | "parts">): string {
  return `SELECT DISTINCT latitude, longitude FROM ${d.relation(checkedSql(d, query))} WHERE latitude IS NOT NULL AND longitude IS NOT NULL`;
}

/** The columns of a grid that are worked out, and not read. */
function workedOut(d: RowDialect, { recipe: { place, time }, hexagon }: RecordsQuery): Named[] {
  const print = plainPrinter(d).expression;
  const columns: Named[] = [];
  if (place?.kind === "cell") columns.push({ name: "cell", sql: print(storedCellExpression(place.resolution)) });
  else if (place !== null) columns.push({ name: "cell", sql: hexagon!.cell });
  if (time !== null && time.slot !== null) {
    const start = print(slotStartExpression(time.slot, time.zone));
    // `least` passes over nulls, so a missing time is looked at first.
    columns.push({ name: "slot", sql: `CASE WHEN ${INSTANT} IS NOT NULL THEN ${start} END` });
  }
  return columns;
}

/** Equality of grids in two tables, missing parts included; `texts` has parts of the left one that are worked out. */
export function sameGrid(
  d: Dialect,
  recipe: Recipe,
  { left, right, texts }: { left: string; right: string; texts?: ReadonlyMap<string, string> | undefined },
): string {
  const same = partNames(recipe).map((part) => d.same(texts?.get(part) ?? `${left}.${part}`, `${right}.${part}`, part));
  return same.join(" AND ");
}

/**
 * Records that count, one row each: usr, the parts of the grid, instant, i, missing, outside; `copies` where repeated ones were
 * taken out.
 */
function recordsSql(d: RowDialect, query: RecordsQuery): string {
  const { recipe, lattice, parts } = query;
  const [fields] = parts as [SourceFields, ...SourceFields[]];
  const names = carried(d, fields, recipe);
  const own = workedOut(d, query);
  const ownNames = own.map(({ name }) => name);
  const instant = recipe.time === null ? `${d.noInstant} AS ${INSTANT}` : INSTANT;
  const placed = `SELECT ${[...names, ...listed(own), instant, "x"].join(", ")} FROM ${d.relation(checkedSql(d, query))}${query.hexagon?.join ?? ""}`;
  const placedRows = d.relation(recipe.time === null ? placed : d.fenced(placed));
  const late = d.idColumns === undefined ? undefined : ids(fields, recipe);
  const texts = late && new Map(late.map(({ name, sql }) => [name, sql]));
  const from =
    query.asked === undefined
      ? placedRows
      : d.semiJoin(placedRows, query.asked, (left, right) => sameGrid(d, recipe, { left, right, texts }));
  const mapped = `SELECT ${[...names, ...ownNames, INSTANT, ...valueColumns(d, query)].join(", ")} FROM ${from}`;
  const records =
    late === undefined
      ? mapped
      : `SELECT ${[...listed(late), ...ownNames, INSTANT, "i", "missing", "outside"].join(", ")} FROM ${d.relation(lattice === undefined ? mapped : d.fenced(mapped))}`;
  return recipe.dedupe === null ? records : dedupedSql(d, records, query);
}

function valueColumns(d: RowDialect, { lattice, recipe }: RecordsQuery): string[] {
  const missing = hasValue(recipe) ? undefined : "x IS NULL";
  if (lattice === undefined) return ["0 AS i", `${missing ?? "false"} AS missing`, "false AS outside"];
  const { i, outside } = onLattice(d, "x", { lattice, missing });
  return [`${i} AS i`, `${missing ?? "false"} AS missing`, `coalesce(${outside}, false) AS outside`];
}

/** Of records alike in user, grid and key columns one survives; then the rule for missing values. */
function dedupedSql(d: RowDialect, records: string, { recipe, lattice }: RecordsQuery): string {
  const kept = ["usr", ...partNames(recipe)].join(", ");
  const keys = [kept, ...(recipe.dedupe ?? []).map((_, index) => `key${index}`)].join(", ");
  const packed = d.pack({ missing: "missing", instant: INSTANT, i: "i", outside: "outside" });
  const first = `SELECT ${kept}, min(${packed}) AS first, count(*) AS copies FROM ${d.relation(records)} GROUP BY ${keys}`;
  const { missing, instant, i, outside } = d.unpack("first", lattice);
  const survivors = `SELECT ${kept}, ${instant} AS ${INSTANT}, ${i} AS i, ${missing} AS missing, ${outside} AS outside, copies FROM ${d.relation(first)}`;
  if (recipe.missing !== "refuse") return survivors;
  return `SELECT * FROM ${d.relation(survivors)} WHERE CASE WHEN missing THEN ${d.signal("missing", "usr")} ELSE true END`;
}

/** How many records each user has in each grid, and with a lattice what they add up to. */
export function groupsSql(d: RowDialect, query: RecordsQuery, thresholds: readonly bigint[]): string {
  const { recipe, lattice } = query;
  const keys = ["usr", ...partNames(recipe)].join(", ");
  const record = { i: "i", missing: "missing", outside: "outside", copies: "copies" };
  const columns = groupColumns(d, record, { recipe, lattice, thresholds });
  return `SELECT ${keys}, ${listed(columns).join(", ")} FROM ${d.relation(recordsSql(d, query))} GROUP BY ${keys}`;
}

/** Records of groups in a table `cut` that has the columns `pair`, m, c, usr and the parts of the grid. */
export function cutRecordsSql(
  d: RowDialect,
  query: RecordsQuery,
  { pair, cut }: { pair: string; cut: string },
): string {
  const { recipe } = query;
  const isSame = sameGrid(d, recipe, { left: "record", right: "cut" });
  return (
    `SELECT ${pair}, m, c, instant, i FROM (${recordsSql(d, query)}) AS record JOIN ${cut} AS cut ` +
    `ON record.usr = cut.usr AND ${isSame}${recipe.missing === "drop" ? " WHERE NOT missing" : ""}`
  );
}

/** How many records are left out for want of a user. */
export function withoutUserSql(d: RowDialect, { recipe, parts }: Pick<RecordsQuery, "recipe" | "parts">): string {
  const rows = parts.map((fields) => {
    const { rows: read } = readRows(d, fields, recipe);
    return `SELECT count(*) AS n FROM ${d.relation(read)} WHERE NOT (${hasUser(d, fields, recipe)}) AND ${timesWanted(d, recipe) ?? "true"}`;
  });
  return `SELECT sum(n) FROM ${d.relation(rows.join(" UNION ALL "))}`;
}

/** Of one part, the rows with this trouble. `select` makes columns of the text at fault, which is null where it is protected. */
export function troubleSql(
  d: RowDialect,
  { recipe, fields, trouble }: { recipe: Recipe; fields: SourceFields; trouble: Trouble },
  { select, extra = [], order = "" }: { select: (shown: string) => string; extra?: readonly string[]; order?: string },
): string {
  const row = readRows(d, fields, recipe, extra);
  const shown = shownText(recipe, trouble, { text: (column) => fields.text(column), hidden: d.noText });
  return `SELECT ${select(shown)} FROM ${d.relation(row.rows)} WHERE ${hasTrouble(row, trouble)}${order}`;
}
