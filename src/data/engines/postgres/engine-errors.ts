/** Turns errors of PostgreSQL, its client and the network into ours by their codes. The server's own messages quote values and are never passed on. */
import { type ErrorCode, quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";

/** By SQLSTATE, the longest beginning first. */
const BY_STATE: ReadonlyArray<readonly [begins: string, code: ErrorCode, says: string]> = [
  ["28", "ENGINE_UNAVAILABLE", `does not let this user in; check the user in the address, and PGPASSWORD or ~/.pgpass`],
  ["3D000", "INPUT_NOT_FOUND", "has no such database; check the name in the address"],
  ["3F000", "INPUT_NOT_FOUND", "has no such schema any more; check the address"],
  ["42P01", "INPUT_NOT_FOUND", "misses a table that is read, or a view's; check the address"],
  ["42703", "INPUT_MALFORMED", "misses a column that was there a moment ago; try again"],
  ["42501", "INPUT_UNREADABLE", "does not let this user read the table; GRANT SELECT on it (and USAGE on its schema)"],
  ["42", "INPUT_UNREADABLE", "cannot read the table as it is declared"],
  [
    "22",
    "INPUT_MALFORMED",
    "met a value that it could not convert (not shown: values are protected); look at what the view or table converts",
  ],
  ["25006", "ENGINE_UNSUPPORTED", "is read-only and takes no temporary tables; read from the primary server"],
  ["53100", "INPUT_TOO_LARGE", "has no room left on its disk for temporary files; free some, or raise --memory"],
  ["53200", "INPUT_TOO_LARGE", "is out of memory; lower --memory, which is what each reading may take there"],
  ["53300", "ENGINE_UNAVAILABLE", "has no connection left; try again later"],
  ["53400", "INPUT_TOO_LARGE", "allows no more temporary files (temp_file_limit); raise that limit, or --memory"],
  ["53", "ENGINE_UNAVAILABLE", "is short of resources; try again later"],
  ["54", "INPUT_TOO_LARGE", "finds this reading too large for one of its limits"],
  ["55P03", "ENGINE_UNAVAILABLE", "could not get at the table, which somebody else holds; try again later"],
  [
    "57014",
    "ENGINE_UNAVAILABLE",
    "stopped the query: somebody cancelled it, or a timeout of the server's did; try again",
  ],
  ["57", "ENGINE_UNAVAILABLE", "is stopping or starting; try again later"],
  ["58", "ENGINE_UNAVAILABLE", "has trouble with its files; look at its log"],
  ["08", "ENGINE_UNAVAILABLE", "lost the connection; try again"],
  ["0A", "ENGINE_UNSUPPORTED", "cannot do this with such a table"],
  ["40", "ENGINE_UNAVAILABLE", "gave up because of what others do at the same time; try again"],
  ["XX001", "INPUT_UNREADABLE", "finds the table's data damaged; look at its log"],
];

/** What the network says, by the code Node gives. */
const BY_NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: "cannot be reached: nothing listens there; check host and port",
  ENOTFOUND: "cannot be reached: there is no such host; check its name",
  EAI_AGAIN: "cannot be reached: the host's name could not be looked up; check it and the network",
  ETIMEDOUT: "cannot be reached: it does not answer; check host, port and firewalls",
  EHOSTUNREACH: "cannot be reached: no way leads there; check host and network",
  ENETUNREACH: "cannot be reached: no way leads there; check host and network",
  ENOENT: "cannot be reached: there is no such socket; check PGHOST and PGPORT",
  EACCES: "cannot be reached: its socket may not be used; check its permissions",
  ECONNRESET: "ended the connection; try again",
  EPIPE: "ended the connection; try again",
};

/** What the client says in words of its own, the first that fits. */
const BY_MESSAGE: ReadonlyArray<readonly [pattern: RegExp, says: string]> = [
  [/password/i, " asks for a password; set PGPASSWORD, or write it into ~/.pgpass, readable by you alone"],
  [
    /SSL|certificate|TLS/i,
    ": no encrypted connection that can be trusted; check sslmode and sslrootcert in the address",
  ],
  [/timeout/i, " cannot be reached: it does not answer; check host, port and firewalls"],
  [/connection|not queryable/i, " ended the connection; try again"],
];

/** `shown` is the address, which has no secret in it. Nothing of the server's own text is passed on. */
export function asEngineError(error: unknown, shown: string): VeilgridError {
  if (error instanceof VeilgridError) return error;
  const says = (code: ErrorCode, what: string): VeilgridError =>
    new VeilgridError(code, `${quoteForMessage(shown)}${what}`);
  const state = sqlState(error);
  if (state !== undefined) {
    const [, code, what] = BY_STATE.find(([begins]) => state.startsWith(begins)) ?? [
      "",
      "INPUT_UNREADABLE",
      `could not read the table (its code ${state}; its message is not shown because it may quote values)`,
    ];
    return says(code, ` ${what}`);
  }
  const network = networkCode(error);
  if (network !== undefined) return says("ENGINE_UNAVAILABLE", ` ${network}`);
  const message = error instanceof Error ? error.message : "";
  if (error instanceof TypeError && /decod|encoded/i.test(message))
    return says("INPUT_MALFORMED", ": an id is not text in UTF-8; correct it in the table");
  const found = BY_MESSAGE.find(([pattern]) => pattern.test(`${message} ${codeOf(error) ?? ""}`));
  return found === undefined
    ? says("INPUT_UNREADABLE", " could not be read; what its client says may quote values and is not shown")
    : says("ENGINE_UNAVAILABLE", found[1]);
}

/** The server's own five letters and digits; undefined where it was not the server that failed: Node's errors, such as EPIPE, have no severity. */
export function sqlState(error: unknown): string | undefined {
  const code = codeOf(error) ?? "";
  return /^[0-9A-Z]{5}$/.test(code) && "severity" in (error as object) ? code : undefined;
}

function codeOf(error: unknown): string | undefined {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === "string" ? code : undefined;
}

/** A host with several addresses fails with several errors. */
function networkCode(error: unknown): string | undefined {
  const all = error instanceof AggregateError ? [error, ...error.errors] : [error];
  const code = all.map(codeOf).find((each) => each !== undefined && Object.hasOwn(BY_NETWORK, each));
  return code === undefined ? undefined : BY_NETWORK[code];
}
