/** A comparison as a curator reads it in a terminal: tables, a chart in characters, and what it comes to in plain words. */
import { escapeControls } from "../../core/errors/index.ts";
import { kindOfKey } from "../../core/influence/index.ts";
import { type ComparedPlan, type Comparison, isUseful, partitionLabel, strategyLabel } from "./comparison.ts";
import { bestFrontier, errorName, seriesOf, unitSuffix } from "./comparison-lines.ts";
import { type EstimatorPair, estimatorPairs, estimatorVerdicts } from "./estimator-evidence.ts";
import { terminalPlot } from "./terminal-plot.ts";
import { type Alignment, formatCount, formatNumber, plural, textTable } from "./text-table.ts";

export interface ComparisonTextOptions {
  /** Where the comparison was written. */
  readonly out?: string | undefined;
}

export function comparisonText(source: string, comparison: Comparison, options: ComparisonTextOptions = {}): string {
  const pairs = estimatorPairs(comparison);
  return [
    ...heading(source, comparison),
    "",
    "What each plan guarantees, in its worst grid (typical: on invented values, on average over the grids)",
    guarantees(comparison),
    ...(comparison.goal === "loss"
      ? [
          "Strategies other than the frontier take an ε: shown is the one whose loss comes out nearest to what is asked.",
        ]
      : []),
    "",
    `${capitalised(errorName(comparison))}, against privacy loss`,
    chart(comparison),
    "",
    ...verdict(comparison),
    ...(pairs.length === 0 ? [] : ["", ...estimators(pairs, comparison)]),
    "",
    ...howMuchLoss(comparison),
    ...(options.out === undefined ? [] : ["", `written to ${escapeControls(options.out)}`]),
    "",
  ].join("\n");
}

function heading(source: string, comparison: Comparison): string[] {
  const { partitions, unit } = comparison;
  const several = partitions.length > 1;
  const free = partitions[0]!.dataFree.map(({ statistic, error }) => {
    const own = `${statistic} ${formatNumber(error)}${unitSuffix(statistic, unit).replace(",", "")}`;
    if (!kindOfKey(statistic).hasDeviation) return own;
    return `${own} (sd ${formatNumber(Math.sqrt(error))}${unitSuffix("sd", unit).replace(",", "")})`;
  });
  return [
    ...partitions.map((partition) => {
      const name = several ? `${escapeControls(source)}, ${partitionLabel(partition)}` : escapeControls(source);
      return `${name}: ${plural(partition.users, "user")}, ${plural(partition.grids, "grid")}, ${plural(partition.samples, "record")}`;
    }),
    `Publishing midpoints tells nothing about anyone and is off by at most: ${free.join(", ")}.`,
    "Made from counts alone: nothing is spent. Real values are not looked at, since choosing by them would leak; those tried are invented.",
  ];
}

function guarantees(comparison: Comparison): string {
  const { partitions, statistics, unit, models, goal } = comparison;
  const several = partitions.length > 1;
  const proven = comparison.plans.some(({ lowerBound }) => lowerBound !== null);
  const columns: Array<readonly [head: string, alignment: Alignment, of: (plan: ComparedPlan) => string]> = [
    [goal === "epsilon" ? "ε" : goal, "left", ({ asked }) => asked],
    ...(several
      ? ([["grids of", "left", ({ partition }) => partitionLabel(partitions[partition]!)]] as typeof columns)
      : []),
    ["strategy", "left", strategyLabel],
    ["loss", "right", ({ loss }) => formatNumber(loss)],
    ["simple", "right", ({ lossSimple }) => formatNumber(lossSimple)],
    ["error", "right", ({ worstError }) => formatNumber(worstError)],
    ["of midpoints", "right", (plan) => percent(shareOfMidpoints(plan, comparison))],
  ];
  statistics.forEach((statistic, index) => {
    const errorOf = (plan: ComparedPlan): number | null => plan.statistics[index]!.worstError;
    columns.push([`${statistic}${unitSuffix(statistic, unit)}`, "right", (plan) => formatNumber(errorOf(plan))]);
    if (models.length > 0) columns.push(["typical", "right", (plan) => formatNumber(typical(plan, statistic))]);
    if (kindOfKey(statistic).hasDeviation)
      columns.push([`sd${unitSuffix("sd", unit)}`, "right", (plan) => formatNumber(rootOf(errorOf(plan)))]);
  });
  if (proven) columns.push(["best possible", "right", bestPossible]);
  columns.push(
    [
      "useful grids",
      "right",
      (plan) => `${formatCount(plan.usefulGrids)} of ${formatCount(partitions[plan.partition]!.grids)}`,
    ],
    ["left out", "right", ({ leftOutShare }) => percent(leftOutShare)],
  );
  return textTable(
    [columns.map(([head]) => head), ...comparison.plans.map((plan) => columns.map(([, , of]) => of(plan)))],
    columns.map(([, alignment]) => alignment),
  );
}

/** On the harshest of the models. */
function typical({ actual }: ComparedPlan, statistic: string): number {
  return Math.max(...actual.filter((each) => each.statistic === statistic).map(({ average }) => average));
}

function bestPossible({ boundOf, lowerBound }: ComparedPlan): string {
  if (lowerBound === null) return "";
  const of = boundOf === "error" ? "error" : boundOf === "loss" ? "loss" : "K";
  return `${of} ${formatNumber(lowerBound)}`;
}

function shareOfMidpoints(plan: ComparedPlan, { partitions }: Comparison): number | null {
  return plan.worstError === null ? null : plan.worstError / partitions[plan.partition]!.dataFreeError;
}

/** Of midpoints' error: what is still good. */
const GOOD_SHARE = 0.5;

const MARKS: Readonly<Record<string, string>> = {
  baseline: "b",
  "clip-user": "u",
  "clip-user+caps": "c",
  "clip-user-optimal": "o",
  "frontier, kept": "k",
  "frontier, centred": "F",
};

function chart(comparison: Comparison): string {
  const lines = seriesOf(comparison).map(({ label, plans }, index) => ({
    mark: MARKS[label] ?? String.fromCharCode(65 + index),
    label,
    points: plans
      .filter(({ loss, worstError }) => loss > 0 && worstError !== null)
      .map(({ loss, worstError }) => ({ loss, error: worstError! })),
  }));
  const losses = lines.flatMap(({ points }) => points.map(({ loss }) => Number(loss.toPrecision(2))));
  return terminalPlot({
    lines,
    free: {
      error: Math.max(...comparison.partitions.map(({ dataFreeError }) => dataFreeError)),
      label: "publishing midpoints, no data used (above it: worse than nothing)",
    },
    losses: [...new Set(losses)].sort((left, right) => left - right),
    format: (value) => String(Number(value.toPrecision(3))),
  });
}

/** What the numbers mean for someone who has to decide. */
function verdict(comparison: Comparison): string[] {
  return [
    ...savings(comparison),
    ...baselineWins(comparison),
    ...midpointsWin(comparison),
    ...bestPartition(comparison),
  ];
}

function savings(comparison: Comparison): string[] {
  const best = bestFrontier(comparison);
  if (best === undefined) return [];
  const told = best.plans.filter((plan) => isUseful(plan, comparison) && plan.loss > 0);
  const plan = told[Math.floor((told.length - 1) / 2)];
  if (plan === undefined) return [];
  const times = plan.baselineLoss! / plan.loss;
  const lines =
    times > 1.005
      ? [
          `For a guaranteed error of ${formatNumber(plan.worstError)} the baseline loses ${formatNumber(plan.baselineLoss)}, the ${strategyLabel(plan)}, ${formatNumber(plan.loss)}: ${times.toFixed(1)} times less.`,
        ]
      : [`For a guaranteed error of ${formatNumber(plan.worstError)} nothing here loses less than the baseline.`];
  if (plan.gap !== null)
    lines.push(
      `No plan with its estimator can do more than ${percent(Math.max(0, plan.gap))} better than that one: it is proven.`,
    );
  return lines;
}

/** The frontier makes the worst error small, and lets every other be as large: a statistic by itself may fare worse than the baseline's. */
function baselineWins(comparison: Comparison): string[] {
  if (comparison.goal !== "loss" || comparison.partitions.length > 1 || comparison.statistics.length < 2) return [];
  const plans = (bestFrontier(comparison)?.plans ?? []).filter((plan) => isUseful(plan, comparison));
  return comparison.statistics.flatMap((statistic, index) => {
    const worse = plans.flatMap((plan) => {
      const baseline = comparison.plans.find(({ strategy, asked }) => strategy === "baseline" && asked === plan.asked);
      const own = plan.statistics[index]!.worstError!;
      const other = baseline?.statistics[index]?.worstError ?? Infinity;
      return own > 1.01 * other ? [{ asked: plan.asked, own, other }] : [];
    });
    const told = worse[Math.floor(worse.length / 2)];
    if (told === undefined) return [];
    const remedy =
      comparison.metric === "sum"
        ? "the errors are added whatever their units; --metric relative or --weights tells them apart"
        : "every statistic is let go as far as the worst";
    return [
      `! ${statistic}, by itself: at a loss of ${told.asked} the baseline guarantees ${formatNumber(told.other)}, this line ${formatNumber(told.own)}; ${remedy}.`,
      `  If ${statistic} is what matters: --statistics ${statistic}.`,
    ];
  });
}

/** Which lines are no better than knowing nothing, and from which loss on they are. */
function midpointsWin(comparison: Comparison): string[] {
  if (!comparison.plans.some((plan) => isUseful(plan, comparison)))
    return [
      "! Nothing here is better than publishing midpoints, which costs no privacy.",
      "  What would help: more loss, fewer statistics, larger grids (--h3, --slot, --top, --min-users).",
    ];
  return seriesOf(comparison).flatMap(({ label, plans }) => {
    // With grids given up, the others may well be useful: the column says how many.
    const useless = plans.filter((plan) => !isUseful(plan, comparison) && plan.usefulGrids === 0);
    if (useless.length === 0) return [];
    if (useless.length === plans.length)
      return [`! ${label}: no better than publishing midpoints, which costs no privacy, at any loss tried.`];
    const most = useless.reduce((worst, plan) => (plan.loss > worst.loss ? plan : worst));
    const loss = comparison.goal === "loss" ? most.asked : formatNumber(most.loss);
    return [`! ${label}: no better than publishing midpoints, which costs no privacy, at a loss of ${loss} or less.`];
  });
}

/** The coarsest grids nearly always err least, so the finest that are still good are told as well. */
function bestPartition(comparison: Comparison): string[] {
  const { partitions, plans, goal } = comparison;
  if (partitions.length < 2) return [];
  const shareOf = (plan: ComparedPlan): number => shareOfMidpoints(plan, comparison)!;
  const costOf = goal === "loss" ? shareOf : ({ loss }: ComparedPlan): number => loss;
  const gridsOf = ({ partition }: ComparedPlan): number => partitions[partition]!.grids;
  const name = (plan: ComparedPlan): string =>
    `${partitionLabel(partitions[plan.partition]!)} (${strategyLabel(plan)}; ${plural(gridsOf(plan), "grid")}, ` +
    `${goal === "loss" ? `${percent(shareOf(plan))} of midpoints'` : `loss ${formatNumber(plan.loss)}`})`;
  return [...new Set(plans.map(({ asked }) => asked))].flatMap((asked) => {
    const here = plans.filter((plan) => plan.asked === asked && isUseful(plan, comparison));
    const point = `At ${goal === "epsilon" ? "ε" : goal} ${asked}`;
    if (here.length === 0) return [`${point} no grids can be published better than midpoints.`];
    const best = here.reduce((least, plan) => (costOf(plan) < costOf(least) ? plan : least));
    const good = here.filter((plan) => shareOf(plan) <= GOOD_SHARE);
    const finest = good.reduce<ComparedPlan | undefined>((most, plan) => {
      if (most === undefined || gridsOf(plan) > gridsOf(most)) return plan;
      return gridsOf(plan) === gridsOf(most) && costOf(plan) < costOf(most) ? plan : most;
    }, undefined);
    return [
      `${point} the smallest ${goal === "loss" ? "error" : "loss"} is that of ${name(best)}.`,
      ...(finest === undefined || finest === best
        ? []
        : [`  The most grids at no more than half of midpoints' error: ${name(finest)}.`]),
    ];
  });
}

function estimators(pairs: readonly EstimatorPair[], { models, unit }: Comparison): string[] {
  const pairText = (kept: number | null, centred: number | null): string =>
    `${formatNumber(kept)} → ${formatNumber(centred)}`;
  const table = textTable(
    [
      ["", "loss", "guaranteed", ...models.map(({ name }) => name)],
      ...pairs.map(({ statistic, loss, guaranteed, actual }) => [
        `${statistic}${unitSuffix(statistic, unit)}`,
        loss,
        pairText(guaranteed.kept, guaranteed.centred),
        ...actual.map(({ kept, centred }) => pairText(kept, centred)),
      ]),
    ],
    ["left", "left", "right", ...models.map(() => "right" as const)],
  );
  const sentences = estimatorVerdicts(pairs).map((verdict) => {
    const direction = verdict.ratio <= 1 ? "less" : "more";
    const by = percent(Math.abs(1 - verdict.ratio));
    const unkind =
      verdict.unkindest.ratio > 1
        ? `; at worst ${percent(verdict.unkindest.ratio - 1)} more (${verdict.unkindest.model})`
        : "";
    return (
      `${verdict.statistic}: centred guarantees a smaller error at ${verdict.guaranteedBetter} of ${plural(verdict.losses, "loss").replace("losss", "losses")}, ` +
      `and errs less in ${verdict.actuallyBetter} of ${verdict.tries} tries, by ${by} ${direction} on average${unkind}.`
    );
  });
  return [
    "Estimators at the same loss: kept → centred, guaranteed (worst grid) and on invented values (average over grids)",
    table,
    ...models.map(({ name, meaning }) => `  ${name}: ${meaning}`),
    ...sentences,
  ];
}

function howMuchLoss({ presets, suggestion }: Comparison): string[] {
  const lines = [
    "How much loss?",
    textTable(
      presets.map(({ name, loss, meaning }) => [`--loss ${name}`, loss, meaning]),
      ["left", "right", "left"],
    ),
  ];
  if (suggestion === null)
    lines.push("  Losses add up over releases: --budget 2 --releases 52 suggests a loss for each of 52.");
  else
    lines.push(
      `  A budget of ${suggestion.budget} over ${plural(suggestion.releases, "release")} leaves --loss ${suggestion.loss} for each.`,
    );
  return lines;
}

function rootOf(error: number | null): number | null {
  return error === null ? null : Math.sqrt(error);
}

function percent(share: number | null): string {
  if (share === null) return "–";
  return `${(100 * share).toFixed(share < 0.1 && share > 0 ? 1 : 0)} %`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
