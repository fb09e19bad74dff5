/** A plan that keeps of every user in every grid just what it is told to, under either estimator. */
import { Rational } from "../../src/core/arithmetic/index.ts";
import type { Occupancy } from "../../src/core/occupancy/index.ts";
import {
  checkPlan,
  keptUnderPlan,
  lossesOf,
  type MadePlan,
  makePlan,
  type PlanRequest,
  runNow,
  uniformNoise,
} from "../../src/core/planning/index.ts";
import { freezePlan } from "../../src/core/planning/plan-file.ts";

export interface TrimmedPlanRequest extends Omit<PlanRequest, "clipUser" | "caps"> {
  /** Γ, from 0 to the user's records in the grid. */
  kept(user: string, grid: string, records: number): number;
}

export function trimmedPlan(occupancy: Occupancy, { kept, ...request }: TrimmedPlanRequest): MadePlan {
  const { plan: baseline } = runNow(makePlan(occupancy, request));
  const { start, grid, count } = occupancy.byUser;
  const users: string[] = [];
  const suppressed: Array<[number, number]> = [];
  const trimmed: Array<[number, number, number]> = [];
  for (let user = 0; user < occupancy.users.length; user++) {
    const id = occupancy.users.get(user);
    let concerned = false;
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
      const keeping = kept(id, occupancy.grids.get(grid[entry]!), count[entry]!);
      if (keeping === count[entry]) continue;
      concerned = true;
      if (keeping === 0) suppressed.push([users.length, grid[entry]!]);
      else trimmed.push([users.length, grid[entry]!, keeping]);
    }
    if (concerned) users.push(id);
  }
  const keptOf = keptUnderPlan(occupancy, { caps: null, users, suppressed, trimmed });
  const noise = uniformNoise(keptOf, baseline.objective, { epsilon: request.epsilon!, split: baseline.split });
  const losses = lossesOf(keptOf, baseline.objective, noise);
  const plan = freezePlan({
    ...baseline,
    // Only CLIP-USER drops users, so it must be said to have done it.
    strategy:
      suppressed.length === 0
        ? baseline.strategy
        : { ...baseline.strategy, name: "clip-user", errorBound: Rational.of(1000) },
    noise,
    users,
    suppressed,
    trimmed,
    loss: losses.joint.largest(),
    lossSimple: losses.simple.largest(),
  });
  return { plan, evaluation: checkPlan(occupancy, plan) };
}
