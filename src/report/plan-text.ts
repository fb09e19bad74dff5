/** The plan as a curator reads it in a terminal: what it costs, what it guarantees, and whether that is worth anything. */
import { escapeControls } from "../errors/index.ts";
import type { GridPlanSummary, PlanSummary } from "../planning/index.ts";
import { formatCount, formatNumber, plural, textTable } from "./text-table.ts";

export interface PlanTextOptions {
  /** Rows of the per-grid table, worst error first. */
  readonly gridRows?: number;
  /** Where the plan was written. */
  readonly out?: string | undefined;
}

export function planSummaryText(source: string, summary: PlanSummary, options: PlanTextOptions = {}): string {
  return [
    heading(source, summary),
    "",
    comparison(summary),
    "",
    "Guaranteed error of each statistic, in its own unit, at the worst grid",
    statistics(summary),
    ...grids(summary, options.gridRows ?? 12),
    "",
    ...verdict(summary),
    "",
    options.out === undefined
      ? `plan ${summary.planHash} (not written; use --out FILE)`
      : `plan ${summary.planHash} written to ${escapeControls(options.out)}`,
    "",
  ].join("\n");
}

function heading(source: string, summary: PlanSummary): string {
  const dropped = summary.samples - summary.keptSamples;
  const share = ((100 * dropped) / summary.samples).toFixed(1);
  const what =
    summary.strategy === "baseline"
      ? "baseline: nobody is dropped"
      : `clip-user: ${plural(summary.suppressed.length, "user–grid pair")} dropped`;
  const caps = summary.perGrid.some((grid) => grid.cap !== null) ? ", capped in each grid" : "";
  return [
    `${escapeControls(source)}: ${plural(summary.users, "user")}, ${plural(summary.grids, "grid")}, ${plural(summary.samples, "record")}`,
    `Plan ${what}${caps}; ${formatCount(dropped)} records (${share} %) are left out`,
    `ε = ${summary.exact.epsilon} in every grid, ${summary.split} split over ${summary.perStatistic.map((each) => each.statistic).join(", ")}` +
      (summary.protectedGrid === null ? "" : `; grid ${escapeControls(summary.protectedGrid)} is protected from drops`),
    ...(summary.estimator === "centred"
      ? [
          "Estimator centred: what is left out counts as the middle of what it could be, which halves its worst case; a variance may typically be further off than with kept",
        ]
      : []),
  ].join("\n");
}

function comparison(summary: PlanSummary): string {
  const worst = worstFirst(summary)[0]!;
  const dataFree = formatNumber(worst.dataFreeError);
  const rows = [
    ["", summary.split === "best" ? "baseline (even split)" : "baseline", "this plan", ""],
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
    [
      "worst guaranteed error",
      formatNumber(summary.initialWorstError),
      formatNumber(summary.worstError),
      summary.metric === "relative" ? "as a multiple of the data-free error" : "all statistics added",
    ],
    ["data-free error", dataFree, dataFree, "of publishing midpoints, at no loss"],
  ];
  return textTable(rows, ["left", "right", "right", "left"]);
}

function worstFirst(summary: PlanSummary): GridPlanSummary[] {
  return [...summary.perGrid].sort((left, right) => (right.error ?? Infinity) - (left.error ?? Infinity));
}

function statistics(summary: PlanSummary): string {
  return textTable(
    [
      ["statistic", "baseline", "this plan", "= bias", "+ noise", "data-free", "worst grid", "useful grids"],
      ...summary.perStatistic.map((each) => [
        each.statistic,
        formatNumber(each.initialWorstError),
        formatNumber(each.worstError),
        formatNumber(each.worstBias),
        formatNumber(each.worstNoise),
        formatNumber(each.dataFreeError),
        each.worstGrid,
        `${formatCount(each.usefulGrids)} of ${formatCount(summary.grids)}`,
      ]),
    ],
    ["left", "right", "right", "right", "right", "right", "left", "right"],
  );
}

function grids(summary: PlanSummary, rows: number): string[] {
  if (rows === 0) return [];
  const shown = worstFirst(summary).slice(0, rows);
  const capped = shown.some((grid) => grid.cap !== null);
  const title =
    shown.length < summary.grids
      ? `Grids, worst error first (${formatCount(shown.length)} of ${formatCount(summary.grids)}; --rows N shows more)`
      : "Grids, worst error first";
  return [
    "",
    title,
    textTable(
      [
        ["grid", "users", "records", "kept", ...(capped ? ["cap"] : []), "error before", "error after", "data-free"],
        ...shown.map((grid) => [
          grid.grid,
          formatCount(grid.users),
          formatCount(grid.samples),
          formatCount(grid.kept),
          ...(capped ? [grid.cap === null ? "–" : formatCount(grid.cap)] : []),
          formatNumber(grid.initialError),
          formatNumber(grid.error),
          formatNumber(grid.dataFreeError),
        ]),
      ],
      ["left", "right", "right", "right", ...(capped ? (["right"] as const) : []), "right", "right", "right"],
    ),
  ];
}

/** What the numbers mean for someone who has to decide. */
function verdict(summary: PlanSummary): string[] {
  return [...usefulness(summary), ...lossAgainstBaseline(summary), lossInWords(summary), latticePart(summary)];
}

function usefulness(summary: PlanSummary): string[] {
  const { grids, perStatistic } = summary;
  const outOf = (count: number): string =>
    count === grids ? `all ${plural(grids, "grid")}` : `${formatCount(count)} of ${plural(grids, "grid")}`;
  const useless = grids - summary.usefulGrids;
  const weak = perStatistic.length === 1 ? [] : perStatistic.filter((each) => each.usefulGrids < grids);
  const lines =
    useless > 0
      ? [`! In ${outOf(useless)} the guarantee is no better than publishing midpoints, which costs no privacy at all.`]
      : [
          `${weak.length > 0 ? "All statistics together: in" : "In"} ${outOf(grids)} the guarantee is better than publishing midpoints.`,
        ];
  for (const each of weak)
    lines.push(`! ${each.statistic}, by itself, is no better than its midpoint in ${outOf(grids - each.usefulGrids)}.`);
  if (useless > 0 || weak.length > 0) {
    const capped = summary.perGrid.some((grid) => grid.cap !== null);
    const costly = capped
      ? "a larger --epsilon (at a higher loss)"
      : "a larger --epsilon or --caps (both at a higher loss)";
    lines.push(`  What would help: ${costly}, fewer statistics, larger grids.`);
  }
  return lines;
}

/** Dropping and capping lowers the noise as well, and with it everyone's protection: the simple rule does not see that. */
function lossAgainstBaseline(summary: PlanSummary): string[] {
  const leftOut = summary.samples - summary.keptSamples;
  if (summary.loss <= 1.001 * summary.baselineLoss) {
    if (leftOut === 0 || summary.loss < 0.999 * summary.baselineLoss) return [];
    return [
      "! What is left out does not lower the loss that is charged: --strategy baseline leaves nothing out, at the same loss and smaller errors.",
    ];
  }
  const hidden = summary.lossSimple < summary.baselineLossSimple ? ", which the simple rule hides" : "";
  return [
    `! By the joint rule this plan loses more (${formatNumber(summary.loss)}) than the untouched baseline (${formatNumber(summary.baselineLoss)})${hidden}:`,
    "  fewer records of the heaviest user mean less noise, for everyone. A smaller --epsilon, or --strategy baseline, costs less.",
  ];
}

function lossInWords(summary: PlanSummary): string {
  const guess = 100 / (1 + Math.exp(-summary.loss));
  const howOften =
    guess > 99.9
      ? "nearly always (over 99.9 % of the time)"
      : `at most ${(Math.ceil(10 * guess) / 10).toFixed(1)} % of the time`;
  return `A loss of ${formatNumber(summary.loss)} means: who would guess one user's values right half of the time can do so ${howOften}.`;
}

function latticePart(summary: PlanSummary): string {
  const parts = Object.entries(summary.latticeError).map(
    ([statistic, error]) => `${formatNumber(error)} (${statistic})`,
  );
  return `Rounding values before use (--step) adds at most ${parts.join(", ")} to these errors.`;
}
