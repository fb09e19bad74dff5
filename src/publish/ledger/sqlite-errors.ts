/** Says each of SQLite's failures in one clear line. */
import { DAMAGED, DamagedRow, ledgerUnavailable } from "./store-failures.ts";

export const NOT_A_LEDGER = "is not a ledger; name another file, or a new one in veilgrid ledger init";
export const EMPTY = "is an empty file and not a ledger; veilgrid ledger init makes it one";
export const CANNOT_OPEN = "cannot be opened; check that it is a file, and the permissions of the file and its folder";
const LOCKED = "is locked by another process; nothing was changed; repeat when that is done";

/** By SQLite's primary result code. */
const SENTENCES: ReadonlyMap<number, string> = new Map([
  [5, LOCKED],
  [6, LOCKED],
  [8, "cannot be written; nothing was changed; check the permissions of the file and its folder"],
  [10, "could not be read or written by the disk; run veilgrid ledger verify, then repeat: nothing is charged twice"],
  [11, DAMAGED],
  [13, "cannot grow, the disk is full; nothing was changed; make room and repeat"],
  [26, NOT_A_LEDGER],
]);

/** undefined if the error is not the database's. */
function sentenceOf(error: unknown): string | undefined {
  const raw = (error as { rawCode?: unknown } | null)?.rawCode;
  return typeof raw === "number" ? (SENTENCES.get(raw & 0xff) ?? CANNOT_OPEN) : undefined;
}

/** Another process has the lock. */
export function isBusy(error: unknown): boolean {
  return sentenceOf(error) === LOCKED;
}

/** Errors that are not the database's pass unchanged. */
export function asLedgerError(error: unknown, path: string): unknown {
  if (error instanceof DamagedRow) return ledgerUnavailable(path, DAMAGED);
  const sentence = sentenceOf(error);
  return sentence === undefined ? error : ledgerUnavailable(path, sentence, error);
}
