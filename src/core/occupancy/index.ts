/** The public user × grid counts in compact columns: built from triples, read from and written to CSV, summarised, named by hash. */
export {
  type BuildNotes,
  type CodedIds,
  type CodedRows,
  OccupancyBuilder,
  occupancyFromCoded,
  occupancyFromTriples,
} from "./builder.ts";
export { OccupancyCsvReader } from "./csv-reader.ts";
export { occupancyCsvChunks, occupancyHash, type RunningHash } from "./csv-writer.ts";
export { onlyGrids, rankUsers, selectGrids } from "./derived-arrays.ts";
export { GrowableUint32 } from "./growable.ts";
export { compareIds, IdTable } from "./ids.ts";
export { findIdsAlike } from "./ids-alike.ts";
export { Kept, KeptCells } from "./kept.ts";
export { Occupancy } from "./occupancy.ts";
export { type OccupancySummary, summariseOccupancy } from "./summary.ts";
export { MOST_WEIGHT, Weights } from "./weights.ts";
