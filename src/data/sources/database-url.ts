/** Parses database addresses as SOURCE and --ledger write them: postgres://, clickhouse://. An address with a password is refused: it would end up in shell histories and plans. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";

export type DatabaseKind = "postgres" | "clickhouse";

export interface DatabaseUrl {
  readonly kind: DatabaseKind;
  /** Absent parts are the client's own to fill, from its environment variables. */
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly user: string | undefined;
  readonly database: string | undefined;
  /** What follows the question mark: `table`, and what the database itself knows. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The address without parameters, for messages. */
  readonly shown: string;
}

const KINDS: Readonly<Record<string, DatabaseKind>> = {
  "postgres:": "postgres",
  "postgresql:": "postgres",
  "clickhouse:": "clickhouse",
};
const PASSWORD_VARIABLES: Readonly<Record<DatabaseKind, string>> = {
  postgres: "PGPASSWORD, or a ~/.pgpass file,",
  clickhouse: "CLICKHOUSE_PASSWORD",
};

/** undefined for anything that is no database address. */
export function parseDatabaseUrl(text: string): DatabaseUrl | undefined {
  const scheme = /^([a-z]+:)\/\//i.exec(text)?.[1]?.toLowerCase();
  const kind = scheme === undefined ? undefined : KINDS[scheme];
  if (kind === undefined) return undefined;
  // Only what precedes the host is shown in errors: the rest may hold a secret by mistake.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined)
    throw new VeilgridError("USAGE", `${scheme}//… is no address; write ${kind}://user@host:port/database`);
  const names = [...url.searchParams.keys()];
  // A slash too many makes user and password part of the database's name.
  const isInPath = /:.*@/.test(decode(url.pathname));
  if (url.password !== "" || isInPath || names.some((name) => /^pass(word|wd)?$/i.test(name)))
    throw new VeilgridError(
      "USAGE",
      `${scheme}//… has a password in it, which would stay in histories and logs; leave it out and set ${PASSWORD_VARIABLES[kind]} instead`,
    );
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new VeilgridError("USAGE", `${scheme}//… gives ${quoteForMessage(repeated)} twice; give it once`);
  const database = decode(url.pathname.slice(1));
  return {
    kind,
    host: url.hostname === "" ? undefined : url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? undefined : Number(url.port),
    user: url.username === "" ? undefined : decode(url.username),
    database: database === "" ? undefined : database,
    parameters: new Map(url.searchParams),
    shown: `${kind}://${url.username === "" ? "" : `${url.username}@`}${url.host}${url.pathname}`,
  };
}

/** Refuses parameters that nobody would read. */
export function checkParameters({ parameters, shown }: DatabaseUrl, known: readonly string[]): void {
  for (const name of parameters.keys()) {
    if (known.includes(name)) continue;
    throw new VeilgridError(
      "USAGE",
      `${quoteForMessage(shown)}: parameter ${quoteForMessage(name)} is unknown; known are ${known.join(", ")}`,
    );
  }
}

/** Whether the way to a server leaves this machine: only then it has to be encrypted. */
export function isThisMachine(host: string | undefined): boolean {
  return host === undefined || host === "localhost" || host === "::1" || /^(127\.|\/)/.test(host);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new VeilgridError("USAGE", `${quoteForMessage(text)} in the address is not percent-encoded text`);
  }
}
