/** Hexagons for every engine: one mapper of points, so that all of them call a place by the same cell. */
import { cellToLatLng, getPentagons, latLngToCell } from "h3-js";
import { HexagonMapper } from "../../partition/index.ts";

export function hexagonMapper(resolution: number): HexagonMapper {
  return new HexagonMapper({ cellToLatLng, getPentagons, latLngToCell }, resolution);
}
