/** `npm run demo`: an occupancy array, what is in it, and a plan, each step with a sentence on what it does and costs. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, "build", "demo");
mkdirSync(folder, { recursive: true });

const STEPS = [
  {
    says: "Simulate who was where how often: 4,095 users in 12 grids, the paper's synthetic model. Costs nothing; there are no values in it.",
    runs: ["simulate", "synthetic", "--gamma", "3", "--q", "0.01", "--seed", "1", "--out", "occupancy.csv"],
  },
  {
    says: "Survey it: who contributes how much. These counts are treated as public.",
    runs: ["survey", "occupancy.csv"],
  },
  {
    says: "Plan a release of mean and variance (values in 0 to 65, ε = 1 per grid): who is left out where, the noise, what it guarantees. A plan spends nothing.",
    runs: [
      "plan",
      "occupancy.csv",
      "--upper",
      "65",
      "--epsilon",
      "1",
      "--strategy",
      "clip-user",
      "--protect-lowest",
      "--out",
      "plan.json",
    ],
  },
];

STEPS.forEach(({ says, runs }, index) => {
  console.log(`\n${index + 1}. ${says}\n   $ npx veilgrid ${runs.join(" ")}\n`);
  const { status } = spawnSync(process.execPath, [path.join(root, "dist", "cli", "main.js"), ...runs], {
    cwd: folder,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
});
console.log(
  "Files to open: build/demo/occupancy.csv, build/demo/plan.json. Releasing the statistics themselves is not in this version.",
);
