/** Ledgers for programs: opened by file or address, or kept in memory for trying things out. */
export { openLedger } from "./apps/operations/index.ts";
export { Ledger, MemoryStore, type Standing } from "./publish/ledger/index.ts";
