/** Regions and rules of a line chart, with labels where they cover as little of the lines as can be. */
import type { ChartTheme } from "../chart-theme.ts";
import { escapeMarkup } from "../escape-markup.ts";
import { roundPixels } from "../round-pixels.ts";
import { svgText } from "../svg-text.ts";
import { brokenText, textWidth } from "../text-width.ts";
import type { ChartRegion, ChartRule, LineChart } from "./definition.ts";
import { isDrawable, LEADING, type Plot, SIZES } from "./layout.ts";
import { isInside, type Pixel, runsOf } from "./marks.ts";

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Between a label and the edge of its region. */
const INSET = 8;
const WIDEST = 280;
/** How near a line may come to a label. */
const CLEAR = 4;
/** Places tried in each direction. */
const TRIED = 12;

export function drawnRegions({ regions }: LineChart, plot: Plot, theme: ChartTheme): string {
  return regions
    .map((region) => {
      const box = boxOf(region, plot);
      if (box === undefined) return "";
      return (
        `<rect x="${box.left}" y="${box.top}" width="${roundPixels(box.right - box.left)}" height="${roundPixels(box.bottom - box.top)}"` +
        ` fill="${toneOf(region, theme)}" fill-opacity="0.09"><title>${escapeMarkup(region.label)}</title></rect>`
      );
    })
    .join("");
}

export function drawnRules({ rules }: LineChart, plot: Plot, theme: ChartTheme): string {
  return rules
    .map((rule) => {
      const at = placeOf(rule, plot);
      if (at === undefined) return "";
      const d = rule.axis === "x" ? `M${at} ${plot.top}V${plot.bottom}` : `M${plot.left} ${at}H${plot.right}`;
      return `<path d="${d}" fill="none" stroke="${toneOf(rule, theme)}" stroke-width="1.3" stroke-dasharray="5 3"><title>${escapeMarkup(rule.label)}</title></path>`;
    })
    .join("");
}

/** Of rules first, which have fewer places to choose from. */
export function drawnAnnotations(chart: LineChart, plot: Plot, theme: ChartTheme): string {
  const lines = chart.lines.flatMap((line) => runsOf(line, plot).flatMap(trail)).filter((at) => isInside(at, plot));
  const ruled = chart.rules.flatMap((rule) => {
    const at = placeOf(rule, plot);
    if (at === undefined) return [];
    const [from, to] =
      rule.axis === "x"
        ? [
            { x: at, y: plot.top },
            { x: at, y: plot.bottom },
          ]
        : [
            { x: plot.left, y: at },
            { x: plot.right, y: at },
          ];
    return trail([from, to]);
  });
  const obstacles = [...lines, ...ruled];
  const drawn: string[] = [];
  const put = (note: ChartRegion | ChartRule, label: Label | undefined): void => {
    if (label === undefined) return;
    obstacles.push(...cover(label.box));
    drawn.push(drawnLabel(label, toneOf(note, theme), theme));
  };
  for (const rule of chart.rules) put(rule, ruleLabel(rule, plot, obstacles));
  for (const region of chart.regions) put(region, regionLabel(region, plot, obstacles));
  return drawn.join("");
}

interface Label {
  readonly lines: readonly string[];
  readonly box: Box;
  readonly upright: boolean;
  /** Whether something lies beneath. */
  readonly covers: boolean;
}

function ruleLabel(rule: ChartRule, plot: Plot, obstacles: readonly Pixel[]): Label | undefined {
  const at = placeOf(rule, plot);
  if (at === undefined || rule.label.trim() === "") return undefined;
  const height = SIZES.region * LEADING;
  const beside = INSET - 2;
  if (rule.axis === "y") {
    const lines = brokenText(rule.label, { size: SIZES.region, width: plot.right - plot.left - 2 * INSET }).slice(0, 1);
    const width = textWidth(lines[0]!, SIZES.region);
    const rows = [at - beside - height, at + beside - 2].filter(
      (top) => top >= plot.top && top + height <= plot.bottom,
    );
    const columns = steps(plot.right - INSET - width, plot.left + INSET);
    return best({ lines, width, height, upright: false }, columns, rows, obstacles);
  }
  const lines = brokenText(rule.label, { size: SIZES.region, width: 160 }).slice(0, 3);
  const width = Math.max(...lines.map((line) => textWidth(line, SIZES.region)));
  const columns = [at + beside, at - beside - width].filter((left) => left >= plot.left && left + width <= plot.right);
  const rows = steps(plot.top + INSET, plot.bottom - INSET - lines.length * height);
  return best({ lines, width, height: lines.length * height, upright: false }, columns, rows, obstacles);
}

/** Lying if it fits, otherwise upright, otherwise only as the region's title. */
function regionLabel(region: ChartRegion, plot: Plot, obstacles: readonly Pixel[]): Label | undefined {
  const box = boxOf(region, plot);
  if (box === undefined || region.label.trim() === "") return undefined;
  const room = { width: box.right - box.left - 2 * INSET, height: box.bottom - box.top - 6 };
  const size = SIZES.region;
  const words = region.label.trim().split(/\s+/u);
  const longest = Math.max(...words.map((word) => textWidth(word, size)));
  const lines = brokenText(region.label, { size, width: Math.min(WIDEST, room.width) });
  const lying = {
    lines,
    width: Math.max(...lines.map((line) => textWidth(line, size))),
    height: lines.length * size * LEADING,
    upright: false,
  };
  const length = textWidth(region.label, size);
  const standing = { lines: [region.label], width: size * LEADING, height: length, upright: true };
  const shape = longest <= room.width && lying.height <= room.height ? lying : standing;
  if (shape.width > box.right - box.left || shape.height > room.height) return undefined;
  const inset = Math.min(INSET, (box.right - box.left - shape.width) / 2);
  const rise = Math.min(INSET, (box.bottom - box.top - shape.height) / 2);
  return best(
    shape,
    steps(box.left + inset, box.right - inset - shape.width),
    steps(box.top + rise, box.bottom - rise - shape.height),
    obstacles,
  );
}

/** The first place that covers least. */
function best(
  { lines, width, height, upright }: { lines: readonly string[]; width: number; height: number; upright: boolean },
  columns: readonly number[],
  rows: readonly number[],
  obstacles: readonly Pixel[],
): Label | undefined {
  let found: Label | undefined;
  let least = Infinity;
  for (const top of rows) {
    for (const left of columns) {
      const box = { left, right: left + width, top, bottom: top + height };
      const covered = obstacles.filter(
        ({ x, y }) => x > left - CLEAR && x < box.right + CLEAR && y > top - CLEAR + 2 && y < box.bottom + CLEAR - 2,
      ).length;
      if (covered >= least) continue;
      least = covered;
      found = { lines, box, upright, covers: covered > 0 };
    }
  }
  return found;
}

function steps(from: number, to: number): number[] {
  return Array.from({ length: TRIED }, (_, at) => from + ((to - from) * at) / (TRIED - 1));
}

function drawnLabel({ lines, box, upright, covers }: Label, colour: string, theme: ChartTheme): string {
  const size = SIZES.region;
  const halo = covers
    ? { stroke: theme.paper, "stroke-width": 4, "stroke-linejoin": "round", "paint-order": "stroke" }
    : {};
  const attributes = { "font-size": size, fill: colour, ...halo };
  if (upright) {
    const [x, y] = [roundPixels(box.left + 0.96 * size), roundPixels(box.bottom)];
    return svgText({ x, y, ...attributes, transform: `rotate(-90 ${x} ${y})` }, lines[0]!);
  }
  return lines
    .map((line, at) => svgText({ x: box.left, y: box.top + (at * LEADING + 0.96) * size, ...attributes }, line))
    .join("");
}

/** Along a line, near enough to each other that no label slips between. */
function trail(run: readonly Pixel[]): Pixel[] {
  return run.flatMap((from, at) => {
    const to = run[at + 1];
    if (to === undefined) return [from];
    const count = Math.min(400, Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 4)));
    return Array.from({ length: count }, (_, step) => ({
      x: from.x + ((to.x - from.x) * step) / count,
      y: from.y + ((to.y - from.y) * step) / count,
    }));
  });
}

function cover({ left, right, top, bottom }: Box): Pixel[] {
  const found: Pixel[] = [];
  for (let x = left; x <= right; x += 4) for (let y = top; y <= bottom; y += 4) found.push({ x, y });
  return found;
}

function placeOf({ axis, at }: ChartRule, plot: Plot): number | undefined {
  const { kind, domain } = plot[axis];
  if (!isDrawable(kind, at) || at < domain[0] || at > domain[1]) return undefined;
  return plot[axis].at(at);
}

/** What of it lies in the plot; undefined if nothing does. */
function boxOf({ axis, from, to }: ChartRegion, plot: Plot): Box | undefined {
  const { domain, at } = plot[axis];
  if (Number.isNaN(from) || Number.isNaN(to)) return undefined;
  const low = Math.max(domain[0], from ?? -Infinity);
  const high = Math.min(domain[1], to ?? Infinity);
  if (!(low < high)) return undefined;
  const { left, right, top, bottom } = plot;
  return axis === "x"
    ? { left: at(low), right: at(high), top, bottom }
    : { left, right, top: at(high), bottom: at(low) };
}

function toneOf({ tone }: ChartRegion | ChartRule, theme: ChartTheme): string {
  return escapeMarkup(tone === "warning" ? theme.warning : theme.inkSoft);
}
