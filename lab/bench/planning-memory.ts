/** `npm run bench -- planning-memory`: bytes per entry that planning takes beyond the array, each plan in a process of its own. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { writeColumns } from "./columns-file.js";
import { heavyTailed } from "./heavy-tailed.js";
import { PLANS } from "./planning-memory-plans.js";
import type { BenchSize } from "./size.js";

const SIZES: Readonly<Record<BenchSize, { readonly users: number; readonly grids: number }>> = {
  quick: { users: 20_000, grids: 500 },
  usual: { users: 200_000, grids: 2_000 },
  full: { users: 3_000_000, grids: 20_000 },
};
const MOST_BYTES = 24;

/** Told, and held to the goal only in full: in a small process the runtime's own memory counts for much. */
export async function benchPlanningMemory(size: BenchSize): Promise<boolean> {
  if (!existsSync("/proc/self/clear_refs")) {
    console.log("memory of planning: not measured, the peak of a part of a process is told by Linux only\n");
    return true;
  }
  const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-bench-"));
  try {
    const file = path.join(folder, "columns");
    const occupancy = heavyTailed({ ...SIZES[size], meanGridsPerUser: 5.67, mostGridsPerUser: 400, q: 0.1, seed: 1 });
    writeColumns(file, occupancy, { width: 65, epsilon: 0.3 });
    console.log(
      `memory of planning ${occupancy.entries.toLocaleString("en-US")} entries, resident, beyond the array (goal: ${MOST_BYTES} bytes per entry)`,
    );
    const script = fileURLToPath(new URL("planning-memory-child.js", import.meta.url));
    let good = true;
    for (const name of Object.keys(PLANS)) {
      const printed = execFileSync(process.execPath, ["--expose-gc", script, file, name], { encoding: "utf8" });
      const { bytes, seconds } = JSON.parse(printed) as { bytes: number; seconds: number };
      const perEntry = bytes / occupancy.entries;
      if (!name.startsWith("frontier")) good = good && perEntry <= MOST_BYTES;
      console.log(
        `  ${name.padEnd(24)} ${perEntry.toFixed(1).padStart(6)} bytes per entry, ${seconds.toFixed(1)} s of processor time`,
      );
    }
    console.log("");
    return good || size !== "full";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
