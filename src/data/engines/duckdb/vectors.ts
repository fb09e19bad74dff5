/** DuckDB's vectors as typed arrays, and a function over them that maps coordinates to hexagons. */
import {
  DOUBLE,
  type DuckDBConnection,
  type DuckDBDoubleVector,
  DuckDBScalarFunction,
  type DuckDBUBigIntVector,
  type DuckDBUTinyIntVector,
  type DuckDBVector,
  UBIGINT,
  UTINYINT,
} from "@duckdb/node-api";
import { invariant } from "../../../core/errors/index.ts";
import type { HexagonMapper } from "../../partition/index.ts";
import { hexagonMapper } from "../pipeline/hexagons.ts";

/** A vector of numbers as its typed array; the driver's own accessor takes a call per item. */
export function itemsOf<Kind extends Uint32Array | Float64Array | BigUint64Array>(
  vector: DuckDBVector,
  kind: abstract new (...parts: never[]) => Kind,
): Kind {
  const { items } = vector as unknown as { items?: unknown };
  invariant(items instanceof kind, "the driver gives a column in another form");
  return items;
}

export const CELL_FUNCTION = "veilgrid_cell";

/**
 * veilgrid_cell(latitude, longitude, resolution): the cell's number, null where a coordinate is. Ranges are checked before; the
 * resolution is the same for all rows of a query.
 */
export function registerCellFunction(connection: DuckDBConnection): void {
  const mappers = new Map<number, HexagonMapper>();
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: CELL_FUNCTION,
      parameterTypes: [DOUBLE, DOUBLE, UTINYINT],
      returnType: UBIGINT,
      mainFunction: (_info, input, output) => {
        const latitude = input.getColumnVector(0) as DuckDBDoubleVector;
        const longitude = input.getColumnVector(1) as DuckDBDoubleVector;
        const resolution = (input.getColumnVector(2) as DuckDBUTinyIntVector).getItem(0) ?? 0;
        const cells = output as DuckDBUBigIntVector;
        const numbers = itemsOf(cells, BigUint64Array);
        const mapper = mappers.get(resolution) ?? hexagonMapper(resolution);
        mappers.set(resolution, mapper);
        mapper.map(
          { latitudes: itemsOf(latitude, Float64Array), longitudes: itemsOf(longitude, Float64Array) },
          numbers,
        );
        for (let row = 0; row < numbers.length; row++) {
          const isKnown = latitude.getItem(row) !== null && longitude.getItem(row) !== null && numbers[row] !== 0n;
          if (!isKnown) cells.setItem(row, null);
        }
        cells.flush();
      },
    }),
  );
}
