/** One step of the large-records bench in a process of its own: prints its seconds, those of all cores, and the process's peak memory in MB, as JSON. */
import { readFileSync, rmSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { ledgerInit, plan, releaseRecords, survey } from "#apps/operations";
import { readPlan } from "#core/planning";
import { DuckDbEngine } from "#data/engines";
import { readRecipe } from "#data/partition";

const [step, folder, file] = process.argv.slice(2) as [string, string, string];
const MEMORY = "2GB";
const COLUMNS = { user: "license_plate", value: "speed", by: "hexagon", memory: MEMORY };
const planFile = `${folder}/plan.json`;
const ledger = `${folder}/ledger.db`;
const WIDTH = "CAST('0.00006198883056640625' AS DOUBLE)";
const LATTICE = `CAST(greatest(CAST(0 AS DOUBLE), least(CAST(1048576 AS DOUBLE), floor((CAST(speed AS DOUBLE) - 0) / ${WIDTH} + CAST(0.5 AS DOUBLE)))) AS BIGINT)`;

async function bare(sums: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: MEMORY, temp_directory: `${folder}/spill` });
  const connection = await instance.connect();
  await connection.runAndReadAll(
    `SELECT license_plate, hexagon, count(*)${sums} FROM (SELECT license_plate, hexagon, ${LATTICE} AS i FROM '${file}') GROUP BY license_plate, hexagon`,
  );
  connection.closeSync();
  instance.closeSync();
}

async function totals(): Promise<void> {
  const engine = await DuckDbEngine.open({ memory: MEMORY });
  const source = await engine.describe(file, {});
  const under = readPlan(readFileSync(planFile, "utf8"));
  await engine.readTotals({ source, recipe: readRecipe(under.partition!) }, under);
  await engine[Symbol.asyncDispose]();
}

async function release(): Promise<void> {
  rmSync(ledger, { force: true });
  await ledgerInit({ ledger, dataset: "large", budget: "1000", occupancyIsPublic: true });
  const out = `${folder}/released.csv`;
  await releaseRecords(file, {
    plan: planFile,
    ledger,
    dataset: "large",
    out,
    format: "csv",
    records: { memory: MEMORY },
  });
}

const steps: Record<string, () => Promise<unknown>> = {
  bareCount: () => bare(""),
  survey: () => survey(file, { records: COLUMNS, out: undefined }),
  baseline: () => plan(file, { upper: "65", epsilon: "1", strategy: "baseline", records: COLUMNS }, { out: planFile }),
  bareSums: () => bare(", sum(i), sum(i * i)"),
  totals,
  plan: () => plan(file, { upper: "65", epsilon: "1", strategy: "clip-user", records: COLUMNS }, { out: planFile }),
  release,
};

const start = performance.now();
await steps[step]!();
const seconds = (performance.now() - start) / 1000;
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
console.log(JSON.stringify({ seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1000 }));
