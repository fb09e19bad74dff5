/** Works out what a plan keeps, guarantees and costs, exactly, from the occupancy and the plan's decisions alone; and the same for the baseline. */
import { maximum, Rational } from "../arithmetic/index.ts";
import { jointLosses, type NoiseBudget, simpleLosses } from "../composition/index.ts";
import { itemAt, VeilgridError } from "../errors/index.ts";
import {
  type GridCounts,
  type Guarantee,
  guaranteeOf,
  LOSS_UNIT,
  noiseScale,
  type Objective,
  type Split,
  splitBudget,
} from "../influence/index.ts";
import { Kept, type Occupancy } from "../occupancy/index.ts";
import type { BalancedEvaluation } from "./balanced/evaluate-balanced.ts";
import type { PlanContent, PlanNoise, PlanOccupancy } from "./plan.ts";

/** Γ as the plan decides it: 0 if suppressed, the trimmed number if listed, otherwise at most the cap. */
export function keptUnderPlan(
  occupancy: Occupancy,
  plan: Pick<PlanContent, "caps" | "users" | "suppressed" | "trimmed">,
): Kept {
  const { byUser } = occupancy;
  const { caps } = plan;
  const kept = byUser.count.slice();
  if (caps !== null)
    for (const [entry, grid] of byUser.grid.entries()) kept[entry] = Math.min(kept[entry]!, caps[grid]!);
  const userIndex = plan.users.map((id) => occupancy.users.indexOf(id));
  const entryOf = (user: number, grid: number): number => {
    const index = itemAt(userIndex, user);
    const entry = index < 0 ? -1 : occupancy.entryOf(index, grid);
    if (entry < 0)
      throw new VeilgridError("PLAN_MISMATCH", "the plan drops a user from a grid where it has no records; plan again");
    return entry;
  };
  for (const [user, grid] of plan.suppressed) kept[entryOf(user, grid)] = 0;
  for (const [user, grid, records] of plan.trimmed) {
    const entry = entryOf(user, grid);
    if (records > itemAt(byUser.count, entry))
      throw new VeilgridError("PLAN_MISMATCH", "the plan keeps more records than there are; plan again");
    kept[entry] = records;
  }
  return new Kept(occupancy, kept);
}

/** The Laplace scales that follow from a grid's counts and the ε of each statistic; 0 where ε is. */
export function scalesOf(objective: Objective, counts: GridCounts, epsilons: readonly Rational[]): Rational[] {
  return objective.statistics.map((statistic, index) => {
    const epsilon = itemAt(epsilons, index);
    return epsilon.isZero() ? Rational.ZERO : noiseScale(statistic, counts, epsilon);
  });
}

/** Nothing is kept, nothing is noisy. */
export function silence({ statistics }: Objective): PlanNoise {
  const none = statistics.map(() => Rational.ZERO);
  return { epsilon: Rational.ZERO, epsilons: none, scales: none };
}

/** The noise of every grid for one ε per grid. */
export function uniformNoise(
  kept: Kept,
  objective: Objective,
  options: { epsilon: Rational; split: Split },
): PlanNoise[] {
  return Array.from(kept.ofGrid, (_, grid) => {
    const counts = kept.countsOf(grid);
    if (counts.kept === 0) return silence(objective);
    const epsilons = splitBudget(objective, counts, options);
    return { epsilon: options.epsilon, epsilons, scales: scalesOf(objective, counts, epsilons) };
  });
}

export function lossesOf(kept: Kept, objective: Objective, noise: readonly PlanNoise[]) {
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

export type PlanEvaluation = ReturnType<typeof evaluate> & {
  /** Of balanced plans. */
  readonly balanced?: BalancedEvaluation | undefined;
};

/** Everything that follows from what is kept and the noise. */
export function evaluate(kept: Kept, objective: Objective, noise: readonly PlanNoise[]) {
  return { kept, guarantees: guaranteesOf(kept, objective, noise), ...lossesOf(kept, objective, noise) };
}

/** An array's size, as plans state it. */
export function sizeOf({ users, grids, entries, samples }: Occupancy): Omit<PlanOccupancy, "sha256"> {
  return { users: users.length, grids: grids.length, entries, samples };
}

/**
 * At the given ε, or else at the one where its worst error is `worstError`. Nothing is dropped, so errors go with 1/ε and losses with
 * ε: what holds at ε = 1 is scaled.
 */
export function baselineOf(
  occupancy: Occupancy,
  objective: Objective,
  at: { readonly epsilon: Rational | null; readonly worstError: Rational | null },
) {
  const given = at.epsilon ?? Rational.ONE;
  const { all, noise, guarantees } = keepEverything(occupancy, objective, given);
  const losses = lossesOf(all, objective, noise);
  const loss = losses.joint.largest();
  const lossSimple = losses.simple.largest();
  if (at.epsilon !== null || at.worstError === null || at.worstError.isZero())
    return { epsilon: given, guarantees, loss, lossSimple };
  const epsilon = worstOf(guarantees).divide(at.worstError).ceilToMultipleOf(LOSS_UNIT);
  const scaled = (errors: readonly Rational[]): Rational[] => errors.map((error) => error.divide(epsilon));
  return {
    epsilon,
    guarantees: guarantees.map((each) => ({
      bias: each.bias,
      scale: scaled(each.scale),
      statisticError: scaled(each.statisticError),
      error: each.error.divide(epsilon),
    })),
    loss: loss.multiply(epsilon).ceilToMultipleOf(LOSS_UNIT),
    lossSimple: lossSimple.multiply(epsilon).ceilToMultipleOf(LOSS_UNIT),
  };
}

/** The largest error of any grid of the baseline. */
export function worstBaselineError(occupancy: Occupancy, objective: Objective, epsilon: Rational): Rational {
  return worstOf(keepEverything(occupancy, objective, epsilon).guarantees);
}

function keepEverything(occupancy: Occupancy, objective: Objective, epsilon: Rational) {
  const all = Kept.all(occupancy);
  const noise = uniformNoise(all, objective, { epsilon, split: "even" });
  // No grid is empty, so each has a guarantee.
  return { all, noise, guarantees: guaranteesOf(all, objective, noise) as Guarantee[] };
}

function worstOf(guarantees: readonly Guarantee[]): Rational {
  return guarantees.reduce((worst, guarantee) => maximum(worst, guarantee.error), Rational.ZERO);
}
