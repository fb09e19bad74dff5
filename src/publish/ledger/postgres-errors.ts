/** PostgreSQL's failures as one clear line each, in our words: its own may quote what is protected. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { DAMAGED, DamagedRow } from "./damaged-row.ts";

/** What the server answered; undefined where it was the connection, or our own code, that failed. */
function serverAnswer(error: unknown): { readonly state: string; readonly severity: string } | undefined {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && typeof severity === "string"
    ? { state: code, severity }
    : undefined;
}

export function stateOf(error: unknown): string | undefined {
  return serverAnswer(error)?.state;
}

/** The server refused the statement and goes on. A server that says so in another language is not understood, which is safe: it is asked again. */
export function isAnswer(error: unknown): boolean {
  const answer = serverAnswer(error);
  return answer !== undefined && answer.severity === "ERROR";
}

/** Failures that pass: a server that restarts, fails over, or is not the one that takes writes yet. */
export function mayPass(error: unknown): boolean {
  const state = stateOf(error);
  if (state !== undefined) return /^(57P0[123]|08...|25006|53300|25P03)$/.test(state);
  return isOfConnection(error);
}

const CONNECTION_CODES =
  /^(E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|CONNABORTED))$/;

/** What the client says when its socket ends; its errors carry no code then. */
const CONNECTION_WORDS =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout expired|timeout exceeded)/;

function isOfConnection(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOfConnection);
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === "string" && CONNECTION_CODES.test(code)) return true;
  return typeof message === "string" && CONNECTION_WORDS.test(message);
}

/** Errors that are neither the server's nor the connection's pass unchanged. */
export function asLedgerError(error: unknown, shown: string): unknown {
  if (error instanceof VeilgridError) return error;
  if (error instanceof DamagedRow) return ledgerUnavailable(shown, DAMAGED);
  const state = stateOf(error);
  if (state !== undefined) return ledgerUnavailable(shown, sentenceOf(state));
  const told = tlsSentence(error) ?? passwordSentence(error);
  if (told !== undefined) return ledgerUnavailable(shown, told);
  return isOfConnection(error) ? ledgerUnavailable(shown, connectionSentence(error)) : error;
}

export function ledgerUnavailable(shown: string, what: string): VeilgridError {
  return new VeilgridError("LEDGER_UNAVAILABLE", `ledger ${quoteForMessage(shown)} ${what}`);
}

export const NOT_A_LEDGER = "is not a ledger: its schema holds other things; name another with ?schema=NAME";
export const IS_STANDBY =
  "cannot be written: the server follows another one, or is set to read only; nothing was changed; name the server that takes writes";
export const IN_DOUBT =
  "lost its connection while it was committing, and could not be asked since whether it did; repeat with the same key: nothing is charged twice";
export const UNCONFIRMED =
  "has committed, but its standby has not confirmed it; repeat with the same key when it does: nothing is charged twice";
export const FORGOT =
  "has lost what it had confirmed before, as after a fail-over to a copy that was behind or a restored backup; release nothing from it before what is missing is back: its budgets would be spent twice";
export const NO_ANSWER = "cannot be reached; check the address, and what the server's log says of it";
const NO_ENTRY = "does not let this user in; check user and database, and set PGPASSWORD or a ~/.pgpass file";
const LOST = "lost its connection; nothing was changed; repeat";

function sentenceOf(state: string): string {
  switch (state) {
    case "28P01":
    case "28000":
      return NO_ENTRY;
    case "3D000":
      return "has no such database; make it, or name another";
    case "3F000":
    case "42P01":
    case "42703":
      return NOT_A_LEDGER;
    case "42501":
      return "does not allow this user to do that; nothing was changed; grant it the use of the ledger's schema and tables";
    case "25006":
      return IS_STANDBY;
    case "55P03":
      return "is locked by another process; nothing was changed; repeat when that is done";
    case "57014":
      return "took too long to answer, or was told to stop; nothing was changed; repeat";
    case "40001":
    case "40P01":
      return "got into the way of another process; nothing was changed; repeat";
    case "53100":
      return "cannot grow, the server's disk is full; nothing was changed; make room and repeat";
    case "53200":
      return "found the server out of memory; nothing was changed; repeat";
    case "53300":
      return "has as many connections as the server takes; nothing was changed; raise max_connections or repeat";
    case "57P03":
      return "cannot be reached: the server is starting or stopping; repeat";
    case "XX001":
    case "XX002":
      return DAMAGED;
    default:
      return /^(08|57P|25P03)/.test(state)
        ? LOST
        : `could not do what was asked (the server's code is ${state}); nothing was changed; run veilgrid ledger verify`;
  }
}

function connectionSentence(error: unknown): string {
  const { code } = (error instanceof AggregateError ? error.errors[0] : error) as { code?: unknown };
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return "cannot be reached: its host is not known; check the address";
  if (code === "ECONNREFUSED")
    return "cannot be reached: nothing answers there; check host and port, and that the server runs";
  return LOST;
}

/** The client's own words where it has no password to offer, or does not trust the server's part of the exchange. */
function passwordSentence(error: unknown): string | undefined {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === "string" && message.startsWith("SASL") ? NO_ENTRY : undefined;
}

/** The client's TLS, and the server's lack of it. */
function tlsSentence(error: unknown): string | undefined {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof message === "string" && message.includes("does not support SSL"))
    return "offers no TLS; turn it on there, or say ?sslmode=disable where nobody can listen";
  if (typeof code !== "string" || !/CERT|TLS|SSL|UNABLE_TO_|SELF_SIGNED/.test(code)) return undefined;
  return "shows a certificate that cannot be verified; give ?sslrootcert=FILE, or say ?sslmode=require where nobody can pose as it";
}
