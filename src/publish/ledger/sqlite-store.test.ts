/** A ledger's file: how it is opened, what is refused, and several connections to it that wait for one another. */
import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";

let folder: string;
const stores: SqliteStore[] = [];

beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(path.join(folder, "ledger.db"), "");
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const store of stores.splice(0)) await store[Symbol.asyncDispose]();
});

const fileName = (): string => path.join(folder, "ledger.db");

async function open(options: SqliteStoreOptions = { create: true }): Promise<SqliteStore> {
  const store = await SqliteStore.open(fileName(), options);
  stores.push(store);
  return store;
}

function alter(sql: string): void {
  const database = new Database(fileName());
  database.exec(sql);
  database.close();
}

const putDataset = (store: SqliteStore, budget: bigint): Promise<void> =>
  store.transact((state) => state.putDataset({ name: "buses", budget, created: "", usersKeyCheck: null }));
const budgets = (store: SqliteStore): Promise<bigint[]> =>
  store.transact(async (state) => (await state.datasets()).map(({ budget }) => budget), "read");
const codeAndMessage = (work: Promise<unknown>) => work.then(String, ({ code, message }) => `${code} ${message}`);

/** A transaction that stays open until it is told to end. */
function held(store: SqliteStore): { readonly begun: Promise<void>; end: () => void; readonly done: Promise<void> } {
  let end = (): void => undefined;
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const done = store.transact(async () => {
    begin();
    await ended;
  }, "read");
  return { begun, end: () => end(), done };
}

test("a reader that waited for a writer does not hold up the next one", async () => {
  const [writer, early, waiting] = [await open(), await open(), await open()];
  const write = (budget: bigint): Promise<void> => putDataset(writer, budget);
  await write(1n);
  const first = held(early);
  await first.begun;
  // The writer waits for the first reader, and whoever wants to read now waits for the writer.
  const second = write(2n);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const late = waiting.transact((state) => state.datasets(), "read");
  await new Promise((resolve) => setTimeout(resolve, 50));
  first.end();
  await Promise.all([first.done, second]);
  expect((await late)[0]!.budget).toBe(2n);
  await write(3n);
  expect((await early.transact((state) => state.datasets(), "read"))[0]!.budget).toBe(3n);
});

test("a commit is one file that is synced with its folder, and nothing is written before it", async () => {
  // A file that another program had switched to a log beside it comes back.
  await (await open())[Symbol.asyncDispose]();
  stores.length = 0;
  alter("PRAGMA journal_mode = WAL");
  const executed = vi.spyOn(Database.prototype, "exec");
  await open();
  const database = executed.mock.contexts[0] as Database.Database;
  const setting = (name: string): unknown =>
    Object.values(database.prepare(`PRAGMA ${name}`).all([])[0] as Record<string, unknown>)[0];
  expect(setting("journal_mode")).toBe("delete");
  const EXTRA = 3;
  expect(setting("synchronous")).toBe(EXTRA);
  expect(setting("fullfsync")).toBe(1);
  expect(setting("cache_spill")).toBe(0);
  expect(setting("cache_size")).toBe(-131_072);
  expect(executed.mock.calls.flat().join()).not.toContain("max_page_count");
});

test("a file is made a ledger if asked to, once, whoever is first", async () => {
  expect(await codeAndMessage(open({}))).toMatch(/^LEDGER_UNAVAILABLE .* is an empty file and not a ledger/);
  expect(await codeAndMessage(open({ create: false }))).toMatch(/is an empty file and not a ledger/);
  expect(statSync(fileName()).size).toBe(0);
  const both = await Promise.all([open(), open()]);
  await putDataset(both[0], 7n);
  expect(await budgets(both[1])).toEqual([7n]);
  expect(await budgets(await open({}))).toEqual([7n]);
});

test("a store that only reads writes nothing, not even tables", async () => {
  await open({ create: true, readOnly: true });
  expect(statSync(fileName()).size).toBe(0);
  await putDataset(await open(), 7n);
  const reader = await open({ readOnly: true });
  expect(await budgets(reader)).toEqual([7n]);
  expect(await codeAndMessage(putDataset(reader, 8n))).toMatch(/cannot be written; nothing was changed/);
  expect(await budgets(reader)).toEqual([7n]);
});

test.each([
  ["of another program", "CREATE TABLE t (x)"],
  ["with a table of the same name", "CREATE TABLE meta (name, value); INSERT INTO meta VALUES ('format', 'music')"],
  ["with other columns in it", "CREATE TABLE meta (x); INSERT INTO meta VALUES ('veilgrid ledger')"],
  ["with a view of the same name", "CREATE VIEW meta AS SELECT 'format' AS name, 'veilgrid ledger' AS value"],
])("a database %s is no ledger, and stays as it is", async (_, sql) => {
  alter(sql);
  const closed = vi.spyOn(Database.prototype, "close");
  for (const create of [false, true])
    expect(await codeAndMessage(open({ create }))).toMatch(/^LEDGER_UNAVAILABLE ledger '.*' is not a ledger/);
  // Nothing stays open of a file that was refused.
  expect(closed).toHaveBeenCalledTimes(2);
});

test("a ledger of a later time is refused", async () => {
  await open();
  alter("UPDATE meta SET value = '2' WHERE name = 'version'");
  expect(await codeAndMessage(open())).toMatch(/ has format version 2, this veilgrid knows up to 1; update veilgrid$/);
});

test("a file that cannot be reached is told in one line", async () => {
  expect(await codeAndMessage(SqliteStore.open(path.join(folder, "no", "ledger.db")))).toMatch(
    /^LEDGER_UNAVAILABLE ledger '.*' cannot be opened/,
  );
});

test("a reader sees one moment, and holds up the writer's commit only until it is done", async () => {
  const [writer, reader] = [await open(), await open()];
  await putDataset(writer, 1n);
  const seen = reader.transact(async (state) => {
    // It has not looked at anything yet, but begun.
    const write = putDataset(writer, 2n);
    await new Promise((resolve) => setTimeout(resolve, 30));
    return { found: (await state.datasets())[0]!.budget, write };
  }, "read");
  const { found, write } = await seen;
  await write;
  expect(found).toBe(1n);
  expect(await budgets(reader)).toEqual([2n]);
});

test("a file may be held to so many pages, and a full one loses nothing", async () => {
  const store = await open({ create: true, maxPages: 40 });
  await putDataset(store, 1n);
  const balances = new Map(Array.from({ length: 20_000 }, (_, user) => [`user ${user}`, 1n]));
  expect(await codeAndMessage(store.transact((state) => state.putBalances("buses", balances)))).toMatch(
    /^LEDGER_UNAVAILABLE .* the disk is full; nothing was changed/,
  );
  expect(await budgets(store)).toEqual([1n]);
  await putDataset(store, 2n);
  expect(await budgets(store)).toEqual([2n]);
});

test.each([
  ["as long as it is told to", { busyMs: 50 }, 50],
  ["ten seconds if it is told nothing", {}, 10_000],
])("a writer waits for another's lock %s, and not longer", async (_, options, patienceMs) => {
  await open();
  const other = new Database(fileName());
  other.exec("BEGIN IMMEDIATE");
  // Who only opens a ledger that is there has nothing to write, and does not wait.
  const store = await open(options);
  const execute = Database.prototype.exec;
  let now = 0;
  let tries = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.spyOn(Database.prototype, "exec").mockImplementation(function (this: Database.Database, sql: string) {
    if (sql === "BEGIN IMMEDIATE") {
      tries += 1;
      now = tries === 1 ? patienceMs : patienceMs + 1;
    }
    return execute.call(this, sql);
  });
  const told = await codeAndMessage(putDataset(store, 1n));
  vi.restoreAllMocks();
  other.close();
  expect(told).toMatch(/^LEDGER_UNAVAILABLE .* is locked by another process; nothing was changed/);
  expect(tries).toBe(2);
});

test("a store that is closed has let go of its file", async () => {
  const store = await open();
  const closed = vi.spyOn(Database.prototype, "close");
  await store[Symbol.asyncDispose]();
  stores.length = 0;
  expect(closed).toHaveBeenCalledOnce();
});
