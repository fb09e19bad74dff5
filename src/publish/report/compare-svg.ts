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
/** Between two dots. */
const CURVE_POINTS = 24;

export function comparisonSvgText(comparison: Comparison): string {
  const svg = tradeOffChart({
    ...titles(comparison),
    lossLabel: "← more privacy  ·  privacy loss of the worst-off user  ·  less privacy →",
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
  const several = comparison.partitions.length > 1;
  const grids = several ? `, ${plural(comparison.partitions[plans[0]!.partition]!.grids, "grid")}` : "";
  return {
    label,
    detail: last === undefined ? "no guarantee here" : `${short(last.error)} at loss ${short(last.loss)}${grids}`,
    colour: several ? 1 + (index % 7) : (COLOURS[label] ?? 6),
    points,
    curve: curveOf(points),
    strong: label === bestFrontier(comparison)?.label,
  };
}

/** Errors go about with 1/loss, the baseline's exactly: straight between logarithms. */
function curveOf(points: readonly TradeOffPoint[]): TradeOffPoint[] {
  return points.flatMap((from, at) => {
    const to = points[at + 1];
    if (to === undefined || !(from.loss > 0 && from.error > 0 && to.error > 0)) return [from];
    return along(from.loss, to.loss, (loss) => {
      const share = Math.log(loss / from.loss) / Math.log(to.loss / from.loss) || 0;
      return from.error * (to.error / from.error) ** share;
    });
  });
}

/** Between two losses, without the last. */
function along(from: number, to: number, error: (loss: number) => number): TradeOffPoint[] {
  return Array.from({ length: CURVE_POINTS }, (_, at) => {
    const loss = from * (to / from) ** (at / CURVE_POINTS);
    return { loss, error: error(loss) };
  });
}

function titleOf(plan: ComparedPlan, comparison: Comparison): string {
  return `${strategyLabel(plan)}, loss ${formatNumber(plan.loss)}: ${reading(plan, comparison)}`;
}

/**
 * Of the estimator whose line is the lower one. Between two proven points it is what both prove: less loss cannot lower the error, and
 * n times the noise is a plan with an n-th of the loss and at most n times the error.
 */
function boundOf(comparison: Comparison): { label: string; points: TradeOffPoint[] } | null {
  const best = bestFrontier(comparison);
  if (best === undefined) return null;
  const proven = best.plans.flatMap((plan): TradeOffPoint[] => {
    if (plan.lowerBound === null || plan.worstError === null || !isUseful(plan, comparison)) return [];
    const point =
      plan.boundOf === "error"
        ? { loss: plan.loss, error: plan.lowerBound }
        : { loss: plan.lowerBound, error: plan.worstError };
    return point.loss > 0 ? [point] : [];
  });
  const points = proven.flatMap((from, at) => {
    const to = proven[at + 1];
    if (to === undefined) return [from];
    return along(from.loss, to.loss, (loss) => Math.max(to.error, (from.error * from.loss) / loss));
  });
  return { label: `no plan can be here (proven, ${best.plans[0]!.estimator} estimator)`, points };
}

/** The baseline loses more for the same error: at the point where that can be seen best. */
function savingOf(comparison: Comparison): { error: number; from: number; to: number; label: string } | null {
  if (comparison.partitions.length > 1) return null;
  const plans = bestFrontier(comparison)?.plans ?? [];
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

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
