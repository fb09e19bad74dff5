/** Renders for a terminal what is particular to a plan that aims for a guarantee: what is left out, what it guarantees, and whether that is worth anything. */
import { escapeControls } from "../../core/errors/index.ts";
import { kindOfKey } from "../../core/influence/index.ts";
import type { GridPlanSummary, PlanSummary, StatisticPlanSummary } from "../../core/planning/index.ts";
import {
  columnTable,
  formatCount,
  formatNumber,
  lines,
  plural,
  shortList,
  type TextColumn,
  textTable,
} from "./text-table.ts";

export function guaranteedPlanLines(summary: PlanSummary, gridRows: number): string[] {
  return lines(
    `Plan ${goalText(summary)}`,
    leftOutText(summary),
    noiseText(summary),
    nearnessText(summary),
    "",
    comparisonTable(summary),
    "",
    "Guaranteed error of each statistic, in its own unit, at the worst grid",
    statisticTable(summary),
    gridRows > 0 && gridTable(summary, gridRows),
    "",
    usefulness(summary),
    lossAgainstBaseline(summary),
  );
}

/** What the strategy was asked for. */
function goalText(summary: PlanSummary): string {
  if (summary.strategy === "baseline") return "baseline: nobody is dropped";
  if (summary.strategy === "clip-user") return "clip-user: users dropped from grids as the paper does";
  if (summary.strategy === "clip-user-optimal")
    return "clip-user-optimal: users dropped so that K is as small as it can be";
  if (summary.lossTarget !== null) return `frontier: the least error for a loss of ${formatNumber(summary.lossTarget)}`;
  if (summary.errorTargets !== null) {
    const targets = Object.entries(summary.errorTargets).map(([key, error]) => `${key} ${formatNumber(error)}`);
    return `frontier: the least loss at which every grid's errors are at most ${targets.join(", ")}`;
  }
  const asked = summary.epsilon === null ? "" : `, which the baseline has at ε = ${summary.exact.epsilon}`;
  return `frontier: the least loss for an error of at most ${formatNumber(summary.errorBound)} in every grid${asked}`;
}

function leftOutText(summary: PlanSummary): string {
  const { suppressed, trimmed, protectedGrid, samples } = summary;
  const dropped = samples - summary.keptSamples;
  const share = ((100 * dropped) / samples).toFixed(1);
  const middle = summary.estimator === "centred" && dropped > 0 ? ", counted as the middle of what they could be" : "";
  const guarded = protectedGrid === null ? "" : `; grid ${escapeControls(protectedGrid)} is protected from drops`;
  const parts = lines(
    suppressed.length > 0 && `${plural(suppressed.length, "user–grid pair")} dropped`,
    trimmed.length > 0 && `${formatCount(trimmed.length)} trimmed`,
    hasCaps(summary.perGrid) && "capped in each grid",
    `${formatCount(dropped)} records (${share} %) are left out`,
  );
  return parts.join(", ") + middle + guarded;
}

function hasCaps(grids: readonly GridPlanSummary[]): boolean {
  return grids.some(({ cap }) => cap !== null);
}

function noiseText({ strategy, split, exact, perStatistic }: PlanSummary): string {
  const statistics = perStatistic.map((each) => each.statistic).join(", ");
  return strategy === "frontier"
    ? `Published: ${statistics}, in every grid with as much noise as its error allows`
    : `ε = ${exact.epsilon} in every grid, ${split} split over ${statistics}`;
}

/** How far the plan is from the best possible. */
function nearnessText(summary: PlanSummary): string | false {
  const { boundOf, lowerBound, gap, degradation } = summary;
  if (boundOf === null || lowerBound === null || gap === null) return false;
  if (boundOf === "degradation")
    return `Proven: no choice of drops has a smaller K than ${gap === 0 ? degradation : `${lowerBound}; this one has ${degradation}`}`;
  if (summary.loss === 0) return false;
  const where = summary.setAside.length > 0 ? " in the grids that are not given up" : "";
  const what =
    boundOf === "loss" ? "with this error loses less than" : `with this loss has a smaller error${where} than`;
  // Rounded up to a tenth of a percent.
  const percent = (Math.ceil(1000 * gap - 1e-9) / 10).toFixed(1);
  return `Proven: no plan ${what} ${formatNumber(lowerBound)}; the best there is can be at most ${percent} % below this one`;
}

/** The plan beside what it is held against: a line per figure. */
function comparisonTable(summary: PlanSummary): string {
  const { metric, setAside, grids } = summary;
  const dataFree = formatNumber(worstFirst(summary)[0]?.dataFreeError ?? null);
  const errorNote =
    metric === "relative"
      ? "as a multiple of the data-free error"
      : summary.perStatistic.length > 1
        ? "all statistics added"
        : "";
  const table: string[][] = [
    ["", baselineName(summary), "this plan", ""],
    ["most grids of one user (K)", formatCount(summary.maxGridsPerUser), formatCount(summary.degradation), ""],
    [
      "loss, simple rule",
      formatNumber(summary.baselineLossSimple),
      formatNumber(summary.lossSimple),
      "ε for every grid of a user: what the paper counts",
    ],
    [
      "loss, joint rule",
      formatNumber(summary.baselineLoss),
      formatNumber(summary.loss),
      "what one user can really move: what is charged",
    ],
    ["worst guaranteed error", formatNumber(summary.initialWorstError), formatNumber(summary.worstError), errorNote],
    ["data-free error", dataFree, dataFree, "of publishing midpoints, at no loss"],
  ];
  if (setAside.length > 0 && setAside.length < grids)
    table.splice(-1, 0, [
      `  in the ${plural(grids - setAside.length, "grid")} not given up`,
      "",
      formatNumber(summary.errorBound),
      "",
    ]);
  return textTable(table, ["left", "right", "right", "left"]);
}

function baselineName(summary: PlanSummary): string {
  if (summary.strategy === "frontier" && summary.epsilon === null)
    return `baseline, same error (ε = ${formatNumber(summary.baselineEpsilon)})`;
  return summary.split === "best" ? "baseline (even split)" : "baseline";
}

/** Grids by their error, those that were given up last. */
function worstFirst(summary: PlanSummary): GridPlanSummary[] {
  const aside = new Set(summary.setAside);
  const rank = (grid: GridPlanSummary): number => (aside.has(grid.grid) ? -1 : (grid.error ?? Infinity));
  return [...summary.perGrid].sort((left, right) => rank(right) - rank(left));
}

function statisticTable({ perStatistic, grids }: PlanSummary): string {
  type Line = StatisticPlanSummary & { readonly isDeviation: boolean };
  const error = (value: number | null): string => formatNumber(value);
  const own =
    (text: (line: StatisticPlanSummary) => string) =>
    (line: Line): string =>
      line.isDeviation ? "" : text(line);
  const columns: ReadonlyArray<TextColumn<Line>> = [
    ["statistic", "left", (line) => (line.isDeviation ? "  as sd" : line.statistic)],
    ["baseline", "right", ({ initialWorstError }) => error(initialWorstError)],
    ["this plan", "right", ({ worstError }) => error(worstError)],
    ["= bias", "right", own(({ worstBias }) => error(worstBias))],
    ["+ noise", "right", own(({ worstNoise }) => error(worstNoise))],
    ["data-free", "right", ({ dataFreeError }) => error(dataFreeError)],
    ["worst grid", "left", own(({ worstGrid }) => worstGrid)],
    ["useful grids", "right", own(({ usefulGrids }) => `${formatCount(usefulGrids)} of ${formatCount(grids)}`)],
  ];
  return columnTable(
    perStatistic.flatMap((each): Line[] => [
      { ...each, isDeviation: false },
      ...(kindOfKey(each.statistic).hasDeviation ? [asDeviation(each)] : []),
    ]),
    columns,
  );
}

/** A variance that is off by v leaves its root at most √v off: in the unit of the values. */
function asDeviation(variance: StatisticPlanSummary): StatisticPlanSummary & { readonly isDeviation: true } {
  const { initialWorstError, worstError, dataFreeError } = variance;
  return {
    ...variance,
    isDeviation: true,
    initialWorstError: Math.sqrt(initialWorstError),
    worstError: Math.sqrt(worstError),
    dataFreeError: Math.sqrt(dataFreeError),
  };
}

function gridTable(summary: PlanSummary, rows: number): string[] {
  const shown = worstFirst(summary).slice(0, rows);
  const counts = `${formatCount(shown.length)} of ${formatCount(summary.grids)}`;
  const more = shown.length < summary.grids ? ` (${counts}; --rows N shows more)` : "";
  const columns: ReadonlyArray<TextColumn<GridPlanSummary>> = [
    ["grid", "left", ({ grid }) => grid],
    ["users", "right", ({ users }) => formatCount(users)],
    ["records", "right", ({ samples }) => formatCount(samples)],
    ["kept", "right", ({ kept }) => formatCount(kept)],
    ["cap", "right", ({ cap }) => (cap === null ? "–" : formatCount(cap))],
    ["error before", "right", ({ initialError }) => formatNumber(initialError)],
    ["error after", "right", ({ error }) => formatNumber(error)],
    ["data-free", "right", ({ dataFreeError }) => formatNumber(dataFreeError)],
  ];
  const known = columns.filter(([head]) => head !== "cap" || hasCaps(shown));
  return ["", `Grids, worst error first${more}`, columnTable(shown, known)];
}

/** What the guarantee means for someone who has to decide. */
function usefulness(summary: PlanSummary): string[] {
  const { grids, perStatistic, setAside, usefulGrids } = summary;
  const help = whatHelps(summary).join(", ");
  if (summary.strategy === "frontier" && summary.loss === 0)
    return [
      `! ${summary.lossTarget === null ? "This error is" : "What this loss buys is"} no better than publishing midpoints: the plan publishes those, reads nobody's values and spends nothing.`,
      `  For numbers that say something about the data: ${help}.`,
    ];
  const outOf = (count: number): string =>
    count === grids ? `all ${plural(grids, "grid")}` : `${formatCount(count)} of ${plural(grids, "grid")}`;
  const useless = grids - usefulGrids;
  const weak = perStatistic.length === 1 ? [] : perStatistic.filter((each) => each.usefulGrids < grids);
  return lines(
    useless > 0
      ? `! In ${outOf(useless)} the guarantee is no better than publishing midpoints, which costs no privacy at all.`
      : `${weak.length > 0 ? "All statistics together: in" : "In"} ${outOf(grids)} the guarantee is better than publishing midpoints.`,
    setAside.length > 0 && [
      `  Given up, so that in all others this loss buys something better: ${shortList(setAside.map(escapeControls), 5)}.`,
      "  Nothing of them is read. Which to give up is a rule of thumb; --top and --min-users choose yourself.",
    ],
    weak.map(
      (each) => `! ${each.statistic}, by itself, is no better than its midpoint in ${outOf(grids - each.usefulGrids)}.`,
    ),
    (useless > 0 || weak.length > 0) && `  What would help: ${help}.`,
    mixedUnits(summary),
    costliest(summary),
  );
}

/** Adding a mean's error to a variance's lets the larger numbers decide; who reads the mean pays for it. */
function mixedUnits({ strategy, errorTargets, metric, perStatistic }: PlanSummary): string[] {
  const neglected = perStatistic.find((each) => each.worstError > 1.5 * each.initialWorstError);
  if (strategy !== "frontier" || errorTargets !== null || metric !== "sum") return [];
  if (perStatistic.length === 1 || neglected === undefined) return [];
  return [
    `! --metric sum adds errors of different units, so ${neglected.statistic} is the one that gives way: ${formatNumber(neglected.worstError)}, baseline ${formatNumber(neglected.initialWorstError)}.`,
    "  --metric relative holds each to its own range; --error mean=2,sd=5 says what each may be.",
  ];
}

function whatHelps({ strategy, lossTarget, perStatistic, perGrid }: PlanSummary): string[] {
  const isFrontier = strategy === "frontier";
  const atACost = isFrontier
    ? lossTarget === null
      ? "a smaller --error (at a higher loss)"
      : "a larger --loss"
    : hasCaps(perGrid)
      ? "a larger --epsilon (at a higher loss)"
      : "a larger --epsilon or --caps (both at a higher loss)";
  return lines(
    atACost,
    perStatistic.length > 1 && "fewer statistics (--statistics mean)",
    "fewer, larger grids (coarser hexagons, longer slots, --top, --min-users)",
    !isFrontier && "--strategy frontier",
  );
}

/** Where few grids decide the loss of the whole release, leaving them out is worth a thought. */
function costliest({ grids, setAside, perGrid }: PlanSummary): string | false {
  const published = grids - setAside.length;
  const byShare = perGrid
    .map((grid) => ({ ...grid, share: grid.lossShare ?? 0 }))
    .filter(({ share }) => share > 0)
    .sort((left, right) => right.share - left.share);
  let share = 0;
  const costly: GridPlanSummary[] = [];
  for (const grid of byShare) {
    if (share >= 0.5) break;
    share += grid.share;
    costly.push(grid);
  }
  if (published < 8 || costly.length === 0 || costly.length > published / 4) return false;
  const names = costly.map(({ grid, users }) => `${escapeControls(grid)} (${plural(users, "user")})`);
  return `  ${Math.round(100 * share)} % of what is lost goes to ${plural(costly.length, "grid")}: ${shortList(names, 3)}. Without ${costly.length === 1 ? "it" : "them"}, or with larger grids, the others cost less.`;
}

/** Dropping and capping lowers the noise as well, and with it everyone's protection: the simple rule does not see that. */
function lossAgainstBaseline(summary: PlanSummary): string[] {
  const { loss, baselineLoss } = summary;
  if (summary.strategy === "frontier") return [];
  if (loss > 1.001 * baselineLoss) {
    const hidden = summary.lossSimple < summary.baselineLossSimple ? ", which the simple rule hides" : "";
    return [
      `! By the joint rule this plan loses more (${formatNumber(loss)}) than the untouched baseline (${formatNumber(baselineLoss)})${hidden}:`,
      "  fewer records of the heaviest user mean less noise, for everyone. --strategy frontier costs less at the same error.",
    ];
  }
  if (summary.samples === summary.keptSamples || loss < 0.999 * baselineLoss) return [];
  return [
    "! What is left out does not lower the loss that is charged: --strategy baseline leaves nothing out, at the same loss and smaller errors.",
  ];
}
