/** `node build/bench/frontier/check-plan-file.js plan.json occupancy.csv`: what the independent checker makes of a plan. */
import { readFileSync } from "node:fs";
import { checkPlan } from "./checker.js";
import type { Fraction } from "./fraction.js";
import { occupancyRows } from "./occupancy-rows.js";

const [planPath, occupancyPath] = process.argv.slice(2);
if (planPath === undefined || occupancyPath === undefined)
  throw new Error("usage: check-plan-file.js plan.json occupancy.csv");
const check = checkPlan(readFileSync(planPath, "utf8"), occupancyRows(readFileSync(occupancyPath, "utf8")));
const shown = (value: Fraction | null): string => (value === null ? "infinite" : String(value.toNumber()));
console.log(`worst error      ${shown(check.worstError)}`);
for (const [statistic, error] of Object.entries(check.worstErrorOfStatistic))
  console.log(`  of ${statistic.padEnd(13)} ${shown(error)}`);
console.log(`loss             ${shown(check.loss)}`);
console.log(`loss, continuous ${shown(check.lossContinuous)}`);
console.log(`loss, simple     ${shown(check.lossSimple)}`);
for (const problem of check.problems) console.log(`PROBLEM ${problem}`);
process.exitCode = check.problems.length === 0 ? 0 : 1;
