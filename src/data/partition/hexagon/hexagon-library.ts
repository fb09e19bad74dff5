/** The part of the H3 library that the mapper uses: the icosahedron's corners, cells, and the last word on points near an edge. */
export interface HexagonLibrary {
  /** The cell around a point given in degrees, in hexadecimal. */
  latLngToCell(latitude: number, longitude: number, resolution: number): string;
  /** The twelve cells around the icosahedron's corners. */
  getPentagons(resolution: number): readonly string[];
  /** Latitude and longitude of a cell's centre, in degrees. */
  cellToLatLng(cell: string): readonly number[];
}
