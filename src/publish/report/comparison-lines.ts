/** A comparison as lines to draw or to read along: which plans belong together, what their errors are called. */
import { kindOfKey } from "../../core/influence/index.ts";
import { type ComparedPlan, type Comparison, partitionLabel, strategyLabel } from "./comparison.ts";
import { formatNumber } from "./text-table.ts";

/** Plans of one strategy over one partition, by what was asked for. */
export interface ComparedSeries {
  readonly label: string;
  readonly plans: readonly ComparedPlan[];
}

/** Where there are several partitions, one line for each: that of the frontier, or of whatever there is. */
export function seriesOf(comparison: Comparison): ComparedSeries[] {
  const { plans, partitions } = comparison;
  const several = partitions.length > 1;
  const frontier = plans.some(({ strategy }) => strategy === "frontier");
  const drawn = several && frontier ? plans.filter(({ strategy }) => strategy === "frontier") : plans;
  const manyLines = new Set(drawn.map(strategyLabel)).size > 1;
  const byLabel = new Map<string, ComparedPlan[]>();
  for (const plan of drawn) {
    const partition = several ? [partitionLabel(partitions[plan.partition]!)] : [];
    const label = [...partition, ...(several && !manyLines ? [] : [strategyLabel(plan)])].join(", ");
    byLabel.set(label, [...(byLabel.get(label) ?? []), plan]);
  }
  return [...byLabel].map(([label, list]) => ({
    label,
    plans: [...list].sort((left, right) => left.loss - right.loss),
  }));
}

/** The frontier's line with the smaller errors, all in all. */
export function bestFrontier(comparison: Comparison): ComparedSeries | undefined {
  if (comparison.partitions.length > 1) return undefined;
  const sumOf = ({ plans }: ComparedSeries): number =>
    plans.reduce((sum, plan) => sum + (plan.worstError ?? 10 * comparison.partitions[0]!.dataFreeError), 0);
  return seriesOf(comparison)
    .filter(({ plans }) => plans[0]?.strategy === "frontier")
    .reduce<ComparedSeries | undefined>(
      (best, each) => (best === undefined || sumOf(each) < sumOf(best) ? each : best),
      undefined,
    );
}

/** What the error is an error of. */
export function errorName({ statistics, metric, unit }: Comparison): string {
  const [only] = statistics;
  if (metric === "relative") return "guaranteed error of the worst grid, as a share of what publishing midpoints risks";
  if (statistics.length > 1) return `guaranteed error of the worst grid: ${statistics.join(" + ")}`;
  return `guaranteed error of the ${only} in the worst grid${unitSuffix(only!, unit)}`;
}

/** `, km/h`; squared for a variance; nothing for shares. Also of `sd`. */
export function unitSuffix(statistic: string, unit: string | null): string {
  if (unit === null) return "";
  const own = statistic === "sd" ? "value" : kindOfKey(statistic).unit;
  if (own === "squared") return `, (${unit})²`;
  return own === "value" ? `, ${unit}` : "";
}

/** Errors of the statistics in their own units, a variance's also as that of the standard deviation. */
export function reading({ statistics }: ComparedPlan, { unit }: Pick<Comparison, "unit">): string {
  return statistics
    .map(({ statistic, worstError }) => {
      const own = `${statistic} ± ${formatNumber(worstError)}${spaced(unitSuffix(statistic, unit))}`;
      if (!kindOfKey(statistic).hasDeviation || worstError === null) return own;
      return `${own} (sd ± ${formatNumber(Math.sqrt(worstError))}${spaced(unitSuffix("sd", unit))})`;
    })
    .join(", ");
}

function spaced(suffix: string): string {
  return suffix.replace(/^,/, "");
}
