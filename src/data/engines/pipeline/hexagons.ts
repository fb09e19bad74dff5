/** Makes the mapper from points to hexagons that every engine uses, so that all of them agree on a place's cell. */
import { cellToLatLng, getPentagons, latLngToCell } from "h3-js";
import { HexagonMapper } from "../../partition/index.ts";

export function hexagonMapper(resolution: number): HexagonMapper {
  return new HexagonMapper({ cellToLatLng, getPentagons, latLngToCell }, resolution);
}
