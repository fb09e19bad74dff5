/** A comparison as CSV: a row for every plan, a column for every number. */
import { kindOfKey } from "../../core/influence/index.ts";
import { type ComparedPlan, type Comparison, isUseful } from "./comparison.ts";

/** Statistic errors are in the statistic's unit; `sd` is the root of the variance's. */
export function comparisonCsv(comparison: Comparison): string {
  const columns = columnsOf(comparison);
  const lines = [
    columns.map(([name]) => name),
    ...comparison.plans.map((plan) => columns.map(([, of]) => cell(of(plan)))),
  ];
  return lines.map((line) => `${line.map(quoted).join(",")}\n`).join("");
}

type Column = readonly [name: string, of: (plan: ComparedPlan) => string | number | boolean | null];

function columnsOf(comparison: Comparison): Column[] {
  const { statistics, models, partitions, goal } = comparison;
  const partitionOf = (plan: ComparedPlan) => partitions[plan.partition]!;
  const columns: Column[] = [
    ["h3", (plan) => partitionOf(plan).h3],
    ["slot", (plan) => partitionOf(plan).slot],
    ["strategy", (plan) => plan.strategy],
    ["estimator", (plan) => plan.estimator],
    ["asked_for", () => goal],
    ["asked", (plan) => plan.asked],
    ["epsilon", (plan) => plan.epsilon],
    ["loss", (plan) => plan.loss],
    ["loss_simple", (plan) => plan.lossSimple],
    ["baseline_loss_at_this_error", (plan) => plan.baselineLoss],
    ["error", (plan) => plan.worstError],
    ["data_free_error", (plan) => partitionOf(plan).dataFreeError],
    ["better_than_midpoints", (plan) => isUseful(plan, comparison)],
    ["bound_of", (plan) => plan.boundOf],
    ["lower_bound", (plan) => plan.lowerBound],
    ["gap", (plan) => plan.gap],
    ["most_grids_of_a_user", (plan) => plan.degradation],
    ["grids", (plan) => partitionOf(plan).grids],
    ["useful_grids", (plan) => plan.usefulGrids],
    ["left_out_share", (plan) => plan.leftOutShare],
  ];
  statistics.forEach((statistic, index) => {
    const errorOf = (plan: ComparedPlan): number | null => plan.statistics[index]!.worstError;
    columns.push([`${statistic}_error`, errorOf]);
    if (kindOfKey(statistic).hasDeviation) columns.push(["sd_error", (plan) => rootOf(errorOf(plan))]);
    columns.push([`${statistic}_useful_grids`, (plan) => plan.statistics[index]!.usefulGrids]);
  });
  for (const { name } of models) {
    for (const statistic of statistics) {
      const actualOf = (plan: ComparedPlan) =>
        plan.actual.find((each) => each.model === name && each.statistic === statistic)!;
      const key = `${statistic}_actual_${name.replaceAll(" ", "_")}`;
      columns.push(
        [`${key}_average`, (plan) => actualOf(plan).average],
        [`${key}_worst`, (plan) => actualOf(plan).worst],
      );
    }
  }
  return columns;
}

function rootOf(error: number | null): number | null {
  return error === null ? null : Math.sqrt(error);
}

function cell(value: string | number | boolean | null): string {
  return value === null ? "" : String(value);
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
