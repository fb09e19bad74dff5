/** Privacy budgets that last: every user's loss, what was reserved, and the only bytes that may be disclosed. */
export type { LedgerAnchor } from "./anchored-store.ts";
export type { ReleaseName } from "./books.ts";
export type { InitRequest, RaiseRequest } from "./budgets.ts";
export type { UserCharges } from "./charges.ts";
export type { CommitRequest, Committed, CommittedRequest } from "./commit.ts";
export { expandKey } from "./expand-key.ts";
export { fileAnchor } from "./file-anchor.ts";
export type { Voided } from "./give-up.ts";
export type { JournalEntry, JournalLine } from "./journal.ts";
export { Ledger, type LedgerOptions } from "./ledger.ts";
export type { LossBin } from "./loss-distribution.ts";
export { MemoryStore } from "./memory-store.ts";
export { isLedgerAddress, openLedgerAt } from "./open-ledger.ts";
export { type LedgerDatabaseOptions, openLedgerDatabase } from "./open-ledger-database.ts";
export { type LedgerFileOptions, openLedgerFile } from "./open-ledger-file.ts";
export type { Overlap } from "./overlap.ts";
export type { PostgresHost } from "./postgres-connections.ts";
export { PostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
export type { Price, PriceRequest, Reservation, ReserveRequest } from "./reserve.ts";
export { isBusy } from "./sqlite-errors.ts";
export { SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
export type { ReleaseStanding, Standing, TrailLine } from "./standing.ts";
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
export type { Verification } from "./verify.ts";
