/** Draws what a published number could have been under Laplace noise: 20 dots, each as likely as any other. Text keeps its size at any width. */
import type { ChartTheme } from "./chart-style.ts";
import { anchorNear, fluidSvg, fluidText, marginPercent, roundPercent, svgElement, type TextAnchor } from "./svg.ts";

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

/** The numbers below which `(i + ½)/20` of all draws lie: never random, so that nothing flickers while something is dragged. */
export function laplaceQuantiles({ center, scale }: Pick<DotPlot, "center" | "scale">): number[] {
  return Array.from({ length: DOTS }, (_, index) => {
    const side = (2 * index + 1) / DOTS - 1;
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
    return marginPercent(share, MARGIN_PERCENT);
  };
  const stacks = dotStacks({ center, scale, bounds });
  const step = Math.min(WIDEST_DOT, TALLEST / Math.max(1, ...stacks.heights.values()));
  const radius = roundPercent(step / 2 - 0.4);
  const dots = [...stacks.heights].flatMap(([column, height]) => {
    const cut = column === 0 ? stacks.below : column === stacks.columns - 1 ? stacks.above : 0;
    const x = percent(low + ((column + 0.5) / stacks.columns) * (high - low));
    return Array.from({ length: height }, (_, index) =>
      svgElement("circle", {
        cx: `${x}%`,
        cy: roundPercent(FLOOR - step * (index + 0.5)),
        r: radius,
        // Those that would lie beyond are hollow.
        ...(index < cut
          ? { fill: theme.paper, stroke: theme.lines[1], "stroke-width": 1.5 }
          : { fill: theme.lines[1] }),
      }),
    );
  });
  const small = { "font-size": 12, fill: theme.inkSoft };
  const at = percent(center);
  const parts = [
    svgElement("line", { x1: "0%", x2: "100%", y1: FLOOR, y2: FLOOR, stroke: theme.inkSoft }),
    svgElement("line", {
      x1: `${at}%`,
      x2: `${at}%`,
      y1: FLOOR - TALLEST - 4,
      y2: FLOOR + 6,
      stroke: theme.ink,
      "stroke-dasharray": "3 3",
    }),
    ...dots,
    bias > 0 ? bracket([percent(center - bias), percent(center + bias)], theme) : "",
    ...cutNotes(stacks, theme),
    fluidText("0%", HEIGHT - 20, format(low), { "text-anchor": "start", ...small }),
    fluidText("100%", HEIGHT - 20, format(high), { "text-anchor": "end", ...small }),
    fluidText(`${at}%`, HEIGHT - 4, format(center), {
      "text-anchor": anchorNear(at, 15),
      ...small,
      fill: theme.ink,
      "font-weight": 600,
    }),
  ];
  return fluidSvg({ label, height: HEIGHT, font: theme.font }, parts);
}

function bracket([from, to]: readonly [number, number], theme: ChartTheme): string {
  const y = FLOOR + 12;
  const look = { stroke: theme.warning, "stroke-width": 2 };
  const end = (x: number): string => svgElement("line", { x1: `${x}%`, x2: `${x}%`, y1: y - 5, y2: y, ...look });
  return svgElement("line", { x1: `${from}%`, x2: `${to}%`, y1: y, y2: y, ...look }) + end(from) + end(to);
}

function cutNotes({ below, above }: DotStacks, theme: ChartTheme): string[] {
  const note = (count: number, x: string, anchor: TextAnchor): string => {
    const look = { "text-anchor": anchor, "font-size": 12, fill: theme.warning };
    return count === 0 ? "" : fluidText(x, 12, `${count} of ${DOTS} cut off`, look);
  };
  return [note(below, "0%", "start"), note(above, "100%", "end")];
}
