/** Maps points to hexagons: by the server where the result is beyond doubt, otherwise in this process. */
import { checkpoint, type LongWorkOptions } from "../../../core/planning/index.ts";
import { hexagonMapper } from "../pipeline/hexagons.ts";
import type { Database } from "./database.ts";
import { anyOf, double, identifier } from "./dialect.ts";
import type { RecordsQuery } from "./fields.ts";
import { NOWHERE, ownCellSql } from "./place.ts";
import { pointsSql } from "./records.ts";

const POINTS_AT_A_TIME = 500_000;

/** Leaves a temporary table (point_lat, point_lon, point_cell) where points had to be mapped here. */
export async function mapPoints(
  database: Database,
  query: RecordsQuery,
  options: LongWorkOptions,
): Promise<Pick<RecordsQuery, "points"> & { readonly messages: readonly string[] }> {
  const { place } = query.recipe;
  if (place === null || place.kind === "cell") return { points: undefined, messages: [] };
  const isOwn = query.geoToH3 !== null;
  const sql = isOwn ? pointsSql(query, (each) => isDoubtful(each, place.resolution, query)) : pointsSql(query);
  const found = await database.keep("points_found", sql, { ...options, step: "collecting points" });
  const places = await readPoints(database, query, identifier(found), options);
  await database.drop(found);
  if (isOwn && places.latitude.length === 0) return { points: undefined, messages: [] };
  const cells = await cellsOf(places, place.resolution, options);
  const { names } = query.table;
  const table = await database.upload(
    "points",
    [
      { name: names("point_lat"), values: places.latitude },
      { name: names("point_lon"), values: places.longitude },
      { name: names("point_cell"), values: cells },
    ],
    options,
  );
  const count = places.latitude.length.toLocaleString("en-US");
  const message = isOwn
    ? `${count} points lie so near to the edge of a hexagon that they were mapped here, the others by the server`
    : `the server has no hexagons: ${count} distinct points were mapped to them here and sent back`;
  return { points: { table, holds: isOwn ? "doubtful points" : "every point" }, messages: [message] };
}

/** A hundredth of a millimetre: hundreds of times what rounding can do to a place, and a 50,000th of the smallest hexagon's edge. */
const SHIFT_DEGREES = 1e-10;

/**
 * Two builds of one library may place a point that lies on an edge, to within rounding, on different sides of it. Nearer to an
 * edge than the shift, and at least one of four neighbours lies beyond it: an edge cannot run along both axes. Where longitudes
 * crowd or jump, nothing is beyond doubt.
 */
function isDoubtful(
  { latitude, longitude }: { latitude: string; longitude: string },
  resolution: number,
  { geoToH3 }: RecordsQuery,
): string {
  const shift = double(SHIFT_DEGREES);
  const wide = `(${shift} / greatest(cos(${latitude} * ${double(Math.PI / 180)}), ${double(1e-6)}))`;
  const cell = (lat: string, lon: string): string => ownCellSql({ latitude: lat, longitude: lon, resolution }, geoToH3);
  const own = cell(latitude, longitude);
  const neighbours = [
    cell(`${latitude} + ${shift}`, longitude),
    cell(`${latitude} - ${shift}`, longitude),
    cell(latitude, `${longitude} + ${wide}`),
    cell(latitude, `${longitude} - ${wide}`),
  ];
  const isFarOut = [`abs(${latitude}) > 89.99`, `abs(${longitude}) > 179.999`];
  return `(${latitude} != ${NOWHERE} AND ${anyOf([...isFarOut, ...neighbours.map((each) => `${each} != ${own}`)])})`;
}

interface Places {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
}

async function readPoints(
  database: Database,
  { table }: RecordsQuery,
  from: string,
  options: LongWorkOptions,
): Promise<Places> {
  const rows = await database.count(from, options);
  const places = { latitude: new Float64Array(rows), longitude: new Float64Array(rows) };
  let length = 0;
  await database.read(
    { columns: [table.names("lat"), table.names("lon")], from, rows },
    ([latitude, longitude], read) => {
      places.latitude.set(latitude as Float64Array, length);
      places.longitude.set(longitude as Float64Array, length);
      length += read;
    },
    options,
  );
  return places;
}

async function cellsOf(
  { latitude, longitude }: Places,
  resolution: number,
  { signal, onProgress }: LongWorkOptions,
): Promise<BigUint64Array> {
  const cells = new BigUint64Array(latitude.length);
  const mapper = hexagonMapper(resolution);
  for (let from = 0; from < cells.length; from += POINTS_AT_A_TIME) {
    onProgress?.({ step: "mapping points to hexagons", done: from, of: cells.length });
    await checkpoint(signal);
    const to = from + POINTS_AT_A_TIME;
    // Nowhere is no coordinate, and becomes cell 0.
    const points = { latitudes: latitude.subarray(from, to), longitudes: longitude.subarray(from, to) };
    mapper.map(points, cells.subarray(from, to));
  }
  return cells;
}
