/** What a store owes the ledger, row by row: the same in memory and in a file. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { MemoryStore } from "./memory-store.ts";
import { SqliteStore } from "./sqlite-store.ts";
import type { DatasetRow, LedgerState, LedgerStore, PartRow, ReleaseRow, ReservationRow } from "./store.ts";

const folder = temporaryFolder();
let files = 0;

async function newFile(): Promise<LedgerStore> {
  const file = path.join(folder, `${files++}.db`);
  writeFileSync(file, "");
  return SqliteStore.open(file, { create: true });
}

const HUGE = 10n ** 30n + 1n;
const dataset = (name: string, budget = HUGE): DatasetRow => ({
  name,
  budget,
  created: `then ${name}`,
  usersKeyCheck: null,
});
const release = (set: string, key: string): ReleaseRow => ({
  dataset: set,
  key,
  planHash: `plan of ${set} ${key}`,
  header: `header of ${set} ${key}`,
  created: `made ${set} ${key}`,
});
const part = (set: string, key: string, name: string): PartRow => ({
  dataset: set,
  key,
  part: name,
  state: "reserved",
  reservation: 3,
  sha256: null,
});
const reservation = (id: number, set: string, key: string): ReservationRow => ({
  id,
  dataset: set,
  key,
  chunks: 2,
  users: 5,
  largest: HUGE,
  refunded: false,
});

describe.each<[string, () => Promise<LedgerStore>]>([
  ["memory", async () => new MemoryStore()],
  ["sqlite", newFile],
])("%s", (_, open) => {
  /** Work in a new store. */
  async function inStore(work: (state: LedgerState) => Promise<void>): Promise<void> {
    await using store = await open();
    await store.transact(work);
  }

  test("datasets, in the order they were made; a new budget replaces the old one in its place", () =>
    inStore(async (state) => {
      expect(await state.datasets()).toEqual([]);
      await state.putDataset(dataset("trams"));
      await state.putDataset({ ...dataset("buses"), usersKeyCheck: "check" });
      await state.putDataset(dataset("trams", HUGE + 1n));
      expect(await state.datasets()).toEqual([
        dataset("trams", HUGE + 1n),
        { ...dataset("buses"), usersKeyCheck: "check" },
      ]);
    }));

  test("releases of a dataset, in the order they were made, and each by its key", () =>
    inStore(async (state) => {
      for (const [set, key] of [
        ["b", "jan"],
        ["t", "feb"],
        ["b", "apr"],
        ["t", "jan"],
      ] as const)
        await state.putRelease(release(set, key));
      expect(await state.releases("b")).toEqual([release("b", "jan"), release("b", "apr")]);
      expect(await state.releases("x")).toEqual([]);
      expect(await state.release("t", "jan")).toEqual(release("t", "jan"));
      expect(await state.release("t", "apr")).toBeUndefined();
      expect(await state.release("x", "jan")).toBeUndefined();
    }));

  test("parts of a release, in the order they were made; the texts of those that have one", () =>
    inStore(async (state) => {
      for (const [set, key, name] of [
        ["b", "jan", "z\0"],
        ["b", "feb", "a"],
        ["t", "jan", "a"],
        ["b", "jan", "a"],
        ["b", "jan", "m"],
      ] as const)
        await state.putPart(part(set, key, name));
      const committed: PartRow = { ...part("b", "jan", "z\0"), state: "committed", reservation: 7, sha256: "hash" };
      await state.putPart(committed, "");
      await state.putPart({ ...part("b", "jan", "m"), state: "void" });
      expect(await state.parts("b", "jan")).toEqual([
        committed,
        part("b", "jan", "a"),
        { ...part("b", "jan", "m"), state: "void" },
      ]);
      expect(await state.parts("t", "jan")).toEqual([part("t", "jan", "a")]);
      await state.putPart({ ...part("b", "feb", "a"), state: "committed", sha256: "other" }, "text of a");
      expect(await state.texts("b", "feb", ["a"])).toEqual(new Map([["a", { text: "text of a", sha256: "other" }]]));
      expect(await state.parts("t", "feb")).toEqual([]);
      expect(await state.texts("b", "jan", ["a", "z\0", "y"])).toEqual(
        new Map([["z\0", { text: "", sha256: "hash" }]]),
      );
      expect(await state.texts("t", "jan", ["z\0"])).toEqual(new Map());
      expect(await state.texts("b", "feb", ["z\0"])).toEqual(new Map());
    }));

  test("reservations of a release, in the order of their ids; a refund replaces", () =>
    inStore(async (state) => {
      await state.putReservation(reservation(2, "b", "jan"));
      await state.putReservation(reservation(3, "b", "feb"));
      await state.putReservation(reservation(4, "t", "jan"));
      await state.putReservation(reservation(10, "b", "jan"));
      await state.putReservation({ ...reservation(2, "b", "jan"), refunded: true });
      expect(await state.reservations("b", "jan")).toEqual([
        { ...reservation(2, "b", "jan"), refunded: true },
        reservation(10, "b", "jan"),
      ]);
      expect(await state.reservations("t", "feb")).toEqual([]);
    }));

  test("charges by reservation and chunk", () =>
    inStore(async (state) => {
      await state.putCharges(1, 11, "one, eleven");
      await state.putCharges(11, 1, "eleven, one");
      expect(await state.charges(1, 11)).toBe("one, eleven");
      expect(await state.charges(11, 1)).toBe("eleven, one");
      expect(await state.charges(1, 1)).toBeUndefined();
    }));

  test("balances by user, in the order asked; 0 for who has none; page by page", () =>
    inStore(async (state) => {
      expect(await state.balancesAfter("b", undefined, 10)).toEqual([]);
      await state.putBalances(
        "b",
        new Map([
          ["", 1n],
          ["ann", HUGE],
          ["bob\0", 3n],
        ]),
      );
      await state.putBalances(
        "b",
        new Map([
          ["eve", 4n],
          ["ann", HUGE + 1n],
        ]),
      );
      await state.putBalances("t", new Map([["joe", 5n]]));
      expect(await state.balances("b", ["eve", "joe", "ann", "", "bob\0"])).toEqual([4n, 0n, HUGE + 1n, 1n, 3n]);
      expect(await state.balances("b", [])).toEqual([]);
      expect(await state.balances("x", ["ann"])).toEqual([0n]);
      const all: Array<[string, bigint]> = [
        ["", 1n],
        ["ann", HUGE + 1n],
        ["bob\0", 3n],
        ["eve", 4n],
      ];
      expect(await state.balancesAfter("b", undefined, 10)).toEqual(all);
      expect(await state.balancesAfter("b", undefined, 2)).toEqual(all.slice(0, 2));
      expect(await state.balancesAfter("b", "", 2)).toEqual(all.slice(1, 3));
      expect(await state.balancesAfter("b", "bob\0", 2)).toEqual(all.slice(3));
      expect(await state.balancesAfter("b", "eve", 2)).toEqual([]);
      expect(await state.balancesAfter("t", undefined, 2)).toEqual([["joe", 5n]]);
    }));

  test("the journal, line after line", () =>
    inStore(async (state) => {
      expect(await state.lastLine()).toBeUndefined();
      const lines = [1, 2, 3].map((line) => ({ line, text: `text ${line}`, hash: `hash ${line}` }));
      for (const line of lines) await state.appendLine(line);
      expect(await state.lastLine()).toEqual(lines[2]);
      expect(await state.linesAfter(0, 2)).toEqual(lines.slice(0, 2));
      expect(await state.linesAfter(1, 5)).toEqual(lines.slice(1));
      expect(await state.linesAfter(3, 5)).toEqual([]);
    }));

  test("a transaction that fails leaves nothing behind, whatever it wrote, and the next goes on from there", async () => {
    await using store = await open();
    const write = (state: LedgerState, turn: bigint): Promise<unknown> =>
      Promise.all([
        state.putDataset(dataset("b", turn)),
        state.putPart({ ...part("b", "jan", "a"), reservation: Number(turn) }, `text ${turn}`),
        state.putReservation({ ...reservation(2, "b", "jan"), refunded: turn > 1n }),
        state.putBalances(
          "b",
          new Map([
            ["ann", turn],
            ["bob", turn],
          ]),
        ),
      ]);
    const read = (): Promise<unknown> =>
      store.transact(
        async (state) => [
          await state.datasets(),
          await state.parts("b", "jan"),
          await state.texts("b", "jan", ["a"]),
          await state.reservations("b", "jan"),
          await state.balancesAfter("b", undefined, 10),
          await state.releases("b"),
          await state.charges(2, 0),
          await state.lastLine(),
        ],
        "read",
      );
    const nothing = await read();
    const failing = (turn: bigint): Promise<void> =>
      store.transact(async (state) => {
        await write(state, turn);
        await write(state, turn + 1n);
        await state.putRelease(release("b", "feb"));
        await state.putCharges(2, 0, "charges");
        await state.appendLine({ line: 1, text: "text", hash: "hash" });
        throw new Error("the power fails");
      });
    await expect(failing(1n)).rejects.toThrow("the power fails");
    expect(await read()).toEqual(nothing);
    await store.transact((state) => write(state, 1n));
    const once = await read();
    expect(once).not.toEqual(nothing);
    await expect(failing(2n)).rejects.toThrow("the power fails");
    expect(await read()).toEqual(once);
    await store.transact((state) => write(state, 4n));
    expect(await read()).not.toEqual(once);
  });

  test("transactions run one after another, and give back what their work gave", async () => {
    await using store = await open();
    const seen: string[] = [];
    const work = (name: string) => async (): Promise<string> => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([store.transact(work("one")), store.transact(work("two"), "read")])).toEqual([
      "one",
      "two",
    ]);
    expect(seen).toEqual(["one begins", "one ends", "two begins", "two ends"]);
  });
});
