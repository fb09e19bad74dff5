/** The shared vectors: exact results of an independent implementation, order of drops included. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseDecimal } from "../arithmetic/index.ts";
import { makeBounds, makeObjective } from "../influence/index.ts";
import { OccupancyCsvReader } from "../occupancy/index.ts";
import { runNow } from "./long-work.ts";
import { makePlan } from "./make-plan.ts";
import { summarisePlan } from "./plan-summary.ts";

const directory = new URL("../../../test/vectors/", import.meta.url);
const names = readdirSync(directory).filter((name) => name.endsWith(".json"));

function planVector(name: string, caps: boolean) {
  const vector = JSON.parse(readFileSync(new URL(name, directory), "utf8"));
  const reader = new OccupancyCsvReader(vector.occupancy);
  reader.push(readFileSync(new URL(vector.occupancy, directory)));
  const { occupancy } = reader.finish();
  const bounds = makeBounds(parseDecimal("0", "a"), parseDecimal(vector.upper, "U"));
  const flags: string[] = vector.flags;
  const bound = flags.indexOf("--error-bound");
  const made = runNow(
    makePlan(occupancy, {
      objective: makeObjective(bounds),
      epsilon: parseDecimal(vector.epsilon, "ε"),
      clipUser: {
        protectLowest: flags.includes("--protect-lowest"),
        wholeStages: flags.includes("--whole-stages"),
        errorBound: bound < 0 ? undefined : parseDecimal(flags[bound + 1]!, "bound"),
      },
      caps,
    }),
  );
  return { vector, summary: summarisePlan(occupancy, made) };
}

test("there are vectors", () => expect(names.length).toBeGreaterThanOrEqual(8));

test.each(names)("%s: CLIP-USER", (name) => {
  const { vector, summary } = planVector(name, false);
  expect(summary.suppressed).toEqual(vector.suppressed);
  expect(summary.degradation).toBe(vector.K);
  expect(summary.maxGridsPerUser).toBe(vector.maxGridsPerUser);
  expect(summary.users).toBe(vector.users);
  expect(summary.errorBound).toBeCloseTo(vector.errorBound, 8);
  expect(summary.lossSimple).toBe(vector.simpleLoss);
  expect(summary.loss).toBeCloseTo(vector.jointLoss, 10);
  expect(summary.baselineLoss).toBeCloseTo(vector.baselineJointLoss, 10);
  for (const grid of summary.perGrid) {
    expect(grid.initialError).toBeCloseTo(vector.initialErrors[grid.grid], 8);
    expect(grid.error).toBeCloseTo(vector.errorsAfter[grid.grid], 8);
  }
});

test.each(names)("%s: caps", (name) => {
  const { vector, summary } = planVector(name, true);
  expect(Object.fromEntries(summary.perGrid.map((grid) => [grid.grid, grid.cap]))).toEqual(vector.caps);
  for (const grid of summary.perGrid) expect(grid.error).toBeCloseTo(vector.errorsAfterCaps[grid.grid], 8);
  expect(summary.worstError).toBeCloseTo(vector.worstAfterCaps, 8);
});
