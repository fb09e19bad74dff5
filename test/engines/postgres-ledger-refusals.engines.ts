/** What is no ledger, cannot be reached or could not keep its word is refused in one line of ours. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { PostgresServer } from "../../scripts/servers/postgres-server.mjs";
import { parseDecimal } from "../../src/core/arithmetic/index.ts";
import { openLedgerAt, openLedgerDatabase } from "../../src/publish/ledger/index.ts";
import { newAddress, openStore } from "./support/new-ledger.ts";
import { postgresAddress, runFolder } from "./support/servers.ts";

let admin: pg.Client;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: postgresAddress() });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
});

const told = (work: Promise<unknown>) => work.then(String, ({ code, message }) => `${code} ${message}`);
const schemaIn = (address: string) => pg.escapeIdentifier(new URL(address).searchParams.get("schema")!);

async function newLedger(): Promise<{ address: string; schema: string }> {
  const address = newAddress();
  await using ledger = await openLedgerDatabase(address, { create: true });
  await ledger.init({ dataset: "d", budget: parseDecimal("1"), occupancyIsPublic: true });
  return { address, schema: schemaIn(address) };
}

const raise = (ledger: Awaited<ReturnType<typeof openLedgerAt>>, budget = "2") =>
  ledger.raise({ dataset: "d", budget: parseDecimal(budget), reason: "a test" });

test("only init makes one, and says how", async () => {
  const address = newAddress();
  expect(await told(openLedgerAt(address))).toBe(
    `LEDGER_NOT_FOUND no ledger at '${postgresAddress()}' in schema '${new URL(address).searchParams.get("schema")}'; make one with veilgrid ledger init --ledger '${address}' --dataset NAME --budget 1 --occupancy-is-public`,
  );
  const { rowCount } = await admin.query("SELECT FROM pg_namespace WHERE quote_ident(nspname) = $1", [
    schemaIn(address),
  ]);
  expect(rowCount).toBe(0);
  await using made = await openLedgerAt(address, { create: true });
  expect(await made.datasets()).toEqual([]);
});

test("several that make the same one at once all get it", async () => {
  const address = newAddress();
  const made = await Promise.all([1, 2, 3, 4].map(() => openLedgerDatabase(address, { create: true })));
  for (const ledger of made) {
    expect(await ledger.datasets()).toEqual([]);
    await ledger[Symbol.asyncDispose]();
  }
});

test("a schema that is somebody else's, too new or not safe is left alone", async () => {
  const foreign = newAddress();
  await admin.query(`CREATE SCHEMA ${schemaIn(foreign)}; CREATE TABLE ${schemaIn(foreign)}.t (x int)`);
  const lookalike = newAddress();
  await admin.query(`CREATE SCHEMA ${schemaIn(lookalike)}; CREATE TABLE ${schemaIn(lookalike)}.meta (x int)`);
  const newer = await newLedger();
  await admin.query(`UPDATE ${newer.schema}.meta SET value = '99' WHERE name = 'version'`);
  const unlogged = await newLedger();
  await admin.query(`ALTER TABLE ${unlogged.schema}.journal SET UNLOGGED`);
  for (const create of [false, true]) {
    for (const address of [foreign, lookalike])
      expect(await told(openLedgerAt(address, { create }))).toMatch(/^LEDGER_UNAVAILABLE .* is not a ledger/);
    expect(await told(openLedgerAt(newer.address, { create }))).toMatch(
      /format version 99, .* up to 1; update veilgrid$/,
    );
    expect(await told(openLedgerAt(unlogged.address, { create }))).toMatch(/UNLOGGED and would not survive a crash/);
  }
});

test("an empty schema that was prepared for a user of few rights will do; one who may not is told what to grant", async () => {
  const address = newAddress();
  await admin.query(`CREATE ROLE poor LOGIN PASSWORD 'poor'; CREATE SCHEMA ${schemaIn(address)} AUTHORIZATION poor`);
  const theirs = (of: string) => of.replace("veilgrid@", "poor@");
  vi.stubEnv("PGPASSWORD", "poor");
  try {
    await using ledger = await openLedgerAt(theirs(address), { create: true });
    await ledger.init({ dataset: "d", budget: parseDecimal("1"), occupancyIsPublic: true });
    await raise(ledger);
    const elsewhere = await told(openLedgerAt(theirs(newAddress()), { create: true }));
    expect(elsewhere).toMatch(
      /^LEDGER_UNAVAILABLE .* does not allow this user to do that; nothing was changed; grant it/,
    );
  } finally {
    vi.unstubAllEnvs();
  }
});

test("a ledger that moved on to a newer format is not written by who does not know it", async () => {
  const { address, schema } = await newLedger();
  await using ledger = await openLedgerAt(address);
  await admin.query(`UPDATE ${schema}.meta SET value = '2' WHERE name = 'version'`);
  expect(await told(raise(ledger))).toMatch(
    /^LEDGER_UNAVAILABLE .* has format version 2, this veilgrid knows 1; update/,
  );
  await admin.query(`DROP SCHEMA ${schema} CASCADE`);
  expect(await told(raise(ledger))).toMatch(/^LEDGER_UNAVAILABLE .* is not a ledger/);
});

test("addresses that lead nowhere, and doors that stay shut", async () => {
  const server = postgresAddress();
  const cases: Array<[string, RegExp]> = [
    [server.replace(/:\d+\//, ":1/"), /^LEDGER_UNAVAILABLE .* nothing answers there; check host and port/],
    [`${server.replace("127.0.0.1", "no-such-host.invalid")}?sslmode=disable`, /its host is not known/],
    [server.replace(/\/veilgrid$/, "/nothing"), /has no such database; make it, or name another$/],
    [
      server.replace("veilgrid@", "stranger@"),
      /does not let this user in; check user and database, and set PGPASSWORD/,
    ],
    [`${server}?sslmode=require`, /offers no TLS; turn it on there, or say \?sslmode=disable/],
    [`${server}?schema=pg_mine`, /^USAGE .* schema 'pg_mine' cannot be a ledger's/],
    [`${server}?schema=${"x".repeat(64)}`, /^USAGE .* name of 1 to 63 bytes/],
    [`${server}?also=a:b`, /^USAGE .* also 'a:b' is not host or host:port/],
    [`${server}?durability=none`, /^USAGE .* durability can only be trusted/],
    [`${server}?table=t`, /^USAGE .* parameter 'table' is unknown; known are sslmode, sslrootcert, schema, also/],
    [server.replace("veilgrid@", "veilgrid:secret@"), /^USAGE postgres:\/\/… has a password in it/],
    ["clickhouse://127.0.0.1/d", /^USAGE a ledger is a file, or postgres:\/\/user@host\/database; .* is neither$/],
  ];
  for (const [address, words] of cases) {
    const said = await told(openLedgerAt(address));
    expect(said).toMatch(words);
    expect(said).not.toMatch(/secret|FATAL|ECONN|getaddrinfo/);
  }
});

test("the password may come from a file that only its owner reads", async () => {
  const { address } = await newLedger();
  const { port } = new URL(address);
  const file = path.join(runFolder(), "pgpass");
  writeFileSync(file, `127.0.0.1:${port}:veilgrid:veilgrid:${process.env["PGPASSWORD"]}\n`, { mode: 0o600 });
  vi.stubEnv("PGPASSWORD", undefined);
  try {
    expect(await told(openLedgerAt(address))).toMatch(
      /does not let this user in; .* set PGPASSWORD or a ~\/\.pgpass file$/,
    );
    vi.stubEnv("PGPASSFILE", file);
    await using ledger = await openLedgerAt(address);
    expect(await ledger.datasets()).toHaveLength(1);
  } finally {
    vi.unstubAllEnvs();
  }
});

test("a lock that stays is reported, one that goes is waited for; readers need none", async () => {
  const { address, schema } = await newLedger();
  await using hasty = await openLedgerDatabase(address, { busyMs: 50 });
  await using patient = await openLedgerDatabase(address);
  await admin.query(`BEGIN; LOCK TABLE ${schema}.meta IN EXCLUSIVE MODE`);
  expect(await told(raise(hasty))).toMatch(/^LEDGER_UNAVAILABLE .* is locked by another process; nothing was changed/);
  expect(await hasty.show()).toMatchObject([{ dataset: "d" }]);
  const waiting = raise(patient);
  await admin.query("COMMIT");
  await waiting;
  expect(String((await hasty.datasets())[0]!.budget)).toBe("2");
});

test("a server that is set to read only, and one that stops answering, are told", async () => {
  const { address } = await newLedger();
  await admin.query("CREATE ROLE reader SUPERUSER LOGIN PASSWORD 'reader'");
  await admin.query("ALTER ROLE reader SET default_transaction_read_only = on");
  vi.stubEnv("PGPASSWORD", "reader");
  try {
    await using ledger = await openLedgerAt(address.replace("veilgrid@", "reader@"));
    expect(await told(raise(ledger))).toMatch(/^LEDGER_UNAVAILABLE .* cannot be written: .* set to read only; nothing/);
  } finally {
    vi.unstubAllEnvs();
  }
  await using ledger = await openLedgerDatabase(address, { answerMs: 300 });
  const { rows } = await admin.query("SELECT current_setting('data_directory') AS folder");
  const postmaster = Number.parseInt(readFileSync(`${rows[0].folder}/postmaster.pid`, "utf8"), 10);
  process.kill(postmaster, "SIGSTOP");
  try {
    // A stopped server takes connections in its kernel's name, and says nothing.
    expect(await told(openLedgerDatabase(address, { answerMs: 300 }))).toMatch(
      /^LEDGER_UNAVAILABLE .* lost its connection/,
    );
  } finally {
    process.kill(postmaster, "SIGCONT");
  }
  await raise(ledger);
});

test("a server that can forget, or cannot keep every text, is refused", async () => {
  const server = await PostgresServer.create({ folder: runFolder(), name: "careless", settings: ["fsync = off"] });
  vi.stubEnv("PGPASSWORD", server.password);
  try {
    expect(await told(openLedgerAt(server.address, { create: true }))).toMatch(
      /^LEDGER_UNAVAILABLE .* is on a server with fsync off, which can forget .* \?durability=trusted if the server keeps its data safe by other means$/,
    );
    await using ledger = await openLedgerAt(`${server.address}?durability=trusted`, { create: true });
    await ledger.init({ dataset: "d", budget: parseDecimal("1"), occupancyIsPublic: true });
    await server.query(
      "CREATE DATABASE narrow ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0 LOCALE_PROVIDER libc",
    );
    const narrow = server.address.replace(/\/veilgrid$/, "/narrow?durability=trusted");
    expect(await told(openLedgerAt(narrow, { create: true }))).toMatch(/make one with ENCODING 'UTF8'$/);
  } finally {
    vi.unstubAllEnvs();
    await server.stop("immediate");
  }
});

test("a transaction to read sees one moment", async () => {
  const { address, schema } = await newLedger();
  await using store = await openStore(address);
  const budgets = await store.transact(async (state) => {
    const before = (await state.datasets())[0]!.budget;
    await admin.query(`UPDATE ${schema}.datasets SET budget = 7`);
    return [before, (await state.datasets())[0]!.budget];
  }, "read");
  expect(budgets[1]).toBe(budgets[0]);
  const { budget } = (await store.transact((state) => state.datasets(), "read"))[0]!;
  expect(budget).toBe(7n);
});

test.each([
  ["a balance", "UPDATE balances SET units = 1 WHERE id = '=user 1'", /balances do not follow/],
  ["a charge", "UPDATE charges SET text = replace(text, '1000', '2000')", /charges are not those/],
  ["a text", "UPDATE parts SET text = 'other' WHERE id = '=a'", /text is not the one/],
  [
    "a journal line",
    "UPDATE journal SET text = replace(text, 'hash', 'hush') WHERE line = 2",
    /line 2 does not follow/,
  ],
  ["a lost line", "DELETE FROM journal WHERE line = 2", /line 2 is missing/],
])("verify notices %s", async (_, sql, problem) => {
  const { address, schema } = await newLedger();
  await using ledger = await openLedgerAt(address);
  const release = {
    ...{ dataset: "d", key: "k", planHash: "hash", header: "", parts: ["a"] },
    chargesOf: () => ["user 1", "user 2"].map((user) => [user, 1000n] as const),
  };
  await ledger.reserve(release);
  await ledger.commit({ ...release, parts: [["a", "text"]] });
  expect(await ledger.verify()).toMatchObject({ consistent: true });
  await admin.query(`SET search_path = ${schema}; ${sql}; RESET search_path`);
  expect((await ledger.verify()).problems.join("\n")).toMatch(problem);
});
