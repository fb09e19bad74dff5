/** Makes the HTTP client for a ClickHouse address. Passwords come from the environment alone. */
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { checkParameters, type DatabaseUrl, isThisMachine } from "../../sources/index.ts";

const PARAMETERS = ["table", "secure", "timeout"];
const DEFAULT_TIMEOUT_SECONDS = 3600;

export function connect(url: DatabaseUrl): ClickHouseClient {
  checkParameters(url, PARAMETERS);
  // Off this machine a password and ids would travel in plain text: that has to be asked for.
  const isSecure = isOn(url, "secure", !isThisMachine(url.host));
  const host = url.host ?? "localhost";
  const port = url.port ?? (isSecure ? 8443 : 8123);
  return createClient({
    url: `${isSecure ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    username: url.user ?? process.env["CLICKHOUSE_USER"] ?? "default",
    password: process.env["CLICKHOUSE_PASSWORD"] ?? "",
    ...(url.database === undefined ? {} : { database: url.database }),
    request_timeout: 1000 * timeoutSeconds(url),
    // Its log would hold queries and servers' messages.
    log: { level: ClickHouseLogLevel.OFF },
    compression: { request: false, response: false },
  });
}

function isOn(url: DatabaseUrl, parameter: string, otherwise: boolean): boolean {
  const value = url.parameters.get(parameter);
  if (value === undefined) return otherwise;
  if (value === "1" || value === "true") return true;
  if (value === "0" || value === "false") return false;
  throw new VeilgridError(
    "USAGE",
    `${quoteForMessage(url.shown)}: ${parameter} is 1 or 0, not ${quoteForMessage(value)}`,
  );
}

function timeoutSeconds(url: DatabaseUrl): number {
  const value = url.parameters.get("timeout");
  if (value === undefined) return DEFAULT_TIMEOUT_SECONDS;
  const seconds = /^\d{1,5}$/.test(value) ? Number(value) : 0;
  if (seconds < 1)
    throw new VeilgridError(
      "USAGE",
      `${quoteForMessage(url.shown)}: timeout is a number of seconds from 1 to 99999, not ${quoteForMessage(value)}`,
    );
  return seconds;
}
