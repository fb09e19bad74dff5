/** Draws the lines themselves: bands of spread, strokes with gaps, and a shape at every point. */
import type { ChartTheme } from "../chart-style.ts";
import { isDrawable } from "../scales.ts";
import { linePath, roundPixels, type SvgAttributes, svgElement } from "../svg.ts";
import type { ChartLine, LinePoint } from "./definition.ts";
import type { Plot } from "./layout.ts";

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** Strokes and gaps. */
const DASHES = { solid: {}, dashed: { "stroke-dasharray": "8 5" }, dotted: { "stroke-dasharray": "1.5 4.5" } };

type Shape = (at: Pixel, size: number) => string;

const circle: Shape = ({ x, y }, size) => svgElement("circle", { cx: x, cy: y, r: size });

/** Shapes around a point, all of about the same area. */
const SHAPES: readonly Shape[] = [
  circle,
  (at, size) => polygon(at, size * 0.9, [-1, -1, 1, -1, 1, 1, -1, 1]),
  (at, size) => polygon(at, size * 1.2, [0, -1, 1, 0.8, -1, 0.8]),
  (at, size) => polygon(at, size * 1.3, [0, -1, 1, 0, 0, 1, -1, 0]),
  (at, size) => polygon(at, size * 1.2, [0, 1, 1, -0.8, -1, -0.8]),
  (at, size) => polygon(at, size * 1.15, [0, -1, 0.95, -0.31, 0.59, 0.81, -0.59, 0.81, -0.95, -0.31]),
  (at, size) => polygon(at, size * 1.2, [-0.8, 0, 0.8, -1, 0.8, 1]),
  (at, size) => polygon(at, size * 1.2, [0.8, 0, -0.8, -1, -0.8, 1]),
];

export function colourOf({ colour }: ChartLine, theme: ChartTheme): string {
  return theme.lines[colour % theme.lines.length] ?? theme.ink;
}

/** What can be drawn of a line, between its gaps. */
export function runsOf({ points }: ChartLine, { x, y }: Plot): Pixel[][] {
  return runs(points, (point) =>
    isDrawable(x.kind, point.x) && isDrawable(y.kind, point.y) ? { x: x.at(point.x), y: y.at(point.y) } : undefined,
  );
}

/** The edges of what can be drawn of a line's spread, between its gaps. */
export function bandRunsOf({ points }: ChartLine, { x, y, bottom }: Plot): Array<{ lows: Pixel[]; highs: Pixel[] }> {
  const found = runs(points, ({ x: along, low = NaN, high = NaN }) => {
    if (!isDrawable(x.kind, along) || !isDrawable(y.kind, high) || Number.isNaN(low)) return undefined;
    // On a logarithmic axis nothing and less lie below every plot.
    return { x: x.at(along), high: y.at(high), low: isDrawable(y.kind, low) ? y.at(low) : bottom };
  });
  return found.map((run) => ({
    lows: run.map(({ x, low }) => ({ x, y: low })),
    highs: run.map(({ x, high }) => ({ x, y: high })),
  }));
}

/** Shapes of its colour, a little larger for the line to look at. */
export function drawnShapes(line: ChartLine, places: readonly Pixel[], theme: ChartTheme): string {
  const shape = SHAPES[line.colour % SHAPES.length] ?? circle;
  return svgElement(
    "g",
    { fill: colourOf(line, theme), stroke: theme.paper, "stroke-width": 1 },
    places.map((at) => shape(at, line.strong ? 5 : 4)).join(""),
  );
}

/** How a line is drawn, wherever. */
export function strokeOf(line: ChartLine, theme: ChartTheme): SvgAttributes {
  return {
    fill: "none",
    stroke: colourOf(line, theme),
    "stroke-width": line.strong ? 3.2 : 1.9,
    "stroke-linejoin": "round",
    "stroke-linecap": line.dash === "dotted" ? "round" : "butt",
    ...DASHES[line.dash],
  };
}

export function drawnBand(line: ChartLine, plot: Plot, theme: ChartTheme): string {
  const areas = bandRunsOf(line, plot)
    .map(({ lows, highs }) => [...highs, ...lows.reverse()])
    .filter((outline) => mayBeSeen(outline, plot))
    .map((outline) => `${linePath(outline)}Z`);
  if (areas.length === 0) return "";
  return svgElement("path", { d: areas.join(""), fill: colourOf(line, theme), "fill-opacity": 0.15 });
}

export function drawnStroke(line: ChartLine, plot: Plot, theme: ChartTheme): string {
  const strokes = runsOf(line, plot).filter((run) => run.length > 1 && mayBeSeen(run, plot));
  if (strokes.length === 0) return "";
  return svgElement("path", { d: strokes.map(linePath).join(""), ...strokeOf(line, theme) });
}

/** Whole, even at the plot's edge; a point between two gaps has no line and gets a shape in any case. */
export function drawnMarkers(line: ChartLine, plot: Plot, theme: ChartTheme): string {
  const marked = runsOf(line, plot)
    .filter((run) => line.markers || run.length === 1)
    .flat()
    .filter((at) => isInside(at, plot));
  return marked.length === 0 ? "" : drawnShapes(line, marked, theme);
}

/** The last of a line that can be seen, which may be where it leaves the plot; undefined if nothing can. */
export function endOf(line: ChartLine, plot: Plot): Pixel | undefined {
  for (const run of runsOf(line, plot).reverse()) {
    let after: Pixel | undefined;
    for (const at of run.reverse()) {
      const crossing = after === undefined ? undefined : lastCrossing(at, after, plot);
      if (crossing !== undefined) return crossing;
      if (isInside(at, plot)) return at;
      after = at;
    }
  }
  return undefined;
}

export function isInside({ x, y }: Pixel, { left, right, top, bottom }: Plot): boolean {
  return x >= left - 0.5 && x <= right + 0.5 && y >= top - 0.5 && y <= bottom + 0.5;
}

/** Whether anything of it may lie in the plot: resvg gives up on strokes that lie far outside the picture. */
function mayBeSeen(run: readonly Pixel[], { left, right, top, bottom }: Plot): boolean {
  const [xs, ys] = [run.map(({ x }) => x), run.map(({ y }) => y)];
  return Math.max(...xs) >= left && Math.min(...xs) <= right && Math.max(...ys) >= top && Math.min(...ys) <= bottom;
}

/** Liang and Barsky: how far along the segment it leaves the rectangle, if it ever was inside. */
function lastCrossing(from: Pixel, to: Pixel, { left, right, top, bottom }: Plot): Pixel | undefined {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  let [enters, leaves] = [0, 1];
  for (const [towards, room] of [
    [-dx, from.x - left],
    [dx, right - from.x],
    [-dy, from.y - top],
    [dy, bottom - from.y],
  ] as const) {
    if (towards === 0 && room < 0) return undefined;
    if (towards < 0) enters = Math.max(enters, room / towards);
    if (towards > 0) leaves = Math.min(leaves, room / towards);
  }
  if (enters > leaves) return undefined;
  return { x: roundPixels(from.x + leaves * dx), y: roundPixels(from.y + leaves * dy) };
}

/** Neighbours that `see` returns something for, together. */
function runs<T>(points: readonly LinePoint[], see: (point: LinePoint) => T | undefined): T[][] {
  const found: T[][] = [[]];
  for (const point of points) {
    const seen = see(point);
    if (seen === undefined) found.push([]);
    else found.at(-1)?.push(seen);
  }
  return found.filter((run) => run.length > 0);
}

function polygon({ x, y }: Pixel, size: number, offsets: readonly number[]): string {
  const numbers = offsets.map((offset, at) => roundPixels((at % 2 === 0 ? x : y) + size * offset));
  return svgElement("polygon", { points: numbers.join(" ") });
}
