/** `npm run demo`: a bus city's records, a first look, who was where how often, the trade-off, a plan, a release and its report; each step with a sentence on what it does and costs. */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, "build", "demo");
// Each run is a new city's first release: yesterday's ledger would rightly refuse to pay again.
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const COLUMNS =
  "--user vehicle_id --value speed --lat latitude --lon longitude --h3 7 --time timestamp --slot 1d --tz +05:30 --min-users 250";
const STEPS = [
  {
    says: "Simulate a day of bus records: an invented city, 1,500 buses, about 600,000 positions with speeds. Nobody's data; costs nothing.",
    runs: "simulate city --vehicles 1500 --records 600000 --seed 1 --out city.parquet",
  },
  {
    says: "A first look, as at any file: its columns, guesses, and a command to start from. What may be the protected value is not shown.",
    runs: "survey city.parquet",
  },
  {
    says: "Survey: hexagons of about 5 km² for the day, those with at least 250 buses. Counts are treated as public. The flags are kept in a file.",
    runs: `survey city.parquet ${COLUMNS} --write-config city.yaml`,
  },
  {
    says: "Compare, for mean speeds alone: what error can be had for what loss, with the paper's methods, with the frontier and with balanced plans, and what no plan can do. Spends nothing.",
    runs: "compare city.parquet --config city.yaml --upper 65 --statistics mean --unit km/h --loss 0.2,0.5,1 --out trade-off.svg",
  },
  {
    says: "Plan a release of mean speeds (values in 0 to 65) with a loss of 1: how users are weighted, how much noise, how exact the numbers will be. A plan spends nothing.",
    runs: "plan city.parquet --config city.yaml --upper 65 --statistics mean --loss 1 --out plan.json",
  },
  {
    says: "Open a ledger: no user may ever lose more than 3, whatever is released. Opening it spends nothing.",
    runs: "ledger init --ledger ledger.db --dataset city --budget 3 --occupancy-is-public",
  },
  {
    says: "Release: every bus is charged its own loss, then exact statistics get exact noise, are committed, and written. This spends budget, once.",
    runs: "release city.parquet --plan plan.json --ledger ledger.db --dataset city --out results/",
  },
  {
    says: "The same release again: the same bytes from the ledger, nothing charged. Then the books: every balance worked out again.",
    runs: "release city.parquet --plan plan.json --ledger ledger.db --dataset city --format csv --out again.csv",
  },
  { says: "", runs: "ledger verify --ledger ledger.db" },
];

STEPS.forEach(({ says, runs }, index) => {
  console.log(says === "" ? `\n   $ npx veilgrid ${runs}\n` : `\n${index + 1}. ${says}\n   $ npx veilgrid ${runs}\n`);
  const { status } = spawnSync(
    process.execPath,
    [path.join(root, "dist", "apps", "cli", "main.js"), ...runs.split(" ")],
    {
      cwd: folder,
      stdio: "inherit",
    },
  );
  if (status !== 0) process.exit(status ?? 1);
});
console.log(`
This setting is a useful one: the plan's guaranteed errors lie well below those of publishing midpoints, in every hexagon (step 5).

Files to open, all under build/demo:
  trade-off.svg                   error against loss, for every strategy
  results/report.html             the report: map, intervals, what it promises; open it in a browser
  results/statistics.csv          the same for a spreadsheet (also .json, .parquet, .geojson)
  results/privacy-statement.md    what is protected and what is not
  plan.json, city.yaml            what was decided, and how records are read`);
