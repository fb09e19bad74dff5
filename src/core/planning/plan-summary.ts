/** The summary of a plan that people and programs read: what is dropped, what it costs, what it guarantees, and against what. */
import { maximum, Rational } from "../arithmetic/index.ts";
import { dataFreeError, type EstimatorName, type Guarantee, type Metric, type Split } from "../influence/index.ts";
import type { Occupancy } from "../occupancy/index.ts";
import { baselineOf } from "./baseline.ts";
import { lossShares } from "./loss-shares.ts";
import type { MadePlan } from "./make-plan.ts";
import type { Plan, PlanBound, StrategyName } from "./plan.ts";

/** Values by statistic key. */
export type ByStatistic = Readonly<Record<string, number>>;

export interface GridPlanSummary {
  readonly grid: string;
  readonly users: number;
  readonly samples: number;
  readonly kept: number;
  /** null: no cap was chosen. */
  readonly cap: number | null;
  readonly epsilon: number;
  readonly scales: ByStatistic;
  readonly bias: ByStatistic;
  /** bias + expected |noise| of each statistic, in its own unit. */
  readonly statisticErrors: ByStatistic;
  /** Of the baseline. */
  readonly initialError: number;
  /** null: nothing is kept, so there is no statistic under the paper's estimator. */
  readonly error: number | null;
  readonly dataFreeError: number;
  /** Whether something is kept and the guarantee is better than publishing midpoints. */
  readonly useful: boolean;
  /** Of what the users who decide the loss lose, what they lose here; null where that is not known. */
  readonly lossShare: number | null;
}

export interface StatisticPlanSummary {
  readonly statistic: string;
  /** The grid with the largest guaranteed error of this statistic. */
  readonly worstGrid: string;
  readonly worstError: number;
  readonly worstBias: number;
  readonly worstNoise: number;
  readonly initialWorstError: number;
  readonly dataFreeError: number;
  readonly usefulGrids: number;
}

export interface PlanSummary {
  readonly strategy: StrategyName;
  readonly estimator: EstimatorName;
  readonly metric: Metric;
  readonly split: Split;
  readonly users: number;
  readonly grids: number;
  readonly samples: number;
  readonly keptSamples: number;
  readonly maxGridsPerUser: number;
  /** Of every grid; null where grids differ and none was given. */
  readonly epsilon: number | null;
  /** K: most grids any user still occupies. */
  readonly degradation: number;
  /** Joint, of the worst user: what is charged. */
  readonly loss: number;
  /** The paper's count. */
  readonly lossSimple: number;
  /** Of keeping everything with one ε, evenly split: the given one, or the one at which its worst error is this plan's. */
  readonly baselineLoss: number;
  readonly baselineLossSimple: number;
  readonly baselineEpsilon: number;
  readonly errorBound: number | null;
  /** What was asked of each statistic. */
  readonly errorTargets: ByStatistic | null;
  readonly lossTarget: number | null;
  /** How good a plan can be at best, of what is minimised: `boundOf`. null where nothing is proven. */
  readonly boundOf: PlanBound["of"] | null;
  readonly lowerBound: number | null;
  /** (value − lowerBound)/value. */
  readonly gap: number | null;
  /** Grids given up, because the loss buys nothing better than midpoints there. */
  readonly setAside: readonly string[];
  readonly timeLimitSeconds: number | null;
  readonly worstError: number | null;
  readonly initialWorstError: number;
  readonly dataFreeError: number;
  /** Grids whose guarantee is better than publishing midpoints. */
  readonly usefulGrids: number;
  /** What rounding values to the lattice adds to each statistic's error. */
  readonly latticeError: ByStatistic;
  readonly protectedGrid: string | null;
  readonly suppressed: ReadonlyArray<readonly [user: string, grid: string]>;
  readonly trimmed: ReadonlyArray<readonly [user: string, grid: string, kept: number]>;
  readonly perStatistic: readonly StatisticPlanSummary[];
  readonly perGrid: readonly GridPlanSummary[];
  readonly planHash: string;
  readonly occupancyHash: string;
  /** The same quantities exactly, as decimals or fractions. */
  readonly exact: Readonly<Record<"loss" | "lossSimple" | "baselineLoss" | "baselineLossSimple", string>> & {
    readonly epsilon: string | null;
    readonly lowerBound: string | null;
    readonly errorBound: string | null;
    readonly worstError: string | null;
  };
}

/** Holds the plan against the baseline, against the best there can be, and against the data-free line. */
export function summarisePlan(occupancy: Occupancy, { plan, evaluation }: MadePlan): PlanSummary {
  const { objective, strategy } = plan;
  const { statistics } = objective;
  const setAside = new Set(strategy.setAside);
  const published = worstOf(
    evaluation.guarantees.map((each, grid) => (setAside.has(grid) ? Rational.ZERO : each?.error)),
  );
  const baseline = baselineOf(occupancy, objective, { epsilon: strategy.epsilon, worstError: published });
  const initial = baseline.guarantees;
  const dataFree = Array.from(occupancy.samplesOfGrid, (total) => dataFreeError(objective, total));
  const byStatistic = (values: readonly Rational[]): ByStatistic => {
    return Object.fromEntries(statistics.map((statistic, index) => [statistic.key, values[index]!.toNumberNearest()]));
  };

  const shares = lossShares(evaluation.kept, plan);
  const perGrid = plan.grids.map((grid, g): GridPlanSummary => {
    const guarantee = evaluation.guarantees[g];
    const { total, kept } = evaluation.kept.countsOf(g);
    return {
      grid,
      users: occupancy.usersOfGrid(g),
      samples: total,
      kept,
      cap: plan.caps?.[g] ?? null,
      epsilon: plan.noise[g]!.epsilon.toNumberNearest(),
      scales: byStatistic(plan.noise[g]!.scales),
      bias: guarantee === undefined ? {} : byStatistic(guarantee.bias),
      statisticErrors: guarantee === undefined ? {} : byStatistic(guarantee.statisticError),
      initialError: initial[g]!.error.toNumberNearest(),
      error: guarantee?.error.toNumberNearest() ?? null,
      dataFreeError: dataFree[g]!.toNumberNearest(),
      useful: kept > 0 && guarantee!.error.compare(dataFree[g]!) < 0,
      lossShare: shares?.[g] ?? null,
    };
  });

  const worstError = worstOf(evaluation.guarantees.map((guarantee) => guarantee?.error));
  const losses = {
    loss: plan.loss,
    lossSimple: plan.lossSimple,
    baselineLoss: baseline.loss,
    baselineLossSimple: baseline.lossSimple,
  };
  const number = (value: Rational | null): number | null => value?.toNumberNearest() ?? null;
  const largestTotal = perGrid.reduce((most, grid) => Math.max(most, grid.samples), 0);
  return {
    strategy: strategy.name,
    estimator: objective.estimator,
    metric: objective.metric,
    split: plan.split,
    users: occupancy.users.length,
    grids: occupancy.grids.length,
    samples: occupancy.samples,
    keptSamples: perGrid.reduce((sum, grid) => sum + grid.kept, 0),
    maxGridsPerUser: occupancy.maxGridsPerUser(),
    epsilon: number(strategy.epsilon),
    degradation: evaluation.kept.maxGridsPerUser(),
    loss: losses.loss.toNumberNearest(),
    lossSimple: losses.lossSimple.toNumberNearest(),
    baselineLoss: losses.baselineLoss.toNumberNearest(),
    baselineLossSimple: losses.baselineLossSimple.toNumberNearest(),
    baselineEpsilon: baseline.epsilon.toNumberNearest(),
    errorBound: number(strategy.errorBound),
    errorTargets: strategy.errorTargets === null ? null : byStatistic(strategy.errorTargets),
    lossTarget: number(strategy.lossTarget),
    boundOf: plan.bound?.of ?? null,
    lowerBound: number(plan.bound?.lowerBound ?? null),
    gap: gapOf(plan, evaluation.kept.maxGridsPerUser()),
    setAside: strategy.setAside.map((grid) => plan.grids[grid]!),
    timeLimitSeconds: strategy.timeLimitSeconds,
    worstError: number(worstError),
    initialWorstError: worstOf(initial.map((guarantee) => guarantee.error))!.toNumberNearest(),
    dataFreeError: worstOf(dataFree)!.toNumberNearest(),
    usefulGrids: perGrid.filter((grid) => grid.useful).length,
    latticeError: byStatistic(statistics.map((statistic) => statistic.latticeError(plan.latticeStep, largestTotal))),
    protectedGrid: strategy.protectedGrid === null ? null : plan.grids[strategy.protectedGrid]!,
    suppressed: plan.suppressed.map(([user, grid]) => [plan.users[user]!, plan.grids[grid]!] as const),
    trimmed: plan.trimmed.map(([user, grid, kept]) => [plan.users[user]!, plan.grids[grid]!, kept] as const),
    perStatistic: statistics.map((_, index) => summariseStatistic(occupancy, { plan, evaluation }, initial, index)),
    perGrid,
    planHash: plan.hash,
    occupancyHash: plan.occupancy.sha256,
    exact: {
      epsilon: strategy.epsilon?.toString() ?? null,
      lowerBound: plan.bound?.lowerBound.toString() ?? null,
      loss: losses.loss.toString(),
      lossSimple: losses.lossSimple.toString(),
      baselineLoss: losses.baselineLoss.toString(),
      baselineLossSimple: losses.baselineLossSimple.toString(),
      errorBound: strategy.errorBound?.toString() ?? null,
      worstError: worstError?.toString() ?? null,
    },
  };
}

/** How far above the proven bound the plan is, as a share of its own value. */
function gapOf({ bound, loss, strategy }: Plan, degradation: number): number | null {
  if (bound === null) return null;
  const value = bound.of === "loss" ? loss : bound.of === "error" ? strategy.errorBound! : Rational.of(degradation);
  if (value.isZero()) return 0;
  return value.subtract(bound.lowerBound).divide(value).toNumberNearest();
}

function summariseStatistic(
  occupancy: Occupancy,
  { plan, evaluation }: MadePlan,
  initial: readonly Guarantee[],
  index: number,
): StatisticPlanSummary {
  const statistic = plan.objective.statistics[index]!;
  let worst = -1;
  let useful = 0;
  evaluation.guarantees.forEach((guarantee, grid) => {
    if (guarantee === undefined) return;
    const error = guarantee.statisticError[index]!;
    if (worst < 0 || error.compare(evaluation.guarantees[worst]!.statisticError[index]!) > 0) worst = grid;
    const { total, kept } = evaluation.kept.countsOf(grid);
    if (kept > 0 && error.compare(statistic.dataFreeError(total)) < 0) useful += 1;
  });
  const initialWorstError = worstOf(initial.map((each) => each.statisticError[index]))!.toNumberNearest();
  if (worst < 0) {
    // No grid has a statistic: whatever it would be is infinitely far off.
    const [worstError, dataFreeError] = [Number.POSITIVE_INFINITY, statistic.dataFreeError(1).toNumberNearest()];
    const nothing = { worstGrid: plan.grids[0]!, worstError, worstBias: worstError, worstNoise: 0, usefulGrids: 0 };
    return { statistic: statistic.key, ...nothing, initialWorstError, dataFreeError };
  }
  const guarantee = evaluation.guarantees[worst]!;
  const bias = guarantee.bias[index]!;
  const error = guarantee.statisticError[index]!;
  return {
    statistic: statistic.key,
    worstGrid: plan.grids[worst]!,
    worstError: error.toNumberNearest(),
    worstBias: bias.toNumberNearest(),
    worstNoise: error.subtract(bias).toNumberNearest(),
    initialWorstError,
    dataFreeError: statistic.dataFreeError(occupancy.samplesOfGrid[worst]!).toNumberNearest(),
    usefulGrids: useful,
  };
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
