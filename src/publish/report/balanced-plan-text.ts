/** Renders what is particular to a balanced plan for a terminal: typical errors first, the worst case beside them, and the model they rest on. */
import { escapeControls } from "../../core/errors/index.ts";
import { kindOfKey } from "../../core/influence/index.ts";
import type { GridPlanSummary, PlanSummary, StatisticPlanSummary } from "../../core/planning/index.ts";
import { withUnit } from "./comparison.ts";
import { modelWords, type Named, type SpreadNumbers } from "./model-words.ts";
import { columnTable, formatCount, formatNumber, lines, plural, type TextColumn } from "./text-table.ts";

/** A summary with what only balanced plans have. */
export type BalancedPlanSummary = PlanSummary & {
  readonly spread: SpreadNumbers;
  readonly passes: 1 | 2;
};

export function isBalanced(summary: PlanSummary): summary is BalancedPlanSummary {
  return summary.spread !== undefined;
}

export function balancedPlanLines(
  summary: BalancedPlanSummary,
  { gridRows, ...named }: Named & { readonly gridRows: number },
): string[] {
  return lines(
    `Plan ${goalText(summary)}`,
    weightsText(summary),
    `Published: ${summary.perStatistic.map(({ statistic }) => statistic).join(", ")}, in every grid, in ${summary.passes === 1 ? "one pass" : "two passes"}`,
    "",
    `Typical error of each statistic, in its own unit: average over the grids, worst grid${summary.passes === 1 ? ", and the most that is guaranteed whatever the values are" : ""}`,
    statisticTable(summary, named),
    "",
    `Typical errors assume that ${escapeControls(modelWords(summary.spread, named))}; change this with --spread.`,
    "They say what to expect and guarantee nothing: on the records tried they lay between half and twice the true errors.",
    guaranteeText(summary),
    gridRows > 0 && gridTable(summary, gridRows),
    "",
    advice(summary),
  );
}

function goalText({ lossTarget, aim, errorBound, errorTargets }: BalancedPlanSummary): string {
  const least = aim === "worst" ? "the least typical error in the worst grids" : "the least typical error";
  const targets = Object.entries(errorTargets ?? {}).map(([key, error]) => `${key} ${formatNumber(error)}`);
  const most = errorBound === null ? targets.join(", ") : formatNumber(errorBound);
  const bounded = most === "" ? "" : `, with a guaranteed error of at most ${most}`;
  return `balanced: ${least} for a loss of ${formatNumber(lossTarget)}${bounded}`;
}

function weightsText({ suppressed }: BalancedPlanSummary): string {
  const without = suppressed.length === 0 ? "" : `; ${plural(suppressed.length, "user–grid pair")} without weight`;
  return `Each user's records in a grid are averaged, and the averages are weighted${without}`;
}

type Line = StatisticPlanSummary & { readonly isDeviation: boolean };

function statisticTable(
  { perStatistic, passes }: BalancedPlanSummary,
  { unit = null }: { unit?: string | null | undefined },
) {
  const error =
    (of: (line: Line) => number | undefined) =>
    (line: Line): string => {
      const value = of(line) ?? null;
      // A variance that is off by v leaves its root at most √v off.
      return formatNumber(value !== null && line.isDeviation ? Math.sqrt(value) : value);
    };
  const columns: ReadonlyArray<TextColumn<Line>> = [
    [
      "statistic",
      "left",
      ({ statistic, isDeviation }) =>
        isDeviation ? withUnit("  as sd, at most", "sd", unit) : withUnit(statistic, statistic, unit),
    ],
    ["average", "right", error(({ typicalError }) => typicalError?.average)],
    ["worst grid", "right", error(({ typicalError }) => typicalError?.largest)],
    ...(passes === 1
      ? [["whatever the values are", "right", error(({ worstError }) => worstError)] satisfies TextColumn<Line>]
      : []),
    ["data-free", "right", error(({ dataFreeError }) => dataFreeError)],
  ];
  const rows = perStatistic.flatMap((each): Line[] => [
    { ...each, isDeviation: false },
    ...(kindOfKey(each.statistic).hasDeviation ? [{ ...each, isDeviation: true }] : []),
  ]);
  return columnTable(rows, columns);
}

function guaranteeText({ passes }: BalancedPlanSummary): string[] {
  return passes === 1
    ? []
    : [
        "The first pass learns where each grid's values lie, the second adds less noise around them: typical errors are at most these, often less.",
        "What is guaranteed whatever the values are is known after the release. --passes 1 has it in the plan.",
      ];
}

/** The largest typical error as a share of the data-free one: what grids are sorted by. */
function roughness({ typicalError = {}, dataFreeErrors = {} }: GridPlanSummary): number {
  return Object.entries(typicalError).reduce(
    (most, [key, error]) => Math.max(most, error / (dataFreeErrors[key] ?? Infinity)),
    0,
  );
}

function gridTable(summary: BalancedPlanSummary, rows: number): string[] {
  const shown = [...summary.perGrid].sort((left, right) => roughness(right) - roughness(left)).slice(0, rows);
  const counts = `${formatCount(shown.length)} of ${formatCount(summary.grids)}`;
  const more = shown.length < summary.grids ? ` (${counts}; --rows N shows more)` : "";
  const columns: ReadonlyArray<TextColumn<GridPlanSummary>> = [
    ["grid", "left", ({ grid }) => grid],
    ["users", "right", ({ users }) => formatCount(users)],
    ["records", "right", ({ samples }) => formatCount(samples)],
    ...summary.perStatistic.flatMap(
      ({ statistic }): Array<TextColumn<GridPlanSummary>> => [
        [`${statistic}, typical`, "right", ({ typicalError }) => formatNumber(typicalError?.[statistic] ?? null)],
        ...(summary.passes === 1
          ? [
              [
                "at most",
                "right",
                ({ statisticErrors }) => formatNumber(statisticErrors[statistic] ?? null),
              ] satisfies TextColumn<GridPlanSummary>,
            ]
          : []),
      ],
    ),
  ];
  return ["", `Grids, largest typical error first${more}`, columnTable(shown, columns)];
}

/** What a curator can do where errors are too large. */
function advice(summary: BalancedPlanSummary): string[] {
  const { perGrid, grids, perStatistic } = summary;
  const rough = perGrid.filter((grid) => roughness(grid) >= 1).length;
  const more = perStatistic.length > 1 ? ", fewer statistics (--statistics mean)" : "";
  return lines(
    rough > 0 &&
      `! In ${rough === grids ? `all ${plural(grids, "grid")}` : `${formatCount(rough)} of ${plural(grids, "grid")}`} a typical error is no smaller than that of publishing the middle of the range, which costs no privacy at all.`,
    `Errors too large? A larger --loss${more}, or fewer, larger grids (coarser hexagons, longer slots, --top, --min-users).`,
    "For the smallest error that can be guaranteed whatever the values are: --strategy frontier.",
  );
}
