/** A comparison as one picture that stands on its own: error against loss, in light and dark. */
import { CHART_STYLE, type TradeOffLine, type TradeOffPoint, tradeOffChart } from "../charts/index.ts";
import { type ComparedPlan, type Comparison, isUseful, strategyLabel } from "./comparison.ts";
import { bestFrontier, type ComparedSeries, errorName, reading, seriesOf } from "./comparison-lines.ts";
import { DARK, LIGHT } from "./html/page-style.ts";
import { formatCount, formatNumber, plural } from "./text-table.ts";

const COLOURS: Readonly<Record<string, number>> = {
  baseline: 0,
  "clip-user": 1,
  "clip-user+caps": 2,
  "clip-user-optimal": 3,
  "frontier, kept": 4,
  "frontier, centred": 5,
};
const CURVE_POINTS = 80;

export function comparisonSvgText(comparison: Comparison): string {
  const svg = tradeOffChart({
    ...titles(comparison),
    lossLabel: "privacy loss of the worst-off user (more to the right, less privacy)",
    errorLabel: errorName(comparison),
    lines: seriesOf(comparison).map((series, index) => lineOf(series, index, comparison)),
    free: {
      error: Math.max(...comparison.partitions.map(({ dataFreeError }) => dataFreeError)),
      label: "publishing midpoints (no data used)",
    },
    bound: boundOf(comparison),
    saving: savingOf(comparison),
    format: (error) => formatCount(error),
  });
  const style = `<style>.vg-trade{${LIGHT}}@media (prefers-color-scheme:dark){.vg-trade{${DARK}}}${CHART_STYLE.replace(/^(?!\.vg-trade).*\n/gm, "")}</style>`;
  return `${svg.replace(/>/, `>${style}`)}\n`;
}

function titles(comparison: Comparison): { title: string; subtitle: string } {
  const [first] = comparison.partitions;
  const size = `${plural(first!.users, "user")}, ${plural(first!.grids, "grid")}, ${plural(first!.samples, "record")}`;
  if (comparison.partitions.length > 1)
    return {
      title: "Which grids can be published well?",
      subtitle: "the same records in grids of different size, lower is better",
    };
  return { title: "The same error for less privacy loss", subtitle: `${size}; lower and further left is better` };
}

function lineOf(series: ComparedSeries, index: number, comparison: Comparison): TradeOffLine {
  const { label, plans } = series;
  const points = plans
    .filter((plan) => plan.worstError !== null)
    .map((plan) => ({ loss: plan.loss, error: plan.worstError!, title: titleOf(plan, comparison) }));
  const last = points[points.length - 1];
  return {
    label,
    detail: last === undefined ? "no guarantee here" : `${formatNumber(last.error)} at loss ${formatNumber(last.loss)}`,
    colour: comparison.partitions.length > 1 ? index % 8 : (COLOURS[label] ?? 6),
    points,
    curve: plans[0]!.strategy === "baseline" ? baselineCurve(points) : undefined,
    strong: series === bestFrontier(comparison, [series]) || label === "frontier, centred",
  };
}

/** Its error times its loss is always the same. */
function baselineCurve(points: readonly TradeOffPoint[]): TradeOffPoint[] | undefined {
  const [first, last] = [points[0], points[points.length - 1]];
  if (first === undefined || last === undefined || !(last.loss > first.loss)) return undefined;
  return Array.from({ length: CURVE_POINTS + 1 }, (_, at) => {
    const loss = first.loss * (last.loss / first.loss) ** (at / CURVE_POINTS);
    return { loss, error: (first.error * first.loss) / loss };
  });
}

function titleOf(plan: ComparedPlan, comparison: Comparison): string {
  return `${strategyLabel(plan)}, loss ${formatNumber(plan.loss)}: ${reading(plan, comparison)}`;
}

/** Of the estimator whose line is the lower one. */
function boundOf(comparison: Comparison): { label: string; points: TradeOffPoint[] } | null {
  const best = bestFrontier(comparison, seriesOf(comparison));
  if (best === undefined) return null;
  const points = best.plans.flatMap((plan): TradeOffPoint[] => {
    if (plan.lowerBound === null || plan.worstError === null || !isUseful(plan, comparison)) return [];
    return plan.boundOf === "error"
      ? [{ loss: plan.loss, error: plan.lowerBound }]
      : [{ loss: plan.lowerBound, error: plan.worstError }];
  });
  return { label: `no plan can be here (${best.plans[0]!.estimator} estimator)`, points };
}

/** The baseline loses more for the same error: at the point where that can be seen best. */
function savingOf(comparison: Comparison): { error: number; from: number; to: number; label: string } | null {
  if (comparison.partitions.length > 1) return null;
  const plans = bestFrontier(comparison, seriesOf(comparison))?.plans ?? [];
  const most = Math.max(...comparison.plans.filter(({ strategy }) => strategy === "baseline").map(({ loss }) => loss));
  const shown = plans.filter(
    (plan) =>
      isUseful(plan, comparison) && plan.loss > 0 && plan.baselineLoss! <= most && plan.baselineLoss! > plan.loss,
  );
  const plan = shown.reduce<ComparedPlan | undefined>(
    (best, each) =>
      best === undefined || each.baselineLoss! / each.loss > best.baselineLoss! / best.loss ? each : best,
    undefined,
  );
  if (plan === undefined) return null;
  return {
    error: plan.worstError!,
    from: plan.baselineLoss!,
    to: plan.loss,
    label: `${(plan.baselineLoss! / plan.loss).toFixed(1)} × less loss`,
  };
}
