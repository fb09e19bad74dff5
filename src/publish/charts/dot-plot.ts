/** What a published number could have been: 20 dots, each as likely as any other, under Laplace noise. Text keeps its size at any width. */
import type { ChartTheme } from "./chart-theme.ts";
import { escapeMarkup } from "./escape-markup.ts";
import { type SvgAttributes, svgElement, svgTitle } from "./svg-element.ts";

export interface DotPlot {
  /** What is shown, for those who listen. */
  readonly label: string;
  /** The true number. */
  readonly center: number;
  /** Of the Laplace noise; 0 for none. */
  readonly scale: number;
  /** How far the true number can be moved, either way, because records are dropped. */
  readonly bias: number;
  /** Published numbers lie between: the axis. */
  readonly bounds: readonly [low: number, high: number];
  format(value: number): string;
}

export const DOTS = 20;

const HEIGHT = 172;
const FLOOR = 122;
const TALLEST = 108;
/** The narrowest the chart is meant for, in pixels: dots do not touch there. */
const NARROWEST = 250;
const WIDEST_DOT = 9.5;
const MARGIN_PERCENT = 3;

/** The numbers below which `(i + ½)/count` of all draws lie: never random, so that nothing flickers while something is dragged. */
export function laplaceQuantiles({ center, scale }: Pick<DotPlot, "center" | "scale">, count = DOTS): number[] {
  return Array.from({ length: count }, (_, index) => {
    const side = (2 * index + 1) / count - 1;
    return center - Math.sign(side) * scale * Math.log1p(-Math.abs(side));
  });
}

/** The noise stays below this 19 times in 20. */
export function nineteenInTwenty(scale: number): number {
  return scale * Math.log(20);
}

/** Stacks of equally likely outcomes, and how many of them would lie beyond the bounds. */
export interface DotStacks {
  /** In columns from 0 to `columns` − 1. */
  readonly heights: ReadonlyMap<number, number>;
  readonly columns: number;
  readonly below: number;
  readonly above: number;
}

export function dotStacks({
  center,
  scale,
  bounds: [low, high],
}: Pick<DotPlot, "center" | "scale" | "bounds">): DotStacks {
  // An odd number, so that the middle of the range is the middle of a column.
  const columns = 2 * Math.floor((NARROWEST * (1 - (2 * MARGIN_PERCENT) / 100)) / WIDEST_DOT / 2) - 1;
  const heights = new Map<number, number>();
  let below = 0;
  let above = 0;
  for (const value of laplaceQuantiles({ center, scale })) {
    if (value < low) below += 1;
    else if (value > high) above += 1;
    const share = high > low ? (value - low) / (high - low) : 0.5;
    const column = Math.min(columns - 1, Math.max(0, Math.floor(share * columns)));
    heights.set(column, (heights.get(column) ?? 0) + 1);
  }
  return { heights, columns, below, above };
}

/** Colours are presentation attributes, as in `lineChart`. */
export function dotPlot({ label, center, scale, bias, bounds, format }: DotPlot, theme: ChartTheme): string {
  const [low, high] = bounds;
  const percent = (value: number): number => {
    const share = high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5;
    return Number((MARGIN_PERCENT + share * (100 - 2 * MARGIN_PERCENT)).toFixed(2));
  };
  const stacks = dotStacks({ center, scale, bounds });
  const step = Math.min(WIDEST_DOT, TALLEST / Math.max(1, ...stacks.heights.values()));
  const radius = Number((step / 2 - 0.4).toFixed(2));
  const dots = [...stacks.heights].flatMap(([column, height]) => {
    const cut = column === 0 ? stacks.below : column === stacks.columns - 1 ? stacks.above : 0;
    const x = percent(low + ((column + 0.5) / stacks.columns) * (high - low));
    return Array.from({ length: height }, (_, index) =>
      svgElement("circle", {
        cx: `${x}%`,
        cy: Number((FLOOR - step * (index + 0.5)).toFixed(2)),
        r: radius,
        // Those that would lie beyond are hollow.
        ...(index < cut
          ? { fill: theme.paper, stroke: theme.lines[1]!, "stroke-width": 1.5 }
          : { fill: theme.lines[1]! }),
      }),
    );
  });
  const small = { "font-size": 12, fill: theme.inkSoft };
  const line = (attributes: SvgAttributes): string => svgElement("line", attributes);
  const at = percent(center);
  const parts = [
    svgTitle(label),
    line({ x1: "0%", x2: "100%", y1: FLOOR, y2: FLOOR, stroke: theme.inkSoft }),
    line({
      x1: `${at}%`,
      x2: `${at}%`,
      y1: FLOOR - TALLEST - 4,
      y2: FLOOR + 6,
      stroke: theme.ink,
      "stroke-dasharray": "3 3",
    }),
    ...dots,
    bias > 0 ? bracket([percent(center - bias), percent(center + bias)], theme) : "",
    ...cutNote(stacks, theme),
    placedText(0, format(low), HEIGHT - 20, "start", small),
    placedText(100, format(high), HEIGHT - 20, "end", small),
    placedText(at, format(center), HEIGHT - 4, anchorAt(at), { ...small, fill: theme.ink, "font-weight": 600 }),
  ];
  return svgElement(
    "svg",
    { width: "100%", height: HEIGHT, role: "img", "aria-label": label, "font-family": theme.font },
    parts.join(""),
  );
}

function bracket([from, to]: readonly [number, number], theme: ChartTheme): string {
  const y = FLOOR + 12;
  const looks = { stroke: theme.warning, "stroke-width": 2 };
  const end = (x: number): string => svgElement("line", { x1: `${x}%`, x2: `${x}%`, y1: y - 5, y2: y, ...looks });
  return svgElement("line", { x1: `${from}%`, x2: `${to}%`, y1: y, y2: y, ...looks }) + end(from) + end(to);
}

function cutNote({ below, above }: DotStacks, theme: ChartTheme): string[] {
  const looks = { "font-size": 12, fill: theme.warning };
  const words = (count: number): string => `${count} of ${DOTS} cut off`;
  return [
    below > 0 ? placedText(0, words(below), 12, "start", looks) : "",
    above > 0 ? placedText(100, words(above), 12, "end", looks) : "",
  ];
}

function placedText(
  percent: number,
  content: string,
  y: number,
  anchor: "start" | "middle" | "end",
  looks: SvgAttributes,
): string {
  return svgElement("text", { x: `${percent}%`, y, "text-anchor": anchor, ...looks }, escapeMarkup(content));
}

function anchorAt(percent: number): "start" | "middle" | "end" {
  return percent < 15 ? "start" : percent > 85 ? "end" : "middle";
}
