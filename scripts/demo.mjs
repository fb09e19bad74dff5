/** `npm run demo`: a bus city's records, a first look at them, who was where how often, and a plan; each step with a sentence on what it does and costs. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, "build", "demo");
mkdirSync(folder, { recursive: true });

const COLUMNS =
  "--user vehicle_id --value speed --lat latitude --lon longitude --h3 7 --time timestamp --slot 1d --tz +05:30 --top 12";
const STEPS = [
  {
    says: "Simulate a day of bus records: an invented city, 291 buses, about 390,000 positions with speeds. Nobody's data; costs nothing.",
    runs: "simulate city --preset paper --seed 1 --out city.csv",
  },
  {
    says: "A first look, as at any file: its columns, guesses, and a command to start from. What may be the protected value is not shown.",
    runs: "survey city.csv",
  },
  {
    says: "Survey: hexagons of about 5 km² for the day, the 12 busiest. Counts are treated as public. The flags are kept in a file.",
    runs: `survey city.csv ${COLUMNS} --write-config city.yaml`,
  },
  {
    says: "Plan a release of mean speeds (values in 0 to 65, ε = 1 per grid): who is left out where, the noise, what it guarantees. A plan spends nothing.",
    runs: "plan city.csv --config city.yaml --upper 65 --statistics mean --epsilon 1 --strategy clip-user --out plan.json",
  },
];

STEPS.forEach(({ says, runs }, index) => {
  console.log(`\n${index + 1}. ${says}\n   $ npx veilgrid ${runs}\n`);
  const { status } = spawnSync(process.execPath, [path.join(root, "dist", "cli", "main.js"), ...runs.split(" ")], {
    cwd: folder,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
});
console.log(
  "Files to open: build/demo/city.csv, build/demo/city.yaml, build/demo/plan.json. Releasing the statistics themselves is not in this version.",
);
