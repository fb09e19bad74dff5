/** Names of the lines in rows under the title, each after a piece of its line: for sheets too narrow for names at the ends. */
import type { ChartTheme } from "../chart-theme.ts";
import { svgElement } from "../svg-element.ts";
import { svgText } from "../svg-text.ts";
import { textWidth, wrappedText } from "../text-width.ts";
import type { ChartLine } from "./definition.ts";
import { LEADING, type Sheet, SIZES } from "./layout.ts";
import { colourOf, drawnShapes, strokeOf } from "./marks.ts";

const SAMPLE = 30;
/** Between a sample and its name, and between entries. */
const GAP = 8;
const BETWEEN = 18;
const ABOVE = 8;
const ROW = SIZES.label * LEADING + 3;

interface Entry {
  readonly line: ChartLine;
  readonly name: readonly string[];
  /** From the left margin, and from the legend's top. */
  readonly x: number;
  readonly y: number;
}

export interface Legend {
  readonly entries: readonly Entry[];
  readonly height: number;
}

export const NO_LEGEND: Legend = { entries: [], height: 0 };

/** As many beside each other as fit. */
export function legendOf(lines: readonly ChartLine[], { width, margin }: Sheet): Legend {
  const room = width - 2 * margin;
  const entries: Entry[] = [];
  let [x, y, rows] = [0, ABOVE, 0];
  for (const line of lines) {
    const name = wrappedText(line.label, { size: SIZES.label, width: room - SAMPLE - GAP, most: 2 });
    const wide = SAMPLE + GAP + Math.max(0, ...name.map((text) => textWidth(text, SIZES.label)));
    if (x > 0 && x + wide > room) [x, y, rows] = [0, y + rows * ROW, 0];
    entries.push({ line, name, x, y });
    rows = Math.max(rows, name.length, 1);
    x += wide + BETWEEN;
  }
  return entries.length === 0 ? NO_LEGEND : { entries, height: y + rows * ROW };
}

export function drawnLegend(
  { entries }: Legend,
  { left, top }: { left: number; top: number },
  theme: ChartTheme,
): string {
  return entries
    .map(({ line, name, x, y }) => {
      const [start, middle] = [left + x, top + y + ROW / 2];
      const sample = svgElement("path", { d: `M${start} ${middle}h${SAMPLE}`, ...strokeOf(line, theme) });
      const shape = line.markers ? drawnShapes(line, [{ x: start + SAMPLE / 2, y: middle }], theme) : "";
      const texts = name.map((text, at) =>
        svgText(
          {
            x: start + SAMPLE + GAP,
            y: middle + at * ROW + 0.34 * SIZES.label,
            "font-size": SIZES.label,
            "font-weight": 600,
            fill: colourOf(line, theme),
          },
          text,
        ),
      );
      return sample + shape + texts.join("");
    })
    .join("");
}
