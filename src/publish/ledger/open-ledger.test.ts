/** Where a ledger is, told from what a curator types: a file, or a database's address with all that may stand in it. */
import { existsSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { Ledger } from "./ledger.ts";
import { isLedgerAddress, openLedgerAt, openLedgerDatabase, openLedgerFile, placeOf } from "./open-ledger.ts";

import { PostgresStore } from "./postgres-store.ts";

const ADDRESS = "postgres://ledger@localhost:5433/budgets?sslmode=disable";

const folder = temporaryFolder();
afterEach(() => void vi.restoreAllMocks());

const codeAndMessage = (work: Promise<unknown>) => work.then(String, ({ code, message }) => `${code} ${message}`);

test("an address names server, database and schema", async () => {
  const { login, ...place } = await placeOf(ADDRESS);
  expect(place).toEqual({
    hosts: [{ host: "localhost", port: 5433 }],
    schema: "veilgrid",
    shown: "postgres://ledger@localhost:5433/budgets",
    trusted: false,
  });
  expect(login).toMatchObject({ host: "localhost", port: 5433, user: "ledger", database: "budgets", ssl: false });
});

test.each([
  ["s", "s"],
  ["x".repeat(63), "x".repeat(63)],
  ["my_pg_ledger", "my_pg_ledger"],
  ["information_schema_2", "information_schema_2"],
  ["my_information_schema", "my_information_schema"],
  ["with%20blank", "with blank"],
])("schema %s", async (given, schema) => {
  expect(await placeOf(`${ADDRESS}&schema=${given}`)).toMatchObject({ schema });
});

test.each([
  "",
  "x".repeat(64),
  "ä".repeat(32),
  "pg_x",
  "information_schema",
  "a%00b",
])("schema '%s' cannot be a ledger's", async (given) => {
  expect(await codeAndMessage(placeOf(`${ADDRESS}&schema=${given}`))).toMatch(
    /^USAGE 'postgres:\/\/ledger@localhost:5433\/budgets': schema .* cannot be a ledger's; give a name of 1 to 63 bytes/,
  );
});

test("other servers of the cluster stand after the first", async () => {
  expect((await placeOf(`${ADDRESS}&also=second:5434,third,[::1]:65535,[fe80::1]`)).hosts).toEqual([
    { host: "localhost", port: 5433 },
    { host: "second", port: 5434 },
    { host: "third", port: undefined },
    { host: "::1", port: 65_535 },
    { host: "fe80::1", port: undefined },
  ]);
});

test.each([
  "",
  "a,",
  ":5434",
  "a:",
  "a:123456",
  "a:x",
  "a b",
  "a/b",
  "[::1",
  "::1",
  "x[::1]",
  "[::1]x",
  "[]",
  "a:1:2",
])("also=%s is no list of servers", async (also) => {
  expect(await codeAndMessage(placeOf(`${ADDRESS}&also=${also}`))).toMatch(
    /^USAGE .*: also .* is not host or host:port/,
  );
});

test("whether the server's durability is trusted is said or not", async () => {
  expect(await placeOf(`${ADDRESS}&durability=trusted`)).toMatchObject({ trusted: true });
  for (const given of ["", "yes"])
    expect(await codeAndMessage(placeOf(`${ADDRESS}&durability=${given}`))).toMatch(
      /^USAGE .*: durability can only be trusted/,
    );
});

test("what nobody would read, and what is no address of a ledger, is refused", async () => {
  expect(await codeAndMessage(placeOf(`${ADDRESS}&schemas=x`))).toMatch(/^USAGE .*parameter 'schemas' is unknown/);
  expect(await codeAndMessage(placeOf("clickhouse://u@h:1/x?secret=y"))).toBe(
    "USAGE a ledger is a file, or postgres://user@host/database; 'clickhouse://u@h:1/x' is neither",
  );
  expect(await codeAndMessage(placeOf("ledger.db"))).toMatch(/^USAGE .* 'ledger.db' is neither$/);
});

test("a database without a ledger says how to make one", async () => {
  const open = vi.spyOn(PostgresStore, "open").mockResolvedValue(undefined);
  expect(await codeAndMessage(openLedgerDatabase(`${ADDRESS}&schema=it's`, { busyMs: 5 }))).toBe(
    "LEDGER_NOT_FOUND no ledger at 'postgres://ledger@localhost:5433/budgets' in schema 'it's'; make one with veilgrid ledger init " +
      `--ledger '${ADDRESS}&schema=it%27s' --dataset NAME --budget 1 --occupancy-is-public`,
  );
  expect(open).toHaveBeenCalledWith(expect.objectContaining({ schema: "it's", busyMs: 5, trusted: false }));
});

test("a place is opened as what it is", async () => {
  expect(["postgres://h/x", "clickhouse://h/x", "ledger.db", "postgres:x"].map(isLedgerAddress)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const close = vi.fn(async () => undefined);
  const store = { [Symbol.asyncDispose]: close } as unknown as PostgresStore;
  const open = vi.spyOn(PostgresStore, "open").mockResolvedValue(store);
  const ledger = await openLedgerAt(ADDRESS, { create: true });
  expect(ledger).toBeInstanceOf(Ledger);
  expect(open).toHaveBeenCalledWith(expect.objectContaining({ create: true, schema: "veilgrid" }));
  await ledger[Symbol.asyncDispose]();
  expect(close).toHaveBeenCalledOnce();
  await (await openLedgerAt(path.join(folder, "at.db"), { create: true }))[Symbol.asyncDispose]();
  expect(existsSync(path.join(folder, "at.db"))).toBe(true);
});

test.each([
  "mysql://a@h/x",
  "MySQL://a@h/x",
  "postgres:reader@h",
  "postgresql:/reader@h/x",
  "ClickHouse:h",
])("a slip in an address is no file: %s", async (place) => {
  expect(await codeAndMessage(openLedgerAt(place))).toMatch(/^USAGE --ledger '.*' is no address of a ledger/);
});

test.each(["mysql://x", "postgres:x", "1postgres:x"])("a file may have a colon further on: ./%s", async (name) => {
  expect(await codeAndMessage(openLedgerAt(`./no folder/${name}`))).toMatch(/^LEDGER_NOT_FOUND no ledger at/);
  expect(await codeAndMessage(openLedgerAt("1postgres:x"))).toMatch(/^LEDGER_NOT_FOUND no ledger at/);
});

test("a file is made for its owner only, and only if asked to", async () => {
  const file = path.join(folder, "new.db");
  expect(await codeAndMessage(openLedgerFile(file))).toMatch(/^LEDGER_NOT_FOUND/);
  expect(await codeAndMessage(openLedgerFile(file, { create: false }))).toMatch(/^LEDGER_NOT_FOUND/);
  expect(existsSync(file)).toBe(false);
  await (await openLedgerFile(file, { create: true }))[Symbol.asyncDispose]();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await (await openLedgerFile(file))[Symbol.asyncDispose]();
});

test("what cannot be reached or is no file is not taken for a ledger that is missing", async () => {
  const file = path.join(folder, "plain");
  writeFileSync(file, "");
  for (const place of [folder, path.join(file, "below"), "/dev/null"])
    for (const create of [false, true])
      expect(await codeAndMessage(openLedgerFile(place, { create }))).toMatch(
        /^LEDGER_UNAVAILABLE .* cannot be opened/,
      );
  await expect(openLedgerFile(path.join(folder, "no", "x"), { create: true })).rejects.toMatchObject({
    code: "LEDGER_UNAVAILABLE",
    message: expect.stringContaining("cannot be opened"),
    cause: { code: "ENOENT" },
  });
});
