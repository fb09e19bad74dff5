/** Engines: where records are counted and added up. Values leave one as exact sums only: of a grid, or of a user in a grid. */
export { DuckDbEngine, type DuckDbOptions } from "./duckdb/duckdb-engine.ts";
export type {
  DescribeOptions,
  Engine,
  EntrySums,
  GridTotals,
  OccupancyReading,
  PlanOfRecords,
  ReadingNotes,
  Records,
  SomeGrids,
  SomeTotalsRequest,
  SumsReading,
  SumsRequest,
  TotalsReading,
  TotalsRequest,
} from "./engine.ts";
export { openEngine } from "./open-engine.ts";
export { isKeptRank } from "./pipeline/formulas.ts";
