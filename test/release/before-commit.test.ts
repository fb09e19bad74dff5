/** Grids that are released where others see the ledger: charged at once, committed when the beat says so. */
import path from "node:path";
import { expect, test } from "vitest";
import { openRelease } from "../../src/apps/operations/index.ts";
import { openLedgerFile } from "../../src/publish/ledger/index.ts";
import { releaseFolder } from "../support/release-folder.ts";

test("what is waited for before the commit comes after the noise and before anyone can see it", async () => {
  const folder = await releaseFolder();
  const ledgerFile = path.join(folder, "ledger.db");
  const options = { plan: path.join(folder, "plan.json"), ledger: ledgerFile, dataset: "buses" };
  await using release = await openRelease(path.join(folder, "records.csv"), options);
  await using ledger = await openLedgerFile(ledgerFile);
  const plan = (await import(path.join(folder, "plan.json"), { with: { type: "json" } })).default;
  const [grid] = plan.grids as string[];
  const committed = async (): Promise<string | undefined> =>
    (await ledger.committed({ dataset: "buses", key: plan.hash }))?.texts.get(grid!);
  const seen: string[] = [];
  const beforeCommit = async (): Promise<void> => {
    const [standing] = await ledger.show();
    seen.push(`${standing!.releases[0]!.state} ${await committed()}`);
  };
  expect(await release.release([grid!], { beforeCommit })).toEqual(new Map());
  expect(seen).toEqual(["pending undefined"]);
  const text = await committed();
  expect(text).toContain(JSON.stringify(grid));
  // What is committed is neither drawn nor waited for again.
  await release.release([grid!], { beforeCommit });
  expect(seen).toHaveLength(1);
  expect(await committed()).toBe(text);
});
