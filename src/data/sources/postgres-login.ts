/** Works out how to sign in to a PostgreSQL server: host, user, password and TLS, for whoever loads its client. */
import { readFile, stat } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import path from "node:path";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { type DatabaseUrl, isThisMachine } from "./database-url.ts";

/** What the client is given. Absent parts are its own to fill, from PGHOST, PGUSER and so on. */
export interface PostgresLogin extends Pick<DatabaseUrl, "host" | "port" | "user" | "database"> {
  /** A function, so that the client does not look for one itself, and nothing that is printed holds it. */
  password(): string;
  readonly ssl:
    | false
    | {
        readonly rejectUnauthorized: boolean;
        readonly ca?: string;
        readonly checkServerIdentity?: () => undefined;
      };
}

/** Parameters of an address that are about getting in. */
export const POSTGRES_LOGIN_PARAMETERS = ["sslmode", "sslrootcert"] as const;

const PORT = 5432;
const MODES = ["disable", "require", "verify-ca", "verify-full"] as const;

/**
 * Off this machine the server's certificate is verified unless the address says less. Modes mean what they mean to the
 * server's own tools; those that fall back to plain text in silence are refused.
 */
export async function postgresLogin(url: DatabaseUrl): Promise<PostgresLogin> {
  const { host, port, user, database, parameters } = url;
  const mode = modeOf(url);
  const file = parameters.get("sslrootcert") ?? process.env["PGSSLROOTCERT"];
  const ca =
    file === undefined || mode === "disable"
      ? undefined
      : await readFile(file, "utf8").catch(() => {
          throw new VeilgridError("INPUT_UNREADABLE", `cannot read sslrootcert ${quoteForMessage(file)}`);
        });
  const password = await postgresPassword(url);
  const ssl = {
    // As libpq: a root certificate that is given is used, whatever the mode.
    rejectUnauthorized: mode !== "require" || ca !== undefined,
    ...(ca === undefined ? {} : { ca }),
    ...(mode === "verify-full" ? {} : { checkServerIdentity: () => undefined }),
  };
  return { host, port, user, database, password: () => password, ssl: mode !== "disable" && ssl };
}

function modeOf({ host, parameters, shown }: DatabaseUrl): (typeof MODES)[number] {
  const given = parameters.get("sslmode") ?? process.env["PGSSLMODE"];
  if (given === undefined) return isThisMachine(host ?? process.env["PGHOST"]) ? "disable" : "verify-full";
  const mode = MODES.find((each) => each === given);
  if (mode !== undefined) return mode;
  throw new VeilgridError(
    "USAGE",
    `${quoteForMessage(shown)}: sslmode ${quoteForMessage(given)} is none of ${MODES.join(", ")}`,
  );
}

/** Ends a client's connection at once: a polite end would wait for answers that may never come, and a client that did not get in stays connected. */
export function hangUp(client: object): void {
  (client as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** From where the server's own tools look: PGPASSWORD, otherwise the first line of the password file that fits. Empty where there is none: a server that wants one says so. */
export async function postgresPassword(url: Pick<DatabaseUrl, "host" | "port" | "user" | "database">): Promise<string> {
  const { env } = process;
  if (env["PGPASSWORD"] !== undefined) return env["PGPASSWORD"];
  const user = url.user ?? env["PGUSER"] ?? userInfo().username;
  const host = url.host ?? env["PGHOST"] ?? "localhost";
  const wanted = [
    host.startsWith("/") ? "localhost" : host,
    String(url.port ?? env["PGPORT"] ?? PORT),
    url.database ?? env["PGDATABASE"] ?? user,
    user,
  ];
  for (const line of await passwordLines(env["PGPASSFILE"] ?? path.join(homedir(), ".pgpass"))) {
    const fields = fieldsOf(line);
    const password = fields[4];
    const isFor = wanted.every((each, at) => fields[at] === "*" || fields[at] === each);
    if (password !== undefined && isFor) return password;
  }
  return "";
}

/** A file that others may read is not used. */
async function passwordLines(file: string): Promise<string[]> {
  const found = await stat(file).catch(() => undefined);
  const isOpen = process.platform !== "win32" && ((found?.mode ?? 0) & 0o077) !== 0;
  if (found === undefined || !found.isFile() || isOpen) return [];
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
}

/** Between colons; a backslash takes the next character as it is. The password is all that is left. */
function fieldsOf(line: string): string[] {
  const fields = [""];
  for (const [token] of line.matchAll(/\\.|./gs)) {
    if (token === ":" && fields.length < 5) fields.push("");
    else fields[fields.length - 1] += token.length > 1 && token.startsWith("\\") ? token.slice(1) : token;
  }
  return fields;
}
