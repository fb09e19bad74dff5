/** A line chart the size of a stamp: its lines and regions, no text. */
import type { ChartTheme } from "./chart-theme.ts";
import { drawnRegions } from "./line/annotations.ts";
import type { LineChart } from "./line/definition.ts";
import { axisOf, type ChartSize, type Plot } from "./line/layout.ts";
import { drawnBand, drawnStroke } from "./line/marks.ts";
import { svgElement } from "./svg-element.ts";

/** Room for half a stroke. */
const EDGE = 3;

export function lineThumbnail(chart: LineChart, theme: ChartTheme, { width, height }: ChartSize): string {
  const [left, right, top, bottom] = [EDGE, width - EDGE, EDGE, height - EDGE];
  const plot: Plot = {
    left,
    right,
    top,
    bottom,
    x: axisOf(chart, "x", [left, right]),
    y: axisOf(chart, "y", [bottom, top]),
  };
  const lines = [...chart.lines].sort((one, other) => Number(one.strong) - Number(other.strong));
  return svgElement(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" },
    [
      svgElement("rect", { width, height, fill: theme.paper }),
      drawnRegions({ ...chart, regions: chart.regions.map((region) => ({ ...region, label: "" })) }, plot, theme),
      ...lines.map((line) => drawnBand(line, plot, theme)),
      ...lines.map((line) => drawnStroke(line, plot, theme)),
    ].join(""),
  );
}
