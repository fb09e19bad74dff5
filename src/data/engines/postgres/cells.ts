/** Maps a table's distinct places to hexagons in this process and sends them back. A server's own H3 may be another version. */
import { checkpoint, type LongWorkOptions } from "../../../core/planning/index.ts";
import { hexagonMapper } from "../pipeline/hexagons.ts";
import { binaryRows } from "./copy.ts";
import type { Database } from "./database.ts";

/** Hexagons of places: latitude, longitude, cell. */
export const CELLS = "pg_temp.veilgrid_cells";

/** Places between two looks at signals: a few tenths of a second of reading and sending. */
const PLACES_AT_A_TIME = 50_000;

/** Fills the table of cells. Only coordinates leave the server, and only distinct ones. */
export async function mapPlaces(
  database: Database,
  { placesSql, resolution }: { placesSql: string; resolution: number },
  options: LongWorkOptions,
): Promise<number> {
  await database.run(
    `CREATE TEMP TABLE veilgrid_cells (latitude double precision, longitude double precision, cell bigint) ON COMMIT DROP; ` +
      `DECLARE veilgrid_places NO SCROLL CURSOR FOR ${placesSql}`,
    "reading places",
    options,
  );
  const mapper = hexagonMapper(resolution);
  let mapped = 0;
  for (;;) {
    const rows = await database.rows(`FETCH ${PLACES_AT_A_TIME} FROM veilgrid_places`, [], options);
    if (rows.length === 0) break;
    const latitudes = Float64Array.from(rows, ([latitude]) => Number(latitude));
    const longitudes = Float64Array.from(rows, ([, longitude]) => Number(longitude));
    const cells = new BigUint64Array(rows.length);
    mapper.map({ latitudes, longitudes }, cells);
    const bytes = binaryRows(rows.length, 3, (row, put) => {
      put.double(latitudes[row]!);
      put.double(longitudes[row]!);
      put.whole(cells[row]!);
    });
    await database.append("veilgrid_cells", bytes, options);
    mapped += rows.length;
    options.onProgress?.({ step: "mapping places to hexagons", done: mapped });
    await checkpoint(options.signal);
  }
  await database.run(`CLOSE veilgrid_places; ANALYZE ${CELLS}`);
  return mapped;
}
