/** Ledgers for programs: those that are opened by file or address, and one in memory for trying things out. */
export { Ledger, MemoryStore, type Standing } from "./publish/ledger/index.ts";
