/** The plan as a curator reads it in a terminal: what it costs, what it guarantees, and whether that is worth anything. */
import { escapeControls } from "../../core/errors/index.ts";
import { kindOfKey } from "../../core/influence/index.ts";
import type { GridPlanSummary, PlanSummary, StatisticPlanSummary } from "../../core/planning/index.ts";
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
  return [
    `${escapeControls(source)}: ${plural(summary.users, "user")}, ${plural(summary.grids, "grid")}, ${plural(summary.samples, "record")}`,
    `Plan ${goal(summary)}`,
    leftOut(summary),
    noise(summary),
    ...nearness(summary),
  ].join("\n");
}

/** What the strategy was asked for. */
function goal(summary: PlanSummary): string {
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

function leftOut(summary: PlanSummary): string {
  const dropped = summary.samples - summary.keptSamples;
  const share = ((100 * dropped) / summary.samples).toFixed(1);
  const parts = [
    ...(summary.suppressed.length > 0 ? [`${plural(summary.suppressed.length, "user–grid pair")} dropped`] : []),
    ...(summary.trimmed.length > 0 ? [`${formatCount(summary.trimmed.length)} trimmed`] : []),
    ...(summary.perGrid.some((grid) => grid.cap !== null) ? ["capped in each grid"] : []),
  ];
  const records = `${formatCount(dropped)} records (${share} %) are left out`;
  const middle = summary.estimator === "centred" && dropped > 0 ? ", counted as the middle of what they could be" : "";
  const guarded =
    summary.protectedGrid === null ? "" : `; grid ${escapeControls(summary.protectedGrid)} is protected from drops`;
  return `${[...parts, records].join(", ")}${middle}${guarded}`;
}

function noise(summary: PlanSummary): string {
  const statistics = summary.perStatistic.map((each) => each.statistic).join(", ");
  if (summary.strategy !== "frontier")
    return `ε = ${summary.exact.epsilon} in every grid, ${summary.split} split over ${statistics}`;
  return `Published: ${statistics}, in every grid with as much noise as its error allows`;
}

/** How far from the best possible. */
function nearness(summary: PlanSummary): string[] {
  const { boundOf, lowerBound, gap } = summary;
  if (boundOf === null || lowerBound === null || gap === null) return [];
  if (boundOf === "degradation") {
    return [
      gap === 0
        ? `Proven: no choice of drops has a smaller K than ${summary.degradation}`
        : `Proven: no choice of drops has a smaller K than ${lowerBound}; this one has ${summary.degradation}`,
    ];
  }
  if (summary.loss === 0) return [];
  const where = summary.setAside.length > 0 ? " in the grids that are not given up" : "";
  const what =
    boundOf === "loss" ? "with this error loses less than" : `with this loss has a smaller error${where} than`;
  return [
    `Proven: no plan ${what} ${formatNumber(lowerBound)}; the best there is can be at most ${percentUp(gap)} below this one`,
  ];
}

/** Rounded up to a tenth of a percent. */
function percentUp(share: number): string {
  return `${(Math.ceil(1000 * share - 1e-9) / 10).toFixed(1)} %`;
}

function comparison(summary: PlanSummary): string {
  const worst = worstFirst(summary)[0]!;
  const dataFree = formatNumber(worst.dataFreeError);
  const rows = [
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
    [
      "worst guaranteed error",
      formatNumber(summary.initialWorstError),
      formatNumber(summary.worstError),
      errorWords(summary),
    ],
    ...(summary.setAside.length === 0 || summary.setAside.length === summary.grids
      ? []
      : [
          [
            `  in the ${plural(summary.grids - summary.setAside.length, "grid")} not given up`,
            "",
            formatNumber(summary.errorBound),
            "",
          ],
        ]),
    ["data-free error", dataFree, dataFree, "of publishing midpoints, at no loss"],
  ];
  return textTable(rows, ["left", "right", "right", "left"]);
}

function errorWords(summary: PlanSummary): string {
  if (summary.metric === "relative") return "as a multiple of the data-free error";
  return summary.perStatistic.length > 1 ? "all statistics added" : "";
}

/** What the plan is held against. */
function baselineName(summary: PlanSummary): string {
  if (summary.strategy === "frontier" && summary.epsilon === null)
    return `baseline, same error (ε = ${formatNumber(summary.baselineEpsilon)})`;
  return summary.split === "best" ? "baseline (even split)" : "baseline";
}

function worstFirst(summary: PlanSummary): GridPlanSummary[] {
  const aside = new Set(summary.setAside);
  const rank = (grid: GridPlanSummary): number => (aside.has(grid.grid) ? -1 : (grid.error ?? Infinity));
  return [...summary.perGrid].sort((left, right) => rank(right) - rank(left));
}

function statistics(summary: PlanSummary): string {
  return textTable(
    [
      ["statistic", "baseline", "this plan", "= bias", "+ noise", "data-free", "worst grid", "useful grids"],
      ...summary.perStatistic.flatMap((each) => [
        [
          each.statistic,
          formatNumber(each.initialWorstError),
          formatNumber(each.worstError),
          formatNumber(each.worstBias),
          formatNumber(each.worstNoise),
          formatNumber(each.dataFreeError),
          each.worstGrid,
          `${formatCount(each.usefulGrids)} of ${formatCount(summary.grids)}`,
        ],
        ...(kindOfKey(each.statistic).hasDeviation ? [standardDeviation(each)] : []),
      ]),
    ],
    ["left", "right", "right", "right", "right", "right", "left", "right"],
  );
}

/** A variance that is off by v leaves its root at most √v off: in the unit of the values. */
function standardDeviation(variance: StatisticPlanSummary): string[] {
  const root = (value: number): string => formatNumber(Math.sqrt(value));
  const { initialWorstError, worstError, dataFreeError } = variance;
  return ["  as sd", root(initialWorstError), root(worstError), "", "", root(dataFreeError), "", ""];
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
  if (summary.strategy === "frontier" && summary.loss === 0) {
    const what = summary.lossTarget === null ? "This error is" : "What this loss buys is";
    return [
      `! ${what} no better than publishing midpoints: the plan publishes those, reads nobody's values and spends nothing.`,
      `  For numbers that say something about the data: ${whatHelps(summary).join(", ")}.`,
    ];
  }
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
  if (summary.setAside.length > 0) {
    const names = summary.setAside.slice(0, 5).map(escapeControls).join(", ");
    const more = summary.setAside.length > 5 ? ", …" : "";
    lines.push(
      `  Given up, so that in all others this loss buys something better: ${names}${more}.`,
      "  Nothing of them is read. Which to give up is a rule of thumb; --top and --min-users choose yourself.",
    );
  }
  for (const each of weak)
    lines.push(`! ${each.statistic}, by itself, is no better than its midpoint in ${outOf(grids - each.usefulGrids)}.`);
  if (useless > 0 || weak.length > 0) lines.push(`  What would help: ${whatHelps(summary).join(", ")}.`);
  return [...lines, ...mixedUnits(summary), ...costliest(summary)];
}

/** Adding a mean's error to a variance's lets the larger numbers decide; who reads the mean pays for it. */
function mixedUnits(summary: PlanSummary): string[] {
  const neglected = summary.perStatistic.find((each) => each.worstError > 1.5 * each.initialWorstError);
  if (summary.strategy !== "frontier" || summary.errorTargets !== null) return [];
  if (summary.metric !== "sum" || summary.perStatistic.length === 1 || neglected === undefined) return [];
  return [
    `! --metric sum adds errors of different units, so ${neglected.statistic} is the one that gives way: ${formatNumber(neglected.worstError)}, baseline ${formatNumber(neglected.initialWorstError)}.`,
    "  --metric relative holds each to its own range; --error mean=2,sd=5 says what each may be.",
  ];
}

function whatHelps(summary: PlanSummary): string[] {
  const fewer = summary.perStatistic.length > 1 ? ["fewer statistics (--statistics mean)"] : [];
  const larger = "fewer, larger grids (coarser hexagons, longer slots, --top, --min-users)";
  if (summary.strategy === "frontier") {
    const more = summary.lossTarget === null ? "a smaller --error (at a higher loss)" : "a larger --loss";
    return [more, ...fewer, larger];
  }
  const capped = summary.perGrid.some((grid) => grid.cap !== null);
  const costly = capped
    ? "a larger --epsilon (at a higher loss)"
    : "a larger --epsilon or --caps (both at a higher loss)";
  return [costly, ...fewer, larger, "--strategy frontier"];
}

/** Where few grids decide the loss of the whole release, leaving them out is worth a thought. */
function costliest(summary: PlanSummary): string[] {
  const byShare = summary.perGrid
    .filter((grid) => (grid.lossShare ?? 0) > 0)
    .sort((left, right) => right.lossShare! - left.lossShare!);
  const published = summary.grids - summary.setAside.length;
  if (published < 8 || byShare.length === 0) return [];
  let share = 0;
  const costly: GridPlanSummary[] = [];
  while (share < 0.5 && costly.length < byShare.length) {
    const next = byShare[costly.length]!;
    share += next.lossShare!;
    costly.push(next);
  }
  if (costly.length > published / 4) return [];
  const names = costly.slice(0, 3).map((grid) => `${escapeControls(grid.grid)} (${plural(grid.users, "user")})`);
  const more = costly.length > 3 ? ", …" : "";
  return [
    `  ${Math.round(100 * share)} % of what is lost goes to ${plural(costly.length, "grid")}: ${names.join(", ")}${more}. Without ${costly.length === 1 ? "it" : "them"}, or with larger grids, the others cost less.`,
  ];
}

/** Dropping and capping lowers the noise as well, and with it everyone's protection: the simple rule does not see that. */
function lossAgainstBaseline(summary: PlanSummary): string[] {
  if (summary.strategy === "frontier") return [];
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
    "  fewer records of the heaviest user mean less noise, for everyone. --strategy frontier costs less at the same error.",
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
