/** A database that was used without a fault is used again, and what was in it is not seen again. */
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Database } from "./database.ts";

const OPTIONS = { memory: "256MB", threads: 1 };
const folderOf = async (database: Database): Promise<string> => {
  const [row] = await database.rows("SELECT current_setting('temp_directory')");
  return path.dirname(String(row![0]));
};

test("the next one is the same engine without the tables of the one before", async () => {
  const first = await Database.open(OPTIONS);
  const folder = await folderOf(first);
  await first.make("groups", "AS SELECT 42 AS s");
  expect(await first.rows("SELECT s FROM groups")).toEqual([[42]]);
  await first[Symbol.asyncDispose]();

  const second = await Database.open(OPTIONS);
  expect(await folderOf(second)).toBe(folder);
  expect(await second.rows("SELECT table_name FROM duckdb_tables()")).toEqual([]);
  const beside = await Database.open(OPTIONS);
  expect(await folderOf(beside)).not.toBe(folder);
  await Promise.all([second[Symbol.asyncDispose](), beside[Symbol.asyncDispose]()]);
});

test("other settings make another engine; one is kept, for a moment", async () => {
  const first = await Database.open(OPTIONS);
  const folder = await folderOf(first);
  await first[Symbol.asyncDispose]();
  expect(existsSync(folder)).toBe(true);
  const other = await Database.open({ ...OPTIONS, threads: 2 });
  const otherFolder = await folderOf(other);
  expect(otherFolder).not.toBe(folder);
  await other[Symbol.asyncDispose]();
  expect(existsSync(folder)).toBe(false);
  await expect.poll(() => existsSync(otherFolder), { timeout: 10_000 }).toBe(false);
});

test.each([
  ["a query that fails", (database: Database) => database.run("SELECT error('no')").catch(() => undefined)],
  ["being frugal", (database: Database) => database.beFrugal()],
])("after %s it is not used again", async (_, wear) => {
  const worn = await Database.open(OPTIONS);
  const folder = await folderOf(worn);
  await wear(worn);
  await worn[Symbol.asyncDispose]();
  expect(existsSync(folder)).toBe(false);
  const next = await Database.open(OPTIONS);
  expect(await folderOf(next)).not.toBe(folder);
  await next[Symbol.asyncDispose]();
});
