/** Lines over two axes as one SVG element, quiet enough for print: bands, regions and rules, names where the lines end. */
import type { ChartTheme } from "./chart-theme.ts";
import { drawnAnnotations, drawnRegions, drawnRules } from "./line/annotations.ts";
import { arranged } from "./line/arrangement.ts";
import { drawnAxes, drawnGrid } from "./line/axes.ts";
import type { LineChart } from "./line/definition.ts";
import { drawnEndLabels } from "./line/end-labels.ts";
import { type ChartSize, HEAD, headBottom, LEADING, PRINT_SIZE, type Sheet, SIZES, type Texts } from "./line/layout.ts";
import { drawnLegend } from "./line/legend.ts";
import { drawnBand, drawnMarkers, drawnStroke } from "./line/marks.ts";
import { svgElement, svgTitle } from "./svg-element.ts";
import { svgText } from "./svg-text.ts";

/** Colours are presentation attributes: a renderer without style sheets draws it, and a page's custom properties reach it. */
export function lineChart(chart: LineChart, theme: ChartTheme, size: ChartSize = PRINT_SIZE): string {
  const { sheet, texts, labels, legend, plot } = arranged(chart, size);
  const { width, height } = sheet;
  const { left, right, top, bottom } = plot;
  const clip = `${chart.id.replace(/[^A-Za-z0-9-]/g, "-")}-plot`;
  const upwards = [...chart.lines].sort((one, other) => Number(one.strong) - Number(other.strong));
  const name = [chart.title, chart.subtitle].filter((text) => text !== "").join(". ");
  const inPlot = [
    ...upwards.map((line) => drawnBand(line, plot, theme)),
    drawnRules(chart, plot, theme),
    ...upwards.map((line) => drawnStroke(line, plot, theme)),
  ];
  const all = [
    svgTitle(name),
    svgElement(
      "clipPath",
      { id: clip },
      svgElement("rect", { x: left, y: top, width: right - left, height: bottom - top }),
    ),
    svgElement("rect", { width, height, fill: theme.paper }),
    drawnHead(texts, sheet, theme),
    drawnLegend(legend, { left: sheet.margin, top: headBottom(texts) }, theme),
    drawnRegions(chart, plot, theme),
    drawnGrid(plot, theme),
    drawnAxes(plot, { texts, sheet, theme }),
    svgElement("g", { "clip-path": `url(#${clip})` }, inPlot.join("")),
    ...upwards.map((line) => drawnMarkers(line, plot, theme)),
    drawnAnnotations(chart, plot, theme),
    drawnEndLabels(labels, plot, theme),
  ];
  return svgElement(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-label": name,
      "font-family": theme.font,
    },
    all.join(""),
  );
}

function drawnHead({ title, subtitle, note }: Texts, { height, margin }: Sheet, theme: ChartTheme): string {
  const subtitleTop = HEAD + title.length * SIZES.title * LEADING + 3;
  const noteTop = height - 12 - note.length * SIZES.note * LEADING;
  const row = (top: number, size: number, at: number): number => top + (at * LEADING + 0.95) * size;
  return [
    ...title.map((line, at) =>
      svgText(
        { x: margin, y: row(HEAD, SIZES.title, at), "font-size": SIZES.title, "font-weight": 600, fill: theme.ink },
        line,
      ),
    ),
    ...subtitle.map((line, at) =>
      svgText(
        { x: margin, y: row(subtitleTop, SIZES.subtitle, at), "font-size": SIZES.subtitle, fill: theme.inkSoft },
        line,
      ),
    ),
    ...note.map((line, at) =>
      svgText({ x: margin, y: row(noteTop, SIZES.note, at), "font-size": SIZES.note, fill: theme.inkSoft }, line),
    ),
  ].join("");
}
