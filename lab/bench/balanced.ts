/** `npm run bench -- balanced`: seconds and memory of balanced plans on large arrays, each in a process of its own, beside the frontier's. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Occupancy, OccupancyBuilder } from "#core/occupancy";
import { writeColumns } from "./columns-file.js";
import { heavyTailed } from "./heavy-tailed.js";
import type { BenchSize } from "./size.js";

interface Case {
  readonly name: string;
  readonly array: () => Occupancy;
  /** Goal for a whole plan, in seconds of processor time; none where the array is small. */
  readonly seconds: number;
  /** Goal beside the array. */
  readonly megabytes: number;
  readonly plans: readonly string[];
}

const tailed = (users: number, grids: number) => () =>
  heavyTailed({ users, grids, meanGridsPerUser: 5, mostGridsPerUser: 400, q: 0.1, seed: 1 });

const EVERY = ["balanced, first answer", "balanced, mean", "balanced, mean,variance", "frontier, mean"];
const BALANCED = EVERY.slice(0, 3);
const HUNDRED_THOUSAND: Case = {
  name: "heavy-tailed",
  array: tailed(20_000, 500),
  seconds: Number.POSITIVE_INFINITY,
  megabytes: Number.POSITIVE_INFINITY,
  plans: BALANCED,
};
const MILLION: Case = {
  name: "heavy-tailed",
  array: tailed(200_000, 2_000),
  seconds: 10,
  megabytes: 200,
  plans: EVERY,
};
const TEN_MILLION: Case = {
  name: "heavy-tailed",
  array: tailed(2_000_000, 20_000),
  seconds: 120,
  megabytes: Number.POSITIVE_INFINITY,
  plans: BALANCED,
};
const DENSE: Case = {
  name: "every user once in every grid",
  array: () => dense(25_000, 100),
  seconds: 15,
  megabytes: Number.POSITIVE_INFINITY,
  plans: BALANCED,
};
const CASES: Readonly<Record<BenchSize, readonly Case[]>> = {
  quick: [HUNDRED_THOUSAND],
  usual: [MILLION],
  full: [MILLION, TEN_MILLION, DENSE],
};

/** Held to the goals for a whole plan. The first answer is printed for comparison. */
export async function benchBalanced(size: BenchSize): Promise<boolean> {
  if (!existsSync("/proc/self/clear_refs")) {
    console.log("balanced plans: not measured, the peak of a part of a process is told by Linux only\n");
    return true;
  }
  let good = true;
  for (const each of CASES[size]) good = measure(each) && good;
  return good;
}

function measure({ name, array, seconds, megabytes, plans }: Case): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-bench-"));
  try {
    const file = path.join(folder, "columns");
    const occupancy = array();
    writeColumns(file, occupancy, { width: 65, epsilon: 1 });
    const memory = megabytes < Infinity ? ` and ${megabytes} MB beside the array` : "";
    console.log(
      `plans of loss 1: ${occupancy.entries.toLocaleString("en-US")} entries, ${name}` +
        (seconds < Infinity ? `; goal: ${seconds} s of processor time${memory}` : ""),
    );
    let good = true;
    for (const plan of plans) {
      const taken = planned(file, plan);
      console.log(
        `  ${plan.padEnd(24)} ${taken.seconds.toFixed(1).padStart(6)} s of processor time, ` +
          `${taken.clock.toFixed(1)} s by the clock, ${(taken.bytes / 1e6).toFixed(0)} MB`,
      );
      if (plan.startsWith("balanced")) good &&= taken.seconds < seconds && taken.bytes < megabytes * 1e6;
    }
    console.log("");
    return good;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function planned(file: string, plan: string) {
  const script = fileURLToPath(new URL("planning-memory-child.js", import.meta.url));
  const printed = execFileSync(process.execPath, ["--expose-gc", script, file, plan], { encoding: "utf8" });
  return JSON.parse(printed) as { readonly bytes: number; readonly seconds: number; readonly clock: number };
}

function dense(users: number, grids: number): Occupancy {
  const builder = new OccupancyBuilder();
  for (let user = 0; user < users; user++)
    for (let grid = 0; grid < grids; grid++) builder.add(`u${users + user}`, `g${grids + grid}`, 1);
  return builder.build().occupancy;
}
