/** Draws regions and rules of a line chart, with labels where they cover as little of the lines as possible. */
import type { ChartTheme } from "../chart-style.ts";
import { isDrawable } from "../scales.ts";
import { linePath, roundPixels, svgElement, svgText, svgTitle } from "../svg.ts";
import { brokenText, evenText, textWidth, widestText, wrappedText } from "../text-width.ts";
import type { Box, ChartRegion, ChartRule, LineChart } from "./definition.ts";
import { type FreePlace, filled, freePlace, steps, trail } from "./free-place.ts";
import { LEADING, type Plot, SIZES } from "./layout.ts";
import { bandRunsOf, isInside, type Pixel, runsOf } from "./marks.ts";

/** Between a label and the edge of its region. */
const INSET = 8;
/** Between a label and its rule. */
const BESIDE = 6;
const WIDEST = 280;
const WIDEST_BESIDE = 160;
const SIZE = SIZES.region;
const LINE = SIZE * LEADING;

interface Label extends FreePlace {
  readonly lines: readonly string[];
  readonly aligned: "left" | "right" | "upright";
}

export function drawnRegions({ regions }: LineChart, plot: Plot, theme: ChartTheme): string {
  return regions
    .map((region) => {
      const box = boxOf(region, plot);
      if (box === undefined) return "";
      const [width, height] = [roundPixels(box.right - box.left), roundPixels(box.bottom - box.top)];
      const look = { fill: toneOf(region, theme), "fill-opacity": 0.09 };
      return svgElement("rect", { x: box.left, y: box.top, width, height, ...look }, svgTitle(region.label));
    })
    .join("");
}

export function drawnRules({ rules }: LineChart, plot: Plot, theme: ChartTheme): string {
  return rules
    .map((rule) => {
      const ends = endsOf(rule, plot);
      if (ends === undefined) return "";
      const look = { fill: "none", stroke: toneOf(rule, theme), "stroke-width": 1.3, "stroke-dasharray": "5 3" };
      return svgElement("path", { d: linePath(ends), ...look }, svgTitle(rule.label));
    })
    .join("");
}

/** Labels of rules first, which have fewer places to choose from. */
export function drawnAnnotations(chart: LineChart, plot: Plot, theme: ChartTheme): string {
  const drawn = [
    ...chart.lines.flatMap((line) => [
      ...runsOf(line, plot),
      ...bandRunsOf(line, plot).flatMap(({ lows, highs }) => [lows, highs]),
    ]),
    ...chart.rules.flatMap((rule) => [endsOf(rule, plot) ?? []]),
  ]
    .flatMap(trail)
    .filter((at) => isInside(at, plot));
  const labels: string[] = [];
  const put = (label: Label | undefined, note: ChartRegion | ChartRule): void => {
    if (label === undefined) return;
    drawn.push(...filled(label.box));
    labels.push(drawnLabel(label, toneOf(note, theme), theme));
  };
  for (const rule of chart.rules) put(ruleLabel(rule, plot, drawn), rule);
  for (const region of chart.regions) put(regionLabel(region, plot, drawn), region);
  return labels.join("");
}

function ruleLabel(rule: ChartRule, plot: Plot, drawn: readonly Pixel[]): Label | undefined {
  const ends = endsOf(rule, plot);
  const { left, right, top, bottom } = plot;
  const along = rule.axis === "y";
  const room = along ? right - left - 2 * INSET : WIDEST_BESIDE;
  const lines = wrappedText(rule.label, { size: SIZE, width: room, most: along ? 1 : 3 });
  if (ends === undefined || lines.length === 0) return undefined;
  const { width, height } = sizeOf(lines);
  const [{ x, y }] = ends;
  const columns = along ? steps(right - INSET - width, left + INSET) : [x + BESIDE, x - BESIDE - width];
  const rows = along ? [y - BESIDE - height, y + BESIDE - 2] : steps(top + INSET, bottom - INSET - height);
  const place = freePlace(
    { width, height },
    {
      columns: columns.filter((start) => start >= left && start + width <= right),
      rows: rows.filter((start) => start >= top && start + height <= bottom),
    },
    drawn,
  );
  if (place === undefined) return undefined;
  const isRight = along ? nearerToRight(place.box, plot) : place.box.left < x;
  return { ...place, lines, aligned: isRight ? "right" : "left" };
}

/** Lying if it fits, otherwise upright, otherwise only as the region's title. */
function regionLabel(region: ChartRegion, plot: Plot, drawn: readonly Pixel[]): Label | undefined {
  const box = boxOf(region, plot);
  const words = brokenText(region.label, { size: SIZE, width: 0, whole: true });
  if (box === undefined || words.length === 0) return undefined;
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const lines = evenText(region.label, { size: SIZE, width: Math.min(WIDEST, width - 2 * INSET), whole: true });
  const lying = sizeOf(lines);
  const lies = lying.width <= width - 2 * INSET && lying.height <= height;
  const size = lies ? lying : { width: LINE, height: textWidth(words.join(" "), SIZE) };
  if (size.width > width || size.height > height) return undefined;
  const inset = Math.min(INSET, (width - size.width) / 2);
  const rise = Math.min(INSET, (height - size.height) / 2);
  const place = freePlace(
    size,
    {
      columns: steps(box.left + inset, box.right - inset - size.width),
      rows: steps(box.top + rise, box.bottom - rise - size.height),
    },
    drawn,
  );
  if (place === undefined) return undefined;
  if (!lies) return { ...place, lines: [words.join(" ")], aligned: "upright" };
  return { ...place, lines, aligned: nearerToRight(place.box, plot) ? "right" : "left" };
}

function drawnLabel({ lines, box, aligned, covers }: Label, colour: string, theme: ChartTheme): string {
  const halo = { stroke: theme.paper, "stroke-width": 4, "stroke-linejoin": "round", "paint-order": "stroke" };
  const look = { "font-size": SIZE, fill: colour, ...(covers ? halo : {}) };
  if (aligned === "upright") {
    const [x, y] = [roundPixels(box.left + 0.96 * SIZE), roundPixels(box.bottom)];
    return svgText({ x, y, ...look, transform: `rotate(-90 ${x} ${y})` }, lines.join(" "));
  }
  const side = aligned === "right" ? { x: box.right, "text-anchor": "end" } : { x: box.left };
  return lines.map((line, at) => svgText({ y: box.top + at * LINE + 0.96 * SIZE, ...side, ...look }, line)).join("");
}

function sizeOf(lines: readonly string[]): { width: number; height: number } {
  return { width: widestText(lines, SIZE), height: lines.length * LINE };
}

/** Where a text is wider or narrower than thought, it shall differ at its inner side. */
function nearerToRight(box: Box, { left, right }: Plot): boolean {
  return right - box.right < box.left - left;
}

function endsOf({ axis, at }: ChartRule, plot: Plot): readonly [Pixel, Pixel] | undefined {
  const { kind, domain } = plot[axis];
  if (!isDrawable(kind, at) || at < domain[0] || at > domain[1]) return undefined;
  const place = plot[axis].at(at);
  const end = (x: number, y: number): Pixel => ({ x, y });
  if (axis === "x") return [end(place, plot.top), end(place, plot.bottom)];
  return [end(plot.left, place), end(plot.right, place)];
}

/** What of it lies in the plot; undefined if nothing does. */
function boxOf({ axis, from, to }: ChartRegion, plot: Plot): Box | undefined {
  const { domain, at } = plot[axis];
  const low = Math.max(domain[0], from ?? -Infinity);
  const high = Math.min(domain[1], to ?? Infinity);
  if (!(low < high)) return undefined;
  const { left, right, top, bottom } = plot;
  if (axis === "x") return { left: at(low), right: at(high), top, bottom };
  return { left, right, top: at(high), bottom: at(low) };
}

function toneOf({ tone }: ChartRegion | ChartRule, theme: ChartTheme): string {
  return tone === "warning" ? theme.warning : theme.inkSoft;
}
