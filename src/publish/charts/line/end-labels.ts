/** Names of the lines, right of where they end, pushed apart where lines meet. */
import type { ChartTheme } from "../chart-theme.ts";
import { gathered, pushedApart } from "../pushed-apart.ts";
import { roundPixels } from "../round-pixels.ts";
import { type SvgAttributes, svgElement } from "../svg-element.ts";
import { svgText } from "../svg-text.ts";
import { textWidth, wrappedText } from "../text-width.ts";
import type { ChartLine } from "./definition.ts";
import { LEADING, type Plot, SIZES } from "./layout.ts";
import { colourOf, endOf } from "./marks.ts";

/** From the plot to the text, with room for a leader. */
const GAP = 22;
const WIDEST = 188;
const NARROWEST = 40;
/** How far they may leave the plot. */
const ABOVE = 8;
const BELOW = 36;

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

/** What they need right of the plot. */
export function endLabelWidth(labels: readonly EndLabel[]): number {
  const widths = labels.flatMap(({ name, detail }) => [
    ...name.map((text) => textWidth(text, SIZES.label)),
    ...detail.map((text) => textWidth(text, SIZES.detail)),
  ]);
  return GAP + Math.max(NARROWEST, ...widths);
}

export function drawnEndLabels(labels: readonly EndLabel[], plot: Plot, theme: ChartTheme): string {
  const [least, most] = [plot.top - ABOVE, plot.bottom + BELOW];
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
  const places = pushedApart(
    gathered(
      placed.map(({ end }) => Math.max(least, (end?.y ?? plot.bottom) - middle)),
      heights,
    ),
    { least, most: most - (heights[heights.length - 1] ?? 0), heights },
  );
  return placed
    .map(({ line, name, detail, end }, at) => {
      const colour = colourOf(line, theme);
      let y = places[at]!;
      const leader =
        end === undefined
          ? ""
          : svgElement("path", {
              d: `M${roundPixels(end.x + (line.strong ? 6 : 5))} ${end.y}L${plot.right + GAP - 5} ${roundPixels(y + middle)}`,
              fill: "none",
              stroke: colour,
              "stroke-opacity": 0.6,
            });
      const text = (content: string, size: number, attributes: SvgAttributes): string => {
        y += size * LEADING * shrink;
        const baseline = y - 0.29 * size * shrink;
        return svgText(
          { x: plot.right + GAP, y: baseline, "font-size": roundPixels(size * shrink), ...attributes },
          content,
        );
      };
      return (
        leader +
        name.map((each) => text(each, SIZES.label, { "font-weight": 600, fill: colour })).join("") +
        detail.map((each) => text(each, SIZES.detail, { fill: theme.inkSoft })).join("")
      );
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
