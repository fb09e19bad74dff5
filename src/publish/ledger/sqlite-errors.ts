/** SQLite's failures as one clear line each. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { DAMAGED, DamagedRow } from "./damaged-row.ts";

const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const NOTADB = 26;

/** The primary result code; undefined if the error is not of the database. */
function primaryCode(error: unknown): number | undefined {
  const raw = (error as { rawCode?: unknown } | null)?.rawCode;
  return typeof raw === "number" ? raw & 0xff : undefined;
}

export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === BUSY || code === LOCKED;
}

/** Errors that are not of the database pass unchanged. */
export function asLedgerError(error: unknown, path: string): unknown {
  if (error instanceof DamagedRow) return ledgerUnavailable(path, DAMAGED);
  const code = primaryCode(error);
  return code === undefined ? error : ledgerUnavailable(path, sentenceOf(code), error);
}

export function ledgerUnavailable(path: string, what: string, cause?: unknown): VeilgridError {
  return new VeilgridError("LEDGER_UNAVAILABLE", `ledger ${quoteForMessage(path)} ${what}`, { cause });
}

export const NOT_A_LEDGER = "is not a ledger; name another file, or a new one in veilgrid ledger init";
export const EMPTY = "is an empty file and not a ledger; veilgrid ledger init makes it one";
export const CANNOT_OPEN = "cannot be opened; check that it is a file, and the permissions of the file and its folder";

function sentenceOf(code: number): string {
  switch (code) {
    case BUSY:
    case LOCKED:
      return "is locked by another process; nothing was changed; repeat when that is done";
    case READONLY:
      return "cannot be written; nothing was changed; check the permissions of the file and its folder";
    case FULL:
      return "cannot grow, the disk is full; nothing was changed; make room and repeat";
    case IOERR:
      return "could not be read or written by the disk; run veilgrid ledger verify, then repeat: nothing is charged twice";
    case CORRUPT:
      return DAMAGED;
    case NOTADB:
      return NOT_A_LEDGER;
    default:
      return CANNOT_OPEN;
  }
}
