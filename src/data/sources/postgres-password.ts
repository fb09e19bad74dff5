/** A PostgreSQL user's password, from where the server's own tools look: PGPASSWORD, otherwise the first line of the password file that fits. */
import { readFile, stat } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import path from "node:path";
import type { DatabaseUrl } from "./database-url.ts";

const PORT = 5432;

/** Empty where there is none: a server that wants one says so. */
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
    if (fields.length === 5 && wanted.every((each, at) => fields[at] === "*" || fields[at] === each)) return fields[4]!;
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
