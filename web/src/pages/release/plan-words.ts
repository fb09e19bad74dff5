/** A plan in words: what is guaranteed, in which unit, and whether it is worth its price. */
import type { GridPlanSummary, PlanSummary, StatisticPlanSummary } from "../../../../src/planning/index.ts";
import { formatNumber } from "../../format.ts";

/** As the service keeps it. */
export interface KeptPlan {
  readonly hash: string;
  readonly created: string;
  readonly summary: PlanSummary;
}

/** `km/h`, squared for a variance, nothing for shares. */
export function unitOfStatistic(statistic: string, unit: string | null): string | undefined {
  if (unit === null) return undefined;
  if (statistic === "variance") return `(${unit})²`;
  return statistic === "mean" || statistic === "sum" ? unit : undefined;
}

export function withUnit(value: number | null, unit: string | undefined): string {
  if (value === null) return "without bound";
  return unit === undefined ? formatNumber(value) : `${formatNumber(value)} ${unit}`;
}

/** `±2.74 km/h in the worst grid: 1.11 of noise on average, plus at most 1.63 because records are dropped`. */
export function guaranteeWords(statistic: StatisticPlanSummary, unit: string | null): string {
  const own = unitOfStatistic(statistic.statistic, unit);
  const { worstError, worstNoise, worstBias } = statistic;
  if (!Number.isFinite(worstError)) return "no grid has this statistic";
  const parts =
    worstBias > 0
      ? `${withUnit(worstNoise, own)} of noise on average, plus at most ${withUnit(worstBias, own)} because records are dropped`
      : "all of it noise, on average; no record is dropped there";
  return `±${withUnit(worstError, own)} in the worst grid: ${parts}`;
}

export interface Verdict {
  readonly tone: "good" | "weak" | "bad";
  readonly heading: string;
  readonly text: string;
}

/** Whether it is worth publishing, said as it is. */
export function verdictOf({
  usefulGrids,
  grids,
  setAside,
}: Pick<PlanSummary, "usefulGrids" | "grids" | "setAside">): Verdict {
  if (usefulGrids === 0)
    return {
      tone: "bad",
      heading: "Not worth its price",
      text: "In no grid is the guarantee better than publishing the middle of the range, which costs nothing. Spend more per release, ask for fewer or larger grids, or do not release.",
    };
  if (usefulGrids < grids)
    return {
      tone: "weak",
      heading: `Worth it in ${usefulGrids} of ${grids} grids`,
      text: `In the other ${grids - usefulGrids} the guarantee is no better than publishing the middle of the range, which costs nothing; they are marked${setAside.length > 0 ? ", and nothing is spent on those set aside" : ""}.`,
    };
  return {
    tone: "good",
    heading: "Worth it in every grid",
    text: "Every guarantee is better than publishing the middle of the range without looking at any data.",
  };
}

/** What a published number of the worst grid could have been, for a picture; undefined where there is no common range. */
export function noiseOfWorstGrid(
  { perStatistic, perGrid }: Pick<PlanSummary, "perStatistic" | "perGrid">,
  [low, high]: readonly [number, number],
): { statistic: string; scale: number; bias: number; bounds: readonly [number, number]; center: number } | undefined {
  const found = perStatistic.find(({ statistic }) => statistic === "mean" || statistic.startsWith("share:"));
  const grid: GridPlanSummary | undefined = perGrid.find((each) => each.grid === found?.worstGrid);
  const scale = grid?.scales[found?.statistic ?? ""];
  if (found === undefined || grid === undefined || scale === undefined) return undefined;
  const bounds = found.statistic === "mean" ? ([low, high] as const) : ([0, 1] as const);
  return {
    statistic: found.statistic,
    scale,
    bias: grid.bias[found.statistic] ?? 0,
    bounds,
    center: (bounds[0] + bounds[1]) / 2,
  };
}

/** `0,65` as two numbers. */
export function boundsOf(text: string): readonly [number, number] {
  const [low = "0", high = "1"] = text.split(",");
  return [Number(low), Number(high)];
}
