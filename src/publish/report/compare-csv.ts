/** Renders a comparison as CSV: a row for every plan, a column for every number. */
import { kindOfKey } from "../../core/influence/index.ts";
import { type ComparedPlan, type Comparison, errorOf, isUseful, partitionOf, rootOf, typicalOf } from "./comparison.ts";

type Value = string | number | boolean | null | undefined;
type Column = readonly [name: string, of: (plan: ComparedPlan) => Value];

/** Statistic errors are in the statistic's unit; `sd` is the root of the variance's. */
export function comparisonCsv(comparison: Comparison): string {
  const columns = columnsOf(comparison);
  const rows = comparison.plans.map((plan) => columns.map(([, of]) => of(plan)));
  return [columns.map(([name]) => name), ...rows].map((line) => `${line.map(cell).join(",")}\n`).join("");
}

function columnsOf(comparison: Comparison): Column[] {
  const { statistics, models, goal } = comparison;
  const ofPartition = <Key extends "h3" | "slot" | "dataFreeError" | "grids">(name: string, key: Key): Column => [
    name,
    (plan) => partitionOf(plan, comparison)[key],
  ];
  return [
    ofPartition("h3", "h3"),
    ofPartition("slot", "slot"),
    ["strategy", (plan) => plan.strategy],
    ["estimator", (plan) => plan.estimator],
    ["asked_for", () => goal],
    ["asked", (plan) => plan.asked],
    ["epsilon", (plan) => plan.epsilon],
    ["loss", (plan) => plan.loss],
    ["loss_simple", (plan) => plan.lossSimple],
    ["baseline_loss_at_this_error", (plan) => plan.baselineLoss],
    ["error", (plan) => plan.worstError],
    ["typical_error", (plan) => plan.typicalError],
    ofPartition("data_free_error", "dataFreeError"),
    ["better_than_midpoints", (plan) => isUseful(plan, comparison)],
    ["bound_of", (plan) => plan.boundOf],
    ["lower_bound", (plan) => plan.lowerBound],
    ["gap", (plan) => plan.gap],
    ["most_grids_of_a_user", (plan) => plan.degradation],
    ofPartition("grids", "grids"),
    ["useful_grids", (plan) => plan.usefulGrids],
    ["left_out_share", (plan) => plan.leftOutShare],
    ...statistics.flatMap((statistic): Column[] => [
      [`${statistic}_error`, (plan) => errorOf(plan, statistic)],
      [`${statistic}_typical_error`, (plan) => typicalOf(plan, statistic)],
      ...(kindOfKey(statistic).hasDeviation
        ? [["sd_error", (plan) => rootOf(errorOf(plan, statistic))] satisfies Column]
        : []),
      [
        `${statistic}_useful_grids`,
        (plan) => plan.statistics.find((each) => each.statistic === statistic)?.usefulGrids,
      ],
    ]),
    ...models.flatMap(({ name }) =>
      statistics.flatMap((statistic): Column[] => {
        const key = `${statistic}_actual_${name.replaceAll(" ", "_")}`;
        const actualOf = ({ actual }: ComparedPlan) =>
          actual.find((each) => each.model === name && each.statistic === statistic);
        return [
          [`${key}_average`, (plan) => actualOf(plan)?.average],
          [`${key}_worst`, (plan) => actualOf(plan)?.worst],
        ];
      }),
    ),
  ];
}

function cell(value: Value): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
