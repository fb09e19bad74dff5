/** Whether a schema holds a ledger, of which format, and how it gets to the newest. */
import type pg from "pg";
import type { VeilgridError } from "../../core/errors/index.ts";
import { ledgerUnavailable, NOT_A_LEDGER } from "./postgres-errors.ts";
import { COMMIT_ON_DISK, migrations, quotedName } from "./postgres-schema.ts";
import { FORMAT } from "./sqlite-schema.ts";

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
  if (!relations.some(({ name, kind }) => name === "meta" && kind === "r")) throw notALedger(shown);
  // PostgreSQL empties such tables after a crash.
  if (relations.some(({ persistence }) => persistence !== "p"))
    throw ledgerUnavailable(shown, "has tables that are UNLOGGED and would not survive a crash; set them LOGGED");
  const found = await client.query(`SELECT name, value FROM ${quotedName(schema)}.meta`);
  const meta = new Map((found.rows as Array<{ name: string; value: string }>).map(({ name, value }) => [name, value]));
  if (meta.get("format") !== FORMAT) throw notALedger(shown);
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

function notALedger(shown: string): VeilgridError {
  return ledgerUnavailable(shown, NOT_A_LEDGER);
}
