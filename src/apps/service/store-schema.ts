/** The tables of service.db, version by version. */

export const FORMAT = "veilgrid service";

/** Statement i brings a file from version i to version i + 1. Flags are 0 and 1; lists and objects are JSON. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
   INSERT INTO meta VALUES ('format', '${FORMAT}'), ('version', '0');
   CREATE TABLE tokens (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, role TEXT NOT NULL, datasets TEXT NOT NULL,
     secretHash TEXT NOT NULL, created TEXT NOT NULL, expires TEXT, revoked TEXT, oneTime INTEGER NOT NULL);
   CREATE TABLE datasets (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, recipe TEXT NOT NULL, bounds TEXT NOT NULL,
     statistics TEXT, unit TEXT, plan TEXT, key TEXT, onlyReleased INTEGER NOT NULL, created TEXT NOT NULL);
   CREATE TABLE plans (number INTEGER PRIMARY KEY, hash TEXT NOT NULL, dataset TEXT NOT NULL, created TEXT NOT NULL, summary TEXT NOT NULL,
     UNIQUE (hash, dataset));
   CREATE INDEX plans_of_dataset ON plans (dataset);
   CREATE TABLE jobs (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, dataset TEXT NOT NULL, wishes TEXT NOT NULL,
     state TEXT NOT NULL, created TEXT NOT NULL, started TEXT, ended TEXT, result TEXT NOT NULL, error TEXT NOT NULL);
   CREATE INDEX jobs_of_dataset ON jobs (dataset);`,
];
