/** A ledger's file among several connections: a reader that had to wait gives its lock back when it is done. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SqliteStore } from "./sqlite-store.ts";

let folder: string;
const stores: SqliteStore[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "veilgrid-test-"));
  writeFileSync(path.join(folder, "ledger.db"), "");
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function open(): Promise<SqliteStore> {
  const store = await SqliteStore.open(path.join(folder, "ledger.db"), { create: true, busyMs: 2_000 });
  stores.push(store);
  return store;
}

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
  const write = (budget: bigint): Promise<void> =>
    writer.transact((state) => state.putDataset({ name: "buses", budget, created: "", usersKeyCheck: null }));
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
