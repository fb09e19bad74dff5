/** Where signs of an older ledger are looked for: through links and parents, among many backups, and in files as people leave them. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sampleResult } from "../../../../test/support/sample-result.ts";
import { Rational } from "../../../core/arithmetic/index.ts";
import { type Ledger, openLedgerFile } from "../../../publish/ledger/index.ts";
import { gridText, headerText, resultText } from "../../../publish/release/index.ts";
import { refuseOutdated } from "./outdated-ledger.ts";

let folder: string;
let ledger: string;
let result: string;
const at = (...names: string[]): string => path.join(folder, ...names);

/** An unused ledger in a folder of its own, and a result that another copy of it committed. */
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "veilgrid-outdated-"));
  for (const name of ["ledgers", "out", "other"]) mkdirSync(at(name));
  ledger = at("ledgers", "ledger.db");
  await using made = await openLedgerFile(ledger, { create: true });
  await made.init({ dataset: "city", budget: Rational.of(100), occupancyIsPublic: true });
  const { rows, ...header } = sampleResult({ ids: ["a", "b"] });
  result = resultText(headerText({ ...header, dataset: "city", key: "march" }), rows.map(gridText));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function charge(file: string, key: string): Promise<void> {
  await using open: Ledger = await openLedgerFile(file);
  const chargesOf = (): Array<[string, bigint]> => [["ann", 10n ** 18n]];
  await open.reserve({ dataset: "city", key, planHash: "p", header: "h", parts: ["g"], chargesOf });
}

async function saying(out?: string, place = ledger): Promise<string> {
  await using open = await openLedgerFile(place);
  return await refuseOutdated(open, { place, dataset: "city", out }).then(
    () => "nothing",
    ({ message }) => message,
  );
}

test.each([
  ["a folder", "out/result.json", "out/"],
  ["a folder without a slash", "out/result.json", "out"],
  ["a folder beside the new one", "out/march/result.json", "out/april/"],
  ["a file beside the new one", "out/march.csv.result.json", "out/april.csv"],
  ["the parent of a folder", "out/result.json", "out/sub/.."],
  ["the parent of a folder, with a slash", "out/result.json", "out/sub/../"],
  ["what a link leads to", "out/result.json", "link"],
  ["a folder beside what a link leads to", "out/march/result.json", "linked-april/"],
  ["a folder that a link leads to", "other/result.json", "out/april.csv"],
])("a result is found in %s", async (_, file, out) => {
  for (const name of ["march", "april", "sub"]) mkdirSync(at("out", name));
  symlinkSync(at("out"), at("link"));
  symlinkSync(at("out", "april"), at("linked-april"));
  symlinkSync(at("other"), at("out", "link-to-other"));
  expect(await saying(at(out))).toBe("nothing");
  writeFileSync(at(file), result);
  expect(await saying(at(out))).toContain("holds grids of release 'march' of dataset 'city'");
});

test("a result is found beside a ledger that a link leads to", async () => {
  symlinkSync(ledger, at("other", "link.db"));
  expect(await saying(undefined, at("other", "link.db"))).toBe("nothing");
  writeFileSync(at("ledgers", "march.csv.result.json"), result);
  expect(await saying(undefined, at("other", "link.db"))).toContain("holds grids of release 'march'");
});

test.runIf(process.getuid?.() !== 0)("a result that cannot be read is refused", async () => {
  writeFileSync(at("out", "result.json"), result);
  chmodSync(at("out", "result.json"), 0);
  expect(await saying(at("out"))).toContain("may hold a release and cannot be read (EACCES)");
});

test("a newer copy is found among many backups, and through a link", async () => {
  for (let day = 0; day < 100; day++) {
    copyFileSync(ledger, at("ledgers", `day-${String(day).padStart(3, "0")}.db`));
    const then = new Date(Date.UTC(2026, 0, 1 + day));
    utimesSync(at("ledgers", `day-${String(day).padStart(3, "0")}.db`), then, then);
  }
  expect(await saying()).toBe("nothing");
  copyFileSync(ledger, at("ledgers", "zz.db"));
  await charge(at("ledgers", "zz.db"), "march");
  expect(await saying()).toContain("'zz.db' beside this ledger is a copy of it with changes that this one lacks");
  renameSync(at("ledgers", "zz.db"), at("other", "zz.db"));
  expect(await saying()).toBe("nothing");
  symlinkSync(at("other", "zz.db"), at("ledgers", "link.db"));
  expect(await saying()).toContain("'link.db' beside this ledger is a copy");
  // Both have gone on since.
  await charge(ledger, "april");
  await charge(ledger, "may");
  expect(await saying()).toContain("'link.db' beside this ledger is a copy");
});

test("a newer copy is found beside a ledger that a link leads to, in whatever pages and journal it is kept", async () => {
  symlinkSync(ledger, at("other", "link.db"));
  const place = at("other", "link.db");
  copyFileSync(ledger, at("ledgers", "newest.db"));
  await charge(at("ledgers", "newest.db"), "march");
  expect(await saying(undefined, place)).toContain("'newest.db' beside this ledger is a copy");
  const paged = new Database(at("ledgers", "newest.db"));
  paged.exec(`PRAGMA page_size = 16384; VACUUM INTO '${at("ledgers", "paged.db")}'`);
  paged.close();
  rmSync(at("ledgers", "newest.db"));
  expect(await saying(undefined, place)).toContain("'paged.db' beside this ledger is a copy");
  const logged = new Database(at("ledgers", "paged.db"));
  logged.exec("PRAGMA journal_mode = WAL");
  expect(await saying(undefined, place)).toContain("'paged.db' beside this ledger is a copy");
  logged.exec("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  expect(await saying(undefined, place)).toContain("'paged.db' beside this ledger may be a copy");
  logged.close();
});
