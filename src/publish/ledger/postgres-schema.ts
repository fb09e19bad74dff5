/** The tables of a ledger in PostgreSQL, version by version, in a schema of their own. */
import { FORMAT } from "./sqlite-schema.ts";

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
