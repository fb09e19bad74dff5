/**
 * Plans the publication of mean speeds from who drove where how often: once with everyone, once with CLIP-USER.
 *
 * Run it with `node examples/plan-an-occupancy.mjs`. It reads counts only, spends nothing and writes nothing.
 */
import {
  makeBounds,
  makeObjective,
  makePlan,
  occupancyFromTriples,
  parseDecimal,
  runCooperatively,
  summarisePlan,
} from "veilgrid/planning";

// How many records each user has in each grid, in any order; a database's GROUP BY gives such rows.
const occupancy = occupancyFromTriples([
  ["bus 1", "Main Street", 9],
  ["bus 1", "Park Lane", 1],
  ["bus 1", "Station", 2],
  ["bus 2", "Main Street", 1],
  ["bus 2", "Park Lane", 8],
  ["bus 2", "Station", 2],
  ["bus 3", "Main Street", 7],
  ["bus 3", "Park Lane", 9],
  ["bus 4", "Main Street", 8],
  ["bus 4", "Station", 18],
  ["bus 5", "Park Lane", 7],
  ["bus 5", "Station", 9],
  ["bus 6", "Main Street", 8],
  ["bus 7", "Station", 7],
  ["bus 8", "Park Lane", 8],
]);

// Numbers are given as decimal text and stay exact: 0.1 + 0.2 is 0.3 here. Bounds are chosen, never taken from the data.
const bounds = makeBounds(parseDecimal("0", "lower bound"), parseDecimal("65", "upper bound"));
const request = {
  objective: makeObjective(bounds, { statistics: "mean" }),
  epsilon: parseDecimal("1", "ε per grid"),
};

// Long work reports on the way and lets itself be stopped. With a signal of your own it is a button; here it is a deadline.
let reports = 0;
const howToRun = {
  signal: AbortSignal.timeout(60_000),
  onProgress: () => {
    reports += 1;
  },
};

// `clipUser` is what makes it CLIP-USER; its options may stay empty.
const requests = { baseline: request, "clip-user": { ...request, clipUser: {} } };
for (const [name, each] of Object.entries(requests)) {
  const made = await runCooperatively(makePlan(occupancy, each), howToRun);
  const summary = summarisePlan(occupancy, made);
  const dropped = summary.suppressed.map(([user, grid]) => `${user} from ${grid}`);
  console.log(`${name}: drops ${dropped.join(", ") || "nobody"}`);
  console.log(`  most grids of one user (K)  ${summary.degradation}`);
  console.log(`  loss, simple rule           ${summary.lossSimple.toFixed(3)}`);
  console.log(`  loss, joint rule            ${summary.loss.toFixed(3)}  (what a release is charged)`);
  console.log(`  worst guaranteed error      ${summary.worstError?.toFixed(3)} km/h`);
  console.log(`  data-free error             ${summary.dataFreeError.toFixed(3)} km/h  (publishing midpoints)`);
}
console.log(`progress was reported ${reports > 0 ? "on the way" : "never"}`);
