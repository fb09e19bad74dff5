/** Where in a line chart's picture things are, for pages that lay a pointer or marks over it. */
import { arranged } from "./line/arrangement.ts";
import type { LineChart } from "./line/definition.ts";
import { type ChartSize, isDrawable, type PlotAxis, PRINT_SIZE } from "./line/layout.ts";

/** In pixels of the picture, as `lineChart` draws it at the same size. */
export interface LinePlot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly xDomain: readonly [number, number];
  readonly yDomain: readonly [number, number];
  /** NaN for what the axis has no place for. */
  x(value: number): number;
  y(value: number): number;
  /** The other way round; beyond the plot's edges the edges' values. */
  xAt(pixel: number): number;
  yAt(pixel: number): number;
}

export function linePlot(chart: LineChart, size: ChartSize = PRINT_SIZE): LinePlot {
  const { x, y, left, right, top, bottom } = arranged(chart, size).plot;
  return {
    left,
    right,
    top,
    bottom,
    xDomain: x.domain,
    yDomain: y.domain,
    x: (value) => place(x, value),
    y: (value) => place(y, value),
    xAt: (pixel) => valueAt(x, (pixel - left) / (right - left)),
    yAt: (pixel) => valueAt(y, (bottom - pixel) / (bottom - top)),
  };
}

function place({ kind, at }: PlotAxis, value: number): number {
  return isDrawable(kind, value) ? at(value) : NaN;
}

function valueAt({ kind, domain: [low, high] }: PlotAxis, share: number): number {
  const inside = Math.max(0, Math.min(1, share));
  return kind === "log" ? low * (high / low) ** inside : low + (high - low) * inside;
}
