/** Describes a plan in words: what is guaranteed, in which unit, and whether it is worth its price. */
import { growsWithRecords } from "../../../../src/core/influence/index.ts";
import type { GridPlanSummary, PlanSummary, StatisticPlanSummary } from "../../../../src/core/planning/index.ts";
import { formatCount, formatNumber } from "../../format.ts";
import { WHAT_HELPS, widestOf } from "../../how-far-off.ts";
import { statisticOf, unitOf } from "../../statistics.ts";

/** As the service keeps it. */
export interface KeptPlan {
  readonly hash: string;
  readonly created: string;
  readonly summary: PlanSummary;
}

/** `km/h`, squared for a variance, nothing for shares. */
export function unitOfStatistic(statistic: string, unit: string | null): string | undefined {
  return unitOf(statistic, unit) || undefined;
}

export function withUnit(value: number | null, unit: string | undefined): string {
  if (value === null) return "without bound";
  return unit === undefined ? formatNumber(value) : `${formatNumber(value)} ${unit}`;
}

/** `at most 2.74 km/h off on average, in the worst grid: 1.11 of noise, plus at most 1.63 because records are dropped`. */
export function guaranteeWords(statistic: StatisticPlanSummary, unit: string | null): string {
  const own = unitOfStatistic(statistic.statistic, unit);
  const { worstError, worstNoise, worstBias } = statistic;
  if (!Number.isFinite(worstError)) return "no grid has this statistic";
  const parts =
    worstBias > 0
      ? `${withUnit(worstNoise, own)} of noise, plus at most ${withUnit(worstBias, own)} because records are dropped`
      : "all of it noise; no record is dropped there";
  return `at most ${withUnit(worstError, own)} off on average, in the worst grid: ${parts}`;
}

export interface Verdict {
  readonly tone: "good" | "weak" | "bad";
  readonly heading: string;
  readonly text: string;
}

/** Whether it is worth publishing, said as it is: of each statistic by itself, for a sum of errors can hide a bad one. */
export function verdictOf({
  grids,
  perStatistic,
  setAside,
  rough,
}: Pick<PlanSummary, "grids" | "perStatistic" | "setAside"> & { readonly rough: number }): Verdict {
  const aside = setAside.length > 0 ? ` Nothing is spent on the ${formatCount(setAside.length)} set aside.` : "";
  if (perStatistic.every(({ usefulGrids }) => usefulGrids === 0))
    return {
      tone: "bad",
      heading: "Not worth its price",
      text: "In no grid is the guarantee better than publishing the middle of the range, which costs nothing. Plan with a larger loss or with larger grids, or do not release.",
    };
  const allUseful = perStatistic.every(({ usefulGrids }) => usefulGrids === grids);
  if (rough > 0)
    return {
      tone: "weak",
      heading: `Rough in ${rough === grids ? "every grid" : `${formatCount(rough)} of ${formatCount(grids)} grids`}`,
      text: `On average the numbers are better than the middle of the range, but a single one can be as far off as that. ${WHAT_HELPS}${allUseful ? "" : " Elsewhere some guarantees are no better than the middle."}${aside}`,
    };
  if (allUseful)
    return {
      tone: "good",
      heading: "Worth it in every grid",
      text: "Every guarantee is better than publishing the middle of the range without looking at any data.",
    };
  const counts = perStatistic.map(({ statistic, usefulGrids }) => {
    const name = perStatistic.length === 1 ? "" : `${statistic} `;
    return `${name}in ${usefulGrids === grids ? "every grid" : `${formatCount(usefulGrids)} of ${formatCount(grids)} grids`}`;
  });
  return {
    tone: "weak",
    heading: `Worth it: ${counts.join(", ")}`,
    text: `Elsewhere the guarantee is no better than publishing the middle of the range, which costs nothing; such numbers will be marked.${aside}`,
  };
}

/** Grids in which every statistic may be better than no data: at most. */
export function usefulGridsOf({
  usefulGrids,
  perStatistic,
}: Pick<PlanSummary, "usefulGrids" | "perStatistic">): number {
  return Math.min(usefulGrids, ...perStatistic.map((each) => each.usefulGrids));
}

/** What a published number of the grid that can be farthest off could have been, for a picture; undefined where there is no common range. */
export function noiseOfWorstGrid(
  { perStatistic, perGrid }: Pick<PlanSummary, "perStatistic" | "perGrid">,
  bounds: readonly [number, number],
): { statistic: string; scale: number; bias: number; bounds: readonly [number, number]; center: number } | undefined {
  const found = perStatistic
    .map(({ statistic }) => statisticOf(statistic, bounds))
    .find((each) => each?.bins === null && !each.kind.hasDeviation && !growsWithRecords(each));
  if (found === undefined) return undefined;
  const grid: GridPlanSummary | undefined = widestOf(perGrid, found.key);
  const scale = grid?.scales[found.key];
  if (grid === undefined || scale === undefined) return undefined;
  const [low, high] = found.range(1).map((end) => end.toNumberNearest()) as [number, number];
  return {
    statistic: found.key,
    scale,
    bias: grid.bias[found.key] ?? 0,
    bounds: [low, high],
    center: (low + high) / 2,
  };
}

/** `0,65` as two numbers. */
export function boundsOf(text: string): readonly [number, number] {
  const [low = "0", high = "1"] = text.split(",");
  return [Number(low), Number(high)];
}
