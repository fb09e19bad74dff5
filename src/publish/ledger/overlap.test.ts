/** Overlaps counted by the definition: users of the asked list with a loss in another dataset. */
import { expect, test } from "vitest";
import { parseDecimal } from "../../core/arithmetic/index.ts";
import { Ledger } from "./ledger.ts";
import { MemoryStore } from "./memory-store.ts";
import type { LedgerState } from "./store.ts";
import { overlapOf } from "./users.ts";

const usersKey = "a secret of the curator";

function release(dataset: string, users: readonly string[]) {
  return {
    dataset,
    key: "jan",
    planHash: "hash",
    header: "",
    parts: ["a"],
    chargesOf: () => users.map((user) => [user, 1n] as const),
  };
}

async function ledgerWith(datasets: Record<string, { hashUsers: boolean; users: readonly string[] }>) {
  const store = new MemoryStore();
  const ledger = new Ledger(store, { usersKey });
  for (const [dataset, { hashUsers, users }] of Object.entries(datasets)) {
    await ledger.init({ dataset, budget: parseDecimal("1"), occupancyIsPublic: true, hashUsers });
    await ledger.reserve(release(dataset, users));
  }
  return { store, ledger };
}

test("every user of a long list is looked for, in ids and in hashes", async () => {
  const users = Array.from({ length: 4_001 }, (_, index) => `user ${index}`);
  const { ledger } = await ledgerWith({
    buses: { hashUsers: false, users },
    trams: { hashUsers: true, users: users.filter((_, index) => index % 2 === 0) },
    taxis: { hashUsers: false, users: ["somebody else"] },
  });
  for (const [asked, trams] of [
    [4_001, 2_001],
    [4_000, 2_000],
    [2_000, 1_000],
    [1, 1],
  ] as const)
    expect(await ledger.overlap({ dataset: "new", users: users.slice(0, asked) })).toEqual({
      shared: [
        { dataset: "buses", users: asked },
        { dataset: "trams", users: trams },
      ],
      incomparable: [],
    });
});

test("a long list is looked up in pieces of two thousand", () =>
  new MemoryStore().transact(async (state) => {
    await state.putDataset({ name: "buses", budget: 1n, created: "", usersKeyCheck: null });
    const asked: string[][] = [];
    const watched = Object.assign(Object.create(state) as LedgerState, {
      datasets: () => state.datasets(),
      balances: async (_: string, users: readonly string[]) => {
        asked.push([...users]);
        return users.map(() => 0n);
      },
    });
    const users = Array.from({ length: 4_001 }, (_, index) => `user ${index}`);
    await overlapOf(watched, { dataset: "new", users, usersKey: undefined });
    expect(asked.map(({ length }) => length)).toEqual([2_000, 2_000, 1]);
    expect(asked.flat()).toEqual(users);
  }));

test("a dataset does not overlap itself, and a loss that was refunded is none", async () => {
  const { ledger } = await ledgerWith({
    buses: { hashUsers: false, users: ["ann", "bob"] },
    trams: { hashUsers: false, users: ["ann"] },
  });
  await ledger.void({ dataset: "trams", key: "jan" });
  expect(await ledger.overlap({ dataset: "buses", users: ["ann", "bob"] })).toEqual({ shared: [], incomparable: [] });
  expect(await ledger.overlap({ dataset: "trams", users: ["ann", "bob"] })).toEqual({
    shared: [{ dataset: "buses", users: 2 }],
    incomparable: [],
  });
});

test("hashes are compared under their own key only; ids with any key or none", async () => {
  const { store } = await ledgerWith({
    buses: { hashUsers: false, users: ["ann"] },
    trams: { hashUsers: true, users: ["ann"] },
  });
  for (const other of [undefined, "another secret of the curator"])
    expect(await new Ledger(store, { usersKey: other }).overlap({ dataset: "new", users: ["ann"] })).toEqual({
      shared: [{ dataset: "buses", users: 1 }],
      incomparable: ["trams"],
    });
});
