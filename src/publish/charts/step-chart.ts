/** Draws a number that holds between its changes against time, under a limit. Text keeps its size at any width. */
import type { ChartTheme } from "./chart-style.ts";
import { ticks } from "./scales.ts";
import { fluidSvg, fluidText, marginPercent, roundPercent, type SvgAttributes, svgElement, svgTitle } from "./svg.ts";

export interface ChartStep {
  /** Milliseconds since 1970; ascending. */
  readonly at: number;
  /** From then on. */
  readonly value: number;
  /** On hover: what happened. */
  readonly title: string;
}

export interface StepChart {
  readonly label: string;
  readonly steps: readonly ChartStep[];
  /** What must not be exceeded, which may change as well. */
  readonly limits: readonly ChartStep[];
  readonly limitName: string;
  /** Where the chart ends: now. */
  readonly until: number;
  format(value: number): string;
  formatTime(at: number): string;
}

const TOP = 24;
const PLOT = 150;
const BOTTOM = 24;
/** Room at both sides for dots at the very ends. */
const MARGIN_PERCENT = 1.5;
const ROOM_ABOVE = 1.06;
/** More would be a thick line. */
const MOST_DOTS = 100;

/** Colours are presentation attributes, as in `lineChart`. */
export function stepChart(
  { label, steps, limits, limitName, until, format, formatTime }: StepChart,
  theme: ChartTheme,
): string {
  const from = Math.min(until, ...steps.map(({ at }) => at), ...limits.map(({ at }) => at));
  const span = until - from || 1;
  const highest = ROOM_ABOVE * Math.max(1e-300, ...[...steps, ...limits].map(({ value }) => value));
  const base = TOP + PLOT;
  const percent = (at: number): string => `${marginPercent((at - from) / span, MARGIN_PERCENT)}%`;
  const height = (value: number): number => roundPercent(base - (value / highest) * PLOT);
  const stairs = (all: readonly ChartStep[], look: SvgAttributes): string =>
    all
      .map(({ at, value }, index) => {
        const next = all[index + 1];
        const [x, y, end] = [percent(at), height(value), percent(next?.at ?? until)];
        const flat = svgElement("line", { x1: x, x2: end, y1: y, y2: y, ...look });
        if (next === undefined) return flat;
        return flat + svgElement("line", { x1: end, x2: end, y1: y, y2: height(next.value), ...look });
      })
      .join("");
  const filled = steps.map(({ at, value }, index) => {
    const [start, end] = [percent(at), percent(steps[index + 1]?.at ?? until)];
    const width = `${roundPercent(Number.parseFloat(end) - Number.parseFloat(start))}%`;
    const look = { fill: theme.lines[1], "fill-opacity": 0.12 };
    return svgElement("rect", { x: start, width, y: height(value), height: base - height(value), ...look });
  });
  const dots = (steps.length > MOST_DOTS ? [] : steps).map(({ at, value, title }) =>
    svgElement("circle", { cx: percent(at), cy: height(value), r: 4.5, fill: theme.lines[1] }, svgTitle(title)),
  );
  const text = (x: string, y: number, content: string, look: SvgAttributes): string =>
    fluidText(x, y, content, { "font-size": 12, fill: theme.inkSoft, ...look });
  const rows = ticks([0, highest], 4).filter((tick) => tick > 0);
  const limit = limits.at(-1);
  const parts = [
    ...rows.map((tick) =>
      svgElement("line", { x1: "0%", x2: "100%", y1: height(tick), y2: height(tick), stroke: theme.grid }),
    ),
    ...filled,
    svgElement("line", { x1: "0%", x2: "100%", y1: base, y2: base, stroke: theme.inkSoft }),
    stairs(limits, { stroke: theme.warning, "stroke-width": 1.5, "stroke-dasharray": "6 4" }),
    stairs(steps, { stroke: theme.lines[1], "stroke-width": 2.5, "stroke-linecap": "square" }),
    ...dots,
    ...rows.map((tick) => text("0%", height(tick) - 4, format(tick), {})),
    limit === undefined
      ? ""
      : text("100%", height(limit.value) - 6, `${limitName} ${format(limit.value)}`, {
          "text-anchor": "end",
          fill: theme.warning,
        }),
    text("0%", base + 17, formatTime(from), {}),
    text("100%", base + 17, formatTime(until), { "text-anchor": "end" }),
  ];
  return fluidSvg({ label, height: base + BOTTOM, font: theme.font }, parts);
}
