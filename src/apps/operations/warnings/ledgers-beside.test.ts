/** What lies beside a ledger: other ledgers are looked into and left as they are, other files are not touched. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Rational } from "../../../core/arithmetic/index.ts";
import { type Ledger, openLedgerFile } from "../../../publish/ledger/index.ts";
import { ledgersBeside, sameNameBeside } from "./ledgers-beside.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "veilgrid-beside-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);
const KEY = "a secret of some length";

async function make(name: string, dataset: string, usersKey?: string): Promise<Ledger> {
  const ledger = await openLedgerFile(at(name), { create: true, usersKey });
  const hashUsers = usersKey !== undefined;
  await ledger.init({ dataset, budget: Rational.of(5), occupancyIsPublic: true, hashUsers });
  return ledger;
}

/** Charges ann and ben. */
async function charge(ledger: Ledger, dataset: string): Promise<void> {
  const units = 10n ** 18n;
  const chargesOf = (): Array<[string, bigint]> => [
    ["ann", units],
    ["ben", units],
  ];
  await ledger.reserve({ dataset, key: "k", planHash: "p", header: "h", parts: ["g"], chargesOf });
}

const contents = (): Map<string, string> =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(at(name)).toString("hex")]));

test("files that are no ledger, damaged or not, are passed over and stay as they are", async () => {
  await using _ = await make("own.db", "city");
  const foreign = new Database(at("foreign.db"));
  foreign.exec("PRAGMA journal_mode = WAL; CREATE TABLE meta (name TEXT, value TEXT); CREATE TABLE balances (a TEXT)");
  foreign.close();
  writeFileSync(at("notes.txt"), "CREATE TABLE balances (");
  writeFileSync(at("cut.db"), readFileSync(at("own.db")).subarray(0, 5000));
  const before = contents();
  expect(await sameNameBeside(at("own.db"), "city")).toEqual([]);
  expect(contents()).toEqual(before);
});

test("a ledger beside is read and not written, whatever it is called", async () => {
  await using own = await make("own.db", "city");
  {
    await using other = await make("copy of budgets", "city");
    await charge(other, "city");
  }
  const before = contents();
  expect(await sameNameBeside(at("own.db"), "city")).toEqual([expect.stringContaining("'copy of budgets'")]);
  expect(await sameNameBeside(at("own.db"), "town")).toEqual([]);
  const asked = { place: at("own.db"), dataset: "town", users: ["ann", "cyd"], usersKey: undefined };
  expect(await ledgersBeside(own, asked)).toEqual([
    expect.stringMatching(/'copy of budgets', charges 1 of the same users; losses in two ledgers/),
  ]);
  expect(await ledgersBeside(own, { ...asked, users: ["cyd"] })).toEqual([]);
  expect(contents()).toEqual(before);
});

test("users under a key are found with it, and not without", async () => {
  await using own = await make("own.db", "city", KEY);
  {
    await using other = await make("other.db", "town", KEY);
    await charge(other, "town");
  }
  const asked = { place: at("own.db"), dataset: "city", users: ["ann", "ben", "cyd"] };
  expect(await ledgersBeside(own, { ...asked, usersKey: KEY })).toEqual([expect.stringContaining("charges 2 of the")]);
  expect(await ledgersBeside(own, { ...asked, usersKey: undefined })).toEqual([]);
});

test("a database's address has no folder", async () => {
  expect(await sameNameBeside("postgres://me@db/budgets", "city")).toEqual([]);
});
