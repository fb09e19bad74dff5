/** Processes race for the last of a budget, and some of them are killed: never overspent, nothing lost, nobody in the way of the others. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseDecimal } from "../../src/core/arithmetic/index.ts";
import { openLedgerDatabase } from "../../src/publish/ledger/index.ts";
import { newAddress } from "./support/new-ledger.ts";

const racer = fileURLToPath(new URL("support/racer.mjs", import.meta.url));

interface Raced {
  /** Keys that it was told are committed. */
  readonly won: readonly string[];
  readonly status: number | null;
  readonly said: string;
}

/** Killed once it has won that often. */
function race(
  address: string,
  name: string,
  { turns, killAfter }: { turns: number; killAfter?: number },
): Promise<Raced> {
  const child = spawn(process.execPath, [racer, address, name, String(turns)]);
  let out = "";
  let said = "";
  child.stdout.on("data", (text) => {
    out += text;
    if (killAfter !== undefined && out.split("\n").length > killAfter) child.kill("SIGKILL");
  });
  child.stderr.on("data", (text) => {
    said += text;
  });
  const wonOf = (): string[] => out.split("\n").slice(0, -1);
  return new Promise((resolve) => child.once("close", (status) => resolve({ won: wonOf(), status, said })));
}

async function newLedger(budget: string): Promise<string> {
  const address = newAddress();
  await using ledger = await openLedgerDatabase(address, { create: true });
  await ledger.init({ dataset: "d", budget: parseDecimal(budget), occupancyIsPublic: true });
  return address;
}

test("six processes, ten tenths: ten are spent", async () => {
  const address = await newLedger("1");
  const raced = await Promise.all(["A", "B", "C", "D", "E", "F"].map((name) => race(address, name, { turns: 8 })));
  expect(raced.map(({ said, status }) => [status, said])).toEqual(raced.map(() => [0, ""]));
  const won = raced.flatMap((each) => each.won);
  expect(won).toHaveLength(10);
  await using ledger = await openLedgerDatabase(address);
  expect(await ledger.verify()).toMatchObject({ consistent: true, problems: [], counts: { releases: 10, parts: 10 } });
  expect(String((await ledger.show())[0]!.loss)).toBe("1");
  for (const key of won) expect((await ledger.committed({ dataset: "d", key }))!.texts).toEqual(new Map([["a", key]]));
});

test("some are killed on the way: the others go on, what was told is there, what was cut short can be finished", async () => {
  const address = await newLedger("3");
  const raced = await Promise.all([
    ...["A", "B", "C"].map((name, index) => race(address, name, { turns: 40, killAfter: 2 + index })),
    ...["D", "E"].map((name) => race(address, name, { turns: 40 })),
  ]);
  expect(raced.slice(3).map(({ said, status }) => [status, said])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  await using ledger = await openLedgerDatabase(address);
  expect((await ledger.verify()).problems).toEqual([]);
  const [standing] = await ledger.show();
  expect(String(standing!.loss)).toBe("3");
  expect(standing!.releases).toHaveLength(30);
  for (const key of raced.flatMap((each) => each.won))
    expect((await ledger.committed({ dataset: "d", key }))!.texts).toEqual(new Map([["a", key]]));
  for (const { key, pending } of standing!.releases.filter(({ state }) => state === "pending"))
    await ledger.commit({ dataset: "d", key, planHash: "p", parts: pending.map((part) => [part, key] as const) });
  expect((await ledger.show())[0]!.releases.every(({ state }) => state === "committed")).toBe(true);
});
