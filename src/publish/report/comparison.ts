/** What a comparison found: plans side by side, each with what it costs, guarantees, and would do on invented values. */
import type { EstimatorName, Metric } from "../../core/influence/index.ts";

/** Strategies by the names that `--strategies` takes. */
export const COMPARED_STRATEGIES = [
  "baseline",
  "clip-user",
  "clip-user+caps",
  "clip-user-optimal",
  "frontier",
] as const;

export type ComparedStrategy = (typeof COMPARED_STRATEGIES)[number];

/** What the points along a line were asked for. */
export type ComparedGoal = "loss" | "epsilon" | "error";

export interface ComparedStatistic {
  readonly statistic: string;
  /** Guaranteed, at its worst grid, in its own unit; null where some grid has no statistic at all. */
  readonly worstError: number | null;
  /** Grids in which it is better than its midpoint. */
  readonly usefulGrids: number;
}

/** Bias and expected noise on values that a public model invents. */
export interface ComparedActual {
  readonly model: string;
  readonly statistic: string;
  /** Over the grids, in the statistic's unit. */
  readonly average: number;
  /** Of the grid that is furthest off. */
  readonly worst: number;
}

/** One plan. */
export interface ComparedPlan {
  /** Index into the partitions. */
  readonly partition: number;
  /** The loss, ε or error that was asked for, as text. */
  readonly asked: string;
  readonly strategy: ComparedStrategy;
  readonly estimator: EstimatorName;
  readonly epsilon: number | null;
  /** Joint: what is charged. */
  readonly loss: number;
  readonly lossSimple: number;
  /** What the baseline loses where its worst error is this plan's; null where this plan has none. */
  readonly baselineLoss: number | null;
  /** In the metric, at the worst grid; null where some grid has no statistic at all. */
  readonly worstError: number | null;
  /** What no plan with this estimator can get below: of the error at this loss, or of the loss at this error. */
  readonly boundOf: "loss" | "error" | "degradation" | null;
  readonly lowerBound: number | null;
  readonly gap: number | null;
  /** K. */
  readonly degradation: number;
  readonly usefulGrids: number;
  /** Of all records. */
  readonly leftOutShare: number;
  readonly statistics: readonly ComparedStatistic[];
  /** Empty where nothing was simulated. */
  readonly actual: readonly ComparedActual[];
}

/** One way to make grids of the records. */
export interface ComparedPartition {
  readonly h3: string | null;
  readonly slot: string | null;
  readonly users: number;
  readonly grids: number;
  readonly samples: number;
  /** Of publishing midpoints, in the metric. */
  readonly dataFreeError: number;
  /** The same of each statistic, at its worst grid, in its own unit. */
  readonly dataFree: ReadonlyArray<{ readonly statistic: string; readonly error: number }>;
}

export interface Comparison {
  readonly goal: ComparedGoal;
  readonly metric: Metric;
  readonly statistics: readonly string[];
  /** Of the values, as the curator calls it. */
  readonly unit: string | null;
  readonly seed: number;
  readonly partitions: readonly ComparedPartition[];
  readonly plans: readonly ComparedPlan[];
  /** What values were invented for the actual errors. */
  readonly models: ReadonlyArray<{ readonly name: string; readonly meaning: string }>;
  /** Losses by name. */
  readonly presets: ReadonlyArray<{ readonly name: string; readonly loss: string; readonly meaning: string }>;
  /** A loss per release, where a budget and a number of releases were given. */
  readonly suggestion: { readonly budget: string; readonly releases: number; readonly loss: string } | null;
}

/** A strategy as people read it. */
export function strategyLabel({ strategy, estimator }: Pick<ComparedPlan, "strategy" | "estimator">): string {
  return strategy === "frontier" ? `frontier, ${estimator}` : strategy;
}

/** A partition as people read it; empty where there is nothing to tell apart. */
export function partitionLabel({ h3, slot }: Pick<ComparedPartition, "h3" | "slot">): string {
  return [h3 === null ? [] : `h3 ${h3}`, slot === null ? [] : `slot ${slot}`].flat().join(", ");
}

/** Whether the guarantee is better than publishing midpoints. */
export function isUseful(plan: ComparedPlan, { partitions }: Comparison): boolean {
  const { worstError, usefulGrids } = plan;
  return worstError !== null && usefulGrids > 0 && worstError < partitions[plan.partition]!.dataFreeError;
}
