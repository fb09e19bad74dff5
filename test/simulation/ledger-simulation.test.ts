/** Random lives of a ledger in memory, and of one in a file with two writers. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { Rational } from "../../src/arithmetic/index.ts";
import { MemoryStore, openLedgerFile, SqliteStore } from "../../src/ledger/index.ts";
import { CrashingStore, live } from "../support/ledger-life.ts";

const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-ledger-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(Array.from({ length: 40 }, (_, seed) => seed))("in memory, seed %i", async (seed) => {
  const { crashes, refusals } = await live(seed, [new CrashingStore(new MemoryStore())], 120);
  expect(Math.min(crashes, refusals)).toBeGreaterThan(3);
});

test.each([1, 2, 3, 4])("two writers on one file, seed %i", async (seed) => {
  const file = path.join(folder, `${seed}.db`);
  await (await openLedgerFile(file, { create: true }))[Symbol.asyncDispose]();
  await using one = new CrashingStore(await SqliteStore.open(file));
  await using two = new CrashingStore(await SqliteStore.open(file));
  const { crashes, refusals } = await live(seed, [one, two], 120);
  expect(Math.min(crashes, refusals)).toBeGreaterThan(3);
});

test("a million users are charged in seconds", async () => {
  const file = path.join(folder, "million.db");
  await using ledger = await openLedgerFile(file, { create: true });
  await ledger.init({ dataset: "d", budget: Rational.ONE, occupancyIsPublic: true });
  function* chargesOf(): Generator<[string, bigint]> {
    for (let user = 0; user < 1_000_000; user++) yield [`user ${user}`, 10n ** 15n + BigInt(user)];
  }
  const started = performance.now();
  await ledger.reserve({ dataset: "d", key: "k", planHash: "p", header: "", parts: ["a"], chargesOf });
  expect(performance.now() - started).toBeLessThan(60_000);
  expect((await ledger.show())[0]).toMatchObject({ users: 1_000_000, moreLikeLast: 998n });
});
