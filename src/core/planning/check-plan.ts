/** Whether a plan may be trusted: that it agrees with itself, and that it follows from the occupancy it is used with. */
import { type Rational, sum } from "../arithmetic/index.ts";
import { itemAt, VeilgridError } from "../errors/index.ts";
import { checkEpsilon, checkObjective, LOSS_UNIT, sensitivity } from "../influence/index.ts";
import { compareIds, MOST_WEIGHT, type Occupancy, occupancyHash } from "../occupancy/index.ts";
import { evaluateBalanced } from "./balanced/evaluate-balanced.ts";
import { checkSpread } from "./balanced/spread.ts";
import { type BalancedTerms, featuresOf, middleOf } from "./balanced/terms.ts";
import { evaluate, keptUnderPlan, type PlanEvaluation, scalesOf, sizeOf } from "./evaluate-plan.ts";
import { latticeStep } from "./lattice.ts";
import type { Plan, PlanContent, PlanNoise } from "./plan.ts";
import { STRATEGIES } from "./strategies.ts";

function demand(holds: boolean, what: string): void {
  if (!holds) throw new VeilgridError("PLAN_MALFORMED", what);
}

/** That every list has as many items as what it is about, and every index is one of its table. */
export function checkPlanShape(plan: PlanContent): void {
  const { objective, strategy, grids, users, noise, caps, bound, balanced } = plan;
  const statistics = objective.statistics.length;
  demand(statistics > 0, "statistics is empty");
  demand(objective.weights.length === statistics, "weights are not given for every statistic");
  demand(
    (strategy.errorTargets ?? objective.weights).length === statistics,
    "errors are not given for every statistic",
  );
  demand((strategy.protectedGrid ?? 0) < grids.length, "the protected grid is none of the grids");
  demand(noise.length === grids.length, "noise is not given for every grid");
  for (const { epsilons, scales } of noise)
    demand(epsilons.length === statistics && scales.length === statistics, "noise is not given for every statistic");
  demand(caps === null || caps.length === grids.length, "caps are not given for every grid");
  demand((balanced?.rates ?? grids).length === grids.length, "rates are not given for every grid");
  for (const [user, grid] of [...plan.suppressed, ...plan.trimmed])
    demand(user < users.length && grid < grids.length, "a drop points outside its tables");
  for (const [user] of bound?.weights ?? []) demand(user < users.length, "the bound points outside its table");
}

/**
 * Refuses, with PLAN_MALFORMED, what no planner of ours writes: every number in range, every pair named once, the parts in
 * agreement with each other. What is left can be checked against an occupancy.
 */
export function checkPlanContent(plan: PlanContent): void {
  const { strategy, grids, caps } = plan;
  const { isUniform } = STRATEGIES[strategy.name];
  checkObjective(plan.objective);
  latticeStep(plan.objective.bounds, plan.latticeStep);
  demand(grids.length > 0 && grids.length === plan.occupancy.grids, "grids do not match the occupancy's number");
  checkPlanShape(plan);
  checkStrategy(plan);
  for (const noise of plan.noise) {
    demand(noiseIsSound(noise), "noise is out of range");
    demand(
      noise.epsilon.isZero() || !isUniform || (strategy.epsilon !== null && noise.epsilon.equals(strategy.epsilon)),
      "a grid has another epsilon than the strategy",
    );
  }
  demand(strategy.caps === (caps !== null), "caps are not what the strategy says");
  demand(caps === null || caps.every((cap) => cap >= 1), "a cap is below 1");

  if (plan.balanced !== undefined) checkTerms(plan, plan.balanced);

  const pairs = new Set<number>();
  const users = new Set<number>();
  for (const [user, grid] of [...plan.suppressed, ...plan.trimmed]) {
    pairs.add(user * grids.length + grid);
    users.add(user);
  }
  demand(pairs.size === plan.suppressed.length + plan.trimmed.length, "a user and grid are named twice");
  for (const [user, weight] of plan.bound?.weights ?? []) {
    demand(weight > 0, "a weight of the bound is 0");
    users.add(user);
  }
  demand(users.size === plan.users.length, "a user is listed and never named");
  demand(isAscending(plan.users, compareIds), "users are not in ascending order");
  for (const [, grid, kept] of plan.trimmed)
    demand(kept >= 1 && kept <= (caps?.[grid] ?? kept), "a trimmed number is out of range");
}

/** That the fields are those the strategy fills, and within reason. */
function checkStrategy({ strategy, grids, suppressed, bound, objective, balanced }: PlanContent): void {
  const { name, epsilon, errorBound, errorTargets, lossTarget, setAside } = strategy;
  const { dropsUsers, isUniform, isWeighted, hasStages, hasCaps, boundOf } = STRATEGIES[name];
  if (epsilon !== null) checkEpsilon(epsilon, "strategy epsilon");
  if (lossTarget !== null) checkEpsilon(lossTarget, "strategy loss");
  demand(!isUniform || epsilon !== null, "there is no epsilon");
  const errors = errorTargets ?? (errorBound === null ? [] : [errorBound]);
  const targets = [errorBound, errorTargets].filter((target) => target !== null).length;
  const isBounded = isWeighted ? targets <= 1 : targets === (dropsUsers ? 1 : 0);
  demand(
    isBounded && errors.every((error) => error.sign() >= (isUniform ? 1 : 0)),
    "the error bound does not fit the strategy",
  );
  demand(
    !isUniform || (errorTargets === null && lossTarget === null && setAside.length === 0),
    "only the frontier and balanced plans have targets",
  );
  demand(
    (balanced !== undefined) === isWeighted && (objective.estimator === "weighted") === isWeighted,
    "weights go with balanced plans",
  );
  demand(!isWeighted || (lossTarget !== null && setAside.length === 0), "a balanced plan has a loss and all its grids");
  demand(
    setAside.every((grid) => grid < grids.length) && isAscending(setAside, (one, other) => one - other),
    "grids set aside are not in order",
  );
  demand(dropsUsers || (suppressed.length === 0 && strategy.protectedGrid === null), "a baseline drops nobody");
  demand(
    bound === null || (bound.of === boundOf(strategy) && bound.lowerBound.sign() >= 0),
    "the bound does not fit the strategy",
  );
  demand(bound === null || bound.prices === null || bound.of === "degradation", "only the smallest K has prices");
  demand(hasStages || !strategy.wholeStages, "only clip-user has stages");
  demand(hasCaps || !strategy.caps, "only baseline and clip-user have caps");
}

/** That weights and rates are numbers that a release can compute with. */
function checkTerms({ objective, latticeStep: step, occupancy }: PlanContent, terms: BalancedTerms): void {
  const { bounds } = objective;
  checkSpread(terms.spread, bounds);
  const { features } = featuresOf(objective, middleOf(bounds, step));
  demand(terms.ratios.length === features.length, "ratios are not given for every feature");
  demand(terms.weights.length === occupancy.entries, "weights are not given for every user and grid");
  demand(
    terms.weights.every((weight) => weight <= MOST_WEIGHT),
    "a weight is out of range",
  );
  demand(
    [...terms.ratios, ...terms.rates].every((each) => each.sign() > 0),
    "a rate is not above 0",
  );
}

function isAscending<Item>(items: readonly Item[], compare: (one: Item, other: Item) => number): boolean {
  return items.slice(1).every((item, at) => compare(itemAt(items, at), item) < 0);
}

function noiseIsSound({ epsilon, epsilons, scales }: PlanNoise): boolean {
  const isAmount = (value: Rational): boolean => value.sign() >= 0 && value.floorToMultipleOf(LOSS_UNIT).equals(value);
  return (
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
  const size = Object.entries(sizeOf(occupancy));
  const { sha256, ...stated } = plan.occupancy;
  const isSameSize = size.every(([key, value]) => stated[key as keyof typeof stated] === value);
  if (!isSameSize || sha256 !== occupancyHash(occupancy)) mismatch("was made for another occupancy array");
  if (plan.grids.some((id, grid) => occupancy.grids.get(grid) !== id)) mismatch("lists other grids");
  const evaluation = evaluationOf(occupancy, plan, mismatch);
  if (!evaluation.joint.largest().equals(plan.loss) || !evaluation.simple.largest().equals(plan.lossSimple))
    mismatch("carries a wrong loss");
  if (!meetsTargets(plan, evaluation)) mismatch("does not keep to its own error or loss");
  return evaluation;
}

/** What follows from the plan's decisions and this array. */
function evaluationOf(occupancy: Occupancy, plan: Plan, mismatch: (what: string) => never): PlanEvaluation {
  const { objective, noise, balanced: terms, latticeStep } = plan;
  if (terms !== undefined) {
    const { noise: expected, ...evaluation } = evaluateBalanced(occupancy, { objective, latticeStep, terms });
    if (JSON.stringify(expected) !== JSON.stringify(noise)) mismatch("carries wrong noise scales");
    return evaluation;
  }
  const kept = keptUnderPlan(occupancy, plan);
  for (const [grid, { epsilons, scales }] of noise.entries()) {
    const counts = kept.countsOf(grid);
    for (const [index, statistic] of objective.statistics.entries()) {
      const isMovable = counts.kept > 0 && !sensitivity(statistic, counts.largest, counts).isZero();
      if (isMovable === itemAt(epsilons, index).isZero())
        mismatch("has noise where none is needed, or none where it is");
    }
    const expected = scalesOf(objective, counts, epsilons);
    if (!scales.every((scale, index) => scale.equals(itemAt(expected, index)))) mismatch("carries wrong noise scales");
  }
  return evaluate(kept, objective, noise);
}

/** The frontier promises an error, balanced plans may, and both a loss where one was asked for. CLIP-USER's bound holds for the even split only. */
function meetsTargets({ strategy, loss }: Plan, { kept, guarantees }: PlanEvaluation): boolean {
  if (STRATEGIES[strategy.name].isUniform) return true;
  const { errorBound, errorTargets, lossTarget } = strategy;
  const setAside = new Set(strategy.setAside);
  const errorsMet = guarantees.every((guarantee, grid) => {
    if (setAside.has(grid)) return kept.ofGrid[grid] === 0;
    if (guarantee === undefined) return false;
    if (errorTargets === null) return errorBound === null || guarantee.error.compare(errorBound) <= 0;
    return guarantee.statisticError.every((error, index) => error.compare(itemAt(errorTargets, index)) <= 0);
  });
  return errorsMet && (lossTarget === null || loss.compare(lossTarget) <= 0);
}
