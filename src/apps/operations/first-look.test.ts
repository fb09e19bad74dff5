/** Checks what a first look says of several files without a user's column. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { lookAtFile } from "./first-look.ts";
import { readSource } from "./read-source.ts";

const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixes = Array.from(
  { length: 60 },
  (_, at) => `37.75${at}34 -122.39${at % 7}88 ${at % 2} ${1213084687 - 60 * at}`,
);
for (const cab of ["abboip", "abcoij"]) writeFileSync(path.join(folder, `new_${cab}.txt`), `${fixes.join("\n")}\n`);
const cabs = path.join(folder, "new_*.txt");

test("files of a taxi each: --user filename, with a doubt; a single one leaves the user open", async () => {
  const { guess, open, doubts, command, told } = await lookAtFile(cabs, {});
  expect(guess["user"]).toBe("filename");
  expect(open.map(({ flag }) => flag)).not.toContain("user");
  expect(doubts[0]).toMatch(/each of the 2 files is taken for one user's/);
  expect(command).toContain("--user filename");
  expect(told[0]).toContain("fields between spaces");
  const single = await lookAtFile(path.join(folder, "new_abboip.txt"), {});
  expect(single.open.map(({ flag }) => flag)).toContain("user");
});

test("users by file are told of, and devices that report by the clock are noticed among them", async () => {
  const options = { user: "filename", value: "column3", lat: "column1", lon: "column2", h3: "12", time: "column4" };
  const { occupancy, records, warnings } = await readSource(cabs, { ...options, timeFormat: "epoch-s" });
  expect([...occupancy.users]).toEqual(["new_abboip", "new_abcoij"]);
  expect(records?.told).toContain("users are the names of the 2 files, without folder and extension");
  expect(warnings.join()).toContain("about every 60 s");
});

test("amounts with a currency are numbers to the first look, and what is told of them says how they are read", async () => {
  const rows = Array.from({ length: 40 }, (_, at) => `c${at % 9};s${at % 3};"$${at + 1},${100 + at}.50"`);
  const shop = path.join(folder, "shop.csv");
  writeFileSync(shop, `sep=;\ncustomer;shop;amount\n${rows.join("\n")}\n`);
  const { guess, columns, doubts, told } = await lookAtFile(shop, {});
  expect(guess).toMatchObject({ user: "customer", value: "amount", by: "shop" });
  expect(columns[2]).toMatchObject({ type: "number", samples: null });
  expect(doubts).toEqual([]);
  expect(told[1]).toBe("numbers in column 'amount' are read as written like '$1,234.5'");
  const { records } = await readSource(shop, { user: "customer", value: "amount", by: "shop" });
  expect(records?.told).toContain(told[1]);
});
