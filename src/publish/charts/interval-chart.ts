/** Draws dots with whiskers, one per row: published values and how far off they may be. Text keeps its size at any width. */
import { ticks } from "./scales.ts";
import { anchorNear, escapeMarkup, marginPercent } from "./svg.ts";

export interface IntervalPoint {
  readonly label: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Drawn hollow: not to be relied on. */
  readonly muted: boolean;
}

export interface IntervalChart {
  readonly label: string;
  readonly points: readonly IntervalPoint[];
  /** A vertical line, such as what would be published without data. */
  readonly reference: { readonly value: number; readonly label: string };
  format(value: number): string;
}

const TOP = 38;
const ROW = 32;
const BOTTOM = 24;
const MARGIN_PERCENT = 1.5;
/** Texts so near to a side, in percent of the width, end there. */
const EDGE = 12;
const LONGEST_LABEL = 30;

/** SVG in percent of its width, so that it fits a phone without shrinking its letters. */
export function intervalChart({ label, points, reference, format }: IntervalChart): string {
  const ends = points.flatMap(({ low, high }) => [low, high]);
  const domain = [Math.min(reference.value, ...ends), Math.max(reference.value, ...ends)] as const;
  const span = domain[1] - domain[0] || 1;
  const percent = (value: number): number => marginPercent((value - domain[0]) / span, MARGIN_PERCENT);
  const height = TOP + ROW * points.length + BOTTOM;
  const axis = ticks(domain, 5).map((tick) => {
    const x = percent(tick);
    return (
      `<line class="vg-tick" x1="${x}%" x2="${x}%" y1="${TOP - 8}" y2="${height - BOTTOM + 4}"/>` +
      `<text x="${x}%" y="${height - 6}" text-anchor="${anchorNear(x, EDGE)}">${escapeMarkup(format(tick))}</text>`
    );
  });
  const x = percent(reference.value);
  const rows = points.map((point, index) => row(point, { top: TOP + ROW * index, percent, format }));
  return (
    `<svg class="vg-intervals" height="${height}" role="img" aria-label="${escapeMarkup(label)}">${axis.join("")}` +
    referenceLine(x, points.length) +
    `<text class="vg-reference-label" x="${x}%" y="${TOP - 22}" text-anchor="${anchorNear(x, EDGE)}">${escapeMarkup(reference.label)}</text>` +
    `${rows.join("")}</svg>`
  );
}

/** In pieces beside the dots, so that it runs through no label or value. */
function referenceLine(x: number, rows: number): string {
  const piece = (from: number, to: number): string =>
    `<line class="vg-reference" x1="${x}%" x2="${x}%" y1="${from}" y2="${to}"/>`;
  const beside = Array.from({ length: rows }, (_, index) => TOP + ROW * index).map((top) => piece(top + 15, top + ROW));
  return piece(TOP - 14, TOP) + beside.join("");
}

function row(
  { label, value, low, high, muted }: IntervalPoint,
  { top, percent, format }: { top: number; percent: (value: number) => number; format: (value: number) => string },
): string {
  const y = top + 21;
  const interval = `${format(value)} [${format(low)}, ${format(high)}]`;
  return (
    `<g${muted ? ' class="vg-muted"' : ""}><title>${escapeMarkup(`${label}: ${interval}`)}</title>` +
    `<text class="vg-label" x="0" y="${top + 11}">${escapeMarkup(shorten(label))}</text>` +
    `<text class="vg-value" x="100%" y="${top + 11}">${escapeMarkup(format(value))}</text>` +
    `<line class="vg-whisker" x1="${percent(low)}%" x2="${percent(high)}%" y1="${y}" y2="${y}"/>` +
    `<circle cx="${percent(value)}%" cy="${y}" r="4"/></g>`
  );
}

function shorten(label: string): string {
  const characters = [...label];
  if (characters.length <= LONGEST_LABEL) return label;
  return `${characters.slice(0, 14).join("")}…${characters.slice(-15).join("")}`;
}
