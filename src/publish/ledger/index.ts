/** Ledger: privacy budgets that last. It keeps every user's loss, what was reserved, and the only bytes that may be disclosed. */
export { fileAnchor, type LedgerAnchor } from "./anchor.ts";
export type { UserCharges } from "./charges.ts";
export { expandKey } from "./expand-key.ts";
export type { JournalEntry, JournalLine } from "./journal.ts";
export {
  type CommitRequest,
  type Committed,
  type CommittedRequest,
  type InitRequest,
  Ledger,
  type LedgerOptions,
  type RaiseRequest,
  type Voided,
} from "./ledger.ts";
export type { ReleaseName } from "./ledger-context.ts";
export { MemoryStore } from "./memory-store.ts";
export {
  isLedgerAddress,
  type LedgerDatabaseOptions,
  type LedgerFileOptions,
  openLedgerAt,
  openLedgerDatabase,
  openLedgerFile,
} from "./open-ledger.ts";
export { FIRST_PASS, RINGS_PASS } from "./parts.ts";
export { PostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
export type { Price, PriceRequest, Reservation, ReserveRequest } from "./reserve.ts";
export { isBusy, SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
export type { LossBin, ReleaseStanding, Standing, TrailLine } from "./standing.ts";
export type {
  DatasetRow,
  JournalRow,
  LedgerState,
  LedgerStore,
  PartRow,
  PartState,
  ReleaseRow,
  ReservationRow,
  StoredText,
} from "./store.ts";
export { checkLine } from "./stored-text.ts";
export type { Overlap } from "./users.ts";
export type { Verification } from "./verify.ts";
