/** `npm run bench -- frontier-scale`: the least loss for half the data-free error on large arrays: seconds, gap, and when a plan may first be used. */
import { parseDecimal } from "#core/arithmetic";
import { makeObjective, parseBounds } from "#core/influence";
import type { Occupancy } from "#core/occupancy";
import { leastLoss, makePlan, runNow, summarisePlan } from "#core/planning";
import { collectGarbage } from "../collect-garbage.js";
import { heavyTailed } from "../heavy-tailed.js";
import type { BenchSize } from "../size.js";

const bounds = parseBounds("0,65");
/** DATA_FREE of mean and variance, 32.5 + 528.125, halved. */
const HALF_DATA_FREE = "280.3125";
const LARGEST_GAP = 0.1;

interface Case {
  readonly users: number;
  readonly grids: number;
  readonly meanGridsPerUser: number;
  /** Goal by the clock; none where the array is small. */
  readonly seconds: number;
  readonly estimators: ReadonlyArray<"kept" | "centred">;
}

const HUNDRED_THOUSAND: Case = {
  users: 20_000,
  grids: 500,
  meanGridsPerUser: 5,
  seconds: Infinity,
  estimators: ["centred"],
};
const MILLION: Case = {
  users: 200_000,
  grids: 2_000,
  meanGridsPerUser: 5,
  seconds: 30,
  estimators: ["kept", "centred"],
};
const SEVENTEEN_MILLION: Case = {
  users: 3_000_000,
  grids: 20_000,
  meanGridsPerUser: 5.67,
  seconds: 600,
  estimators: ["centred"],
};
const CASES: Readonly<Record<BenchSize, readonly Case[]>> = {
  quick: [HUNDRED_THOUSAND],
  usual: [MILLION],
  full: [MILLION, SEVENTEEN_MILLION],
};

export async function benchFrontierScale(size: BenchSize): Promise<boolean> {
  let good = true;
  for (const each of CASES[size]) {
    const occupancy = heavyTailed({ ...each, mostGridsPerUser: 400, q: 0.1, seed: 1 });
    console.log(
      `least loss at half the data-free error: ${occupancy.entries.toLocaleString("en-US")} entries` +
        (each.seconds < Infinity ? `; goal: gap of 10 % within ${each.seconds} s` : ""),
    );
    await firstPlan(occupancy);
    for (const estimator of each.estimators) good = (await wholePlan(occupancy, estimator, each.seconds)) && good;
    console.log();
  }
  return good;
}

/** The search is told at once that its time is over. */
async function firstPlan(occupancy: Occupancy): Promise<void> {
  const objective = makeObjective(bounds, { estimator: "centred" });
  const target = { kind: "together", error: parseDecimal(HALF_DATA_FREE, "error") } as const;
  const { clock, processor } = await taken(() =>
    runNow(leastLoss(occupancy, objective, target, { isOutOfTime: () => true, unproven: true })),
  );
  console.log(`  first plan that may be used    ${clock} s, ${processor} s of processor time`);
}

async function wholePlan(occupancy: Occupancy, estimator: "kept" | "centred", mostSeconds: number): Promise<boolean> {
  const objective = makeObjective(bounds, { estimator });
  const error = parseDecimal(HALF_DATA_FREE, "error");
  const { clock, processor, result } = await taken(() =>
    runNow(makePlan(occupancy, { objective, frontier: { kind: "error", target: { kind: "together", error } } })),
  );
  const { loss, baselineLoss, gap } = summarisePlan(occupancy, result);
  console.log(
    `  ${`plan and proof, ${estimator}`.padEnd(30)} ${clock} s, ${processor} s of processor time: ` +
      `loss ${loss.toFixed(3)} (baseline ${baselineLoss.toFixed(3)}), gap ${(100 * gap!).toFixed(1)} %`,
  );
  return gap! <= LARGEST_GAP && Number(clock) < mostSeconds;
}

async function taken<Result>(work: () => Result): Promise<{ clock: string; processor: string; result: Result }> {
  await collectGarbage();
  const start = performance.now();
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return {
    clock: ((performance.now() - start) / 1000).toFixed(1),
    processor: ((user + system) / 1e6).toFixed(1),
    result,
  };
}
