/** Random lives of a ledger in memory, and of one in a file with two writers. */
import path from "node:path";
import { expect, test } from "vitest";
import { MemoryStore, openLedgerFile, SqliteStore } from "../../src/publish/ledger/index.ts";
import { seeds } from "../support/full.ts";
import { CrashingStore, live } from "../support/ledger-life.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();

test.each(seeds(40))("in memory, seed %i", async (seed) => {
  const { crashes, refusals } = await live(seed, [new CrashingStore(new MemoryStore())], 120);
  expect(Math.min(crashes, refusals)).toBeGreaterThan(3);
});

test.each(seeds(4))("two writers on one file, seed %i", async (seed) => {
  const file = path.join(folder, `${seed}.db`);
  await (await openLedgerFile(file, { create: true }))[Symbol.asyncDispose]();
  await using one = new CrashingStore(await SqliteStore.open(file));
  await using two = new CrashingStore(await SqliteStore.open(file));
  const { crashes, refusals } = await live(seed, [one, two], 120);
  expect(Math.min(crashes, refusals)).toBeGreaterThan(3);
});
