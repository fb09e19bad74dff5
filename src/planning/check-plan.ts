/** Whether a plan may be trusted: that it agrees with itself, and that it follows from the occupancy it is used with. */
import { Rational, sum } from "../arithmetic/index.ts";
import { VeilgridError } from "../errors/index.ts";
import { checkEpsilon, checkObjective, LOSS_UNIT, noiseScale } from "../influence/index.ts";
import { compareIds, type Occupancy, occupancyHash } from "../occupancy/index.ts";
import { guaranteesOf, keptUnderPlan, lossesOf, type PlanEvaluation } from "./evaluate-plan.ts";
import { latticeStep } from "./lattice.ts";
import type { Plan, PlanContent, PlanNoise } from "./plan.ts";

/**
 * Refuses, with PLAN_MALFORMED, what no planner of ours writes: every number in range, every pair named once, the parts in
 * agreement with each other. What is left can be checked against an occupancy.
 */
export function checkPlanContent(plan: PlanContent): void {
  const demand = (holds: boolean, what: string): void => {
    if (!holds) throw new VeilgridError("PLAN_MALFORMED", what);
  };
  const { strategy } = plan;
  checkObjective(plan.objective);
  latticeStep(plan.objective.bounds, plan.latticeStep);
  checkEpsilon(strategy.epsilon, "strategy epsilon");

  demand(
    plan.grids.length > 0 && plan.grids.length === plan.occupancy.grids,
    "grids do not match the occupancy's number",
  );
  demand(plan.noise.length === plan.grids.length, "noise is not given for every grid");
  for (const noise of plan.noise) {
    demand(noiseIsSound(noise, plan.objective.statistics.length), "noise is out of range");
    demand(
      noise.epsilon.isZero() || noise.epsilon.equals(strategy.epsilon),
      "a grid has another epsilon than the strategy",
    );
  }
  demand(strategy.caps === (plan.caps !== null), "caps are not what the strategy says");
  if (plan.caps !== null) {
    demand(
      plan.caps.length === plan.grids.length && plan.caps.every((cap) => cap >= 1),
      "caps are not given for every grid",
    );
  }
  const dropsUsers = strategy.name === "clip-user";
  demand(
    dropsUsers === (strategy.errorBound !== null && strategy.errorBound.sign() > 0),
    "the error bound does not fit the strategy",
  );
  demand(
    dropsUsers || (plan.suppressed.length === 0 && strategy.protectedGrid === null && !strategy.wholeStages),
    "a baseline drops nobody",
  );

  const pairs = new Set<number>();
  const users = new Set<number>();
  for (const [user, grid] of [...plan.suppressed, ...plan.trimmed]) {
    demand(user < plan.users.length && grid < plan.grids.length, "a drop points outside its tables");
    pairs.add(user * plan.grids.length + grid);
    users.add(user);
  }
  demand(pairs.size === plan.suppressed.length + plan.trimmed.length, "a user and grid are named twice");
  demand(users.size === plan.users.length, "a user is listed and never named");
  demand(
    plan.users.every((id, at) => at === 0 || compareIds(plan.users[at - 1]!, id) < 0),
    "users are not in ascending order",
  );
  for (const [, grid, kept] of plan.trimmed) {
    demand(kept >= 1 && kept <= (plan.caps?.[grid] ?? kept), "a trimmed number is out of range");
  }
}

function noiseIsSound({ epsilon, epsilons, scales }: PlanNoise, statistics: number): boolean {
  const isAmount = (value: Rational): boolean => value.sign() >= 0 && value.floorToMultipleOf(LOSS_UNIT).equals(value);
  return (
    epsilons.length === statistics &&
    scales.length === statistics &&
    isAmount(epsilon) &&
    epsilons.every(isAmount) &&
    sum(epsilons).compare(epsilon) <= 0 &&
    scales.every((scale) => scale.sign() >= 0)
  );
}

/**
 * Works everything out again and refuses, with PLAN_MISMATCH, a plan that was made for another occupancy or whose
 * scales and losses do not follow from it. What passes may be released.
 */
export function checkPlan(occupancy: Occupancy, plan: Plan): PlanEvaluation {
  const mismatch = (what: string): never => {
    throw new VeilgridError("PLAN_MISMATCH", `the plan ${what}; plan again from this data`);
  };
  checkPlanContent(plan);
  const size = {
    users: occupancy.users.length,
    grids: occupancy.grids.length,
    entries: occupancy.entries,
    samples: occupancy.samples,
  };
  const sameSize = Object.entries(size).every(([key, value]) => plan.occupancy[key as keyof typeof size] === value);
  if (!sameSize || plan.occupancy.sha256 !== occupancyHash(occupancy)) mismatch("was made for another occupancy array");
  if (plan.grids.some((id, grid) => occupancy.grids.get(grid) !== id)) mismatch("lists other grids");
  const kept = keptUnderPlan(occupancy, plan);
  plan.noise.forEach((noise, grid) => {
    const counts = kept.countsOf(grid);
    plan.objective.statistics.forEach((statistic, index) => {
      const epsilon = noise.epsilons[index]!;
      const canBeMoved = counts.kept > 0 && !noiseScale(statistic, counts, Rational.ONE).isZero();
      if (canBeMoved === epsilon.isZero()) mismatch("has noise where none is needed, or none where it is");
      const scale = canBeMoved ? noiseScale(statistic, counts, epsilon) : Rational.ZERO;
      if (!scale.equals(noise.scales[index]!)) mismatch("carries wrong noise scales");
    });
  });
  const losses = lossesOf(kept, plan.objective, plan.noise);
  if (!losses.joint.largest().equals(plan.loss) || !losses.simple.largest().equals(plan.lossSimple))
    mismatch("carries a wrong loss");
  return { kept, guarantees: guaranteesOf(kept, plan.objective, plan.noise), ...losses };
}
