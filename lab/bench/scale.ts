/** `npm run bench -- scale`: what one machine's planner takes as arrays grow: memory of the array, and time and peak memory of plans. */
import { Rational } from "#core/arithmetic";
import { makeObjective, parseBounds } from "#core/influence";
import { makePlan, type PlanRequest, runNow } from "#core/planning";
import { collectGarbage } from "./collect-garbage.js";
import { heavyTailed } from "./heavy-tailed.js";

const SHAPE = { meanGridsPerUser: 5, mostGridsPerUser: 400, q: 0.1, seed: 1, grids: 5_000 };
const objective = makeObjective(parseBounds("0,65"), { statistics: "mean" });
const PLANS: Readonly<Record<string, PlanRequest>> = {
  baseline: { objective, epsilon: Rational.ONE },
  "clip-user": { objective, epsilon: Rational.ONE, clipUser: {} },
  "frontier, unproven": {
    objective,
    frontier: { kind: "error", target: { kind: "together", error: Rational.of(16) } },
    unproven: true,
  },
};

/** Sizes ascend, so that the peak so far is that of the size at hand. */
export async function benchScale(sizes: readonly number[]): Promise<boolean> {
  for (const users of sizes) {
    const occupancy = heavyTailed({ ...SHAPE, users });
    const told = `${occupancy.entries.toLocaleString("en-US")} user–grid pairs of ${users.toLocaleString("en-US")} users in ${SHAPE.grids.toLocaleString("en-US")} grids`;
    console.log(`${told}, ${(await heldBy(users)).toFixed(1)} bytes per pair with ids`);
    for (const [name, request] of Object.entries(PLANS)) {
      const start = performance.now();
      const { plan } = runNow(makePlan(occupancy, request));
      const seconds = (performance.now() - start) / 1000;
      console.log(
        `  ${name.padEnd(20)} ${seconds.toFixed(1).padStart(7)} s, ${((1e6 * seconds) / occupancy.entries).toFixed(1).padStart(6)} µs per pair, ` +
          `peak ${(process.resourceUsage().maxRSS / 1e6).toFixed(1)} GB so far, loss ${plan.loss.toNumberNearest().toPrecision(3)}`,
      );
    }
  }
  return true;
}

/** Bytes per pair that an array of this size holds outside the heap. */
async function heldBy(users: number): Promise<number> {
  await collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  const occupancy = heavyTailed({ ...SHAPE, users });
  await collectGarbage();
  return (process.memoryUsage().arrayBuffers - before) / occupancy.entries;
}
