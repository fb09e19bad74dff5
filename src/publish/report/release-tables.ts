/** Renders a release as CSV, JSON and GeoJSON. */
import { VeilgridError } from "../../core/errors/index.ts";
import { cellRing, isCell, type Ring, splitAtAntimeridian } from "../charts/index.ts";
import type { ReleaseResult } from "../release/index.ts";
import { privacyFacts, warningOf } from "./privacy-facts.ts";
import { columnsOf } from "./release-columns.ts";
import { type ReleaseContext, type RowOptions, releaseContext } from "./release-context.ts";
import { rowsOf } from "./released-rows.ts";
import type { ReleasedRow, StatisticRow } from "./row-fields.ts";

/** RFC 4180, a row per grid, for people who open it in a spreadsheet: a text that would be a formula there starts with an added '. */
export function releaseCsv(result: ReleaseResult, options: RowOptions = {}): string {
  return csvOf(releaseContext(result, options), noFormula);
}

/** The same for programs: every text as it is. */
export function exactReleaseCsv(result: ReleaseResult, options: RowOptions = {}): string {
  return csvOf(releaseContext(result, options), (text) => text);
}

function csvOf(context: ReleaseContext, write: (text: string) => string): string {
  const columns = columnsOf(context);
  const field = (value: string | number | null): string => csvField(typeof value === "string" ? write(value) : value);
  const lines = rowsOf(context).map((row) => columns.map((column) => field(column.of(row))));
  return [columns.map(({ name }) => field(name)), ...lines].map((fields) => `${fields.join(",")}\r\n`).join("");
}

/** Also the wide forms, which some spreadsheets take for the narrow ones. */
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

function noFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** Empty text is quoted: an empty field is a missing one. */
function csvField(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  return value === "" || /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** One document: what the release is, its privacy, its columns explained, its rows. */
export function releaseJson(result: ReleaseResult, options: RowOptions = {}): string {
  const context = releaseContext(result, options);
  const rows = rowsOf(context).map((row) => rowJson(row, context.shape.by));
  return `${JSON.stringify({ ...warningJson(result), ...releaseHead(context), rows }, null, 2)}\n`;
}

function warningJson(result: ReleaseResult): { warning?: string } {
  const warning = warningOf(result);
  return warning === undefined ? {} : { warning };
}

/** What stands above the rows; shared with GeoJSON. */
function releaseHead(context: ReleaseContext): object {
  const { bounds, statistics, estimator, partition, grids, users, samples } = context.result;
  return {
    format: "veilgrid-release/1",
    confidence: context.confidence.toString(),
    bounds: bounds.map(String),
    statistics,
    estimator,
    partition,
    grids,
    users,
    samples,
    privacy: privacyFacts(context.result),
    dictionary: columnsOf(context).map(({ of: _, ...text }) => text),
  };
}

function rowJson(row: ReleasedRow, by: readonly string[]): object {
  return {
    ...row,
    by: Object.fromEntries(by.map((column, index) => [column, row.by[index] ?? null])),
    statistics: row.statistics && Object.fromEntries(row.statistics.map((each) => [each.key, statisticJson(each)])),
  };
}

function statisticJson({ key, kind: _, hasBins, numbers, sd, ...fields }: StatisticRow): object {
  const [{ key: __, ...only }] = numbers;
  if (!hasBins) return { ...only, ...(sd === null ? {} : { sd }), ...fields };
  return { bins: numbers.map(({ key: name, ...number }) => ({ bin: name.slice(key.length), ...number })), ...fields };
}

/** About a centimetre. */
const COORDINATE_PLACES = 7;

/** RFC 7946: one hexagon per grid, its row as properties. */
export function releaseGeoJson(result: ReleaseResult, options: RowOptions = {}): string {
  const context = releaseContext(result, options);
  if (!context.shape.cell)
    throw new VeilgridError(
      "USAGE",
      "--format geojson needs hexagons, and this release has none: its grids were not made with --h3 or --cell; use csv, json, parquet or html",
    );
  const columns = columnsOf(context);
  const features = rowsOf(context).map((row) => ({
    type: "Feature",
    id: row.grid,
    geometry: geometryOf(row.cell),
    properties: Object.fromEntries(columns.map((column) => [column.name, column.of(row)])),
  }));
  const collection = { type: "FeatureCollection", veilgrid: releaseHead(context), features: [] };
  // One feature per line: readable, and a quarter of the size of full indentation.
  const open = JSON.stringify({ ...warningJson(result), ...collection }).slice(0, -2);
  return `${open}\n${features.map((feature) => JSON.stringify(feature)).join(",\n")}\n]}\n`;
}

/** A feature without a place has none, as the standard allows. */
function geometryOf(cell: string | null): object | null {
  if (cell === null || !isCell(cell)) return null;
  const rings = splitAtAntimeridian(cellRing(cell)).map(rounded);
  return rings.length === 1
    ? { type: "Polygon", coordinates: rings }
    : { type: "MultiPolygon", coordinates: rings.map((ring) => [ring]) };
}

function rounded(ring: Ring): number[][] {
  return ring.map((position) => position.map((degrees) => Number(degrees.toFixed(COORDINATE_PLACES))));
}
