/** Computes how far off a published number can be, 19 times in 20, and whether it is still worth anything. */
import type { GridPlanSummary } from "../../src/core/planning/index.ts";
import { statisticOf } from "./statistics.ts";

type Row = Pick<GridPlanSummary, "kept" | "samples" | "scales" | "bias" | "useful">;

/** Laplace noise of scale 1 stays within this 19 times in 20. */
const NINETEEN_IN_TWENTY = Math.log(20);

/** Noise and dropped records together; undefined where nothing is kept. */
export function offBy(row: Row, statistic: string): number | undefined {
  const scale = row.scales[statistic];
  if (row.kept === 0 || scale === undefined) return undefined;
  return (row.bias[statistic] ?? 0) + NINETEEN_IN_TWENTY * scale;
}

/** The grid whose numbers can be farthest off; the first where nothing is kept anywhere. */
export function widestOf<Each extends Row>(rows: readonly Each[], statistic: string): Each | undefined {
  let widest = rows[0];
  for (const row of rows) if ((offBy(row, statistic) ?? -1) > (offBy(widest!, statistic) ?? -1)) widest = row;
  return widest;
}

/** What publishing the middle could be off by; undefined where there is no single number. */
export function offWithoutData(
  statistic: string,
  bounds: readonly [number, number],
  samples: number,
): number | undefined {
  const found = statisticOf(statistic, bounds);
  return found?.bins === null ? found.dataFreeError(samples).toNumberNearest() : undefined;
}

/** `rough`: better on average than the middle of the range, but a single number can be as far off as that. */
export type Worth = "useful" | "rough" | "no better";

export function worthOf(row: Row, statistics: readonly string[], bounds: readonly [number, number]): Worth {
  if (!row.useful) return "no better";
  const isRough = statistics.some((statistic) => {
    const free = offWithoutData(statistic, bounds, row.samples);
    return free !== undefined && (offBy(row, statistic) ?? 0) >= free;
  });
  return isRough ? "rough" : "useful";
}

export function roughGrids(
  rows: readonly Row[],
  statistics: readonly string[],
  bounds: readonly [number, number],
): number {
  return rows.filter((row) => worthOf(row, statistics, bounds) === "rough").length;
}

/** What helps, said where it is needed. */
export const WHAT_HELPS =
  "Larger hexagons, longer time slots, fewer grids or fewer statistics help more than a larger loss.";
