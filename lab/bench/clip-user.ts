/** `npm run bench -- clip-user`: CLIP-USER against a straightforward C++ version of the same greedy, and the caps of all grids. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseDecimal } from "#core/arithmetic";
import { ErrorModel, makeObjective, parseBounds } from "#core/influence";
import { Kept, type Occupancy } from "#core/occupancy";
import { chooseCaps, clipUser, runNow } from "#core/planning";
import { collectGarbage } from "./collect-garbage.js";
import { writeColumns } from "./columns-file.js";
import { heavyTailed } from "./heavy-tailed.js";
import type { BenchSize } from "./size.js";

const RUNS = 3;
/** At this ε the greedy makes some 460 million evaluations on the full array. */
const EPSILON = "0.3";
const WIDTH = 65;
const MOST_CAPS_SECONDS = 1;
const SIZES: Readonly<Record<BenchSize, { readonly users: number; readonly grids: number }>> = {
  quick: { users: 100_000, grids: 700 },
  usual: { users: 600_000, grids: 4_000 },
  full: { users: 3_000_000, grids: 20_000 },
};
const OPTIONS = ["-O3", "-march=native"];

interface Times {
  seconds: number;
  /** Of processor time: what a busy machine changes least. */
  processor: number;
}

const thousands = (value: number): string => value.toLocaleString("en-US");

export async function benchClipUser(size: BenchSize): Promise<boolean> {
  const occupancy = heavyTailed({ ...SIZES[size], meanGridsPerUser: 5.67, mostGridsPerUser: 400, q: 0.1, seed: 1 });
  console.log(
    `${thousands(occupancy.entries)} entries, ${thousands(occupancy.users.length)} users, ${thousands(occupancy.grids.length)} grids, ` +
      `at most ${occupancy.maxGridsPerUser()} grids per user; ε = ${EPSILON}; best of ${RUNS}, in turns`,
  );
  const model = (): ErrorModel =>
    new ErrorModel(makeObjective(parseBounds(`0,${WIDTH}`)), parseDecimal(EPSILON, "ε per grid"));
  const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-bench-"));
  try {
    const agrees = await compareWithCpp(occupancy, model, folder, size);
    const caps = await bestOf(() => runNow(chooseCaps(Kept.all(occupancy), model())));
    tell("caps of all grids", caps);
    console.log("");
    return agrees && (size === "quick" || caps.processor < MOST_CAPS_SECONDS);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compareWithCpp(
  occupancy: Occupancy,
  model: () => ErrorModel,
  folder: string,
  size: BenchSize,
): Promise<boolean> {
  const run = () => runNow(clipUser(occupancy, model()));
  const compiler = ["g++", "c++"].find((name) => spawnSync(name, ["--version"]).status === 0);
  if (compiler === undefined) {
    tell("CLIP-USER", await bestOf(run));
    console.log("  no C++ compiler: not compared");
    return true;
  }
  const program = path.join(folder, "clip-user");
  const columns = path.join(folder, "columns");
  const drops = path.join(folder, "drops");
  const source = fileURLToPath(new URL("../../lab/bench/clip-user.cpp", import.meta.url));
  execFileSync(compiler, [...OPTIONS, "-o", program, source]);
  writeColumns(columns, occupancy, { width: WIDTH, epsilon: Number(EPSILON) });
  const cpp: Times = { seconds: Infinity, processor: Infinity };
  const ours: Times = { seconds: Infinity, processor: Infinity };
  let evaluations = 0;
  let result = run();
  for (let turn = 0; turn < RUNS; turn++) {
    const printed = execFileSync(program, [columns, drops], { encoding: "utf8" }).trim().split(" ").map(Number);
    evaluations = printed[0]!;
    keepBest(cpp, { seconds: printed[1]!, processor: printed[2]! });
    await collectGarbage();
    keepBest(
      ours,
      timed(() => {
        result = run();
      }),
    );
  }
  const { buffer, byteOffset, byteLength } = readFileSync(drops);
  const theirs = new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength));
  const agree =
    theirs.length === result.suppressed.length && theirs.every((entry, at) => entry === result.suppressed[at]);
  const version = execFileSync(compiler, ["--version"], { encoding: "utf8" }).split("\n")[0];
  tell(`C++ ${OPTIONS.join(" ")}, ${thousands(evaluations)} evaluations`, cpp);
  tell(`veilgrid, ${thousands(result.evaluations)} evaluations`, ours);
  console.log(
    `  ${version}; ${(cpp.seconds / ours.seconds).toFixed(2)} times faster, ${(cpp.processor / ours.processor).toFixed(2)} by processor time; ` +
      `${thousands(theirs.length)} drops, the same in the same order: ${agree ? "yes" : "NO"}`,
  );
  return agree && (size === "quick" || cpp.processor > ours.processor);
}

async function bestOf(work: () => unknown): Promise<Times> {
  const best: Times = { seconds: Infinity, processor: Infinity };
  for (let run = 0; run < RUNS; run++) {
    await collectGarbage();
    keepBest(best, timed(work));
  }
  return best;
}

function timed(work: () => unknown): Times {
  const start = performance.now();
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - start) / 1e3, processor: (user + system) / 1e6 };
}

function keepBest(best: Times, found: Times): void {
  best.seconds = Math.min(best.seconds, found.seconds);
  best.processor = Math.min(best.processor, found.processor);
}

function tell(name: string, { seconds, processor }: Times): void {
  console.log(
    `  ${name.padEnd(52)} ${seconds.toFixed(2).padStart(7)} s, ${processor.toFixed(2).padStart(7)} s of processor time`,
  );
}
