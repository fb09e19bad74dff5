/** What a plan keeps, guarantees and costs, worked out exactly from the occupancy and the plan's decisions alone. */
import { Rational } from "../arithmetic/index.ts";
import { jointLosses, type NoiseBudget, simpleLosses, type UserLosses } from "../composition/index.ts";
import { VeilgridError } from "../errors/index.ts";
import {
  checkObjective,
  type Guarantee,
  guaranteeOf,
  noiseScale,
  type Objective,
  type Split,
  splitBudget,
} from "../influence/index.ts";
import { Kept, type Occupancy, occupancyHash } from "../occupancy/index.ts";
import type { Plan, PlanContent, PlanNoise } from "./plan.ts";

/** Γ as the plan decides it: 0 if suppressed, the trimmed number if listed, otherwise at most the cap. */
export function keptUnderPlan(
  occupancy: Occupancy,
  plan: Pick<PlanContent, "caps" | "users" | "suppressed" | "trimmed">,
): Kept {
  const { byUser } = occupancy;
  const kept = byUser.count.slice();
  const { caps } = plan;
  if (caps !== null) {
    for (let entry = 0; entry < kept.length; entry++) kept[entry] = Math.min(kept[entry]!, caps[byUser.grid[entry]!]!);
  }
  const userIndex = plan.users.map((id) => occupancy.users.indexOf(id));
  const entryOf = (user: number, grid: number): number => {
    const entry = userIndex[user]! < 0 ? -1 : occupancy.entryOf(userIndex[user]!, grid);
    if (entry < 0)
      throw new VeilgridError("PLAN_MISMATCH", "the plan drops a user from a grid where it has no records; plan again");
    return entry;
  };
  for (const [user, grid] of plan.suppressed) kept[entryOf(user, grid)] = 0;
  for (const [user, grid, records] of plan.trimmed) {
    const entry = entryOf(user, grid);
    if (records > byUser.count[entry]!)
      throw new VeilgridError("PLAN_MISMATCH", "the plan keeps more records than there are; plan again");
    kept[entry] = records;
  }
  return new Kept(occupancy, kept);
}

/** The noise of every grid for one ε per grid. */
export function uniformNoise(
  kept: Kept,
  objective: Objective,
  options: { epsilon: Rational; split: Split },
): PlanNoise[] {
  return Array.from(kept.ofGrid, (_, grid) => {
    const counts = kept.countsOf(grid);
    if (counts.kept === 0) {
      const none = objective.statistics.map(() => Rational.ZERO);
      return { epsilon: Rational.ZERO, epsilons: none, scales: none };
    }
    const epsilons = splitBudget(objective, counts, options);
    const scales = objective.statistics.map((statistic, index) => noiseScale(statistic, counts, epsilons[index]!));
    return { epsilon: options.epsilon, epsilons, scales };
  });
}

export interface ReleaseLosses {
  readonly joint: UserLosses;
  readonly simple: UserLosses;
}

export function lossesOf(kept: Kept, objective: Objective, noise: readonly PlanNoise[]): ReleaseLosses {
  const budget: NoiseBudget = {
    statistics: objective.statistics,
    epsilonOfGrid: noise.map((grid) => grid.epsilon),
    epsilonsOfGrid: noise.map((grid) => grid.epsilons),
  };
  return { joint: jointLosses(kept, budget), simple: simpleLosses(kept, budget) };
}

/** The guarantee of every grid; undefined for an empty one. */
export function guaranteesOf(
  kept: Kept,
  objective: Objective,
  noise: readonly PlanNoise[],
): Array<Guarantee | undefined> {
  return noise.map(({ epsilons }, grid) => guaranteeOf(objective, kept.countsOf(grid), epsilons));
}

export interface PlanEvaluation extends ReleaseLosses {
  readonly kept: Kept;
  readonly guarantees: ReadonlyArray<Guarantee | undefined>;
}

/**
 * Works everything out again and refuses, with PLAN_MISMATCH, a plan that was made for another occupancy or whose
 * scales and losses do not follow from it. What passes may be released.
 */
export function checkPlan(occupancy: Occupancy, plan: Plan): PlanEvaluation {
  const mismatch = (what: string): never => {
    throw new VeilgridError("PLAN_MISMATCH", `the plan ${what}; plan again from this data`);
  };
  checkObjective(plan.objective);
  if (plan.occupancy.sha256 !== occupancyHash(occupancy)) mismatch("was made for another occupancy array");
  if (plan.grids.some((id, grid) => occupancy.grids.get(grid) !== id)) mismatch("lists other grids");
  const kept = keptUnderPlan(occupancy, plan);
  plan.noise.forEach((noise, grid) => {
    const counts = kept.countsOf(grid);
    plan.objective.statistics.forEach((statistic, index) => {
      const moves = counts.kept > 0 && !noise.epsilons[index]!.isZero();
      const scale = moves ? noiseScale(statistic, counts, noise.epsilons[index]!) : Rational.ZERO;
      const needed = counts.kept > 0 ? noiseScale(statistic, counts, Rational.ONE) : Rational.ZERO;
      if (!scale.equals(noise.scales[index]!) || (scale.isZero() && !needed.isZero()))
        mismatch("carries wrong noise scales");
    });
  });
  const losses = lossesOf(kept, plan.objective, plan.noise);
  if (!losses.joint.largest().equals(plan.loss) || !losses.simple.largest().equals(plan.lossSimple))
    mismatch("carries a wrong loss");
  return { kept, guarantees: guaranteesOf(kept, plan.objective, plan.noise), ...losses };
}
