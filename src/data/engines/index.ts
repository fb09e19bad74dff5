/** Engines: where records are counted and added up. Values never leave one except as exact totals. */
export { DuckDbEngine, type DuckDbOptions } from "./duckdb/duckdb-engine.ts";
export type {
  DescribeOptions,
  Engine,
  GridTotals,
  OccupancyReading,
  ReadingNotes,
  Records,
  SomeGrids,
  SomeTotalsRequest,
  TotalsReading,
  TotalsRequest,
} from "./engine.ts";
export { openEngine } from "./open-engine.ts";
export { isKeptRank } from "./pipeline/formulas.ts";
