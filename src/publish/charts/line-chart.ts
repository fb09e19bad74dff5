/** Draws lines over two axes as one SVG element, quiet enough for print: the whole chart, a thumbnail of it, and a sample of one line. */
import type { ChartTheme } from "./chart-style.ts";
import { drawnAnnotations, drawnRegions, drawnRules } from "./line/annotations.ts";
import { arranged } from "./line/arrangement.ts";
import { drawnAxes, drawnGrid } from "./line/axes.ts";
import type { ChartLine, ChartSize, LineChart } from "./line/definition.ts";
import { axisOf, HEAD, headBottom, LEADING, PRINT_SIZE, type Sheet, SIZES, type Texts } from "./line/layout.ts";
import { drawnBand, drawnMarkers, drawnShapes, drawnStroke, strokeOf } from "./line/marks.ts";
import { drawnEndLabels, drawnLegend } from "./line/names.ts";
import { svgElement, svgText, svgTitle } from "./svg.ts";

/** Colours are presentation attributes: a renderer without style sheets draws it, and a page's custom properties reach it. */
export function lineChart(chart: LineChart, theme: ChartTheme, size: ChartSize = PRINT_SIZE): string {
  const { sheet, texts, labels, legend, plot } = arranged(chart, size);
  const { width, height } = sheet;
  const { left, right, top, bottom } = plot;
  const clip = `${chart.id.replace(/[^A-Za-z0-9-]/g, "-")}-plot`;
  const upwards = strongLast(chart.lines);
  const name = [chart.title, chart.subtitle].filter((text) => text !== "").join(". ");
  const frame = { x: left, y: top, width: right - left, height: bottom - top };
  const inPlot = [
    ...upwards.map((line) => drawnBand(line, plot, theme)),
    drawnRules(chart, plot, theme),
    ...upwards.map((line) => drawnStroke(line, plot, theme)),
  ];
  const all = [
    svgTitle(name),
    svgElement("clipPath", { id: clip }, svgElement("rect", frame)),
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

function strongLast(lines: readonly ChartLine[]): ChartLine[] {
  return [...lines].sort((one, other) => Number(one.strong) - Number(other.strong));
}

function drawnHead({ title, subtitle, note }: Texts, { height, margin: x }: Sheet, theme: ChartTheme): string {
  const rows = (lines: readonly string[], top: number, size: number, look: object): string =>
    lines
      .map((line, at) => svgText({ x, y: top + (at * LEADING + 0.95) * size, "font-size": size, ...look }, line))
      .join("");
  const soft = { fill: theme.inkSoft };
  return (
    rows(title, HEAD, SIZES.title, { "font-weight": 600, fill: theme.ink }) +
    rows(subtitle, HEAD + title.length * SIZES.title * LEADING + 3, SIZES.subtitle, soft) +
    rows(note, height - 12 - note.length * SIZES.note * LEADING, SIZES.note, soft)
  );
}

/** Room for half a stroke. */
const THUMBNAIL_EDGE = 3;

/** A line chart the size of a stamp: its lines and regions, no text. */
export function lineThumbnail(chart: LineChart, theme: ChartTheme, { width, height }: ChartSize): string {
  const edges = {
    left: THUMBNAIL_EDGE,
    right: width - THUMBNAIL_EDGE,
    top: THUMBNAIL_EDGE,
    bottom: height - THUMBNAIL_EDGE,
  };
  const plot = {
    ...edges,
    x: axisOf(chart, "x", [edges.left, edges.right]),
    y: axisOf(chart, "y", [edges.bottom, edges.top]),
  };
  const lines = strongLast(chart.lines);
  const drawn = [
    svgElement("rect", { width, height, fill: theme.paper }),
    drawnRegions({ ...chart, regions: chart.regions.map((region) => ({ ...region, label: "" })) }, plot, theme),
    ...lines.map((line) => drawnBand(line, plot, theme)),
    ...lines.map((line) => drawnStroke(line, plot, theme)),
  ];
  return silentSvg({ width, height }, drawn.join(""));
}

const [SAMPLE_WIDTH, SAMPLE_HEIGHT] = [34, 14];

/** A piece of a line as it is drawn, for legends outside of the chart. */
export function lineSample(line: ChartLine, theme: ChartTheme): string {
  const middle = { x: SAMPLE_WIDTH / 2, y: SAMPLE_HEIGHT / 2 };
  const stroke = svgElement("path", { d: `M1 ${middle.y}H${SAMPLE_WIDTH - 1}`, ...strokeOf(line, theme) });
  const shape = line.markers ? drawnShapes(line, [middle], theme) : "";
  return silentSvg({ width: SAMPLE_WIDTH, height: SAMPLE_HEIGHT }, stroke + shape);
}

/** A picture that says nothing which the text beside it does not say. */
function silentSvg({ width, height }: ChartSize, markup: string): string {
  return svgElement("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" }, markup);
}
