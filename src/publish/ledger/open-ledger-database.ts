/** Opens the ledger at a database's address; only `ledger init` makes one. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import {
  checkParameters,
  type DatabaseUrl,
  POSTGRES_LOGIN_PARAMETERS,
  parseDatabaseUrl,
  postgresLogin,
} from "../../data/sources/index.ts";
import { Ledger, type LedgerOptions } from "./ledger.ts";
import type { PostgresHost } from "./postgres-connections.ts";
import { PostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";

export interface LedgerDatabaseOptions
  extends LedgerOptions,
    Pick<PostgresStoreOptions, "create" | "busyMs" | "patienceMs" | "answerMs"> {}

const DEFAULT_SCHEMA = "veilgrid";
const PARAMETERS = [...POSTGRES_LOGIN_PARAMETERS, "schema", "also", "durability"];
/** PostgreSQL cuts longer names short. */
const LONGEST_NAME_BYTES = 63;

export async function openLedgerDatabase(address: string, options: LedgerDatabaseOptions = {}): Promise<Ledger> {
  const place = await placeOf(address);
  const store = await PostgresStore.open({ ...options, ...place });
  if (store === undefined)
    throw new VeilgridError(
      "LEDGER_NOT_FOUND",
      `no ledger at ${quoteForMessage(place.shown)} in schema ${quoteForMessage(place.schema)}; make one with veilgrid ledger init --ledger '${address.replaceAll("'", "%27")}' --dataset NAME --budget 1 --occupancy-is-public`,
    );
  return new Ledger(store, options);
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
function otherHosts({ parameters, shown }: DatabaseUrl): PostgresHost[] {
  const also = parameters.get("also");
  if (also === undefined) return [];
  return also.split(",").map((text) => {
    const place = /^(\[[0-9A-Fa-f:.]+\]|[^[\]:/,\s]+)(?::(\d{1,5}))?$/.exec(text);
    if (place === null)
      throw new VeilgridError(
        "USAGE",
        `${quoteForMessage(shown)}: also ${quoteForMessage(text)} is not host or host:port; separate several by commas`,
      );
    return {
      host: place[1]!.replace(/[[\]]/g, ""),
      port: place[2] === undefined ? undefined : Number(place[2]),
    };
  });
}

function isTrusted({ parameters, shown }: DatabaseUrl): boolean {
  const given = parameters.get("durability");
  if (given === undefined || given === "trusted") return given !== undefined;
  throw new VeilgridError("USAGE", `${quoteForMessage(shown)}: durability can only be trusted, or be left out`);
}
