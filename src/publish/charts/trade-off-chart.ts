/** Draws error against privacy loss, a line per strategy, with what costs nothing and what no plan can reach. */
import { itemAt } from "../../core/errors/index.ts";
import { pushedApart } from "./pushed-apart.ts";
import { type Domain, logTicks, pixelScale, ticks } from "./scales.ts";
import { escapeMarkup, linePath, roundPixels, svgText } from "./svg.ts";

export interface TradeOffPoint {
  readonly loss: number;
  readonly error: number;
}

export interface TradeOffLine {
  readonly label: string;
  /** Below the label, such as where the line ends. */
  readonly detail: string;
  /** Which of the eight colours. */
  readonly colour: number;
  /** Drawn as dots on the line; the title is shown on hover. */
  readonly points: ReadonlyArray<TradeOffPoint & { readonly title: string }>;
  /** The line between the dots, where more of it is known. */
  readonly curve?: readonly TradeOffPoint[] | undefined;
  /** The line to look at. */
  readonly strong: boolean;
}

export interface TradeOffChart {
  readonly title: string;
  readonly subtitle: string;
  readonly lossLabel: string;
  readonly errorLabel: string;
  readonly lines: readonly TradeOffLine[];
  /** What can be had without any loss. */
  readonly free: { readonly error: number; readonly label: string };
  /** No plan lies below. */
  readonly bound: { readonly label: string; readonly points: readonly TradeOffPoint[] } | null;
  /** The same error at two losses. */
  readonly saving: {
    readonly error: number;
    readonly from: number;
    readonly to: number;
    readonly label: string;
  } | null;
  format(error: number): string;
}

const WIDTH = 880;
const HEIGHT = 540;
const LEFT = 70;
const RIGHT = 216;
const TOP = 96;
const BOTTOM = 62;
const LABEL_HEIGHT = 31;
/** How much is shown of what is worse than publishing midpoints. */
const HEADROOM = 1.22;

/** One SVG element; `CHART_STYLE` and the page's custom properties give it colours. */
export function tradeOffChart(chart: TradeOffChart): string {
  const scale = scaleOf(chart);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="vg-trade" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeMarkup(`${chart.title}. ${chart.subtitle}`)}">` +
    `<rect class="vg-paper" width="${WIDTH}" height="${HEIGHT}" rx="12"/>` +
    `<clipPath id="vg-plot"><rect x="${LEFT}" y="${TOP}" width="${WIDTH - LEFT - RIGHT}" height="${HEIGHT - TOP - BOTTOM}"/></clipPath>` +
    svgText({ x: 24, y: 36, class: "vg-title" }, chart.title) +
    svgText({ x: 24, y: 60, class: "vg-subtitle" }, chart.subtitle) +
    axes(chart, scale) +
    freeLine(chart, scale) +
    boundArea(chart, scale) +
    chart.lines.map((line) => drawnLine(line, scale)).join("") +
    savingArrow(chart, scale) +
    labels(chart, scale) +
    "</svg>"
  );
}

interface Scale {
  readonly losses: Domain;
  readonly most: number;
  x(loss: number): number;
  y(error: number): number;
}

function scaleOf({ lines, free }: TradeOffChart): Scale {
  const points = lines.flatMap((line) => line.points).filter(({ loss }) => loss > 0);
  // What is worse than nothing is cut off, unless there is nothing else to show.
  const least = points.reduce((smallest, { error }) => Math.min(smallest, error), Infinity);
  const most = HEADROOM * (least <= HEADROOM * free.error || points.length === 0 ? free.error : least);
  const visible = points.filter(({ error }) => error <= most);
  const losses = (visible.length > 0 ? visible : points).map(({ loss }) => loss);
  const [low, high] = losses.length === 0 ? [0.1, 10] : [Math.min(...losses), Math.max(...losses)];
  const domain = low < high ? ([low, high] as const) : ([low / 2, high * 2] as const);
  return {
    losses: domain,
    most,
    x: pixelScale("log", domain, [LEFT, WIDTH - RIGHT]),
    y: pixelScale("linear", [0, most], [HEIGHT - BOTTOM, TOP]),
  };
}

function axes({ lossLabel, errorLabel, format }: TradeOffChart, { losses, most, x, y }: Scale): string {
  const bottom = HEIGHT - BOTTOM;
  const rows = ticks([0, most], 6).map(
    (tick) =>
      `<line class="vg-tick" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick)}" y2="${y(tick)}"/>` +
      svgText({ x: LEFT - 8, y: y(tick) + 4, "text-anchor": "end" }, format(tick)),
  );
  const columns = logTicks(losses).map(
    (tick) =>
      `<line class="vg-tick" x1="${x(tick)}" x2="${x(tick)}" y1="${bottom}" y2="${bottom + 5}"/>` +
      svgText({ x: x(tick), y: bottom + 20, "text-anchor": "middle" }, String(tick)),
  );
  return (
    rows.join("") +
    columns.join("") +
    svgText({ x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 16, class: "vg-axis", "text-anchor": "middle" }, lossLabel) +
    svgText({ x: 24, y: TOP - 12, class: "vg-axis" }, errorLabel)
  );
}

/** Everything above it is worse than knowing nothing. */
function freeLine({ free }: TradeOffChart, { y }: Scale): string {
  const at = y(free.error);
  return (
    `<rect class="vg-worse" x="${LEFT}" y="${TOP}" width="${WIDTH - LEFT - RIGHT}" height="${roundPixels(at - TOP)}"/>` +
    `<line class="vg-free" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>` +
    svgText({ x: WIDTH - RIGHT - 8, y: at - 8, class: "vg-free-label", "text-anchor": "end" }, free.label)
  );
}

function boundArea({ bound }: TradeOffChart, scale: Scale): string {
  const points = (bound?.points ?? []).filter(({ loss }) => loss > 0);
  const [first, last] = [points[0], points.at(-1)];
  if (bound === null || first === undefined || last === undefined || first === last) return "";
  const along = pathOf(points, scale);
  const bottom = scale.y(0);
  return (
    `<g clip-path="url(#vg-plot)"><path class="vg-impossible" d="${along}L${scale.x(last.loss)} ${bottom}L${scale.x(first.loss)} ${bottom}Z"/>` +
    `<path class="vg-bound" d="${along}"/></g>` +
    svgText({ x: LEFT + 14, y: bottom - 14, class: "vg-bound-label" }, bound.label)
  );
}

function drawnLine({ points, curve, colour, strong, label }: TradeOffLine, scale: Scale): string {
  const line = (curve ?? points).filter(({ loss }) => loss > 0);
  const dots = points
    .filter(
      ({ loss, error }) => loss >= scale.losses[0] * 0.999 && loss <= scale.losses[1] * 1.001 && error <= scale.most,
    )
    .map(
      ({ loss, error, title }) =>
        `<circle cx="${scale.x(loss)}" cy="${scale.y(error)}" r="${strong ? 5 : 3.5}"><title>${escapeMarkup(title)}</title></circle>`,
    );
  return (
    `<g class="vg-line vg-colour-${colour}${strong ? " vg-strong" : ""}"><title>${escapeMarkup(label)}</title>` +
    `${line.length < 2 ? "" : `<path clip-path="url(#vg-plot)" d="${pathOf(line, scale)}"/>`}${dots.join("")}</g>`
  );
}

function pathOf(points: readonly TradeOffPoint[], { x, y }: Scale): string {
  return linePath(points.map(({ loss, error }) => ({ x: x(loss), y: y(error) })));
}

function savingArrow({ saving }: TradeOffChart, { x, y, losses, most }: Scale): string {
  if (saving === null || saving.error > most || saving.to < losses[0] || saving.from > losses[1]) return "";
  const [from, to, at] = [x(saving.from) - 7, x(saving.to) + 9, y(saving.error)];
  if (from - to < 40) return "";
  return (
    `<g class="vg-saving"><path d="M${roundPixels(from)} ${at}H${roundPixels(to)}m7 -5l-7 5l7 5"/>` +
    `${svgText({ x: (from + to) / 2, y: at - 9, "text-anchor": "middle" }, saving.label)}</g>`
  );
}

/** Beside the ends of the lines, pushed apart where the lines meet. */
function labels({ lines }: TradeOffChart, { y, most }: Scale): string {
  const edge = WIDTH - RIGHT;
  const ends = lines.map((line) => {
    return { line, end: y(Math.min(most, line.points.at(-1)?.error ?? most)) };
  });
  ends.sort((left, right) => left.end - right.end);
  const places = pushedApart(
    ends.map(({ end }) => end),
    { least: TOP + 6, most: HEIGHT - BOTTOM - 18, heights: ends.map(() => LABEL_HEIGHT) },
  );
  return ends
    .map(({ line, end }, at) => {
      const place = roundPixels(itemAt(places, at));
      return (
        `<g class="vg-line vg-colour-${line.colour}${line.strong ? " vg-strong" : ""}">` +
        `<path class="vg-leader" d="M${edge + 3} ${end}L${edge + 14} ${place}"/>` +
        svgText({ x: edge + 19, y: place + 3, class: "vg-name" }, line.label) +
        `${svgText({ x: edge + 19, y: place + 16, class: "vg-detail" }, line.detail)}</g>`
      );
    })
    .join("");
}

/** A colour per line, told apart in light and dark and by most eyes. */
const COLOURS = ["var(--ink-soft)", "#d98a00", "#c2410c", "#a855a0", "#2a9d74", "var(--accent)", "#7a6ff0", "#c04a6b"];

/** The style sheet of the trade-off chart. */
export const TRADE_OFF_STYLE = `.vg-trade{display:block;width:100%;height:auto;font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;font-size:13px;font-variant-numeric:tabular-nums}
.vg-trade text{fill:var(--ink-soft)}
.vg-trade .vg-paper{fill:var(--card)}
.vg-trade .vg-title{fill:var(--ink);font-size:21px;font-weight:650}
.vg-trade .vg-subtitle{font-size:14px}
.vg-trade .vg-axis{fill:var(--ink)}
.vg-trade .vg-tick{stroke:var(--line)}
.vg-trade .vg-worse{fill:var(--accent-2);opacity:.07}
.vg-trade .vg-free{stroke:var(--accent-2);stroke-width:1.5;stroke-dasharray:7 4}
.vg-trade .vg-free-label{fill:var(--accent-2)}
.vg-trade .vg-impossible{fill:var(--ink-soft);opacity:.13}
.vg-trade .vg-bound{fill:none;stroke:var(--ink-soft);stroke-dasharray:2 3}
.vg-trade .vg-bound-label{font-style:italic}
.vg-trade .vg-line path{fill:none;stroke-width:2;stroke-linejoin:round}
.vg-trade .vg-line.vg-strong path{stroke-width:3.5}
.vg-trade .vg-colour-0:not(.vg-strong) path{stroke-width:6;opacity:.4}
.vg-trade .vg-line .vg-leader,.vg-trade .vg-line.vg-strong .vg-leader,.vg-trade .vg-colour-0:not(.vg-strong) .vg-leader{stroke-width:1;opacity:.6}
.vg-trade .vg-name{font-weight:600}
.vg-trade .vg-line .vg-detail{fill:var(--ink-soft);font-size:11px}
.vg-trade .vg-saving path{fill:none;stroke:var(--ink);stroke-width:1.5}
.vg-trade .vg-saving text{fill:var(--ink);font-weight:600;paint-order:stroke;stroke:var(--card);stroke-width:5px}
${COLOURS.map((colour, index) => `.vg-trade .vg-colour-${index} path{stroke:${colour}}.vg-trade .vg-colour-${index} circle,.vg-trade .vg-colour-${index} .vg-name{fill:${colour}}`).join("\n")}
`;
