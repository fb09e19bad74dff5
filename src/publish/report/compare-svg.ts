/** Renders a comparison as one picture that stands on its own: error against loss, in light and dark. */
import { TRADE_OFF_STYLE, type TradeOffLine, type TradeOffPoint, tradeOffChart } from "../charts/index.ts";
import {
  bestFrontier,
  type ComparedSeries,
  type Comparison,
  drawnSeries,
  errorList,
  errorName,
  isUseful,
  partitionOf,
  smallest,
  strategyLabel,
} from "./comparison.ts";
import { DARK, LIGHT } from "./html/page-style.ts";
import { formatCount, formatNumber, plural } from "./text-table.ts";

const COLOURS: Readonly<Record<string, number>> = {
  baseline: 0,
  "clip-user": 1,
  "clip-user+caps": 2,
  "clip-user-optimal": 3,
  "frontier, kept": 4,
  "frontier, centred": 5,
  "balanced, guaranteed": 6,
  "balanced, typical": 7,
};
/** Between two dots. */
const CURVE_POINTS = 24;

export function comparisonSvgText(comparison: Comparison): string {
  const svg = tradeOffChart({
    ...titles(comparison),
    lossLabel: "← more privacy  ·  privacy loss of the worst-off user  ·  less privacy →",
    errorLabel: errorName(comparison),
    lines: drawnSeries(comparison).map((series, index) => lineOf(series, index, comparison)),
    free: {
      error: Math.max(...comparison.partitions.map(({ dataFreeError }) => dataFreeError)),
      label: "publishing midpoints (no data used)",
    },
    bound: boundOf(comparison),
    saving: savingOf(comparison),
    format: (error) => formatCount(error),
  });
  const style = `<style>.vg-trade{${LIGHT}}@media (prefers-color-scheme:dark){.vg-trade{${DARK}}}${TRADE_OFF_STYLE}</style>`;
  return `${svg.replace(/>/, `>${style}`)}\n`;
}

function titles({ partitions: [first, ...others] }: Comparison): { title: string; subtitle: string } {
  if (first === undefined || others.length > 0)
    return {
      title: "Which grids can be published well?",
      subtitle: "the same records in grids of different size, lower is better",
    };
  const size = `${plural(first.users, "user")}, ${plural(first.grids, "grid")}, ${plural(first.samples, "record")}`;
  return { title: "The same error for less privacy loss", subtitle: `${size}; lower and further left is better` };
}

function lineOf({ label, plans, error: drawn }: ComparedSeries, index: number, comparison: Comparison): TradeOffLine {
  const points = plans.flatMap((plan) => {
    const { loss, [drawn]: error, statistics } = plan;
    const errors = statistics.map((each) => ({ statistic: each.statistic, error: each[drawn] }));
    const title = `${strategyLabel(plan)}, loss ${formatNumber(loss)}: ${errorList(errors, comparison.unit, " ± ")}`;
    return error === null ? [] : [{ loss, error, title }];
  });
  const last = points.at(-1);
  const several = comparison.partitions.length > 1;
  const grids = plans
    .slice(0, several ? 1 : 0)
    .map((plan) => `, ${plural(partitionOf(plan, comparison).grids, "grid")}`);
  return {
    label,
    detail:
      last === undefined ? "no guarantee here" : `${short(last.error)} at loss ${short(last.loss)}${grids.join("")}`,
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
  return { label: `no plan can be here (proven, ${best.plans[0]?.estimator} estimator)`, points };
}

/** The baseline loses more for the same error: at the point where that can be seen best. */
function savingOf(comparison: Comparison): { error: number; from: number; to: number; label: string } | null {
  const most = Math.max(...comparison.plans.filter(({ strategy }) => strategy === "baseline").map(({ loss }) => loss));
  const savings = (bestFrontier(comparison)?.plans ?? []).flatMap((plan) => {
    const { worstError: error, baselineLoss: from, loss: to } = plan;
    const isShown =
      error !== null && from !== null && isUseful(plan, comparison) && to > 0 && from <= most && from > to;
    return isShown ? [{ error, from, to }] : [];
  });
  const best = smallest(savings, ({ from, to }) => -(from / to));
  return best === undefined ? null : { ...best, label: `${(best.from / best.to).toFixed(1)} × less loss` };
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
