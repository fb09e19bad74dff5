/** Hexagons inside SQL: a function that maps coordinates, a vector of rows at a time, with h3-js. */
import {
  DOUBLE,
  type DuckDBConnection,
  type DuckDBDoubleVector,
  DuckDBScalarFunction,
  type DuckDBUBigIntVector,
  type DuckDBUTinyIntVector,
  UBIGINT,
  UTINYINT,
} from "@duckdb/node-api";
import { latLngToCell } from "h3-js";

export const CELL_FUNCTION = "veilgrid_cell";

/** veilgrid_cell(latitude, longitude, resolution): the cell's number, null where a coordinate is. Ranges are checked before. */
export function registerCellFunction(connection: DuckDBConnection): void {
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: CELL_FUNCTION,
      parameterTypes: [DOUBLE, DOUBLE, UTINYINT],
      returnType: UBIGINT,
      mainFunction: (_info, input, output) => {
        const latitude = input.getColumnVector(0) as DuckDBDoubleVector;
        const longitude = input.getColumnVector(1) as DuckDBDoubleVector;
        const resolution = input.getColumnVector(2) as DuckDBUTinyIntVector;
        const cells = output as DuckDBUBigIntVector;
        for (let row = 0; row < input.rowCount; row++) {
          const lat = latitude.getItem(row);
          const lon = longitude.getItem(row);
          const known = lat !== null && lon !== null && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
          cells.setItem(row, known ? BigInt(`0x${latLngToCell(lat, lon, resolution.getItem(row)!)}`) : null);
        }
        cells.flush();
      },
    }),
  );
}
