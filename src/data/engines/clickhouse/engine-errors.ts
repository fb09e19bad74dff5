/** Turns errors of ClickHouse and its client into ours by their numbers. The server's own messages quote values and are never passed on. */
import { type ErrorCode, quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { NotUtf8 } from "./native-format.ts";

/** The server's number of the error. The client knows new servers' form, old ones' stands in the text. */
export function errorCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && /^\d{1,6}$/.test(code)) return Number(code);
  const written = /^Code: (\d{1,6})[,.]/.exec(error.message)?.[1];
  return written === undefined ? undefined : Number(written);
}

/** `throwIf` met a record that is not sound. */
export function isTrouble(error: unknown): boolean {
  return errorCode(error) === 395;
}

/** Readonly users may not change settings; others lack a right. */
const FORBIDDEN = [164, 497];

export function isForbidden(error: unknown): boolean {
  return FORBIDDEN.includes(errorCode(error) ?? 0);
}

/** By number, as the servers' list of errors has them. */
const MEANINGS: ReadonlyArray<readonly [numbers: readonly number[], code: ErrorCode, says: string]> = [
  [
    [192, 193, 194, 195, 516],
    "ENGINE_UNAVAILABLE",
    " does not let this user in; check the name in the address and CLICKHOUSE_PASSWORD",
  ],
  [
    FORBIDDEN,
    "ENGINE_UNSUPPORTED",
    ": this user may not do what is needed: read the table, change settings and make temporary tables; in the server's words, SELECT and readonly = 2 or CREATE TEMPORARY TABLE",
  ],
  [[60, 81], "INPUT_NOT_FOUND", " has no such table; check the database and ?table="],
  [
    // Connections between servers: refused, cut, timed out, names that lead nowhere; an end where more was due.
    [32, 99, 101, 102, 198, 203, 209, 210, 236, 279, 373, 394, 425, 519],
    "ENGINE_UNAVAILABLE",
    " could not finish: a shard or the server itself does not answer; nothing was taken from the rest, try again when all are back",
  ],
  [
    [158, 159, 160, 161, 191, 202, 290, 307, 396],
    "ENGINE_UNAVAILABLE",
    " stopped at a limit that is set for this user, of time, rows or queries; raise it, or use another user",
  ],
  [
    [173, 241],
    "INPUT_TOO_LARGE",
    ": the memory that this user may take does not suffice; raise max_memory_usage, or make grids larger",
  ],
];

export function asEngineError(error: unknown, address: string): VeilgridError {
  if (error instanceof VeilgridError) return error;
  const says = (code: ErrorCode, what: string): VeilgridError =>
    new VeilgridError(code, `${quoteForMessage(address)}${what}`);
  if (error instanceof NotUtf8)
    return says(
      "INPUT_MALFORMED",
      ": an id is not UTF-8 text; give a view of the table in which it is, such as one with hex(id)",
    );
  const number = errorCode(error);
  if (number === undefined)
    return says(
      "ENGINE_UNAVAILABLE",
      " does not answer, or the connection was cut; check host, port and secure=1, and try again",
    );
  const [, code, what] = MEANINGS.find(([numbers]) => numbers.includes(number)) ?? [
    [],
    "INPUT_UNREADABLE",
    ` cannot be read (error ${number} of the server; its message is not shown because it may quote values)`,
  ];
  return says(code, what);
}
