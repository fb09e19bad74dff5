/** What can be wrong with a state folder, as one clear line each. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";

const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

export const NOT_A_STATE = "has a service.db that is not of a service; name another folder, or a new one";
export const CANNOT_OPEN =
  "cannot be opened; check that it can be a folder, that the one above it is there, and permissions";

export const DAMAGED = "has a damaged service.db; restore the folder from a backup";

export function stateUnavailable(folder: string, what: string, cause?: unknown): VeilgridError {
  return new VeilgridError("LEDGER_UNAVAILABLE", `service state ${quoteForMessage(folder)} ${what}`, { cause });
}

export function noStateAt(folder: string): VeilgridError {
  return new VeilgridError(
    "INPUT_NOT_FOUND",
    `no service state in ${quoteForMessage(folder)}; veilgrid token create and veilgrid serve make one`,
  );
}

/** Errors that are not of the database pass unchanged. */
export function asStateError(error: unknown, folder: string): unknown {
  const raw = (error as { rawCode?: unknown } | null)?.rawCode;
  return typeof raw === "number" ? stateUnavailable(folder, sentenceOf(raw & 0xff), error) : error;
}

function sentenceOf(code: number): string {
  switch (code) {
    case BUSY:
    case LOCKED:
      return "is locked by another process; nothing was changed; repeat when that is done";
    case READONLY:
      return "cannot be written; nothing was changed; check the permissions of the folder and its files";
    case FULL:
      return "cannot grow, the disk is full; nothing was changed; make room and repeat";
    case IOERR:
      return "could not be read or written by the disk; check the disk, then repeat";
    case CANTOPEN:
      return CANNOT_OPEN;
    case NOTADB:
      return NOT_A_STATE;
    default:
      return DAMAGED;
  }
}
