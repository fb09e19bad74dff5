/** The plan as a curator reads it in a terminal: what it costs, what it guarantees, and whether that is worth anything. */
import { escapeControls } from "../errors/index.ts";
import type { PlanSummary } from "../planning/index.ts";
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
    "",
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
  ].join("\n");
}

function comparison(summary: PlanSummary): string {
  const errorUnit = summary.metric === "relative" ? "× data-free" : "all statistics added";
  const rows = [
    ["", "baseline", "this plan", ""],
    ["most grids of one user (K)", formatCount(summary.maxGridsPerUser), formatCount(summary.degradation), ""],
    [
      "loss, simple rule",
      formatNumber(summary.baselineLossSimple),
      formatNumber(summary.lossSimple),
      "what the paper counts: K·ε",
    ],
    ["loss, joint rule", formatNumber(summary.baselineLoss), formatNumber(summary.loss), "exact; what is charged"],
    ["worst guaranteed error", formatNumber(summary.initialWorstError), formatNumber(summary.worstError), errorUnit],
    [
      "data-free error",
      formatNumber(summary.dataFreeError),
      formatNumber(summary.dataFreeError),
      "publishing midpoints, at no loss",
    ],
  ];
  return textTable(rows, ["left", "right", "right", "left"]);
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
  const worstFirst = [...summary.perGrid].sort((left, right) => (right.error ?? Infinity) - (left.error ?? Infinity));
  const shown = worstFirst.slice(0, rows);
  const capped = shown.some((grid) => grid.cap !== null);
  const title =
    shown.length < summary.grids
      ? `Grids, worst error first (${formatCount(shown.length)} of ${formatCount(summary.grids)}; --rows N shows more)`
      : "Grids, worst error first";
  return [
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
  const lines: string[] = [];
  const useless = summary.grids - summary.usefulGrids;
  const capped = summary.perGrid.some((grid) => grid.cap !== null);
  if (useless > 0) {
    const which =
      useless === summary.grids
        ? `all ${formatCount(useless)} grids`
        : `${formatCount(useless)} of ${formatCount(summary.grids)} grids`;
    lines.push(
      `! In ${which} the guarantee is no better than publishing midpoints, which costs no privacy at all.`,
      `  What would help: a larger --epsilon, fewer statistics (--statistics mean), larger grids${capped ? "" : ", --caps"}.`,
    );
  } else {
    lines.push("In every grid the guarantee is better than publishing midpoints.");
  }
  if (summary.loss > summary.baselineLoss) {
    lines.push(
      `! Under the joint rule this plan loses more (${formatNumber(summary.loss)}) than the untouched baseline ` +
        `(${formatNumber(summary.baselineLoss)}): the simple rule hides it.`,
    );
  }
  const guess = 100 / (1 + Math.exp(-summary.loss));
  const howOften =
    guess > 99.9 ? "nearly always (over 99.9 % of the time)" : `at most ${guess.toFixed(1)} % of the time`;
  lines.push(
    `A loss of ${formatNumber(summary.loss)} means: who would guess one user's values right half of the time can do so ${howOften}.`,
  );
  return lines;
}
