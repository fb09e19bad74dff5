/** Draws the axes of a line chart: thin grid, numbers, titles with units. */
import type { ChartTheme } from "../chart-style.ts";
import { svgElement, svgText } from "../svg.ts";
import { textWidth } from "../text-width.ts";
import { LEADING, noteHeight, type Plot, type Sheet, SIZES, type Texts } from "./layout.ts";

export function drawnGrid({ left, right, top, bottom, x, y }: Plot, theme: ChartTheme): string {
  const column = (value: number): string => `M${x.at(value)} ${top}V${bottom}`;
  const row = (value: number): string => `M${left} ${y.at(value)}H${right}`;
  const path = (d: string, width: number): string =>
    d === "" ? "" : svgElement("path", { d, fill: "none", stroke: theme.grid, "stroke-width": width });
  const values = (ticks: readonly { readonly value: number }[]): number[] => ticks.map(({ value }) => value);
  return (
    path([...x.ticks.minor.map(column), ...y.ticks.minor.map(row)].join(""), 0.5) +
    path([...values(x.ticks.labelled).map(column), ...values(y.ticks.labelled).map(row)].join(""), 1)
  );
}

export function drawnAxes(
  { left, right, top, bottom, x, y }: Plot,
  { texts, sheet, theme }: { texts: Texts; sheet: Sheet; theme: ChartTheme },
): string {
  const tick = { "font-size": SIZES.tick, fill: theme.inkSoft };
  const title = { "font-size": SIZES.axis, fill: theme.ink };
  const marks = [
    `M${left} ${bottom}H${right}`,
    `M${left} ${top}V${bottom}`,
    ...x.ticks.labelled.map(({ value }) => `M${x.at(value)} ${bottom}v5`),
    ...y.ticks.labelled.map(({ value }) => `M${left} ${y.at(value)}h-5`),
  ];
  /** Beside the middle where the paper ends too soon. */
  const centre = (wanted: number, text: string, size: number): number => {
    const half = textWidth(text, size) / 2;
    return Math.max(half, Math.min(sheet.width - half, wanted));
  };
  const above = sheet.height - 20 - noteHeight(texts) - (texts.xLabel.length - 1) * SIZES.axis * LEADING;
  return [
    svgElement("path", { d: marks.join(""), fill: "none", stroke: theme.inkSoft }),
    ...x.ticks.labelled.map(({ value, text }) =>
      svgText({ x: centre(x.at(value), text, SIZES.tick), y: bottom + 20, ...tick, "text-anchor": "middle" }, text),
    ),
    ...y.ticks.labelled.map(({ value, text }) =>
      svgText({ x: left - 9, y: y.at(value) + 0.35 * SIZES.tick, ...tick, "text-anchor": "end" }, text),
    ),
    ...texts.xLabel.map((line, at) =>
      svgText(
        {
          x: centre((left + right) / 2, line, SIZES.axis),
          y: above + at * SIZES.axis * LEADING,
          ...title,
          "text-anchor": "middle",
        },
        line,
      ),
    ),
    ...texts.yLabel.map((line, at) =>
      svgText({ x: sheet.margin, y: top - 14 - (texts.yLabel.length - 1 - at) * SIZES.axis * LEADING, ...title }, line),
    ),
  ].join("");
}
