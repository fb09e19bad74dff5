/** The pipeline from files to records with user, grid and lattice integer, as one query: filters, repeated records, missing values, in this order. */
import {
  CLOCK,
  HAS_OFFSET,
  INSTANT,
  instantExpression,
  LOCAL,
  localExpression,
  type Recipe,
  recipeColumns,
  slotStartExpression,
  timeFilter,
} from "../../partition/index.ts";
import type { DescribedFile } from "../../sources/index.ts";
import type { InputLattice } from "../input-lattice.ts";
import { CELL_FUNCTION } from "./cell-function.ts";
import { SourceFields, sameLayout } from "./fields-sql.ts";
import { double, identifier, printCondition, printExpression } from "./sql-text.ts";

/** What is wrong with a record, as the engine signals it. */
export const TROUBLES = ["time", "place", "value", "missing"] as const;
export type Trouble = (typeof TROUBLES)[number];
const SIGNAL = "veilgrid-trouble:";

export function troubleIn(message: string): Trouble | undefined {
  return TROUBLES.find((trouble) => message.includes(`${SIGNAL}${trouble}!`));
}

/** Years 1 to 9999: what DuckDB can read beyond them no grid id could name. */
const EARLIEST = -62_135_596_800_000_000n;
const LATEST = 253_402_300_800_000_000n;

/** A record's place among its repetitions, in one integer: with a value first, then earliest, then smallest. */
const VALUE_UNIT = 2n ** 35n;
const TIME_LIFT = 2n ** 61n;
const NO_TIME = 2n ** 62n;
const MISSING_UNIT = 2n ** 110n;

export interface RecordsQuery {
  readonly files: readonly DescribedFile[];
  readonly recipe: Recipe;
  /** Absent: only counts are wanted. */
  readonly lattice: InputLattice | undefined;
}

/** Names of the columns that make a grid: by0, by1, …, cell, slot. */
export function partNames(recipe: Recipe): string[] {
  return [
    ...recipe.by.map((_, index) => `by${index}`),
    ...(recipe.place === null ? [] : ["cell"]),
    ...(recipe.time === null || recipe.time.slot === null ? [] : ["slot"]),
  ];
}

/** Records that count, one row each: usr, the parts of the grid, instant, i, missing, outside; `copies` where repeated ones were taken out. */
export function recordsSql(query: RecordsQuery): string {
  const { recipe, lattice } = query;
  const placed = `SELECT usr, ${placedParts(recipe).join(", ")}, ${dedupeNames(recipe)}${instantColumn(recipe)} AS instant, x FROM (${checkedSql(query)})`;
  const mapped = `SELECT usr, ${partNames(recipe).join(", ")}, ${dedupeNames(recipe)}instant, ${latticeColumns(lattice)} FROM (${placed})`;
  return recipe.dedupe === null ? mapped : dedupedSql(mapped, query);
}

/** Rows of all files that pass the filters; anything wrong in them is signalled. */
function checkedSql(query: RecordsQuery): string {
  const { recipe } = query;
  const checks = [
    ...(recipe.time === null ? [] : [`WHEN time_bad THEN ${signal("time")}`]),
    ...(filterOf(recipe) === undefined ? [] : [`WHEN NOT coalesce(${filterOf(recipe)}, false) THEN false`]),
    ...(recipe.place === null ? [] : [`WHEN place_bad THEN ${signal("place")}`]),
    `WHEN value_bad THEN ${signal("value")}`,
    ...(recipe.missing === "refuse" && recipe.dedupe === null ? [`WHEN x IS NULL THEN ${signal("missing")}`] : []),
  ];
  return `SELECT * FROM (${timedSql(rawSql(query.files, recipe), recipe)}) WHERE CASE ${checks.join(" ")} ELSE true END`;
}

function signal(trouble: Trouble): string {
  return `error('${SIGNAL}${trouble}!')`;
}

/** Every file's rows in the same columns, whatever the files' own order, names of delimiters and types. */
function rawSql(files: readonly DescribedFile[], recipe: Recipe): string {
  const groups: DescribedFile[][] = [];
  for (const file of files) {
    const group = groups.find(([first]) => sameLayout(first!, file));
    if (group === undefined) groups.push([file]);
    else group.push(file);
  }
  return groups.map((group) => rawSelect(group, recipe)).join(" UNION ALL ");
}

function rawSelect(files: readonly DescribedFile[], recipe: Recipe, shown?: (fields: SourceFields) => string): string {
  const { place, time } = recipe;
  const fields = new SourceFields(
    files,
    recipeColumns(recipe).map(({ column }) => column),
  );
  const columns = [
    `coalesce(${fields.text(recipe.user)}, '') AS usr`,
    ...recipe.by.map((column, index) => `${fields.id(column)} AS by${index}`),
    ...(recipe.dedupe ?? []).map((column, index) => `${fields.id(column)} AS key${index}`),
    `${fields.number(recipe.value)} AS x_read`,
    "CASE WHEN isfinite(x_read) THEN x_read END AS x",
    `CASE WHEN isfinite(x_read) OR isnan(x_read) THEN false WHEN x_read IS NULL THEN ${fields.isFilled(recipe.value)} ELSE true END AS value_bad`,
  ];
  const onEarth = "latitude BETWEEN -90 AND 90 AND longitude BETWEEN -180 AND 180";
  if (place?.kind === "columns") {
    columns.push(
      `${fields.number(place.latitude)} AS latitude`,
      `${fields.number(place.longitude)} AS longitude`,
      `CASE WHEN ${onEarth} THEN false ELSE ${fields.isFilled(place.latitude)} OR ${fields.isFilled(place.longitude)} END AS place_bad`,
    );
  } else if (place?.kind === "point") {
    columns.push(
      `${fields.point(place.column)} AS point`,
      "point[2] AS latitude",
      "point[1] AS longitude",
      `CASE WHEN len(point) = 2 AND ${onEarth} THEN false ELSE ${fields.isFilled(place.column)} END AS place_bad`,
    );
  }
  if (time !== null) {
    const { clock, hasOffset } = fields.time(time.column, time.format);
    columns.push(
      `${clock} AS ${CLOCK}`,
      `${hasOffset} AS ${HAS_OFFSET}`,
      `CASE WHEN ${CLOCK} BETWEEN ${EARLIEST} AND ${LATEST} THEN false ELSE ${fields.isFilled(time.column)} END AS time_bad`,
    );
  }
  if (shown !== undefined) columns.push("row_number() OVER () AS row", `${shown(fields)} AS shown`);
  return `SELECT ${columns.join(", ")} FROM ${fields.relation}`;
}

function timedSql(raw: string, { time }: Recipe): string {
  if (time === null) return raw;
  const timed = `SELECT *, ${printExpression(instantExpression(time.zone))} AS ${INSTANT} FROM (${raw})`;
  return time.hours === null
    ? timed
    : `SELECT *, ${printExpression(localExpression(time.zone))} AS ${LOCAL} FROM (${timed})`;
}

function filterOf({ time }: Recipe): string | undefined {
  const filter = time === null ? undefined : timeFilter(time);
  return filter === undefined ? undefined : printCondition(filter);
}

function placedParts(recipe: Recipe): string[] {
  const { place, time } = recipe;
  return [
    ...recipe.by.map((_, index) => `by${index}`),
    ...(place === null ? [] : [`${CELL_FUNCTION}(latitude, longitude, CAST(${place.resolution} AS UTINYINT)) AS cell`]),
    ...(time === null || time.slot === null
      ? []
      : [`${printExpression(slotStartExpression(time.slot, time.zone))} AS slot`]),
  ];
}

function instantColumn({ time }: Recipe): string {
  return time === null ? "CAST(NULL AS BIGINT)" : INSTANT;
}

/** Each followed by a comma. */
function dedupeNames(recipe: Recipe): string {
  return (recipe.dedupe ?? []).map((_, index) => `key${index}, `).join("");
}

/** `least` and `greatest` pass over nulls, so a missing value is looked at first. */
function latticeColumns(lattice: InputLattice | undefined): string {
  if (lattice === undefined) return "CAST(0 AS BIGINT) AS i, x IS NULL AS missing, false AS outside";
  const { lower, upper, step, steps, midpoint } = lattice;
  const rounded = `floor((x - ${double(lower)}) / ${double(step)} + ${double(0.5)})`;
  const clamped = `CAST(greatest(${double(0)}, least(${double(Number(steps))}, ${rounded})) AS BIGINT)`;
  return (
    `CASE WHEN x IS NULL THEN ${midpoint} ELSE ${clamped} END AS i, x IS NULL AS missing, ` +
    `coalesce(x < ${double(lower)} OR x > ${double(upper)}, false) AS outside`
  );
}

/** Of records alike in user, grid and key columns one survives; then the rule for missing values. */
function dedupedSql(mapped: string, { recipe }: RecordsQuery): string {
  const kept = ["usr", ...partNames(recipe)].join(", ");
  const big = (value: bigint): string => `CAST('${value}' AS HUGEINT)`;
  const order =
    `CAST(missing AS HUGEINT) * ${big(MISSING_UNIT)} + ` +
    `CAST(coalesce(instant + ${TIME_LIFT}, ${NO_TIME}) AS HUGEINT) * ${VALUE_UNIT} + i * 2 + CAST(outside AS BIGINT)`;
  const first = `SELECT ${kept}, min(${order}) AS first, count(*) AS copies FROM (${mapped}) GROUP BY ${dedupeNames(recipe)}${kept}`;
  const unpacked =
    `SELECT ${kept}, first >= ${big(MISSING_UNIT)} AS missing, first % ${big(MISSING_UNIT)} AS rest, ` +
    `CAST(rest // ${VALUE_UNIT} AS BIGINT) AS lifted, CASE WHEN lifted < ${NO_TIME} THEN lifted - ${TIME_LIFT} END AS instant, ` +
    `CAST(rest % ${VALUE_UNIT} AS BIGINT) AS low, low // 2 AS i, low % 2 = 1 AS outside, copies FROM (${first})`;
  const checked = recipe.missing === "refuse" ? ` WHERE CASE WHEN missing THEN ${signal("missing")} ELSE true END` : "";
  return `SELECT ${kept}, instant, i, missing, outside, copies FROM (${unpacked})${checked}`;
}

/** The first row of one file with this trouble: its number from 1, and the text that is at fault where that may be shown. */
export function troubleSql(file: DescribedFile, recipe: Recipe, trouble: Trouble): string {
  const { place, time } = recipe;
  const raw = rawSelect([file], recipe, (fields) => {
    if (trouble === "time") return fields.text(time!.column);
    if (trouble !== "place") return "NULL"; // protected
    if (place!.kind === "point") return fields.text(place!.column);
    return `concat(${fields.text(place!.latitude)}, ', ', ${fields.text(place!.longitude)})`;
  });
  const filter = filterOf(recipe);
  const passes = filter === undefined ? "" : ` AND NOT time_bad AND coalesce(${filter}, false)`;
  const wrong: Record<Trouble, string> = {
    time: "time_bad",
    place: `place_bad${passes}`,
    value: `value_bad${passes}`,
    missing: `x IS NULL AND NOT value_bad${passes}`,
  };
  return `SELECT row, shown FROM (${timedSql(raw, recipe)}) WHERE ${wrong[trouble]} ORDER BY row LIMIT 1`;
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
          `sum(i)${counted} AS s`,
          `sum(${square})${counted} AS q`,
          `count(*) FILTER (outside) AS outside`,
          ...thresholds.map(
            (threshold, index) =>
              `count(*) FILTER (i >= ${threshold}${counted === "" ? "" : " AND NOT missing"}) AS c${index}`,
          ),
        ]),
  ];
  return `SELECT ${keys}, ${columns.join(", ")} FROM (${recordsSql(query)}) GROUP BY ${keys}`;
}
