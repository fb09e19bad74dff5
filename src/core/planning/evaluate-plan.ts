/** What a plan keeps, guarantees and costs, worked out exactly from the occupancy and the plan's decisions alone. */
import { maximum, Rational } from "../arithmetic/index.ts";
import { jointLosses, type NoiseBudget, simpleLosses, type UserLosses } from "../composition/index.ts";
import { VeilgridError } from "../errors/index.ts";
import {
  type Guarantee,
  guaranteeOf,
  noiseScale,
  type Objective,
  type Split,
  splitBudget,
} from "../influence/index.ts";
import { Kept, type Occupancy } from "../occupancy/index.ts";
import type { PlanContent, PlanNoise } from "./plan.ts";

/** Γ as the plan decides it: 0 if suppressed, the trimmed number if listed, otherwise at most the cap. */
export function keptUnderPlan(
  occupancy: Occupancy,
  plan: Pick<PlanContent, "caps" | "users" | "suppressed" | "trimmed">,
): Kept {
  const { byUser } = occupancy;
  const { caps } = plan;
  const kept =
    caps === null
      ? byUser.count.slice()
      : byUser.count.map((count, entry) => Math.min(count, caps[byUser.grid[entry]!]!));
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

/** The guarantee of every grid; undefined for an empty one under the paper's estimator. */
export function guaranteesOf(
  kept: Kept,
  objective: Objective,
  noise: readonly PlanNoise[],
): Array<Guarantee | undefined> {
  return noise.map(({ epsilons }, grid) => guaranteeOf(objective, kept.countsOf(grid), epsilons));
}

/** The largest error of any grid when nothing is dropped, at one ε per grid, evenly split. */
export function worstBaselineError(occupancy: Occupancy, objective: Objective, epsilon: Rational): Rational {
  const all = Kept.all(occupancy);
  const noise = uniformNoise(all, objective, { epsilon, split: "even" });
  return worstError(guaranteesOf(all, objective, noise).map((guarantee) => guarantee!));
}

export function worstError(guarantees: readonly Guarantee[]): Rational {
  return guarantees.reduce((worst, guarantee) => maximum(worst, guarantee.error), Rational.ZERO);
}

export interface PlanEvaluation extends ReleaseLosses {
  readonly kept: Kept;
  readonly guarantees: ReadonlyArray<Guarantee | undefined>;
}
