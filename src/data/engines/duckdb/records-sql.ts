/** The pipeline from files to records with user, grid and lattice integer, as one query: filters, repeated records, missing values, in this order. */

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
import type { DescribedFile } from "../../sources/index.ts";
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
import { CELL_FUNCTION } from "./cell-function.ts";
import { SourceFields, sameLayout } from "./fields-sql.ts";
import { double, identifier, printCondition, printExpression } from "./sql-text.ts";

/** A record's place among its repetitions, in one integer: with a value first, then earliest, then smallest. */
const VALUE_BITS = 35n;
const TIME_LIFT = 2n ** 61n;
const NO_TIME = 2n ** 62n;
const MISSING_UNIT = 2n ** 110n;

export interface RecordsQuery {
  readonly files: readonly DescribedFile[];
  readonly recipe: Recipe;
  /** Absent: only counts are wanted. */
  readonly lattice: InputLattice | undefined;
  /** Only records of these grids, which stand in the table `asked`. */
  readonly asked?: AskedGrids | undefined;
}

/**
 * Records that count, one row each: usr, the parts of the grid, instant, i, missing, outside; `copies` where repeated ones were
 * taken out.
 */
export function recordsSql(query: RecordsQuery): string {
  const { recipe } = query;
  const parts = partNames(recipe).join(", ");
  const placed = `SELECT usr, ${placedParts(recipe).join(", ")}, ${dedupeNames(recipe)}${instantColumn(recipe)} AS instant, x FROM (${checkedSql(query)})`;
  const asked =
    query.asked === undefined ? "" : ` AS placed SEMI JOIN asked ON ${sameParts("placed", "asked", partNames(recipe))}`;
  const mapped = `SELECT usr, ${parts}, ${dedupeNames(recipe)}instant, ${latticeColumns(query)} FROM (${placed})${asked}`;
  return recipe.dedupe === null ? mapped : dedupedSql(mapped, query);
}

/** Equality that also holds between two missing parts. */
export function sameParts(left: string, right: string, parts: readonly string[]): string {
  return parts.map((part) => `${left}.${part} IS NOT DISTINCT FROM ${right}.${part}`).join(" AND ");
}

/** How many rows are left out for want of a user. */
export function withoutUserSql({ files, recipe }: RecordsQuery): string {
  const rows = filesByLayout(files).map((group) => {
    return `SELECT count(*) AS n FROM (${readRow(group, recipe).relation}) WHERE NOT (${HAS_USER}) AND ${timesWanted(recipe) ?? "true"}`;
  });
  return `SELECT sum(n) FROM (${rows.join(" UNION ALL ")})`;
}

/** Rows of all files that pass the filters, in the same columns whatever the files' own; anything wrong in them is signalled. */
function checkedSql({ files, recipe }: RecordsQuery): string {
  const columns = [
    "usr",
    ...recipe.by.map((_, index) => `by${index}`),
    ...(recipe.dedupe ?? []).map((_, index) => `key${index}`),
    ...placeNames(recipe),
    ...(recipe.time === null ? [] : [INSTANT]),
    hasValue(recipe) ? "x_read AS x" : "CASE WHEN isfinite(x_read) THEN x_read END AS x",
  ].join(", ");
  return filesByLayout(files)
    .map((group) => {
      const row = readRow(group, recipe);
      return `SELECT ${columns} FROM (${row.relation}) WHERE ${passes(row, recipe)}`;
    })
    .join(" UNION ALL ");
}

function filesByLayout(files: readonly DescribedFile[]): DescribedFile[][] {
  const groups: DescribedFile[][] = [];
  for (const file of files) {
    const group = groups.find(([first]) => sameLayout(first!, file));
    if (group === undefined) groups.push([file]);
    else group.push(file);
  }
  return groups;
}

/** What is read of a record's place. */
function placeNames({ place }: Recipe): string[] {
  if (place === null) return [];
  return place.kind === "cell" ? [STORED_CELL] : ["latitude", "longitude"];
}

/** Rows as read from files of one layout, and what may be wrong with one. */
interface ReadRow extends RowChecks {
  readonly relation: string;
  readonly fields: SourceFields;
}

function readRow(files: readonly DescribedFile[], recipe: Recipe, numbered = false): ReadRow {
  const { place, time } = recipe;
  const fields = new SourceFields(
    files,
    recipeColumns(recipe).map(({ column }) => column),
  );
  const columns = [
    `coalesce(${fields.text(recipe.user)}, '') AS usr`,
    ...recipe.by.map((column, index) => `${fields.id(column)} AS by${index}`),
    ...(recipe.dedupe ?? []).map((column, index) => `${fields.id(column)} AS key${index}`),
    `${fields.value(recipe.value)} AS x_read`,
  ];
  if (place?.kind === "columns")
    columns.push(`${fields.number(place.latitude)} AS latitude`, `${fields.number(place.longitude)} AS longitude`);
  if (place?.kind === "point") {
    const point = fields.point(place.column);
    columns.push(`CASE WHEN len(${point}) = 2 THEN ${point}[2] END AS latitude`, `${point}[1] AS longitude`);
  }
  if (place?.kind === "cell") columns.push(`${fields.cell(place.column)} AS ${STORED_CELL}`);
  if (time !== null) {
    const { clock, hasOffset } = fields.time(time.column, time.format);
    columns.push(`${clock} AS ${CLOCK}`, `${hasOffset} AS ${HAS_OFFSET}`);
  }
  if (numbered) columns.push("row_number() OVER () AS row");
  return {
    relation: timedSql(`SELECT *, ${columns.join(", ")} FROM ${fields.relation}`, recipe),
    fields,
    sound: {
      time: time === null ? "true" : `${CLOCK} >= ${earliestTime(time)} AND ${CLOCK} < ${END_OF_TIMES}`,
      place: soundPlace(place),
      value: "isfinite(x_read)",
    },
    filled: {
      time: time === null ? "false" : fields.isFilled(time.column),
      place: placeIsFilled(recipe, (column) => fields.isFilled(column)),
      // NaN and some words are how writers say that there is no value; infinity is no number.
      value: `coalesce(isinf(x_read), false) OR (${fields.isFilled(recipe.value)} AND NOT ${fields.isNone(recipe.value)})`,
    },
  };
}

function soundPlace(place: Place | null): string {
  if (place === null) return "true";
  return place.kind === "cell"
    ? printCondition(storedCellIsSound(place.resolution))
    : "latitude BETWEEN -90 AND 90 AND longitude BETWEEN -180 AND 180";
}

/** One condition with an order of its own, so that a row outside the filters is never found fault with. Sound rows leave it first. */
function passes({ sound, filled }: ReadRow, recipe: Recipe): string {
  const filter = filterOf(recipe) ?? "true";
  const wrong = (what: Checked): string =>
    `WHEN NOT coalesce(${sound[what]}, false) AND (${filled[what]}) THEN ${signal(what)}`;
  return (
    `CASE WHEN ${sound.time} AND ${sound.place} AND ${sound.value} AND ${filter} THEN true ` +
    `${wrong("time")} WHEN NOT coalesce(${filter}, false) THEN false ${wrong("place")} ${wrong("value")} ` +
    `${hasValue(recipe) ? `WHEN coalesce(${sound.value}, false) THEN true ELSE ${signal("missing")}` : "ELSE true"} END`
  );
}

function signal(trouble: Trouble): string {
  return `error('${signalOf(trouble)}')`;
}

function timedSql(rows: string, { time }: Recipe): string {
  if (time === null) return rows;
  const timed = `SELECT *, ${printExpression(instantExpression(time.zone))} AS ${INSTANT} FROM (${rows})`;
  return time.hours === null
    ? timed
    : `SELECT *, ${printExpression(localExpression(time.zone))} AS ${LOCAL} FROM (${timed})`;
}

function filterOf(recipe: Recipe): string | undefined {
  const filters = [timesWanted(recipe) ?? [], recipe.emptyUser === "drop" ? HAS_USER : []].flat();
  return filters.length === 0 ? undefined : filters.join(" AND ");
}

const HAS_USER = "usr <> ''";

function timesWanted({ time }: Recipe): string | undefined {
  const filter = time === null ? undefined : timeFilter(time);
  return filter === undefined ? undefined : printCondition(filter);
}

function placedParts(recipe: Recipe): string[] {
  const { place, time } = recipe;
  return [
    ...recipe.by.map((_, index) => `by${index}`),
    ...(place === null ? [] : [`${cellSql(place)} AS cell`]),
    ...(time === null || time.slot === null
      ? []
      : [
          `CASE WHEN ${INSTANT} IS NOT NULL THEN ${printExpression(slotStartExpression(time.slot, time.zone))} END AS slot`,
        ]),
  ];
}

function cellSql(place: Place): string {
  return place.kind === "cell"
    ? printExpression(storedCellExpression(place.resolution))
    : `${CELL_FUNCTION}(latitude, longitude, CAST(${place.resolution} AS UTINYINT))`;
}

function instantColumn({ time }: Recipe): string {
  return time === null ? "CAST(NULL AS BIGINT)" : INSTANT;
}

/** Each followed by a comma. */
function dedupeNames(recipe: Recipe): string {
  return (recipe.dedupe ?? []).map((_, index) => `key${index}, `).join("");
}

/** `least` and `greatest` pass over nulls, so a missing value is looked at first. */
function latticeColumns({ lattice, recipe }: RecordsQuery): string {
  const missing = hasValue(recipe) ? "false" : "x IS NULL";
  if (lattice === undefined) return `CAST(0 AS BIGINT) AS i, ${missing} AS missing, false AS outside`;
  const { lower, upper, step, steps, midpoint } = lattice;
  const rounded = `floor((x - ${double(lower)}) / ${double(step)} + ${double(0.5)})`;
  const clamped = `CAST(greatest(${double(0)}, least(${double(Number(steps))}, ${rounded})) AS BIGINT)`;
  const i = hasValue(recipe) ? clamped : `CASE WHEN x IS NULL THEN ${midpoint} ELSE ${clamped} END`;
  return `${i} AS i, ${missing} AS missing, coalesce(x < ${double(lower)} OR x > ${double(upper)}, false) AS outside`;
}

/** Of records alike in user, grid and key columns one survives; then the rule for missing values. */
function dedupedSql(mapped: string, { recipe }: RecordsQuery): string {
  const kept = ["usr", ...partNames(recipe)].join(", ");
  const big = (value: bigint): string => `CAST('${value}' AS HUGEINT)`;
  const order =
    `CAST(missing AS HUGEINT) * ${big(MISSING_UNIT)} + ` +
    `CAST(coalesce(instant + ${TIME_LIFT}, ${NO_TIME}) AS HUGEINT) * ${2n ** VALUE_BITS} + i * 2 + CAST(outside AS BIGINT)`;
  const first = `SELECT ${kept}, min(${order}) AS first, count(*) AS copies FROM (${mapped}) GROUP BY ${dedupeNames(recipe)}${kept}`;
  const unpacked =
    `SELECT ${kept}, first >= ${big(MISSING_UNIT)} AS missing, first & ${big(MISSING_UNIT - 1n)} AS rest, ` +
    `CAST(rest >> ${VALUE_BITS} AS BIGINT) AS lifted, CASE WHEN lifted < ${NO_TIME} THEN lifted - ${TIME_LIFT} END AS instant, ` +
    `CAST(rest & ${big(2n ** VALUE_BITS - 1n)} AS BIGINT) AS low, low >> 1 AS i, (low & 1) = 1 AS outside, copies FROM (${first})`;
  const checked = recipe.missing === "refuse" ? ` WHERE CASE WHEN missing THEN ${signal("missing")} ELSE true END` : "";
  return `SELECT ${kept}, instant, i, missing, outside, copies FROM (${unpacked})${checked}`;
}

/** The first row of one file with this trouble: its number from 1, and the text that is at fault where that may be shown. */
export function troubleSql(file: DescribedFile, recipe: Recipe, trouble: Trouble): string {
  const row = readRow([file], recipe, true);
  const { relation, fields } = row;
  const shown = shownText(recipe, trouble, { text: (column) => fields.text(column), hidden: "NULL" });
  const isWrong = hasTrouble(row, trouble, filterOf(recipe));
  return `SELECT row, ${shown} FROM (${relation}) WHERE ${isWrong} ORDER BY row LIMIT 1`;
}

/** How many records each user has in each grid, and with a lattice what they add up to. */
export function groupsSql(query: RecordsQuery, thresholds: readonly bigint[]): string {
  const { recipe, lattice } = query;
  const keys = ["usr", ...partNames(recipe)].map(identifier).join(", ");
  const counted = recipe.missing === "drop" ? " FILTER (NOT missing)" : "";
  const square = lattice !== undefined && lattice.steps > 2n ** 31n ? "CAST(i AS HUGEINT) * i" : "i * i";
  const columns = [
    `count(*)${counted} AS n`,
    ...(recipe.missing === "refuse" ? [] : ["count(*) FILTER (missing) AS blank"]),
    ...(recipe.dedupe === null ? [] : ["sum(copies) AS copies"]),
    ...(lattice === undefined
      ? []
      : [
          ...sumColumns(lattice, counted),
          `sum(${square})${counted} AS q`,
          ...thresholds.map(
            (threshold, index) =>
              `count(*) FILTER (i >= ${threshold}${counted === "" ? "" : " AND NOT missing"}) AS c${index}`,
          ),
        ]),
  ];
  return `SELECT ${keys}, ${columns.join(", ")} FROM (${recordsSql(query)}) GROUP BY ${keys}`;
}

/** One aggregate for both where they fit into one integer: Σ i of a pair's 2^32 records stays below this. */
const OUTSIDE_BITS = 53n;
const OUTSIDE_UNIT = 2n ** OUTSIDE_BITS;

function sumColumns(lattice: InputLattice, counted: string): string[] {
  if (lattice.steps > 2n ** 20n) return [`sum(i)${counted} AS s`, "count(*) FILTER (outside) AS outside"];
  const both = `sum(CASE WHEN outside THEN i + ${OUTSIDE_UNIT} ELSE i END)${counted}`;
  // Shifts and masks: dividing a million 128-bit integers takes as long as a good part of the query.
  return [
    `CAST(${both} & CAST(${OUTSIDE_UNIT - 1n} AS HUGEINT) AS BIGINT) AS s`,
    `CAST(${both} >> ${OUTSIDE_BITS} AS BIGINT) AS outside`,
  ];
}
