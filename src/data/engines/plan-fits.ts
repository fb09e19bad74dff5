/** Whether a plan is about these records: read in the same way, and counted the same. */
import { VeilgridError } from "../../core/errors/index.ts";
import { type Occupancy, occupancyHash } from "../../core/occupancy/index.ts";
import type { Plan } from "../../core/planning/index.ts";
import { recipeJson } from "../partition/index.ts";
import { nativeHash } from "../sources/index.ts";
import type { AskedGrids } from "./asked-grids.ts";
import type { Records } from "./engine.ts";

export function checkSameReading({ recipe }: Records, plan: Plan): void {
  if (plan.partition !== null && JSON.stringify(plan.partition) !== JSON.stringify(recipeJson(recipe)))
    throw new VeilgridError(
      "PLAN_MISMATCH",
      "the plan's records are read in another way; take the flags from the plan",
    );
}

/** Where some grids are asked for, only they were counted: they are held to their own part of the plan's array. */
export function checkSameCounts(occupancy: Occupancy, plan: Plan, asked: AskedGrids | undefined): void {
  const expected = asked === undefined ? plan.occupancy.sha256 : occupancyHash(asked.counts, nativeHash);
  if (occupancyHash(occupancy, nativeHash) !== expected)
    throw new VeilgridError(
      "PLAN_MISMATCH",
      "the plan was made for another occupancy array; plan again from this data",
    );
}

/** Records that were counted and those that are cut are read one after the other. */
export function checkUnchanged(seen: number, expected: number): void {
  if (seen !== expected)
    throw new VeilgridError("PLAN_MISMATCH", "the records changed while they were read; plan again");
}
