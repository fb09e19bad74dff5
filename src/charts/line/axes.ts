/** The axes of a line chart: thin grid, numbers, titles with units. */
import type { ChartTheme } from "../chart-theme.ts";
import { svgElement } from "../svg-element.ts";
import { svgText } from "../svg-text.ts";
import { HEIGHT, LEADING, MARGIN, noteHeight, type Plot, SIZES, type Texts } from "./layout.ts";

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

export function drawnAxes({ left, right, top, bottom, x, y }: Plot, texts: Texts, theme: ChartTheme): string {
  const tick = { "font-size": SIZES.tick, fill: theme.inkSoft };
  const title = { "font-size": SIZES.axis, fill: theme.ink };
  const marks = [
    `M${left} ${bottom}H${right}`,
    `M${left} ${top}V${bottom}`,
    ...x.ticks.labelled.map(({ value }) => `M${x.at(value)} ${bottom}v5`),
    ...y.ticks.labelled.map(({ value }) => `M${left} ${y.at(value)}h-5`),
  ];
  const above = HEIGHT - 20 - noteHeight(texts) - (texts.xLabel.length - 1) * SIZES.axis * LEADING;
  return [
    svgElement("path", { d: marks.join(""), fill: "none", stroke: theme.inkSoft }),
    ...x.ticks.labelled.map(({ value, text }) =>
      svgText({ x: x.at(value), y: bottom + 20, ...tick, "text-anchor": "middle" }, text),
    ),
    ...y.ticks.labelled.map(({ value, text }) =>
      svgText({ x: left - 9, y: y.at(value) + 0.35 * SIZES.tick, ...tick, "text-anchor": "end" }, text),
    ),
    ...texts.xLabel.map((line, at) =>
      svgText({ x: (left + right) / 2, y: above + at * SIZES.axis * LEADING, ...title, "text-anchor": "middle" }, line),
    ),
    ...texts.yLabel.map((line, at) =>
      svgText({ x: MARGIN, y: top - 14 - (texts.yLabel.length - 1 - at) * SIZES.axis * LEADING, ...title }, line),
    ),
  ].join("");
}
