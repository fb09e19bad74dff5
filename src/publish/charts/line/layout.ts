/** Lays out a line chart: margins from its texts, domains from its data, the plot from what is left. */
import { itemAt } from "../../../core/errors/index.ts";
import {
  type AxisTick,
  type AxisTicks,
  axisTicks,
  type Domain,
  isDrawable,
  pixelScale,
  type ScaleKind,
} from "../scales.ts";
import { textWidth, widestText, wrappedText } from "../text-width.ts";
import type { Box, ChartAxis, ChartSize, LineChart } from "./definition.ts";

export type Sheet = { readonly [Name in keyof ChartSize]-?: Exclude<ChartSize[Name], undefined> };

export const PRINT_SIZE: ChartSize = { width: 880, height: 540 };
/** Narrower sheets have a legend and small margins. */
const NARROW = 560;
const LEAST_WIDTH = 240;
const LEAST_HEIGHT = 200;
/** Above the title. */
export const HEAD = 18;
export const SIZES = { title: 20, subtitle: 14, axis: 14, tick: 13, label: 14, detail: 12.5, note: 12.5, region: 13 };
/** From one line of text to the next, in letter sizes. */
export const LEADING = 1.25;

/** What lies further off is drawn there: far enough to keep slopes, near enough for any renderer. */
const FAR = 100_000;
/** Data beyond it says nothing about a domain. */
const LARGEST = 1e100;
/** Quotients and differences of a domain's ends stay finite. */
const LARGEST_END = 1e150;
/** Ends nearer to each other have no numbers between them that could be written beside an axis. */
const NARROWEST = 1e-6;
const ROOM = 0.06;

export interface PlotAxis {
  readonly kind: ScaleKind;
  readonly domain: Domain;
  readonly ticks: AxisTicks;
  /** The pixel of a value that `isDrawable`. */
  at(value: number): number;
}

export interface Plot extends Box {
  readonly x: PlotAxis;
  readonly y: PlotAxis;
}

/** The texts around a plot, broken into lines. */
export type Texts = Readonly<Record<"title" | "subtitle" | "xLabel" | "yLabel" | "note", readonly string[]>>;

export function sheetOf({ width, height, names, margin }: ChartSize): Sheet {
  const isNarrow = width < NARROW;
  return {
    width: Math.max(LEAST_WIDTH, Math.round(width)),
    height: Math.max(LEAST_HEIGHT, Math.round(height)),
    names: names ?? (isNarrow ? "legend" : "ends"),
    margin: margin ?? (isNarrow ? 10 : 24),
  };
}

/** How many lines each text may have. */
export type Lines = Readonly<Record<"title" | "subtitle" | "label" | "note", number>>;

export function textsOf({ title, subtitle, x, y, note }: LineChart, sheet: Sheet, most: Lines): Texts {
  const width = sheet.width - 2 * sheet.margin;
  const wrapped = (text: string, size: number, lines: number, room = width): string[] =>
    lines === 0 ? [] : wrappedText(text, { size, width: room, most: lines });
  return {
    title: wrapped(title, SIZES.title, most.title),
    subtitle: wrapped(subtitle, SIZES.subtitle, most.subtitle),
    xLabel: wrapped(x.label, SIZES.axis, most.label, Math.min(560, width)),
    yLabel: wrapped(y.label, SIZES.axis, most.label, Math.min(560, width)),
    note: wrapped(note, SIZES.note, most.note),
  };
}

/** Where title and subtitle end, and a legend begins. */
export function headBottom({ title, subtitle }: Texts): number {
  if (title.length + subtitle.length === 0) return 0;
  return HEAD + (title.length * SIZES.title + subtitle.length * SIZES.subtitle) * LEADING;
}

export function plotOf(
  chart: LineChart,
  texts: Texts,
  { sheet, labelWidth, legendHeight }: { sheet: Sheet; labelWidth: number; legendHeight: number },
): Plot {
  const height = (lines: readonly string[], size: number): number => lines.length * size * LEADING;
  const top = Math.round(headBottom(texts) + legendHeight + height(texts.yLabel, SIZES.axis) + 29);
  const bottom = Math.round(sheet.height - 48 - height(texts.xLabel, SIZES.axis) - noteHeight(texts));
  const y = axisOf(chart, "y", [bottom, top]);
  const widest = widestText(
    y.ticks.labelled.map(({ text }) => text),
    SIZES.tick,
  );
  const left = Math.round(Math.max(sheet.margin + 28, sheet.margin + widest + 8));
  const right = Math.round(sheet.width - sheet.margin - labelWidth);
  return { left, right, top, bottom, x: axisOf(chart, "x", [left, right]), y };
}

export function noteHeight({ note }: Texts): number {
  return note.length === 0 ? 0 : 10 + note.length * SIZES.note * LEADING;
}

export function axisOf(chart: LineChart, name: "x" | "y", range: Domain): PlotAxis {
  const axis = chart[name];
  const domain = domainOf(axis, valuesOf(chart, name), name === "y");
  const scale = pixelScale(axis.scale, domain, range);
  const at = (value: number): number => Math.max(-FAR, Math.min(FAR, scale(value)));
  const apart = (left: AxisTick, right: AxisTick): number =>
    name === "y"
      ? 1.7 * SIZES.tick
      : (textWidth(left.text, SIZES.tick) + textWidth(right.text, SIZES.tick)) / 2 + SIZES.tick;
  const fits = (found: readonly AxisTick[]): boolean =>
    found.slice(1).every((tick, index) => {
      const before = itemAt(found, index);
      return Math.abs(at(tick.value) - at(before.value)) >= apart(before, tick);
    });
  const pixels = Math.abs(range[1] - range[0]);
  return { kind: axis.scale, domain, at, ticks: axisTicks(axis.scale, domain, { pixels, fits }) };
}

function valuesOf({ lines, rules, regions }: LineChart, name: "x" | "y"): number[] {
  const ofPoints = lines.flatMap(({ points }) =>
    points.flatMap(({ x, y, low, high }) => (name === "x" ? [x] : [y, low ?? y, high ?? y])),
  );
  const ofRules = rules.filter(({ axis }) => axis === name).map(({ at }) => at);
  const ofRegions = regions.filter(({ axis }) => axis === name).flatMap(({ from, to }) => [from ?? NaN, to ?? NaN]);
  return [...ofPoints, ...ofRules, ...ofRegions];
}

function domainOf({ scale, domain }: ChartAxis, values: readonly number[], roomy: boolean): Domain {
  if (domain !== undefined && isUsable(scale, domain)) return domain;
  const seen = values.filter((value) => isDrawable(scale, value) && isWithin(LARGEST, scale, value));
  let [low, high] = seen.reduce<Domain>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    scale === "log" ? [Infinity, 0] : [0, 0],
  );
  if (scale === "log") {
    if (seen.length === 0) return [0.1, 10];
    if (roomy) {
      const room = (high / low) ** ROOM;
      [low, high] = [low / room, high * room];
    }
    return isUsable(scale, [low, high]) ? [low, high] : [low / 2, high * 2];
  }
  if (roomy) [low, high] = [low + ROOM * Math.min(0, low), high + ROOM * Math.max(0, high)];
  return isUsable(scale, [low, high]) ? [low, high] : [0, 1];
}

function isUsable(kind: ScaleKind, [low, high]: Domain): boolean {
  if (![low, high].every((end) => isDrawable(kind, end) && isWithin(LARGEST_END, kind, end))) return false;
  if (kind === "log") return high / low > 1 + NARROWEST;
  return high - low > Math.max(1 / LARGEST_END, NARROWEST * Math.max(Math.abs(low), Math.abs(high)));
}

function isWithin(largest: number, kind: ScaleKind, value: number): boolean {
  return Math.abs(value) <= largest && (kind === "linear" || value >= 1 / largest);
}
