/** `npm run bench -- records`: survey and totals over ten million records, beside the bare queries on the same engine in the same run. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { readSource, survey } from "#apps/operations";
import { Rational } from "#core/arithmetic";
import { makeObjective, parseBounds } from "#core/influence";
import type { Occupancy } from "#core/occupancy";
import { makePlan, type Plan, runNow } from "#core/planning";
import { DuckDbEngine } from "#data/engines";
import { parseRecipe } from "#data/partition";
import { benchRecordsSql } from "./records-sql.js";

const MEMORY = "1GB";
const COLUMNS = { user: "license_plate", value: "speed", by: "hexagon" };
const LATTICE =
  "CAST(greatest(CAST(0 AS DOUBLE), least(CAST(1048576 AS DOUBLE), floor((CAST(speed AS DOUBLE) - 0) / CAST('0.00006198883056640625' AS DOUBLE) + CAST(0.5 AS DOUBLE)))) AS BIGINT)";

const root = fileURLToPath(new URL("../../", import.meta.url));

interface Files {
  readonly csv: string;
  readonly parquet: string;
}

/** A file of each kind, made once. */
async function makeFiles(records: number): Promise<Files> {
  const folder = path.join(root, "build", "bench-data");
  mkdirSync(folder, { recursive: true });
  const files = { csv: path.join(folder, `${records}.csv`), parquet: path.join(folder, `${records}.parquet`) };
  if (existsSync(files.csv) && existsSync(files.parquet)) return files;
  console.log(`making ${records.toLocaleString("en-US")} records …`);
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "2GB" });
  const connection = await instance.connect();
  await connection.run(`CREATE VIEW records AS ${benchRecordsSql(records)}`);
  await connection.run(`COPY records TO '${files.parquet}' (FORMAT parquet)`);
  await connection.run(`COPY records TO '${files.csv}' (HEADER)`);
  connection.closeSync();
  instance.closeSync();
  return files;
}

/** From a collected heap, so that none pays for what another left behind. */
async function seconds(work: () => Promise<unknown>): Promise<number> {
  (globalThis as { gc?: () => void }).gc?.();
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** The fastest of a few runs of each, taken in turns so that a busy moment hits both. */
async function inTurns(
  works: Readonly<Record<string, () => Promise<unknown>>>,
  runs: number,
): Promise<Record<string, number>> {
  const best: Record<string, number> = {};
  for (let run = 0; run < runs; run++) {
    for (const [name, work] of Object.entries(works)) {
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, await seconds(work));
    }
  }
  return best;
}

function tell(name: string, best: Record<string, number>, bare: string, ours: string): boolean {
  const ratio = best[ours]! / best[bare]!;
  console.log(
    `  ${name.padEnd(30)} bare ${best[bare]!.toFixed(2)} s, veilgrid ${best[ours]!.toFixed(2)} s: ${ratio.toFixed(2)} times`,
  );
  return ratio <= 1.5;
}

/** Whether survey and totals stay within one and a half times the bare queries. */
async function compare(file: string, runs: number): Promise<boolean> {
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: MEMORY });
  const connection = await instance.connect();
  const { occupancy } = await readSource(file, COLUMNS);
  const plan = baseline(occupancy);
  const cap = 15;
  const capped: Plan = { ...plan, caps: plan.grids.map(() => cap) };
  const bound = occupancy.byUser.count.reduce((pairs, count) => pairs + Number(count > cap), 0) / occupancy.entries;
  const totals = async (under: Plan): Promise<void> => {
    const engine = await DuckDbEngine.open({ memory: MEMORY });
    const source = await engine.describe(file, {});
    await engine.readTotals({ source, recipe: parseRecipe(COLUMNS) }, under);
    await engine[Symbol.asyncDispose]();
  };
  const bareCount = `SELECT license_plate, hexagon, count(*) FROM '${file}' GROUP BY license_plate, hexagon`;
  const bareSums = `SELECT license_plate, hexagon, count(*), sum(i), sum(i * i) FROM (SELECT license_plate, hexagon, ${LATTICE} AS i FROM '${file}') GROUP BY license_plate, hexagon`;
  const best = await inTurns(
    {
      bareCount: () => connection.runAndReadAll(bareCount),
      survey: () => survey(file, { records: COLUMNS }),
      bareSums: () => connection.runAndReadAll(bareSums),
      totals: () => totals(plan),
      capped: () => totals(capped),
    },
    runs,
  );
  connection.closeSync();
  instance.closeSync();
  console.log(
    `${path.extname(file).slice(1)}: ${occupancy.samples.toLocaleString("en-US")} records, ${occupancy.entries.toLocaleString("en-US")} user–grid pairs, best of ${runs}`,
  );
  const within = [tell("survey", best, "bareSums", "survey"), tell("totals, no cap binds", best, "bareSums", "totals")];
  tell("survey, beside counts alone", best, "bareCount", "survey");
  tell(`totals, caps on ${(100 * bound).toFixed(1)} % of pairs`, best, "bareSums", "capped");
  return within.every(Boolean);
}

function baseline(occupancy: Occupancy): Plan {
  const objective = makeObjective(parseBounds("0,65"));
  return runNow(makePlan(occupancy, { objective, epsilon: Rational.ONE })).plan;
}

/** Peak memory of a process of its own that surveys the file and reads totals. */
function peakMegabytes(file: string): number {
  const script = fileURLToPath(new URL("records-memory.js", import.meta.url));
  return Number(execFileSync(process.execPath, [script, file], { encoding: "utf8" }));
}

export async function benchRecords(records: number, runs: number): Promise<boolean> {
  const files = await makeFiles(records);
  const results: boolean[] = [];
  for (const file of [files.csv, files.parquet]) {
    results.push(await compare(file, runs));
    const megabytes = peakMegabytes(file);
    results.push(megabytes < 2000);
    console.log(`  ${"peak memory, survey and totals".padEnd(30)} ${megabytes.toFixed(0)} MB\n`);
  }
  return results.every(Boolean);
}
