/** `npm run bench -- full large`: a hundred million rows of Parquet with ten million groups, surveyed, planned and released, each step in a process of its own. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { benchRecordsSql } from "./records-sql.js";
import type { BenchSize } from "./size.js";

const RECORDS = 100_000_000;
const MOST_MEGABYTES = 4000;
/** Of the bare GROUP BY with the same sums. */
const MOST_TIMES = 1.2;
const RUNS = 3;

const NAMES: Readonly<Record<string, string>> = {
  bareCount: "bare GROUP BY, counts",
  bareSums: "bare GROUP BY, same sums",
  survey: "survey",
  totals: "totals",
};

interface Measured {
  readonly seconds: number;
  /** Of all cores together: says more on a busy machine. */
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

async function makeFile(folder: string): Promise<string> {
  const file = path.join(folder, "large.parquet");
  console.log(`making ${RECORDS.toLocaleString("en-US")} records …`);
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "1GB" });
  const connection = await instance.connect();
  await connection.run(`COPY (${benchRecordsSql(RECORDS)}) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  return file;
}

function run(step: string, folder: string, file: string): Measured {
  const script = fileURLToPath(new URL("large-records-step.js", import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [script, step, folder, file], { encoding: "utf8" })) as Measured;
}

function tell(name: string, { seconds, cpuSeconds, megabytes }: Measured): void {
  console.log(
    `  ${name.padEnd(28)} ${seconds.toFixed(1).padStart(7)} s, ${cpuSeconds.toFixed(1)} s of all cores, peak memory ${megabytes.toFixed(0)} MB`,
  );
}

/** The fastest of a few of each, in turns; the largest memory. */
function inTurns(steps: readonly string[], folder: string, file: string): Map<string, Measured> {
  const best = new Map<string, Measured>();
  for (let turn = 0; turn < RUNS; turn++) {
    for (const step of steps) {
      const now = run(step, folder, file);
      const before = best.get(step) ?? now;
      best.set(step, {
        seconds: Math.min(before.seconds, now.seconds),
        cpuSeconds: Math.min(before.cpuSeconds, now.cpuSeconds),
        megabytes: Math.max(before.megabytes, now.megabytes),
      });
    }
  }
  return best;
}

export async function benchLargeRecords(size: BenchSize): Promise<boolean> {
  if (size !== "full") return true;
  const folder = fileURLToPath(new URL("../../build/bench-data/large", import.meta.url));
  mkdirSync(folder, { recursive: true });
  try {
    const file = await makeFile(folder);
    const baseline = run("baseline", folder, file);
    const best = inTurns(["bareCount", "survey", "bareSums", "totals"], folder, file);
    console.log(`100 million rows, 10 million groups, 2 GB for the engine; best of ${RUNS} processes each, in turns`);
    for (const step of ["bareCount", "bareSums", "survey", "totals"]) tell(NAMES[step]!, best.get(step)!);
    const beside = (ours: string, bare: string): number => {
      const [mine, theirs] = [best.get(ours)!, best.get(bare)!];
      const [times, ofCores] = [mine.seconds / theirs.seconds, mine.cpuSeconds / theirs.cpuSeconds];
      console.log(`  ${ours}: ${times.toFixed(2)} times the ${NAMES[bare]}, ${ofCores.toFixed(2)} by all cores`);
      return times;
    };
    const ratios = [beside("survey", "bareSums"), beside("totals", "bareSums")];
    beside("survey", "bareCount");
    const planned = run("plan", folder, file);
    const released = run("release", folder, file);
    tell("survey and baseline plan", baseline);
    tell("survey and CLIP-USER plan", planned);
    tell("release of the latter", released);
    const most = Math.max(...[...best.values(), baseline, planned, released].map(({ megabytes }) => megabytes));
    console.log(`  largest peak memory: ${most.toFixed(0)} MB (goal: below ${MOST_MEGABYTES})\n`);
    return most < MOST_MEGABYTES && ratios.every((ratio) => ratio <= MOST_TIMES);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
