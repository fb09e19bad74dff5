/** The tables of a ledger file, version by version. */

export const FORMAT = "veilgrid ledger";

/** Statement i brings a file from version i to version i + 1. Losses are decimal text: they exceed 64 bits. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
   INSERT INTO meta VALUES ('format', '${FORMAT}'), ('version', '0');
   CREATE TABLE datasets (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, budget TEXT NOT NULL, created TEXT NOT NULL, users_key_check TEXT);
   CREATE TABLE releases (id INTEGER PRIMARY KEY, dataset TEXT NOT NULL, key TEXT NOT NULL, plan_hash TEXT NOT NULL, header TEXT NOT NULL,
     created TEXT NOT NULL, UNIQUE (dataset, key));
   CREATE TABLE parts (id INTEGER PRIMARY KEY, dataset TEXT NOT NULL, key TEXT NOT NULL, part TEXT NOT NULL, state TEXT NOT NULL,
     reservation INTEGER NOT NULL, sha256 TEXT, text TEXT, UNIQUE (dataset, key, part));
   CREATE TABLE reservations (id INTEGER PRIMARY KEY, dataset TEXT NOT NULL, key TEXT NOT NULL, chunks INTEGER NOT NULL, users INTEGER NOT NULL,
     largest TEXT NOT NULL, refunded INTEGER NOT NULL);
   CREATE INDEX reservations_of_release ON reservations (dataset, key);
   CREATE TABLE charges (reservation INTEGER NOT NULL, chunk INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (reservation, chunk));
   CREATE TABLE balances (dataset TEXT NOT NULL, user TEXT NOT NULL, units TEXT NOT NULL, PRIMARY KEY (dataset, user)) WITHOUT ROWID;
   CREATE TABLE journal (line INTEGER PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL);`,
];
