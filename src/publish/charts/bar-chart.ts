/** Draws columns side by side: how often each of a few things was found. Text keeps its size at any width. */
import { plainNumber, ticks } from "./scales.ts";
import { escapeMarkup, type TextAnchor } from "./svg.ts";

export interface ChartBar {
  /** Beneath the column, if there is room for it. */
  readonly tick: string;
  /** On hover: what the column stands for. */
  readonly title: string;
  readonly value: number;
  /** Drawn in the second colour: the one that is meant. */
  readonly strong?: boolean | undefined;
}

export interface BarChart {
  readonly label: string;
  readonly bars: readonly ChartBar[];
  /** What the columns are a scale of: "grids per user". */
  readonly across: string;
  /** What their heights count: "users". */
  readonly up: string;
  format?(value: number): string;
}

const TOP = 26;
const PLOT = 150;
const TICKS = 20;
const BOTTOM = 22;
/** Of a column's share of the width. */
const GAP = 0.14;
/** So many columns have room for their numbers above them. */
const FEW = 9;
/** The narrowest the chart is shown, and the widest a letter of 12 pixels is. */
const NARROWEST_PIXELS = 270;
const LETTER_PIXELS = 7;

/** SVG in percent of its width, so that it fits a phone without shrinking its letters. */
export function barChart({ label, bars, across, up, format = plainNumber }: BarChart): string {
  const highest = Math.max(1e-300, ...bars.map(({ value }) => value));
  const share = 100 / Math.max(1, bars.length);
  const base = TOP + PLOT;
  const heightOf = (value: number): number => (value > 0 ? Math.max(1.5, (value / highest) * PLOT) : 0);
  const isFew = bars.length <= FEW;
  const every = tickStep(bars);
  const columns = bars.map(({ tick, title, value, strong }, index) => {
    const height = heightOf(value);
    const middle = percent((index + 0.5) * share);
    return (
      `<g${strong ? ' class="vg-strong"' : ""}><title>${escapeMarkup(title)}</title>` +
      `<rect class="vg-reach" x="${percent(index * share)}" width="${percent(share)}" y="${TOP}" height="${PLOT}"/>` +
      `<rect class="vg-bar" x="${percent((index + GAP / 2) * share)}" width="${percent((1 - GAP) * share)}" y="${round(base - height)}" height="${round(height)}"/>` +
      (isFew && value > 0
        ? `<text class="vg-value" x="${middle}" y="${round(base - height - 5)}" text-anchor="middle">${escapeMarkup(format(value))}</text>`
        : "") +
      (index % every === 0
        ? `<text x="${middle}" y="${base + 15}" text-anchor="${anchorAt(index, bars.length, tick)}">${escapeMarkup(tick)}</text>`
        : "") +
      "</g>"
    );
  });
  const axis = isFew ? [] : ticks([0, highest], 4).filter((tick) => tick > 0);
  const lines = axis.map((tick) => {
    const y = round(base - (tick / highest) * PLOT);
    return { line: `<line class="vg-tick" x1="0" x2="100%" y1="${y}" y2="${y}"/>`, tick, y };
  });
  const numbers = lines.map(
    ({ tick, y }) =>
      `<text class="vg-number" x="100%" y="${y - 4}" text-anchor="end">${escapeMarkup(format(tick))}</text>`,
  );
  return (
    `<svg class="vg-bars" height="${base + TICKS + BOTTOM}" role="img" aria-label="${escapeMarkup(label)}">` +
    `<text class="vg-axis" x="0" y="12">${escapeMarkup(up)}</text>` +
    `${lines.map(({ line }) => line).join("")}${columns.join("")}` +
    `<line class="vg-base" x1="0" x2="100%" y1="${base}" y2="${base}"/>${numbers.join("")}` +
    `<text class="vg-axis" x="50%" y="${base + TICKS + 14}" text-anchor="middle">${escapeMarkup(across)}</text></svg>`
  );
}

/** Every how many columns a text fits beneath, on the narrowest screen. */
function tickStep(bars: readonly ChartBar[]): number {
  const widest = Math.max(0, ...bars.map(({ tick }) => [...tick].length * LETTER_PIXELS + 8));
  return Math.max(1, Math.ceil((widest * bars.length) / NARROWEST_PIXELS));
}

/** The first and the last stay within the drawing where they are wider than their columns. */
function anchorAt(index: number, of: number, tick: string): TextAnchor {
  const isWide = [...tick].length * LETTER_PIXELS > NARROWEST_PIXELS / of;
  if (!isWide) return "middle";
  return index === 0 ? "start" : index === of - 1 ? "end" : "middle";
}

function percent(value: number): string {
  return `${round(value)}%`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
