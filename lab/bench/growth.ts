/** `npm run bench -- growth`: the cost of each step of planning against the size of the array, over up to four decades. */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseDecimal, Rational } from "#core/arithmetic";
import { ErrorModel, makeObjective, parseBounds } from "#core/influence";
import { Kept, type Occupancy, occupancyFromCoded, summariseOccupancy } from "#core/occupancy";
import {
  chooseCaps,
  clipUser,
  leastLoss,
  lossesOf,
  makePlan,
  type Plan,
  planText,
  readPlan,
  runNow,
  uniformNoise,
} from "#core/planning";
import { type ChartLine, type LineChart, lineChart, PRINT_THEME } from "#publish/charts";
import { heavyTailed } from "./heavy-tailed.js";
import type { BenchSize } from "./size.js";

const ENTRIES_PER_USER = 5.67;
const USERS_PER_GRID = 150;
/** Half decades, by entries. */
const SIZES: Readonly<Record<BenchSize, readonly number[]>> = {
  quick: [3_200, 10_000, 32_000, 100_000],
  usual: [3_200, 10_000, 32_000, 100_000, 320_000, 1_000_000],
  full: [3_200, 10_000, 32_000, 100_000, 320_000, 1_000_000, 3_200_000, 10_000_000, 17_000_000],
};
/** The frontier's steps and their cost on larger arrays are those of `npm run bench -- scale`. */
const LARGEST_FRONTIER: Readonly<Record<BenchSize, number>> = { quick: 32_000, usual: 100_000, full: 1_000_000 };
/** A step is repeated until it took so long. */
const LEAST_SECONDS = 1;
/** Slopes are fitted from here on: what smaller arrays cost is starting up. */
const FIRST_FITTED = 30_000;
/** Beyond n·log n: caches that no longer hold the columns, and a busy machine. */
const TOLERANCE = 0.25;

const bounds = parseBounds("0,65");
const objective = makeObjective(bounds);
const epsilon = parseDecimal("0.3", "ε per grid");
const model = (): ErrorModel => new ErrorModel(objective, epsilon);

interface Step {
  readonly name: string;
  readonly run: (subject: Subject) => unknown;
}

interface Subject {
  readonly occupancy: Occupancy;
  readonly ids: { readonly users: string[]; readonly grids: string[] };
  readonly plan: Plan;
  readonly text: string;
}

const STEPS: readonly Step[] = [
  { name: "array from rows", run: ({ occupancy, ids }) => fromRows(occupancy, ids) },
  { name: "survey summary", run: ({ occupancy }) => summariseOccupancy(occupancy) },
  { name: "CLIP-USER", run: ({ occupancy }) => runNow(clipUser(occupancy, model())) },
  { name: "caps", run: ({ occupancy }) => runNow(chooseCaps(Kept.all(occupancy), model())) },
  { name: "exact losses", run: ({ occupancy }) => exactLosses(Kept.all(occupancy)) },
  { name: "plan text", run: ({ plan }) => planText(plan) },
  { name: "plan read back", run: ({ text }) => readPlan(text) },
  { name: "frontier", run: ({ occupancy }) => frontier(occupancy) },
];

function fromRows({ byUser, byGrid }: Occupancy, ids: Subject["ids"]): Occupancy {
  // By grid, so that users have to be brought together.
  const grid = byGrid.entry.map((entry) => byUser.grid[entry]!);
  const count = byGrid.entry.map((entry) => byUser.count[entry]!);
  return occupancyFromCoded(ids, { user: byGrid.user.slice(), grid, count });
}

function exactLosses(kept: Kept): unknown {
  return lossesOf(kept, objective, uniformNoise(kept, objective, { epsilon, split: "even" }));
}

function frontier(occupancy: Occupancy): unknown {
  const target = { kind: "together", error: Rational.of(280) } as const;
  return runNow(leastLoss(occupancy, makeObjective(bounds, { estimator: "centred" }), target));
}

interface Measured {
  readonly step: string;
  readonly entries: number;
  /** Processor time, the least of a few runs. */
  readonly seconds: number;
}

/** False, where a slope counts (not in quick), if some step grows clearly faster than n·log n. */
export async function benchGrowth(size: BenchSize): Promise<boolean> {
  const measured: Measured[] = [];
  for (const entries of SIZES[size]) {
    const subject = subjectOf(entries);
    for (const step of STEPS) {
      if (step.name === "frontier" && entries > LARGEST_FRONTIER[size]) continue;
      measured.push({ step: step.name, entries: subject.occupancy.entries, seconds: leastSeconds(step, subject) });
    }
  }
  console.log("growth: slope of log(cost ÷ (n·log n)) against log n, and cost per entry at the largest size");
  const slopes = STEPS.map(({ name }) => tell(name, ofStep(measured, name)));
  if (size === "full") writeResults(measured);
  console.log("");
  return size === "quick" || slopes.every((slope) => slope <= TOLERANCE);
}

function subjectOf(entries: number): Subject {
  const users = Math.round(entries / ENTRIES_PER_USER);
  const grids = Math.max(20, Math.round(users / USERS_PER_GRID));
  const mostGridsPerUser = Math.min(400, grids);
  const occupancy = heavyTailed({
    users,
    grids,
    meanGridsPerUser: ENTRIES_PER_USER,
    mostGridsPerUser,
    q: 0.1,
    seed: 1,
  });
  const { plan } = runNow(makePlan(occupancy, { objective, epsilon, clipUser: {} }));
  return {
    occupancy,
    ids: { users: [...occupancy.users], grids: [...occupancy.grids] },
    plan,
    text: planText(plan),
  };
}

function leastSeconds(step: Step, subject: Subject): number {
  let least = Infinity;
  let sum = 0;
  for (let run = 0; sum < LEAST_SECONDS && run < 50; run++) {
    const before = process.cpuUsage();
    step.run(subject);
    const { user, system } = process.cpuUsage(before);
    const seconds = (user + system) / 1e6;
    least = Math.min(least, seconds);
    sum += seconds;
  }
  return Math.max(least, 1e-6);
}

function ofStep(measured: readonly Measured[], step: string): Measured[] {
  return measured.filter((each) => each.step === step);
}

/** Least squares over the larger sizes. */
function tell(name: string, points: readonly Measured[]): number {
  const fitted = points.filter(({ entries }) => entries >= FIRST_FITTED);
  const xs = fitted.map(({ entries }) => Math.log(entries));
  const ys = fitted.map(({ entries, seconds }) => Math.log(seconds / (entries * Math.log(entries))));
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middle, level] = [mean(xs), mean(ys)];
  const spread = xs.reduce((sum, x) => sum + (x - middle) ** 2, 0);
  const slope = spread === 0 ? 0 : xs.reduce((sum, x, at) => sum + (x - middle) * (ys[at]! - level), 0) / spread;
  const largest = points.at(-1)!;
  console.log(
    `  ${name.padEnd(16)} ${slope.toFixed(2).padStart(6)}  ${((1e9 * largest.seconds) / largest.entries).toFixed(0).padStart(8)} ns at ${largest.entries.toLocaleString("en-US")} entries`,
  );
  return slope;
}

function writeResults(measured: readonly Measured[]): void {
  const folder = fileURLToPath(new URL("../../lab/bench/results/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const rows = measured.map(({ step, entries, seconds }) => `${step},${entries},${seconds}`);
  writeFileSync(`${folder}growth.csv`, `step,entries,seconds\n${rows.join("\n")}\n`);
  const lines = STEPS.map(({ name }, colour): ChartLine => {
    const points = ofStep(measured, name).map(({ entries, seconds }) => ({ x: entries, y: seconds }));
    return { label: name, detail: "", colour, dash: "solid", strong: false, markers: true, points };
  });
  const chart: LineChart = {
    id: "growth",
    title: "Cost of the steps of planning against the size of the array",
    subtitle: "Processor time, the least of a few runs; generated arrays with heavy-tailed users",
    x: { label: "entries (user–grid pairs)", scale: "log" },
    y: { label: "seconds", scale: "log" },
    lines,
    regions: [],
    rules: [],
    note: "A straight line of slope 1 is a cost that is proportional to the number of entries.",
  };
  writeFileSync(`${folder}growth.svg`, `${lineChart(chart, PRINT_THEME)}\n`);
}
