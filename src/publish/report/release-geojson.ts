/** A release as GeoJSON (RFC 7946): one hexagon per grid, its row as properties. */

import { VeilgridError } from "../../core/errors/index.ts";
import { cellRing, isCell, type Ring, splitAtAntimeridian } from "../charts/index.ts";
import type { ReleaseResult } from "../release/index.ts";
import { releaseColumns } from "./release-columns.ts";
import { releaseHead } from "./release-json.ts";
import { releaseShape } from "./release-shape.ts";
import { type RowOptions, releasedRows } from "./released-rows.ts";

/** About a centimetre. */
const COORDINATE_PLACES = 7;

export function releaseGeoJson(result: ReleaseResult, options: RowOptions = {}): string {
  if (!releaseShape(result).cell)
    throw new VeilgridError(
      "USAGE",
      "--format geojson needs hexagons, and this release has none: its grids were not made with --h3 or --cell; use csv, json, parquet or html",
    );
  const columns = releaseColumns(result, options);
  const features = releasedRows(result, options).map((row) => ({
    type: "Feature",
    id: row.grid,
    geometry: geometryOf(row.cell),
    properties: Object.fromEntries(columns.map((column) => [column.name, column.of(row)])),
  }));
  const { warning, ...head } = releaseHead(result, options);
  // One feature per line: readable, and a quarter of the size of full indentation.
  const open = JSON.stringify({
    ...(warning === undefined ? {} : { warning }),
    type: "FeatureCollection",
    veilgrid: head,
    features: [],
  });
  return `${open.slice(0, -2)}\n${features.map((feature) => JSON.stringify(feature)).join(",\n")}\n]}\n`;
}

/** A feature without a place has none, as the standard allows. */
function geometryOf(cell: string | null): object | null {
  if (cell === null || !isCell(cell)) return null;
  const rings = splitAtAntimeridian(cellRing(cell)).map(rounded);
  return rings.length === 1
    ? { type: "Polygon", coordinates: [rings[0]] }
    : { type: "MultiPolygon", coordinates: rings.map((ring) => [ring]) };
}

function rounded(ring: Ring): number[][] {
  return ring.map((position) => position.map((degrees) => Number(degrees.toFixed(COORDINATE_PLACES))));
}
