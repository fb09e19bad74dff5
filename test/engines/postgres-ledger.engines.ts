/** A ledger in PostgreSQL does what one in memory or in a file does: the same suite, the same random lives with crashes, at the same size. */
import { afterAll, describe, expect, test } from "vitest";
import { Rational } from "../../src/core/arithmetic/index.ts";
import { type Ledger, openLedgerDatabase } from "../../src/publish/ledger/index.ts";
import { ledgerConformance } from "../support/ledger-conformance.ts";
import { CrashingStore, live } from "../support/ledger-life.ts";
import { newAddress, openStore } from "./support/new-ledger.ts";

const open: Ledger[] = [];
afterAll(async () => {
  for (const ledger of open) await ledger[Symbol.asyncDispose]();
});

describe("conformance", () =>
  ledgerConformance(async (options) => {
    const ledger = await openLedgerDatabase(newAddress(), { create: true, ...options });
    open.push(ledger);
    return ledger;
  }));

test.each([1, 2, 3, 4])("two writers on one ledger, seed %i", async (seed) => {
  const address = newAddress();
  await using one = new CrashingStore(await openStore(address, { create: true }));
  await using two = new CrashingStore(await openStore(address));
  const { crashes, refusals } = await live(seed, [one, two], 120);
  expect(Math.min(crashes, refusals)).toBeGreaterThan(3);
});

test("many users are charged, found, refunded and verified", async () => {
  await using ledger = await openLedgerDatabase(newAddress(), { create: true });
  await ledger.init({ dataset: "d", budget: Rational.ONE, occupancyIsPublic: true });
  function* chargesOf(): Generator<[string, bigint]> {
    for (let user = 0; user < 100_000; user++) yield [`user ${user}`, 10n ** 15n + BigInt(user)];
  }
  await ledger.reserve({ dataset: "d", key: "k", planHash: "p", header: "", parts: ["a"], chargesOf });
  expect((await ledger.show())[0]).toMatchObject({ users: 100_000, moreLikeLast: 998n });
  expect(await ledger.void({ dataset: "d", key: "k" })).toEqual({ parts: ["a"], kept: [] });
  expect(await ledger.verify()).toMatchObject({ consistent: true, counts: { users: 100_000 } });
});
