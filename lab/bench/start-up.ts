/** `npm run bench -- start-up`: what the command takes before it does anything, as multiples of an empty Node.js. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchSize } from "./size.js";

const program = fileURLToPath(new URL("../../dist/apps/cli/main.js", import.meta.url));

interface Start {
  readonly name: string;
  readonly args: readonly string[];
  /** Of the time of `node -e 0`. */
  readonly mostTimes: number;
}

export async function benchStartUp(size: BenchSize): Promise<boolean> {
  const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-bench-"));
  try {
    const occupancy = path.join(folder, "small.csv");
    const rows = Array.from({ length: 60 }, (_, row) => `u${row % 20},g${(row * 7) % 6},${1 + (row % 9)}`);
    writeFileSync(occupancy, `user,grid,count\n${rows.join("\n")}\n`);
    const plan = [program, "plan", occupancy, "--upper", "65"];
    const starts: Start[] = [
      { name: "node -e 0", args: ["-e", "0"], mostTimes: 1 },
      { name: "veilgrid --help", args: [program, "--help"], mostTimes: 2.5 },
      { name: "veilgrid plan, 60 rows, --loss 1", args: [...plan, "--metric", "sum", "--loss", "1"], mostTimes: 4 },
      {
        name: "veilgrid plan, 60 rows, clip-user",
        args: [...plan, "--strategy", "clip-user", "--epsilon", "1"],
        mostTimes: 4,
      },
    ];
    const best = inTurns(starts, size === "quick" ? 5 : 25);
    const [empty] = best;
    return starts
      .map(({ name, mostTimes }, at) => {
        const times = best[at]! / empty!;
        console.log(`  ${name.padEnd(34)} ${best[at]!.toFixed(0).padStart(4)} ms  ${times.toFixed(2)} times`);
        return times <= mostTimes;
      })
      .every(Boolean);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The fastest of so many runs of each, taken in turns so that a busy moment hits all; milliseconds. */
function inTurns(starts: readonly Start[], runs: number): number[] {
  const best = starts.map(() => Number.POSITIVE_INFINITY);
  console.log(`start-up, best of ${runs}`);
  for (let run = 0; run < runs; run++) {
    for (const [at, { name, args }] of starts.entries()) {
      const began = performance.now();
      const { status } = spawnSync(process.execPath, args);
      if (status !== 0) throw new Error(`${name} failed`);
      best[at] = Math.min(best[at]!, performance.now() - began);
    }
  }
  return best;
}
