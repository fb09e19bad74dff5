/** A ledger's head kept outside it: how it reads, which ledgers do not contain it, and when that is looked at. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { Rational } from "../../core/arithmetic/index.ts";
import { fileAnchor, type LedgerAnchor } from "./anchor.ts";
import { Ledger } from "./ledger.ts";
import { MemoryStore } from "./memory-store.ts";

const folder = temporaryFolder();

const init = (ledger: Ledger, dataset: string): Promise<void> =>
  ledger.init({ dataset, budget: Rational.ONE, occupancyIsPublic: true });
const fixed = (head: string): LedgerAnchor => ({ read: () => head, keep: () => undefined });
const refusal = (work: Promise<unknown>): Promise<unknown> => work.then(String, ({ code }) => code);

test("a ledger contains the heads it had, and no other ledger does", async () => {
  const [one, other] = [new MemoryStore(), new MemoryStore()];
  const heads = [await new Ledger(one).head()];
  for (const dataset of ["a", "b", "c"]) {
    await init(new Ledger(one), dataset);
    heads.push(await new Ledger(one).head());
  }
  expect(heads).toEqual(["0", ...[1, 2, 3].map((line) => expect.stringMatching(`^${line}:[0-9a-f]{32}$`))]);
  const clock = (): Date => new Date(0);
  for (const dataset of ["a", "b"]) await init(new Ledger(other, { clock }), dataset);
  for (const head of heads) {
    expect(await refusal(new Ledger(one, { anchor: fixed(head) }).head())).toBe(heads.at(-1));
    const isEmpty = head === "0";
    expect(await refusal(new Ledger(other, { anchor: fixed(head) }).head())).toMatch(
      isEmpty ? /^2:/ : "LEDGER_CONFLICT",
    );
  }
});

test.each([
  "",
  "1",
  "0:",
  "-1:",
  `1:${"0".repeat(31)}`,
  `01:${"0".repeat(32)}`,
  `1:${"0".repeat(32)}\n2`,
  "x",
])("%j is no head", async (head) =>
  expect(await refusal(new Ledger(new MemoryStore(), { anchor: fixed(head) }).head())).toBe("USAGE"));

test("is looked at before the first transaction and before each that writes; nothing is written where it is missing", async () => {
  const newer = new MemoryStore();
  for (const dataset of ["a", "b"]) await init(new Ledger(newer), dataset);
  const head = await new Ledger(newer).head();
  const store = new MemoryStore();
  let seen: string | undefined;
  const ledger = new Ledger(store, { anchor: { read: () => seen, keep: () => undefined } });
  await init(ledger, "a");
  seen = head;
  expect(await refusal(init(ledger, "b"))).toBe("LEDGER_CONFLICT");
  expect(await ledger.datasets()).toHaveLength(1);
  expect(await refusal(new Ledger(store, { anchor: fixed(head) }).datasets())).toBe("LEDGER_CONFLICT");
});

test("a file keeps the newest head, for its owner only", async () => {
  const file = path.join(folder, "head");
  const ledger = new Ledger(new MemoryStore(), { anchor: fileAnchor(file) });
  expect(await ledger.datasets()).toEqual([]);
  for (const dataset of ["a", "b"]) {
    await init(ledger, dataset);
    expect(readFileSync(file, "utf8")).toBe(`${await ledger.head()}\n`);
  }
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const newest = readFileSync(file, "utf8");
  fileAnchor(file).keep(`1:${"0".repeat(32)}`);
  expect(readFileSync(file, "utf8")).toBe(newest);
  expect(await refusal(new Ledger(new MemoryStore(), { anchor: fileAnchor(file) }).datasets())).toBe("LEDGER_CONFLICT");
});

test("a file that cannot be written fails no transaction; one that cannot be read does", async () => {
  const absent = path.join(folder, "no-folder", "head");
  const ledger = new Ledger(new MemoryStore(), { anchor: fileAnchor(absent) });
  await init(ledger, "a");
  expect([existsSync(absent), (await ledger.datasets()).length]).toEqual([false, 1]);
  const directory = path.join(folder, "directory");
  mkdirSync(directory);
  expect(await refusal(new Ledger(new MemoryStore(), { anchor: fileAnchor(directory) }).datasets())).toBe(
    "LEDGER_UNAVAILABLE",
  );
  const damaged = path.join(folder, "damaged");
  writeFileSync(damaged, "12");
  expect(await refusal(new Ledger(new MemoryStore(), { anchor: fileAnchor(damaged) }).datasets())).toBe(
    "LEDGER_UNAVAILABLE",
  );
});
