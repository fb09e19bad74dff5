/** What a ClickHouse query is made from: table, recipe, lattice, and tables of points and grids. */
import type { InputLattice } from "../../../core/planning/index.ts";
import type { Recipe } from "../../partition/index.ts";
import type { Capabilities } from "./capabilities.ts";
import type { TableColumns } from "./fields.ts";

export interface RecordsTable extends TableColumns {
  /** Quoted, with its database. */
  readonly sql: string;
}

export interface RecordsQuery {
  readonly table: RecordsTable;
  readonly recipe: Recipe;
  /** Absent: only counts are wanted. */
  readonly lattice: InputLattice | undefined;
  readonly geoToH3: Capabilities["geoToH3"];
  /** A temporary table of points and their cells, as `mapPoints` leaves it. */
  readonly points: PointsTable | undefined;
  /** The first and the last clock reading of all records, where they were asked for. */
  readonly clocks: { readonly from: bigint; readonly to: bigint } | undefined;
  /** A temporary table of grids, as `uploadAsked` leaves it: only their records are read. */
  readonly asked?: string | undefined;
}

export interface PointsTable {
  readonly table: string;
  /** Every point of the records, or those of which the server's own hexagon is in doubt. */
  readonly holds: "every point" | "doubtful points";
}
