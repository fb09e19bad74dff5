/** The summary of a plan that people and programs read: what is dropped, what it costs, what it guarantees, and against what. */
import { maximum, Rational } from "../arithmetic/index.ts";
import { invariant, itemAt } from "../errors/index.ts";
import { combineErrors, dataFreeError, type Guarantee, type Statistic, sensitivity } from "../influence/index.ts";
import type { Kept, Occupancy } from "../occupancy/index.ts";
import type { BalancedEvaluation } from "./balanced/evaluate-balanced.ts";
import type { Spread } from "./balanced/spread.ts";
import { baselineOf } from "./evaluate-plan.ts";
import type { MadePlan } from "./make-plan.ts";
import { largestOf, sumOf } from "./numbers.ts";
import type { Plan } from "./plan.ts";

/** Values by statistic key. */
type ByStatistic = Readonly<Record<string, number>>;

/** What `summarisePlan` says, of the whole plan, of a statistic and of a grid. */
export type PlanSummary = ReturnType<typeof summarisePlan>;
export type StatisticPlanSummary = PlanSummary["perStatistic"][number];
export type GridPlanSummary = PlanSummary["perGrid"][number];

/** Holds the plan against the baseline, against the best there can be, and against the data-free line. */
export function summarisePlan(occupancy: Occupancy, made: MadePlan) {
  const { plan, evaluation } = made;
  const { objective, strategy, bound } = plan;
  const { kept, guarantees, balanced } = evaluation;
  const { statistics } = objective;
  const setAside = new Set(strategy.setAside);
  const published = worstOf(guarantees.map((each, grid) => (setAside.has(grid) ? Rational.ZERO : each?.error)));
  const baseline = baselineOf(occupancy, objective, { epsilon: strategy.epsilon, worstError: published });
  const byStatistic = (values: readonly Rational[]): ByStatistic => {
    return Object.fromEntries(values.map((value, index) => [itemAt(statistics, index).key, value.toNumberNearest()]));
  };

  const shares = lossShares(kept, plan);
  const perGrid = baseline.guarantees.map((initial, g) => {
    const guarantee = guarantees[g];
    const counts = kept.countsOf(g);
    const noise = itemAt(plan.noise, g);
    const dataFree = dataFreeError(objective, counts.total);
    return {
      grid: itemAt(plan.grids, g),
      users: occupancy.usersOfGrid(g),
      samples: counts.total,
      kept: counts.kept,
      /** null: no cap was chosen. */
      cap: plan.caps?.[g] ?? null,
      epsilon: noise.epsilon.toNumberNearest(),
      scales: byStatistic(noise.scales),
      bias: byStatistic(guarantee?.bias ?? []),
      /** bias + expected |noise| of each statistic, in its own unit. */
      statisticErrors: byStatistic(guarantee?.statisticError ?? []),
      /** Of the baseline. */
      initialError: initial.error.toNumberNearest(),
      /** null: nothing is kept, so there is no statistic under the paper's estimator. */
      error: guarantee?.error.toNumberNearest() ?? null,
      dataFreeError: dataFree.toNumberNearest(),
      /** Whether something is kept and the guarantee is better than publishing midpoints. */
      useful: counts.kept > 0 && guarantee !== undefined && guarantee.error.compare(dataFree) < 0,
      /** Of what the users who decide the loss lose, what they lose here; null where that is not known. */
      lossShare: shares?.[g] ?? null,
      /** Of balanced plans: typical errors under the model. */
      ...(balanced && typicalOf(plan, balanced, { g, total: counts.total })),
    };
  });

  const exact = {
    epsilon: strategy.epsilon,
    lowerBound: bound?.lowerBound ?? null,
    loss: plan.loss,
    lossSimple: plan.lossSimple,
    baselineLoss: baseline.loss,
    baselineLossSimple: baseline.lossSimple,
    errorBound: strategy.errorBound,
    worstError: worstOf(guarantees.map((guarantee) => guarantee?.error)),
  };
  const number = (value: Rational | null): number | null => value?.toNumberNearest() ?? null;
  const gridId = (grid: number): string => itemAt(plan.grids, grid);
  const userId = (user: number): string => itemAt(plan.users, user);
  const degradation = kept.maxGridsPerUser();
  return {
    strategy: strategy.name,
    estimator: objective.estimator,
    metric: objective.metric,
    split: plan.split,
    users: occupancy.users.length,
    grids: occupancy.grids.length,
    samples: occupancy.samples,
    keptSamples: sumOf(kept.ofGrid),
    maxGridsPerUser: occupancy.maxGridsPerUser(),
    /** Of every grid; null where grids differ and none was given. */
    epsilon: number(exact.epsilon),
    /** K: most grids any user still occupies. */
    degradation,
    /** Joint, of the worst user: what is charged. */
    loss: exact.loss.toNumberNearest(),
    /** The paper's count. */
    lossSimple: exact.lossSimple.toNumberNearest(),
    /** Of keeping everything with one ε, evenly split: the given one, or the one at which its worst error is this plan's. */
    baselineLoss: exact.baselineLoss.toNumberNearest(),
    baselineLossSimple: exact.baselineLossSimple.toNumberNearest(),
    baselineEpsilon: baseline.epsilon.toNumberNearest(),
    errorBound: number(exact.errorBound),
    /** What was asked of each statistic. */
    errorTargets: strategy.errorTargets && byStatistic(strategy.errorTargets),
    lossTarget: number(strategy.lossTarget),
    /** How good a plan can be at best, of what is minimised: `boundOf`. null where nothing is proven. */
    boundOf: bound?.of ?? null,
    lowerBound: number(exact.lowerBound),
    /** (value − lowerBound)/value. */
    gap: gapOf(plan, degradation),
    /** Grids given up, because the loss buys nothing better than midpoints there. */
    setAside: strategy.setAside.map(gridId),
    timeLimitSeconds: strategy.timeLimitSeconds,
    worstError: number(exact.worstError),
    initialWorstError: largestOf(perGrid.map((grid) => grid.initialError)),
    dataFreeError: largestOf(perGrid.map((grid) => grid.dataFreeError)),
    /** Grids whose guarantee is better than publishing midpoints. */
    usefulGrids: perGrid.filter((grid) => grid.useful).length,
    /** What rounding values to the lattice adds to each statistic's error. */
    latticeError: byStatistic(
      statistics.map((statistic) => statistic.latticeError(plan.latticeStep, largestOf(occupancy.samplesOfGrid))),
    ),
    protectedGrid: strategy.protectedGrid === null ? null : gridId(strategy.protectedGrid),
    /** Pairs of a user and a grid in the order dropped; of a balanced plan those without weight. */
    suppressed:
      balanced === undefined
        ? plan.suppressed.map(([user, grid]) => [userId(user), gridId(grid)] as const)
        : withoutWeight(occupancy, balanced),
    trimmed: plan.trimmed.map(([user, grid, records]) => [userId(user), gridId(grid), records] as const),
    perStatistic: statistics.map((_, index) => summariseStatistic(made, baseline.guarantees, index)),
    perGrid,
    ...(balanced && summariseBalanced(occupancy, plan, balanced)),
    planHash: plan.hash,
    occupancyHash: plan.occupancy.sha256,
    /** The same quantities exactly, as decimals or fractions. */
    exact: Object.fromEntries(Object.entries(exact).map(([name, value]) => [name, value?.toString() ?? null])) as {
      [Name in keyof typeof exact]: string | (null & (typeof exact)[Name]);
    },
  };
}

/** What only balanced plans say. Typical errors are those under the public model, of two passes as if nothing were learnt between them. */
function summariseBalanced(
  occupancy: Occupancy,
  { objective, balanced: terms }: Plan,
  { typical }: BalancedEvaluation,
) {
  invariant(terms !== undefined, "a balanced plan has terms");
  const { passes, aim, spread } = terms;
  const number = (name: keyof Spread): number => spread[name].toNumberNearest();
  const errors = typical.map((own, g) =>
    combineErrors(objective, own.map(Rational.fromNumber), occupancy.samplesOfGrid[g]!).toNumberNearest(),
  );
  return {
    passes,
    aim,
    /** Standard deviations in the value's unit. */
    spread: { users: number("users"), records: number("records"), trend: number("trend") },
    /** In the metric, on average over the grids. */
    typicalError: averageOf(errors),
  };
}

/** Of each statistic in its own unit, beside the error of publishing its midpoint. */
function typicalOf({ objective }: Plan, { typical }: BalancedEvaluation, { g, total }: { g: number; total: number }) {
  const own = itemAt(typical, g);
  const by = (of: (statistic: Statistic, index: number) => number): ByStatistic =>
    Object.fromEntries(objective.statistics.map((statistic, index) => [statistic.key, of(statistic, index)]));
  return {
    typicalError: by((_, index) => itemAt(own, index)),
    dataFreeErrors: by((statistic) => statistic.dataFreeError(total).toNumberNearest()),
  };
}

function withoutWeight({ users, grids, byUser }: Occupancy, { weights }: BalancedEvaluation) {
  const pairs: Array<readonly [user: string, grid: string]> = [];
  for (let user = 0; user < users.length; user++)
    for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++)
      if (weights.ofEntry[entry] === 0) pairs.push([users.get(user), grids.get(byUser.grid[entry]!)]);
  return pairs;
}

function averageOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** How far above the proven bound the plan is, as a share of its own value. */
function gapOf({ bound, loss, strategy }: Plan, degradation: number): number | null {
  if (bound === null) return null;
  const value = { loss, error: strategy.errorBound ?? Rational.ZERO, degradation: Rational.of(degradation) }[bound.of];
  if (value.isZero()) return 0;
  return value.subtract(bound.lowerBound).divide(value).toNumberNearest();
}

function summariseStatistic({ plan, evaluation }: MadePlan, initial: readonly Guarantee[], index: number) {
  const statistic = itemAt(plan.objective.statistics, index);
  const errorOf = (guarantee: Guarantee): Rational => itemAt(guarantee.statisticError, index);
  let worst: { readonly grid: number; readonly guarantee: Guarantee } | undefined;
  let usefulGrids = 0;
  for (const [grid, guarantee] of evaluation.guarantees.entries()) {
    if (guarantee === undefined) continue;
    const error = errorOf(guarantee);
    if (worst === undefined || error.compare(errorOf(worst.guarantee)) > 0) worst = { grid, guarantee };
    const { total, kept } = evaluation.kept.countsOf(grid);
    if (kept > 0 && error.compare(statistic.dataFreeError(total)) < 0) usefulGrids += 1;
  }
  const initialWorstError = largestOf(initial.map((each) => errorOf(each).toNumberNearest()));
  if (worst === undefined) {
    // No grid has a statistic: whatever it would be is infinitely far off.
    const [worstError, dataFreeError] = [Number.POSITIVE_INFINITY, statistic.dataFreeError(1).toNumberNearest()];
    const nothing = { worstGrid: itemAt(plan.grids, 0), worstError, worstBias: worstError, worstNoise: 0, usefulGrids };
    return { statistic: statistic.key, ...nothing, initialWorstError, dataFreeError };
  }
  const bias = itemAt(worst.guarantee.bias, index);
  const error = errorOf(worst.guarantee);
  return {
    statistic: statistic.key,
    /** The grid with the largest guaranteed error of this statistic. */
    worstGrid: itemAt(plan.grids, worst.grid),
    worstError: error.toNumberNearest(),
    worstBias: bias.toNumberNearest(),
    worstNoise: error.subtract(bias).toNumberNearest(),
    initialWorstError,
    dataFreeError: statistic.dataFreeError(evaluation.kept.countsOf(worst.grid).total).toNumberNearest(),
    usefulGrids,
    ...typicalErrors(evaluation.balanced, index),
  };
}

/** Over the grids, in the statistic's own unit: of balanced plans. */
function typicalErrors(
  balanced: BalancedEvaluation | undefined,
  index: number,
): { readonly typicalError?: { readonly average: number; readonly largest: number } } {
  if (balanced === undefined) return {};
  const errors = balanced.typical.map((own) => itemAt(own, index));
  return { typicalError: { average: averageOf(errors), largest: largestOf(errors) } };
}

/** The largest; null (infinite) if any is missing. */
function worstOf(values: ReadonlyArray<Rational | undefined>): Rational | null {
  let worst = Rational.ZERO;
  for (const value of values) {
    if (value === undefined) return null;
    worst = maximum(worst, value);
  }
  return worst;
}

/** Shares that add up to 1, by grid; undefined where no weights say who decides the loss, or nothing is lost. */
export function lossShares(kept: Kept, plan: Plan): Float64Array | undefined {
  const { occupancy } = kept;
  const { start, grid } = occupancy.byUser;
  const grids = plan.noise.map(({ scales }, g) => ({
    scales,
    counts: kept.countsOf(g),
    known: new Map<number, number>(),
  }));
  const lossOf = (g: number, owned: number): number => {
    const { scales, counts, known } = itemAt(grids, g);
    const before = known.get(owned);
    if (before !== undefined) return before;
    let loss = 0;
    for (const [index, statistic] of plan.objective.statistics.entries()) {
      const scale = itemAt(scales, index);
      if (!scale.isZero()) loss += sensitivity(statistic, owned, counts).toNumberNearest() / scale.toNumberNearest();
    }
    known.set(owned, loss);
    return loss;
  };
  const shares = new Float64Array(grids.length);
  let sum = 0;
  for (const [index, weight] of plan.bound?.weights ?? []) {
    const user = occupancy.users.indexOf(itemAt(plan.users, index));
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
      const g = grid[entry]!;
      const owned = kept.ofEntry[entry]!;
      if (owned === 0) continue;
      const loss = weight * lossOf(g, owned);
      shares[g]! += loss;
      sum += loss;
    }
  }
  return sum > 0 ? shares.map((share) => share / sum) : undefined;
}
