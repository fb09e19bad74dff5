/** A ledger file under load: processes that race, a million users. */
import { execFile } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "vite";
import { expect, test } from "vitest";
import { Rational } from "../../src/core/arithmetic/index.ts";
import { openLedgerFile } from "../../src/publish/ledger/index.ts";
import { isFull } from "../support/full.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const TENTH = 10n ** 17n;

test("two processes that race never overspend", async () => {
  const file = path.join(folder, "race.db");
  await using ledger = await openLedgerFile(file, { create: true });
  await ledger.init({ dataset: "buses", budget: Rational.ONE, occupancyIsPublic: true });
  const root = fileURLToPath(new URL("../..", import.meta.url));
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  await build({
    root,
    configFile: false,
    logLevel: "silent",
    build: {
      ssr: path.join(root, "src/publish/ledger/index.ts"),
      outDir: path.join(folder, "built"),
      rollupOptions: { output: { entryFileNames: "ledger.mjs" } },
    },
  });
  const script = path.join(folder, "racer.mjs");
  writeFileSync(
    script,
    `import { openLedgerFile } from "./built/ledger.mjs";
     const ledger = await openLedgerFile(process.argv[2]);
     let won = 0;
     for (let turn = 0; turn < 15; turn++) {
       const key = process.argv[3] + turn;
       const name = { dataset: "buses", key, planHash: "hash" };
       try {
         await ledger.reserve({ ...name, header: "", parts: ["a"], chargesOf: () => [["ann", ${TENTH}n]] });
         await ledger.commit({ ...name, parts: [["a", key]] });
         won += 1;
       } catch (error) {
         if (error.code !== "BUDGET_EXCEEDED") throw error;
       }
     }
     console.log(won);`,
  );
  const race = (name: string) => promisify(execFile)(process.execPath, [script, file, name]);
  const [one, two] = await Promise.all([race("one"), race("two")]);
  expect(Number(one.stdout) + Number(two.stdout)).toBe(10);
  expect(await ledger.verify()).toMatchObject({ consistent: true, counts: { releases: 10 } });
  expect(String((await ledger.show())[0]!.loss)).toBe("1");
});

test.runIf(isFull)("a million users are charged in seconds", async () => {
  const file = path.join(folder, "million.db");
  await using ledger = await openLedgerFile(file, { create: true });
  await ledger.init({ dataset: "d", budget: Rational.ONE, occupancyIsPublic: true });
  function* chargesOf(): Generator<[string, bigint]> {
    for (let user = 0; user < 1_000_000; user++) yield [`user ${user}`, 10n ** 15n + BigInt(user)];
  }
  const started = performance.now();
  await ledger.reserve({ dataset: "d", key: "k", planHash: "p", header: "", parts: ["a"], chargesOf });
  expect(performance.now() - started).toBeLessThan(60_000);
  expect((await ledger.show())[0]).toMatchObject({ users: 1_000_000, moreLikeLast: 998n });
});
