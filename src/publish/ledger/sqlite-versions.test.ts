/** Ledger files of every version that ever was are still opened, verified and gone on with. */
import { copyFileSync, existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openLedgerFile } from "./open-ledger.ts";
import { MIGRATIONS } from "./sqlite-store.ts";

const folder = temporaryFolder();

/** Who adds a version keeps a file of it, made as the others were: one release committed, one pending, one given up, the budget raised. */
const versions = MIGRATIONS.map((_, index) => index + 1);
const fixture = (version: number): string =>
  fileURLToPath(new URL(`../../../test/fixtures/ledger-version-${version}.db`, import.meta.url));

const release = (key: string) => ({
  ...{ dataset: "buses", key, planHash: "plan", header: `header of ${key}`, parts: ["north", "süd"] },
  chargesOf: (): Array<[string, bigint]> => [["ann", 10n ** 17n]],
});

test.each(versions)("version %i", async (version) => {
  expect(existsSync(fixture(version))).toBe(true);
  const file = path.join(folder, `${version}.db`);
  copyFileSync(fixture(version), file);
  await using ledger = await openLedgerFile(file);
  expect(await ledger.verify()).toMatchObject({ consistent: true, counts: { releases: 3, users: 3, lines: 7 } });
  const [standing] = await ledger.show();
  expect(standing).toMatchObject({ users: 3, heaviest: [{ user: "Çelik \0" }, { user: "bob" }, { user: "ann" }] });
  expect([String(standing!.budget), String(standing!.loss)]).toEqual(["3", "0.6"]);
  expect(standing!.releases.map(({ key, state }) => [key, state])).toEqual([
    ["jan", "committed"],
    ["feb", "pending"],
    ["mar", "void"],
  ]);
  const { texts, header } = (await ledger.committed({ dataset: "buses", key: "jan" }))!;
  expect([...texts, header]).toEqual([["north", "text of north"], ["süd", "Text von Süd"], "header of jan"]);
  // What was pending is finished at no further charge, what was given up can be charged again.
  expect(await ledger.reserve(release("feb"))).toMatchObject({ charged: [], resumed: true });
  await ledger.commit({ ...release("feb"), parts: [["north", "a"] as const, ["süd", "b"] as const] });
  expect(await ledger.reserve(release("mar"))).toMatchObject({ charged: ["north", "süd"] });
  expect(await ledger.verify()).toMatchObject({ consistent: true });
  expect(String((await ledger.show())[0]!.loss)).toBe("0.6");
});
