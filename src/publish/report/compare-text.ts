/** Renders a comparison as a curator reads it in a terminal: tables, a chart in characters, and conclusions in plain words. */
import { escapeControls } from "../../core/errors/index.ts";
import { kindOfKey } from "../../core/influence/index.ts";
import {
  bestFrontier,
  type ComparedPlan,
  type Comparison,
  drawnSeries,
  errorList,
  errorName,
  errorOf,
  isUseful,
  partitionLabel,
  partitionOf,
  rootOf,
  seriesOf,
  smallest,
  strategyLabel,
  typicalOf,
  withUnit,
} from "./comparison.ts";
import { type EstimatorVerdict, estimatorPairs, estimatorVerdicts } from "./estimator-evidence.ts";
import { terminalPlot } from "./terminal-plot.ts";
import { columnTable, formatCount, formatNumber, lines, plural, type TextColumn, textTable } from "./text-table.ts";

export interface ComparisonTextOptions {
  /** Where the comparison was written. */
  readonly out?: string | undefined;
}

export function comparisonText(source: string, comparison: Comparison, { out }: ComparisonTextOptions = {}): string {
  const { partitions, goal } = comparison;
  const name = errorName(comparison);
  return lines(
    partitions.map((partition) => {
      const which = partitions.length > 1 ? `, ${partitionLabel(partition)}` : "";
      return `${escapeControls(source)}${which}: ${plural(partition.users, "user")}, ${plural(partition.grids, "grid")}, ${plural(partition.samples, "record")}`;
    }),
    `Publishing midpoints tells nothing about anyone and is off by at most: ${errorList(partitions[0]?.dataFree ?? [], comparison.unit, " ")}.`,
    "Made from counts alone: nothing is spent. Real values are not looked at, since choosing by them would leak; those tried are invented.",
    "",
    "What each plan guarantees, in its worst grid, and how far off it is on average over the grids (typical: under the model of balanced plans; invented: on invented values)",
    planTable(comparison),
    goal === "loss" &&
      "The baseline and CLIP-USER take an ε: shown is the one whose loss comes out nearest to what is asked.",
    "",
    `${name.charAt(0).toUpperCase()}${name.slice(1)}, against privacy loss`,
    chart(comparison),
    "",
    savings(comparison),
    baselineWins(comparison),
    midpointsWin(comparison),
    bestPartition(comparison),
    estimators(comparison),
    "",
    howMuchLoss(comparison),
    out !== undefined && ["", `written to ${escapeControls(out)}`],
    "",
  ).join("\n");
}

type PlanColumn = TextColumn<ComparedPlan>;

/** A row per plan; a new figure is one entry. */
function planTable(comparison: Comparison): string {
  const { partitions, statistics, unit, models, goal, plans } = comparison;
  const grids: PlanColumn = ["grids of", "left", (plan) => partitionLabel(partitionOf(plan, comparison))];
  const proven: PlanColumn = ["best possible", "right", bestPossible];
  const hasTypical = plans.some(({ typicalError }) => typicalError !== null);
  const ofStatistic = (statistic: string): PlanColumn[] => [
    [withUnit(statistic, statistic, unit), "right", (plan) => formatNumber(errorOf(plan, statistic))],
    ...(hasTypical
      ? [["typical", "right", (plan) => formatNumber(typicalOf(plan, statistic))] satisfies PlanColumn]
      : []),
    ...(models.length > 0
      ? [["invented", "right", (plan) => formatNumber(invented(plan, statistic))] satisfies PlanColumn]
      : []),
    ...(kindOfKey(statistic).hasDeviation
      ? [
          [
            withUnit("sd", "sd", unit),
            "right",
            (plan) => formatNumber(rootOf(errorOf(plan, statistic))),
          ] satisfies PlanColumn,
        ]
      : []),
  ];
  return columnTable(plans, [
    [goal === "epsilon" ? "ε" : goal, "left", ({ asked }) => asked],
    ...(partitions.length > 1 ? [grids] : []),
    ["strategy", "left", strategyLabel],
    ["loss", "right", ({ loss }) => formatNumber(loss)],
    ["simple", "right", ({ lossSimple }) => formatNumber(lossSimple)],
    ["error", "right", ({ worstError }) => formatNumber(worstError)],
    ["of midpoints", "right", (plan) => percent(shareOfMidpoints(plan, comparison))],
    ...statistics.flatMap(ofStatistic),
    ...(plans.some(({ lowerBound }) => lowerBound !== null) ? [proven] : []),
    [
      "useful grids",
      "right",
      (plan) => `${formatCount(plan.usefulGrids)} of ${formatCount(partitionOf(plan, comparison).grids)}`,
    ],
    ["left out", "right", ({ leftOutShare }) => percent(leftOutShare)],
  ]);
}

/** On the harshest of the models. */
function invented({ actual }: ComparedPlan, statistic: string): number {
  return Math.max(...actual.filter((each) => each.statistic === statistic).map(({ average }) => average));
}

function bestPossible({ boundOf, lowerBound }: ComparedPlan): string {
  if (lowerBound === null) return "";
  return `${boundOf === "error" || boundOf === "loss" ? boundOf : "K"} ${formatNumber(lowerBound)}`;
}

function shareOfMidpoints(plan: ComparedPlan, comparison: Comparison): number | null {
  return plan.worstError === null ? null : plan.worstError / partitionOf(plan, comparison).dataFreeError;
}

const MARKS: Readonly<Record<string, string>> = {
  baseline: "b",
  "clip-user": "u",
  "clip-user+caps": "c",
  "clip-user-optimal": "o",
  "frontier, kept": "k",
  "frontier, centred": "F",
  "balanced, guaranteed": "g",
  "balanced, typical": "t",
};

function chart(comparison: Comparison): string {
  const drawn = drawnSeries(comparison).map(({ label, plans, error: drawnError }, index) => ({
    mark: MARKS[label] ?? String.fromCharCode(65 + index),
    label,
    points: plans.flatMap(({ loss, [drawnError]: error }) => (loss > 0 && error !== null ? [{ loss, error }] : [])),
  }));
  const losses = drawn.flatMap(({ points }) => points.map(({ loss }) => Number(loss.toPrecision(2))));
  return terminalPlot({
    lines: drawn,
    free: {
      error: Math.max(...comparison.partitions.map(({ dataFreeError }) => dataFreeError)),
      label: "publishing midpoints, no data used (above it: worse than nothing)",
    },
    losses: [...new Set(losses)].sort((left, right) => left - right),
    format: (value) => String(Number(value.toPrecision(3))),
  });
}

function savings(comparison: Comparison): string[] {
  const useful = bestFrontier(comparison)?.plans.filter((plan) => isUseful(plan, comparison) && plan.loss > 0) ?? [];
  const plan = useful[Math.floor((useful.length - 1) / 2)];
  if (plan === undefined) return [];
  const { baselineLoss, loss, gap } = plan;
  const times = (baselineLoss ?? NaN) / loss;
  const same = `For a guaranteed error of ${formatNumber(plan.worstError)}`;
  return lines(
    times > 1.005
      ? `${same} the baseline loses ${formatNumber(baselineLoss)}, the ${strategyLabel(plan)}, ${formatNumber(loss)}: ${times.toFixed(1)} times less.`
      : `${same} nothing here loses less than the baseline.`,
    gap !== null &&
      `No plan with its estimator can do more than ${percent(Math.max(0, gap))} better than that one: it is proven.`,
  );
}

/** The frontier makes the worst error small, and lets every other be as large: a statistic by itself may fare worse than the baseline's. */
function baselineWins(comparison: Comparison): string[] {
  const { goal, partitions, statistics, metric } = comparison;
  if (goal !== "loss" || partitions.length > 1 || statistics.length < 2) return [];
  const plans = bestFrontier(comparison)?.plans.filter((plan) => isUseful(plan, comparison)) ?? [];
  const remedy =
    metric === "sum"
      ? "the errors are added whatever their units; --metric relative or --weights tells them apart"
      : "every statistic is let go as far as the worst";
  return statistics.flatMap((statistic) => {
    const worse = plans.flatMap((plan) => {
      const baseline = comparison.plans.find(({ strategy, asked }) => strategy === "baseline" && asked === plan.asked);
      const own = errorOf(plan, statistic) ?? 0;
      const other = (baseline && errorOf(baseline, statistic)) ?? Infinity;
      return own > 1.01 * other ? [{ asked: plan.asked, own, other }] : [];
    });
    const middle = worse[Math.floor(worse.length / 2)];
    if (middle === undefined) return [];
    return [
      `! ${statistic}, by itself: at a loss of ${middle.asked} the baseline guarantees ${formatNumber(middle.other)}, this line ${formatNumber(middle.own)}; ${remedy}.`,
      `  If ${statistic} is what matters: --statistics ${statistic}.`,
    ];
  });
}

/** Which lines are no better than knowing nothing, and from which loss on they are. */
function midpointsWin(comparison: Comparison): string[] {
  if (!comparison.plans.some((plan) => isUseful(plan, comparison) || isTypicallyUseful(plan, comparison)))
    return [
      "! Nothing here is better than publishing midpoints, which costs no privacy.",
      "  What would help: more loss, fewer statistics, larger grids (--h3, --slot, --top, --min-users).",
    ];
  // A guarantee is not what balanced plans aim for.
  const aiming = seriesOf(comparison).filter(({ plans }) => plans.every(({ typicalError }) => typicalError === null));
  return aiming.flatMap(({ label, plans }) => {
    // With grids given up, the others may well be useful: the column says how many.
    const useless = plans.filter((plan) => !isUseful(plan, comparison) && plan.usefulGrids === 0);
    const most = smallest(useless, ({ loss }) => -loss);
    if (most === undefined) return [];
    const loss = comparison.goal === "loss" ? most.asked : formatNumber(most.loss);
    const where = useless.length === plans.length ? "any loss tried" : `a loss of ${loss} or less`;
    return [`! ${label}: no better than publishing midpoints, which costs no privacy, at ${where}.`];
  });
}

function isTypicallyUseful(plan: ComparedPlan, comparison: Comparison): boolean {
  return (plan.typicalError ?? Infinity) < partitionOf(plan, comparison).dataFreeError;
}

/** Of midpoints' error: what is still good. */
const GOOD_SHARE = 0.5;

/** The coarsest grids nearly always err least, so the finest that are still good are named as well. */
function bestPartition(comparison: Comparison): string[] {
  const { partitions, plans, goal } = comparison;
  if (partitions.length < 2) return [];
  const shareOf = (plan: ComparedPlan): number => shareOfMidpoints(plan, comparison) ?? Infinity;
  const costOf = goal === "loss" ? shareOf : ({ loss }: ComparedPlan): number => loss;
  const gridsOf = (plan: ComparedPlan): number => partitionOf(plan, comparison).grids;
  const name = (plan: ComparedPlan): string =>
    `${partitionLabel(partitionOf(plan, comparison))} (${strategyLabel(plan)}; ${plural(gridsOf(plan), "grid")}, ` +
    `${goal === "loss" ? `${percent(shareOf(plan))} of midpoints'` : `loss ${formatNumber(plan.loss)}`})`;
  return [...new Set(plans.map(({ asked }) => asked))].flatMap((asked) => {
    const useful = plans.filter((plan) => plan.asked === asked && isUseful(plan, comparison));
    const point = `At ${goal === "epsilon" ? "ε" : goal} ${asked}`;
    const best = smallest(useful, costOf);
    if (best === undefined) return [`${point} no grids can be published better than midpoints.`];
    const good = useful.filter((plan) => shareOf(plan) <= GOOD_SHARE);
    const mostGrids = Math.max(...good.map(gridsOf));
    const finest = smallest(
      good.filter((plan) => gridsOf(plan) === mostGrids),
      costOf,
    );
    return lines(
      `${point} the smallest ${goal === "loss" ? "error" : "loss"} is that of ${name(best)}.`,
      finest !== undefined &&
        finest !== best &&
        `  The most grids at no more than half of midpoints' error: ${name(finest)}.`,
    );
  });
}

function estimators(comparison: Comparison): string[] {
  const { models, unit } = comparison;
  const pairs = estimatorPairs(comparison);
  if (pairs.length === 0) return [];
  const pairText = (kept: number | null, centred: number | null): string =>
    `${formatNumber(kept)} → ${formatNumber(centred)}`;
  const table = [
    ["", "loss", "guaranteed", ...models.map(({ name }) => name)],
    ...pairs.map(({ statistic, loss, guaranteed, actual }) => [
      withUnit(statistic, statistic, unit),
      loss,
      pairText(guaranteed.kept, guaranteed.centred),
      ...actual.map(({ kept, centred }) => pairText(kept, centred)),
    ]),
  ];
  return [
    "",
    "Estimators at the same loss: kept → centred, guaranteed (worst grid) and on invented values (average over grids)",
    textTable(table, ["left", "left", "right", ...models.map(() => "right" as const)]),
    ...models.map(({ name, meaning }) => `  ${name}: ${meaning}`),
    ...estimatorVerdicts(pairs).map(verdictText),
  ];
}

function verdictText({
  statistic,
  losses,
  guaranteedBetter,
  actuallyBetter,
  tries,
  ratio,
  unkindest,
}: EstimatorVerdict): string {
  const by = `${percent(Math.abs(1 - ratio))} ${ratio <= 1 ? "less" : "more"}`;
  const atWorst = unkindest.ratio > 1 ? `; at worst ${percent(unkindest.ratio - 1)} more (${unkindest.model})` : "";
  return (
    `${statistic}: centred guarantees a smaller error at ${guaranteedBetter} of ${formatCount(losses)} ${losses === 1 ? "loss" : "losses"}, ` +
    `and errs less in ${actuallyBetter} of ${tries} tries, by ${by} on average${atWorst}.`
  );
}

function howMuchLoss({ presets, suggestion }: Comparison): string[] {
  return [
    "How much loss?",
    textTable(
      presets.map(({ name, loss, meaning }) => [`--loss ${name}`, loss, meaning]),
      ["left", "right", "left"],
    ),
    suggestion === null
      ? "  Losses add up over releases: --budget 2 --releases 52 suggests a loss for each of 52."
      : `  A budget of ${suggestion.budget} over ${plural(suggestion.releases, "release")} leaves --loss ${suggestion.loss} for each.`,
  ];
}

/** Small shares with a digit more. */
function percent(share: number | null): string {
  if (share === null) return "–";
  return `${(100 * share).toFixed(share < 0.1 && share > 0 ? 1 : 0)} %`;
}
