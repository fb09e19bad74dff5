/** `npm run bench -- release`: 10,000 grids from records to all files, with a ledger. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ledgerInit, plan, releaseRecords } from "#apps/operations";

const GRIDS = 10_000;
const USERS_PER_GRID = 20;
const USERS = 3_000;
const MOST_SECONDS = 30;

export async function benchRelease(): Promise<boolean> {
  const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-bench-"));
  try {
    const records = path.join(folder, "records.csv");
    const rows = Array.from({ length: GRIDS * USERS_PER_GRID }, (_, row) => {
      const [grid, user] = [Math.floor(row / USERS_PER_GRID), row % USERS_PER_GRID];
      return `u${(grid * 7 + user * 31) % USERS},g${String(grid).padStart(5, "0")},${(grid * user * 13) % 65}`;
    });
    writeFileSync(records, `user,grid,value\n${rows.join("\n")}\n`);
    const planFile = path.join(folder, "plan.json");
    const ledger = path.join(folder, "ledger.db");
    const columns = { user: "user", value: "value", by: "grid" };
    await plan(records, { upper: "65", epsilon: "1", strategy: "baseline", records: columns }, { out: planFile });
    await ledgerInit({ ledger, dataset: "bench", budget: "1000", occupancyIsPublic: true });
    const out = path.join(folder, "results");
    mkdirSync(out);
    const start = performance.now();
    const done = await releaseRecords(records, { plan: planFile, ledger, dataset: "bench", out });
    const seconds = (performance.now() - start) / 1000;
    console.log(
      `release of ${done.result.rows.length.toLocaleString("en-US")} grids, ${done.standing.users.toLocaleString("en-US")} users charged, ` +
        `${done.files.length} files written: ${seconds.toFixed(1)} s\n`,
    );
    return seconds < MOST_SECONDS;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
