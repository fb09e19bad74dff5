/** Defines the tables of a ledger in PostgreSQL, reads which format a schema holds, and brings it to the newest. */
import type pg from "pg";
import { NOT_A_LEDGER } from "./postgres-errors.ts";
import { FORMAT } from "./store.ts";
import { ledgerUnavailable } from "./store-failures.ts";

/** A name as SQL writes it, whatever is in it. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The server's wish for less than a commit on disk is overruled for one transaction, its wish for more is not. */
export const COMMIT_ON_DISK =
  "SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply');";

/**
 * Statement i brings a schema from version i to version i + 1. Names and ids are compared byte by byte, whatever the database's own order.
 * A release changes most balances: room beside each row saves the index a second entry.
 * An index takes no key of any length: `id` is a short form of a user's or part's id, with the full one beside it where they differ.
 */
export function migrations(schema: string): readonly string[] {
  const name = 'text COLLATE "C" NOT NULL';
  const units = (column: string): string =>
    `${column} numeric NOT NULL CHECK (${column} >= 0 AND ${column} = trunc(${column}) AND ${column} < 1e100)`;
  const number = "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
  return [
    `CREATE TABLE ${schema}.meta (name ${name} PRIMARY KEY, value text NOT NULL);
     INSERT INTO ${schema}.meta VALUES ('format', '${FORMAT}'), ('version', '0');
     CREATE TABLE ${schema}.datasets (number ${number}, name ${name} UNIQUE, ${units("budget")}, created text NOT NULL,
       users_key_check text);
     CREATE TABLE ${schema}.releases (number ${number}, dataset ${name}, key ${name}, plan_hash text NOT NULL, header text NOT NULL,
       created text NOT NULL, UNIQUE (dataset, key));
     CREATE TABLE ${schema}.parts (number ${number}, dataset ${name}, key ${name}, id ${name}, long_id text, state text NOT NULL,
       reservation bigint NOT NULL, sha256 text, text text, UNIQUE (dataset, key, id));
     CREATE TABLE ${schema}.reservations (id bigint PRIMARY KEY, dataset ${name}, key ${name}, chunks integer NOT NULL,
       users integer NOT NULL, ${units("largest")}, refunded boolean NOT NULL);
     CREATE INDEX reservations_of_release ON ${schema}.reservations (dataset, key);
     CREATE TABLE ${schema}.charges (reservation bigint NOT NULL, chunk integer NOT NULL, text text NOT NULL,
       PRIMARY KEY (reservation, chunk));
     CREATE TABLE ${schema}.balances (dataset ${name}, id ${name}, long_id text, ${units("units")},
       PRIMARY KEY (dataset, id)) WITH (fillfactor = 50);
     CREATE TABLE ${schema}.journal (line bigint PRIMARY KEY, text text NOT NULL, hash text NOT NULL);
     CREATE TABLE ${schema}.writers (writer ${name} PRIMARY KEY, transactions bigint NOT NULL, seen timestamptz NOT NULL);`,
  ];
}

interface Place {
  readonly schema: string;
  /** The address, for messages. */
  readonly shown: string;
}

/** Any number will do that others are unlikely to lock. */
const CREATION_LOCK = 7_311_904_226;

/** undefined where nothing is; refuses other people's schemas and ledgers of a later time. */
export async function ledgerVersion(client: pg.Client, { schema, shown }: Place): Promise<number | undefined> {
  const { rows } = await client.query(
    `SELECT relname AS name, relkind AS kind, relpersistence AS persistence FROM pg_catalog.pg_class
     JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1`,
    [schema],
  );
  const relations = rows as ReadonlyArray<{ name: string; kind: string; persistence: string }>;
  if (relations.length === 0) return undefined;
  if (!relations.some(({ name, kind }) => name === "meta" && kind === "r"))
    throw ledgerUnavailable(shown, NOT_A_LEDGER);
  // PostgreSQL empties such tables after a crash.
  if (relations.some(({ persistence }) => persistence !== "p"))
    throw ledgerUnavailable(shown, "has tables that are UNLOGGED and would not survive a crash; set them LOGGED");
  const found = await client.query(`SELECT name, value FROM ${quotedName(schema)}.meta`);
  const meta = new Map((found.rows as Array<{ name: string; value: string }>).map(({ name, value }) => [name, value]));
  if (meta.get("format") !== FORMAT) throw ledgerUnavailable(shown, NOT_A_LEDGER);
  const version = Number(meta.get("version"));
  const known = migrations("").length;
  if (version > known)
    throw ledgerUnavailable(
      shown,
      `has format version ${version}, this veilgrid knows up to ${known}; update veilgrid`,
    );
  return version;
}

/** Brings a schema that is empty, absent or older to the newest version; one process at a time. */
export async function migrate(client: pg.Client, place: Place & { readonly busyMs: number }): Promise<void> {
  const schema = quotedName(place.schema);
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${place.busyMs}; SET LOCAL search_path = pg_catalog, pg_temp;
    ${COMMIT_ON_DISK} SELECT pg_advisory_xact_lock(${CREATION_LOCK})`);
  // Another process may have been first.
  const from = (await ledgerVersion(client, place)) ?? 0;
  const isThere = await client.query("SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1", [place.schema]);
  if (isThere.rowCount === 0) await client.query(`CREATE SCHEMA ${schema}`);
  const steps = migrations(schema);
  if (from > 0) await client.query(`LOCK TABLE ${schema}.meta IN EXCLUSIVE MODE`);
  for (const sql of steps.slice(from)) await client.query(sql);
  await client.query(`UPDATE ${schema}.meta SET value = $1 WHERE name = 'version'`, [String(steps.length)]);
  await client.query("COMMIT");
}
