/** What is asked of the H3 library: it says where the icosahedron lies, which cells there are, and has the last word on points near an edge. */
export interface HexagonLibrary {
  /** The cell around a point given in degrees, in hexadecimal. */
  latLngToCell(latitude: number, longitude: number, resolution: number): string;
  /** The twelve cells around the icosahedron's corners. */
  getPentagons(resolution: number): readonly string[];
  /** Latitude and longitude of a cell's centre, in degrees. */
  cellToLatLng(cell: string): readonly number[];
}
