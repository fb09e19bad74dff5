/** Names the lines of a chart: right of where they end, or in a legend under the title on sheets too narrow for that. */
import { itemAt } from "../../../core/errors/index.ts";
import type { ChartTheme } from "../chart-style.ts";
import { gathered, pushedApart } from "../pushed-apart.ts";
import { roundPixels, type SvgAttributes, svgElement, svgText } from "../svg.ts";
import { widestText, wrappedText } from "../text-width.ts";
import type { ChartLine } from "./definition.ts";
import { LEADING, type Plot, type Sheet, SIZES } from "./layout.ts";
import { colourOf, drawnShapes, endOf, strokeOf } from "./marks.ts";

/** From the plot to a name at a line's end, with room for a leader. */
const LEADER = 22;
const WIDEST = 188;
const NARROWEST = 40;
/** How far the names may leave the plot. */
const ABOVE_PLOT = 8;
const BELOW_PLOT = 36;

export interface EndLabel {
  readonly line: ChartLine;
  readonly name: readonly string[];
  readonly detail: readonly string[];
}

export function endLabelsOf(lines: readonly ChartLine[]): EndLabel[] {
  return lines.map((line) => ({
    line,
    name: wrappedText(line.label, { size: SIZES.label, width: WIDEST, most: 2 }),
    detail: wrappedText(line.detail, { size: SIZES.detail, width: WIDEST, most: 2 }),
  }));
}

/** The width that the names need right of the plot. */
export function endLabelWidth(labels: readonly EndLabel[]): number {
  const widths = labels.map(({ name, detail }) =>
    Math.max(widestText(name, SIZES.label), widestText(detail, SIZES.detail)),
  );
  return LEADER + Math.max(NARROWEST, ...widths);
}

export function drawnEndLabels(labels: readonly EndLabel[], plot: Plot, theme: ChartTheme): string {
  const [least, most] = [plot.top - ABOVE_PLOT, plot.bottom + BELOW_PLOT];
  const room = most - least;
  const needed = (each: readonly EndLabel[]): number => each.reduce((sum, label) => sum + heightOf(label), 0);
  // Far more lines than a chart should have: names only, and smaller in the end.
  const shown = needed(labels) <= room ? labels : labels.map((label) => ({ ...label, detail: [] }));
  const shrink = Math.min(1, room / needed(shown));
  const placed = shown
    .map((label) => ({ ...label, end: endOf(label.line, plot), height: heightOf(label) * shrink }))
    .sort((one, other) => roughly(one.end?.y ?? plot.bottom) - roughly(other.end?.y ?? plot.bottom));
  const heights = placed.map(({ height }) => height);
  // The middle of a name's first line is where its line ends.
  const middle = (SIZES.label * LEADING * shrink) / 2;
  const wanted = placed.map(({ end }) => Math.max(least, (end?.y ?? plot.bottom) - middle));
  const limits = { least, most: most - (heights.at(-1) ?? 0), heights };
  const places = pushedApart(gathered(wanted, heights), limits);
  return placed
    .map(({ line, name, detail, end }, index) => {
      const colour = colourOf(line, theme);
      let y = itemAt(places, index);
      const leader =
        end === undefined
          ? ""
          : svgElement("path", {
              d: `M${roundPixels(end.x + (line.strong ? 6 : 5))} ${end.y}L${plot.right + LEADER - 5} ${roundPixels(y + middle)}`,
              fill: "none",
              stroke: colour,
              "stroke-opacity": 0.6,
            });
      const text = (content: string, size: number, look: SvgAttributes): string => {
        y += size * LEADING * shrink;
        const baseline = y - 0.29 * size * shrink;
        return svgText(
          { x: plot.right + LEADER, y: baseline, "font-size": roundPixels(size * shrink), ...look },
          content,
        );
      };
      return [
        leader,
        ...name.map((each) => text(each, SIZES.label, { "font-weight": 600, fill: colour })),
        ...detail.map((each) => text(each, SIZES.detail, { fill: theme.inkSoft })),
      ].join("");
    })
    .join("");
}

/** Lines that end so near to each other share an end, and their labels keep the order of the lines. */
function roughly(y: number): number {
  return Math.round(y / 2);
}

function heightOf({ name, detail }: EndLabel): number {
  return (name.length * SIZES.label + detail.length * SIZES.detail) * LEADING + 5;
}

const SAMPLE = 30;
/** From a sample of a line to its name, and from there to the next entry. */
const GAP = 8;
const BETWEEN = 18;
const ABOVE = 8;
const ROW = SIZES.label * LEADING + 3;

export interface Legend {
  /** `x` from the left margin, `y` from the legend's top. */
  readonly entries: ReadonlyArray<{
    readonly line: ChartLine;
    readonly name: readonly string[];
    readonly x: number;
    readonly y: number;
  }>;
  readonly height: number;
}

export const NO_LEGEND: Legend = { entries: [], height: 0 };

/** Rows of entries, each after a piece of its line, as many beside each other as fit. */
export function legendOf(lines: readonly ChartLine[], { width, margin }: Sheet): Legend {
  if (lines.length === 0) return NO_LEGEND;
  const room = width - 2 * margin;
  let [x, y, rows] = [0, ABOVE, 0];
  const entries = lines.map((line) => {
    const name = wrappedText(line.label, { size: SIZES.label, width: room - SAMPLE - GAP, most: 2 });
    const wide = SAMPLE + GAP + widestText(name, SIZES.label);
    if (x > 0 && x + wide > room) [x, y, rows] = [0, y + rows * ROW, 0];
    const entry = { line, name, x, y };
    rows = Math.max(rows, name.length, 1);
    x += wide + BETWEEN;
    return entry;
  });
  return { entries, height: y + rows * ROW };
}

export function drawnLegend(
  { entries }: Legend,
  { left, top }: { left: number; top: number },
  theme: ChartTheme,
): string {
  return entries
    .map(({ line, name, x, y }) => {
      const [start, middle] = [left + x, top + y + ROW / 2];
      const look = { "font-size": SIZES.label, "font-weight": 600, fill: colourOf(line, theme) };
      const textAt = (at: number) => ({ x: start + SAMPLE + GAP, y: middle + at * ROW + 0.34 * SIZES.label, ...look });
      return [
        svgElement("path", { d: `M${start} ${middle}h${SAMPLE}`, ...strokeOf(line, theme) }),
        line.markers ? drawnShapes(line, [{ x: start + SAMPLE / 2, y: middle }], theme) : "",
        ...name.map((text, at) => svgText(textAt(at), text)),
      ].join("");
    })
    .join("");
}
