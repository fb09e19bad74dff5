/** Says each of PostgreSQL's failures in one clear line of our own words: the server's may quote what is protected. */
import { VeilgridError } from "../../core/errors/index.ts";
import { DAMAGED, DamagedRow, ledgerUnavailable } from "./store-failures.ts";

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
const UNKNOWN_HOST = "cannot be reached: its host is not known; check the address";

/** By SQLSTATE; the first pattern that fits. */
const SENTENCES: ReadonlyArray<readonly [states: RegExp, sentence: string]> = [
  [/^(28P01|28000)$/, NO_ENTRY],
  [/^3D000$/, "has no such database; make it, or name another"],
  [/^(3F000|42P01|42703)$/, NOT_A_LEDGER],
  [
    /^42501$/,
    "does not allow this user to do that; nothing was changed; grant it the use of the ledger's schema and tables",
  ],
  [/^25006$/, IS_STANDBY],
  [/^55P03$/, "is locked by another process; nothing was changed; repeat when that is done"],
  [/^57014$/, "took too long to answer, or was told to stop; nothing was changed; repeat"],
  [/^(40001|40P01)$/, "got into the way of another process; nothing was changed; repeat"],
  [/^53100$/, "cannot grow, the server's disk is full; nothing was changed; make room and repeat"],
  [/^53200$/, "found the server out of memory; nothing was changed; repeat"],
  [/^53300$/, "has as many connections as the server takes; nothing was changed; raise max_connections or repeat"],
  [/^57P03$/, "cannot be reached: the server is starting or stopping; repeat"],
  [/^XX00[12]$/, DAMAGED],
  [/^(08|57P|25P03)/, LOST],
];

/** What the client says, by the code of its error and its message. */
const CLIENT_SENTENCES: ReadonlyArray<readonly [what: "code" | "message", words: RegExp, sentence: string]> = [
  [
    "message",
    /does not support SSL/,
    "offers no TLS; turn it on there, or say ?sslmode=disable where nobody can listen",
  ],
  [
    "code",
    /CERT|TLS|SSL|UNABLE_TO_|SELF_SIGNED/,
    "shows a certificate that cannot be verified; give ?sslrootcert=FILE, or say ?sslmode=require where nobody can pose as it",
  ],
  // The client has no password to offer, or does not trust the server's part of the exchange.
  ["message", /^SASL/, NO_ENTRY],
];
const CONNECTION_SENTENCES: Readonly<Record<string, string>> = {
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
  ECONNREFUSED: "cannot be reached: nothing answers there; check host and port, and that the server runs",
};
const CONNECTION_CODES =
  /^(E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|CONNABORTED))$/;
/** What the client says when its socket ends; its errors carry no code then. */
const CONNECTION_WORDS =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout expired|timeout exceeded)/;

/** Those of an error's fields that are text. */
function fieldsOf(error: unknown): { code: string; message: string; severity: string | undefined } {
  const { code, message, severity } = (error ?? {}) as Readonly<Record<string, unknown>>;
  return {
    code: typeof code === "string" ? code : "",
    message: typeof message === "string" ? message : "",
    severity: typeof severity === "string" ? severity : undefined,
  };
}

/** The server's SQLSTATE; undefined where it was the connection, or our own code, that failed. */
export function stateOf(error: unknown): string | undefined {
  const { code, severity } = fieldsOf(error);
  return severity !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** The server refused the statement and goes on. A server that says so in another language is not understood, which is safe: it is asked again. */
export function isAnswer(error: unknown): boolean {
  return stateOf(error) !== undefined && fieldsOf(error).severity === "ERROR";
}

/** Failures that pass: a server that restarts, fails over, or is not the one that takes writes yet. */
export function mayPass(error: unknown): boolean {
  const state = stateOf(error);
  return state === undefined ? isOfConnection(error) : /^(57P0[123]|08...|25006|53300|25P03)$/.test(state);
}

function isOfConnection(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOfConnection);
  const { code, message } = fieldsOf(error);
  return CONNECTION_CODES.test(code) || CONNECTION_WORDS.test(message);
}

/** Errors that are neither the server's nor the connection's pass unchanged. */
export function asLedgerError(error: unknown, shown: string): unknown {
  if (error instanceof VeilgridError) return error;
  const sentence = error instanceof DamagedRow ? DAMAGED : sentenceOf(error);
  return sentence === undefined ? error : ledgerUnavailable(shown, sentence);
}

function sentenceOf(error: unknown): string | undefined {
  const state = stateOf(error);
  if (state !== undefined)
    return (
      SENTENCES.find(([states]) => states.test(state))?.[1] ??
      `could not do what was asked (the server's code is ${state}); nothing was changed; run veilgrid ledger verify`
    );
  const fields = fieldsOf(error);
  const said = CLIENT_SENTENCES.find(([what, words]) => words.test(fields[what]));
  if (said !== undefined) return said[2];
  if (!isOfConnection(error)) return undefined;
  const { code } = error instanceof AggregateError ? fieldsOf(error.errors[0]) : fields;
  return CONNECTION_SENTENCES[code] ?? LOST;
}
