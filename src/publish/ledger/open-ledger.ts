/** Opens a ledger wherever it is: in a file, or in a database that several machines share. Only `ledger init` makes one. */
import { open, stat } from "node:fs/promises";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import {
  checkParameters,
  type DatabaseUrl,
  POSTGRES_LOGIN_PARAMETERS,
  type PostgresLogin,
  parseDatabaseUrl,
  postgresLogin,
} from "../../data/sources/index.ts";
import { Ledger, type LedgerOptions } from "./ledger.ts";
import { PostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
import { CANNOT_OPEN, SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
import { ledgerUnavailable } from "./store-failures.ts";

export interface LedgerFileOptions extends LedgerOptions, SqliteStoreOptions {}

export interface LedgerDatabaseOptions
  extends LedgerOptions,
    Pick<PostgresStoreOptions, "create" | "busyMs" | "patienceMs" | "answerMs"> {}

const DEFAULT_SCHEMA = "veilgrid";
const PARAMETERS = [...POSTGRES_LOGIN_PARAMETERS, "schema", "also", "durability"];
/** PostgreSQL cuts longer names short. */
const LONGEST_NAME_BYTES = 63;

/** Whether it is the address of a database, not a file. */
export function isLedgerAddress(place: string): boolean {
  return parseDatabaseUrl(place) !== undefined;
}

export async function openLedgerAt(
  place: string,
  options: LedgerOptions & { readonly create?: boolean | undefined } = {},
): Promise<Ledger> {
  if (isLedgerAddress(place)) return openLedgerDatabase(place, options);
  // A slip in an address must not make a file with fresh budgets.
  if (/^[a-z]+:\/\/|^(postgres|postgresql|clickhouse):/i.test(place))
    throw new VeilgridError(
      "USAGE",
      `--ledger ${quoteForMessage(place)} is no address of a ledger; write postgres://user@host/database, or a file's name (./ before it, if it has a colon)`,
    );
  return openLedgerFile(place, options);
}

export async function openLedgerFile(path: string, options: LedgerFileOptions = {}): Promise<Ledger> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw ledgerUnavailable(path, CANNOT_OPEN, error);
  });
  if (found !== undefined && !found.isFile()) throw ledgerUnavailable(path, CANNOT_OPEN);
  if (found === undefined) {
    if (!options.create) throw noLedger(quoteForMessage(path), path);
    await makeFile(path);
  }
  return new Ledger(await SqliteStore.open(path, options), options);
}

/** Readable by its owner only: it says who lost how much. */
async function makeFile(path: string): Promise<void> {
  try {
    await (await open(path, "a", 0o600)).close();
  } catch (error) {
    throw ledgerUnavailable(path, CANNOT_OPEN, error);
  }
}

export async function openLedgerDatabase(address: string, options: LedgerDatabaseOptions = {}): Promise<Ledger> {
  const place = await placeOf(address);
  const store = await PostgresStore.open({ ...options, ...place });
  if (store !== undefined) return new Ledger(store, options);
  const shown = `${quoteForMessage(place.shown)} in schema ${quoteForMessage(place.schema)}`;
  throw noLedger(shown, `'${address.replaceAll("'", "%27")}'`);
}

function noLedger(shown: string, typed: string): VeilgridError {
  return new VeilgridError(
    "LEDGER_NOT_FOUND",
    `no ledger at ${shown}; make one with veilgrid ledger init --ledger ${typed} --dataset NAME --budget 1 --occupancy-is-public`,
  );
}

/** Where the ledger of an address is. */
export async function placeOf(
  address: string,
): Promise<Pick<PostgresStoreOptions, "login" | "hosts" | "schema" | "shown" | "trusted">> {
  const url = parseDatabaseUrl(address);
  if (url?.kind !== "postgres")
    throw new VeilgridError(
      "USAGE",
      `a ledger is a file, or postgres://user@host/database; ${quoteForMessage(url?.shown ?? address)} is neither`,
    );
  checkParameters(url, PARAMETERS);
  return {
    login: await postgresLogin(url),
    hosts: [{ host: url.host, port: url.port }, ...otherHosts(url)],
    schema: schemaOf(url),
    shown: url.shown,
    trusted: isTrusted(url),
  };
}

function schemaOf({ parameters, shown }: DatabaseUrl): string {
  const schema = parameters.get("schema") ?? DEFAULT_SCHEMA;
  const bytes = Buffer.byteLength(schema);
  if (bytes > 0 && bytes <= LONGEST_NAME_BYTES && !/^pg_|^information_schema$|\0/.test(schema)) return schema;
  throw new VeilgridError(
    "USAGE",
    `${quoteForMessage(shown)}: schema ${quoteForMessage(schema)} cannot be a ledger's; give a name of 1 to ${LONGEST_NAME_BYTES} bytes that is not the server's own`,
  );
}

/** `also=host:port,host`: other servers of the same cluster, for when the first no longer takes writes. */
function otherHosts({ parameters, shown }: DatabaseUrl): Array<Pick<PostgresLogin, "host" | "port">> {
  return (parameters.get("also")?.split(",") ?? []).map((text) => {
    const [, host, port] = /^(\[[0-9A-Fa-f:.]+\]|[^[\]:/,\s]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
    if (host === undefined)
      throw new VeilgridError(
        "USAGE",
        `${quoteForMessage(shown)}: also ${quoteForMessage(text)} is not host or host:port; separate several by commas`,
      );
    return { host: host.replace(/[[\]]/g, ""), port: port === undefined ? undefined : Number(port) };
  });
}

function isTrusted({ parameters, shown }: DatabaseUrl): boolean {
  const given = parameters.get("durability");
  if (given === undefined || given === "trusted") return given !== undefined;
  throw new VeilgridError("USAGE", `${quoteForMessage(shown)}: durability can only be trusted, or be left out`);
}
