/** Describes a comparison: plans side by side, each with what it costs, guarantees, and would do on invented values; and how it is read. */
import { itemAt } from "../../core/errors/index.ts";
import { type EstimatorName, kindOfKey, type Metric } from "../../core/influence/index.ts";
import { formatNumber } from "./text-table.ts";

/** Strategies by the names that `--strategies` takes. */
export const COMPARED_STRATEGIES = [
  "baseline",
  "clip-user",
  "clip-user+caps",
  "clip-user-optimal",
  "frontier",
  "balanced",
] as const;

export type ComparedStrategy = (typeof COMPARED_STRATEGIES)[number];

/** What the points along a line were asked for. */
export type ComparedGoal = "loss" | "epsilon" | "error";

export interface ComparedStatistic {
  readonly statistic: string;
  /** Guaranteed, at its worst grid, in its own unit; null where some grid has no statistic at all. */
  readonly worstError: number | null;
  /** Under the public model, on average over the grids; null but for balanced plans. */
  readonly typicalError: number | null;
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
  /** In the metric, under the public model, on average over the grids; null but for balanced plans. */
  readonly typicalError: number | null;
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

export function partitionOf(plan: ComparedPlan, { partitions }: Comparison): ComparedPartition {
  return itemAt(partitions, plan.partition);
}

/** Whether the guarantee is better than publishing midpoints. */
export function isUseful(plan: ComparedPlan, comparison: Comparison): boolean {
  const { worstError, usefulGrids } = plan;
  return worstError !== null && usefulGrids > 0 && worstError < partitionOf(plan, comparison).dataFreeError;
}

/** Plans of one strategy over one partition, by what was asked for. */
export interface ComparedSeries {
  readonly label: string;
  readonly plans: readonly ComparedPlan[];
  /** Which of their errors is drawn. */
  readonly error: "worstError" | "typicalError";
}

/** Where there are several partitions, one line for each: that of the frontier, or of whatever there is. */
export function seriesOf(comparison: Comparison): ComparedSeries[] {
  const { plans } = comparison;
  const several = comparison.partitions.length > 1;
  const frontier = plans.filter(({ strategy }) => strategy === "frontier");
  const drawn = several && frontier.length > 0 ? frontier : plans;
  const manyLines = new Set(drawn.map(strategyLabel)).size > 1;
  const byLabel = new Map<string, ComparedPlan[]>();
  for (const plan of drawn) {
    const partition = several ? [partitionLabel(partitionOf(plan, comparison))] : [];
    const label = [...partition, ...(several && !manyLines ? [] : [strategyLabel(plan)])].join(", ");
    byLabel.set(label, [...(byLabel.get(label) ?? []), plan]);
  }
  return [...byLabel].map(([label, list]) => ({
    label,
    plans: list.sort((left, right) => left.loss - right.loss),
    error: "worstError",
  }));
}

/** The lines of a chart: what is guaranteed, and of balanced plans what is typical. */
export function drawnSeries(comparison: Comparison): ComparedSeries[] {
  return seriesOf(comparison).flatMap((series): ComparedSeries[] =>
    series.plans.some(({ typicalError }) => typicalError !== null)
      ? [
          { ...series, label: `${series.label}, guaranteed` },
          { ...series, label: `${series.label}, typical`, error: "typicalError" },
        ]
      : [series],
  );
}

/** A plan's typical error of one statistic; null where it has none. */
export function typicalOf({ statistics }: ComparedPlan, statistic: string): number | null {
  return statistics.find((each) => each.statistic === statistic)?.typicalError ?? null;
}

/** The frontier's line with the smaller errors, all in all. */
export function bestFrontier(comparison: Comparison): ComparedSeries | undefined {
  if (comparison.partitions.length > 1) return undefined;
  const frontiers = seriesOf(comparison).filter(({ plans }) => plans[0]?.strategy === "frontier");
  return smallest(frontiers, ({ plans }) =>
    plans.reduce((sum, plan) => sum + (plan.worstError ?? 10 * partitionOf(plan, comparison).dataFreeError), 0),
  );
}

/** The first of those for which a number is least. */
export function smallest<T>(items: readonly T[], numberOf: (item: T) => number): T | undefined {
  return items.slice(1).reduce((best, each) => (numberOf(each) < numberOf(best as T) ? each : best), items[0]);
}

/** A plan's guaranteed error of one statistic at its worst grid. */
export function errorOf({ statistics }: ComparedPlan, statistic: string): number | null {
  return statistics.find((each) => each.statistic === statistic)?.worstError ?? null;
}

/** A variance that is off by v leaves its root at most √v off. */
export function rootOf(error: number | null): number | null {
  return error === null ? null : Math.sqrt(error);
}

/** What the error is an error of. */
export function errorName({ statistics, metric, unit }: Comparison): string {
  const [only = ""] = statistics;
  if (metric === "relative") return "guaranteed error of the worst grid, as a share of what publishing midpoints risks";
  if (statistics.length > 1) return `guaranteed error of the worst grid: ${statistics.join(" + ")}`;
  return `guaranteed error of the ${withUnit(`${only} in the worst grid`, only, unit)}`;
}

/** `mean, km/h`; squared for a variance; nothing for shares. */
export function withUnit(text: string, statistic: string, unit: string | null): string {
  const own = unitText(statistic, unit);
  return own === "" ? text : `${text},${own}`;
}

/** With a space before it. Also of `sd`. */
function unitText(statistic: string, unit: string | null): string {
  const own = statistic === "sd" ? "value" : kindOfKey(statistic).unit;
  if (unit === null || own === "fraction") return "";
  return own === "squared" ? ` (${unit})²` : ` ${unit}`;
}

/** Errors of statistics in their own units, a variance's also as that of the standard deviation: `variance ± 4 (sd ± 2)`. */
export function errorList(
  errors: ReadonlyArray<{ readonly statistic: string; readonly error: number | null }>,
  unit: string | null,
  sign: string,
): string {
  const text = (name: string, error: number | null): string =>
    `${name}${sign}${formatNumber(error)}${unitText(name, unit)}`;
  return errors
    .map(({ statistic, error }) => {
      const own = text(statistic, error);
      return !kindOfKey(statistic).hasDeviation || error === null ? own : `${own} (${text("sd", Math.sqrt(error))})`;
    })
    .join(", ");
}
