/** Whether a plan may be trusted: that it agrees with itself, and that it follows from the occupancy it is used with. */
import { Rational, sum } from "../arithmetic/index.ts";
import { VeilgridError } from "../errors/index.ts";
import { checkEpsilon, checkObjective, type Guarantee, LOSS_UNIT, noiseScale } from "../influence/index.ts";
import { compareIds, type Kept, type Occupancy, occupancyHash } from "../occupancy/index.ts";
import { guaranteesOf, keptUnderPlan, lossesOf, type PlanEvaluation } from "./evaluate-plan.ts";
import { latticeStep } from "./lattice.ts";
import type { Plan, PlanContent, PlanNoise, PlanStrategy } from "./plan.ts";

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
  checkStrategy(strategy, plan, demand);

  demand(
    plan.grids.length > 0 && plan.grids.length === plan.occupancy.grids,
    "grids do not match the occupancy's number",
  );
  demand(plan.noise.length === plan.grids.length, "noise is not given for every grid");
  for (const noise of plan.noise) {
    demand(noiseIsSound(noise, plan.objective.statistics.length), "noise is out of range");
    demand(
      strategy.name === "frontier" || noise.epsilon.isZero() || noise.epsilon.equals(strategy.epsilon!),
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

  const pairs = new Set<number>();
  const users = new Set<number>();
  for (const [user, grid] of [...plan.suppressed, ...plan.trimmed]) {
    demand(user < plan.users.length && grid < plan.grids.length, "a drop points outside its tables");
    pairs.add(user * plan.grids.length + grid);
    users.add(user);
  }
  demand(pairs.size === plan.suppressed.length + plan.trimmed.length, "a user and grid are named twice");
  for (const [user, weight] of plan.bound?.weights ?? []) {
    demand(user < plan.users.length && weight > 0, "the bound points outside its table");
    users.add(user);
  }
  demand(users.size === plan.users.length, "a user is listed and never named");
  demand(
    plan.users.slice(1).every((id, at) => compareIds(plan.users[at]!, id) < 0),
    "users are not in ascending order",
  );
  for (const [, grid, kept] of plan.trimmed) {
    demand(kept >= 1 && kept <= (plan.caps?.[grid] ?? kept), "a trimmed number is out of range");
  }
}

/** That the fields are those the strategy fills, and within reason. */
function checkStrategy(
  strategy: PlanStrategy,
  plan: PlanContent,
  demand: (holds: boolean, what: string) => void,
): void {
  const { name, epsilon, errorBound, errorTargets, lossTarget } = strategy;
  const isFrontier = name === "frontier";
  if (epsilon !== null) checkEpsilon(epsilon, "strategy epsilon");
  if (lossTarget !== null) checkEpsilon(lossTarget, "strategy loss");
  demand(isFrontier || epsilon !== null, "there is no epsilon");
  const positive = [errorBound, ...(errorTargets ?? [])].every(
    (error) => error === null || error.sign() >= (isFrontier ? 0 : 1),
  );
  const oneBound = (errorBound === null) !== (errorTargets === null);
  demand(
    positive && (name === "baseline" ? errorBound === null && errorTargets === null : oneBound),
    "the error bound does not fit the strategy",
  );
  demand(
    isFrontier || (errorTargets === null && lossTarget === null && strategy.setAside.length === 0),
    "only the frontier has targets",
  );
  demand(
    strategy.setAside.every((grid, at) => grid < plan.grids.length && (at === 0 || strategy.setAside[at - 1]! < grid)),
    "grids set aside are not in order",
  );
  demand(
    name !== "baseline" || (plan.suppressed.length === 0 && strategy.protectedGrid === null),
    "a baseline drops nobody",
  );
  const { bound } = plan;
  const boundOf = { frontier: lossTarget === null ? "loss" : "error", "clip-user-optimal": "degradation" }[
    name as string
  ];
  demand(
    bound === null || (bound.of === boundOf && bound.lowerBound.sign() >= 0),
    "the bound does not fit the strategy",
  );
  demand(bound === null || bound.prices === null || name === "clip-user-optimal", "only the smallest K has prices");
  demand(name === "clip-user" || !strategy.wholeStages, "only clip-user has stages");
  demand(!strategy.caps || name === "baseline" || name === "clip-user", "only baseline and clip-user have caps");
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
 * scales and losses do not follow from it (docs/mathematics.md, Theorem 5). What passes may be released.
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
  const guarantees = guaranteesOf(kept, plan.objective, plan.noise);
  if (!meetsTargets(plan, kept, guarantees)) mismatch("does not keep to its own error or loss");
  return { kept, guarantees, ...losses };
}

/** The frontier promises an error, and a loss where one was asked for. CLIP-USER's bound holds for the even split only. */
function meetsTargets({ strategy, loss }: Plan, kept: Kept, guarantees: ReadonlyArray<Guarantee | undefined>): boolean {
  if (strategy.name !== "frontier") return true;
  const { errorBound, errorTargets, lossTarget } = strategy;
  const setAside = new Set(strategy.setAside);
  const errorsMet = guarantees.every((guarantee, grid) => {
    if (setAside.has(grid)) return kept.ofGrid[grid] === 0;
    if (guarantee === undefined) return false;
    if (errorBound !== null) return guarantee.error.compare(errorBound) <= 0;
    return guarantee.statisticError.every((error, index) => error.compare(errorTargets![index]!) <= 0);
  });
  return errorsMet && (lossTarget === null || loss.compare(lossTarget) <= 0);
}
