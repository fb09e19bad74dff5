/** Tells where things are in a line chart's picture, and places marks that a page lays over it. */
import { itemAt } from "../../core/errors/index.ts";
import { arranged } from "./line/arrangement.ts";
import type { Box, ChartSize, LineChart } from "./line/definition.ts";
import { type PlotAxis, PRINT_SIZE } from "./line/layout.ts";
import { isDrawable, valueBetween } from "./scales.ts";
import type { TextAnchor } from "./svg.ts";
import { textWidth } from "./text-width.ts";

/** In pixels of the picture, as `lineChart` draws it at the same size. */
export interface LinePlot extends Box {
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

function valueAt({ kind, domain }: PlotAxis, share: number): number {
  return valueBetween(kind, domain, clamped(share, 0, 1));
}

export interface ChartMark {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly kind: "current" | "other";
}

export interface PlacedMark {
  readonly mark: ChartMark;
  readonly x: number;
  readonly y: number;
  /** Beyond the axes: it stands at the edge that is nearest. */
  readonly isOff: boolean;
  readonly label: { readonly x: number; readonly y: number; readonly anchor: TextAnchor };
}

const SIZE = 13;
const CLEAR = 12;

/** The current one first, in the order given else; what has no place on the axes is left out. */
export function markLabels(marks: readonly ChartMark[], plot: LinePlot): PlacedMark[] {
  const shown = [...marks]
    .sort((one, other) => Number(other.kind === "current") - Number(one.kind === "current"))
    .flatMap((mark) => {
      const [x, y] = [plot.x(mark.x), plot.y(mark.y)];
      if (Number.isNaN(x) || Number.isNaN(y)) return [];
      const [inX, inY] = [clamped(x, plot.left, plot.right), clamped(y, plot.top, plot.bottom)];
      return [{ mark, x: inX, y: inY, isOff: Math.abs(inX - x) > 0.6 || Math.abs(inY - y) > 0.6 }];
    });
  const taken: Box[] = shown.map(({ x, y }) => ({ left: x - 7, right: x + 7, top: y - 7, bottom: y + 7 }));
  return shown.map((placed) => {
    const width = textWidth(placed.mark.label, SIZE);
    const choices = placesBeside(placed, width);
    const inside = choices.filter(({ box }) => isInside(box, plot));
    const free = inside.find(({ box }) => !taken.some((other) => overlap(box, other)));
    const { box, label } = free ?? inside[0] ?? itemAt(choices, 0);
    taken.push(box);
    return { ...placed, label };
  });
}

/** Right, left, above and below, then further off. */
function placesBeside(
  { x, y }: { x: number; y: number },
  width: number,
): Array<{ box: Box; label: PlacedMark["label"] }> {
  const at = (left: number, baseline: number, anchor: TextAnchor) => ({
    box: { left, right: left + width, top: baseline - SIZE * 0.8, bottom: baseline + SIZE * 0.25 },
    label: {
      x: anchor === "start" ? left : anchor === "end" ? left + width : left + width / 2,
      y: baseline,
      anchor,
    },
  });
  return [0, 1, 2, 3].flatMap((step) => {
    const away = step * (SIZE + 3);
    return [-away, away]
      .slice(step === 0 ? 1 : 0)
      .flatMap((dy) => [
        at(x + CLEAR, y + dy + 0.35 * SIZE, "start"),
        at(x - CLEAR - width, y + dy + 0.35 * SIZE, "end"),
        at(x - width / 2, y - CLEAR - 2 + Math.min(0, dy), "middle"),
        at(x - width / 2, y + CLEAR + SIZE + Math.max(0, dy), "middle"),
      ]);
  });
}

function isInside({ left, right, top, bottom }: Box, plot: LinePlot): boolean {
  return left >= plot.left && right <= plot.right && top >= plot.top && bottom <= plot.bottom;
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function clamped(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
