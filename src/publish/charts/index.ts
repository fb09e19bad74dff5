/** Charts from plain data to SVG text: no document, no clock, nothing loaded; they run in a browser as they are. */
export { type BarChart, barChart, type ChartBar } from "./bar-chart.ts";
export { cellRing, isCell, type Position, type Ring, splitAtAntimeridian } from "./cell-ring.ts";
export { CHART_STYLE } from "./chart-style.ts";
export { type ChartTheme, PAGE_THEME, PRINT_THEME } from "./chart-theme.ts";
export { colourLegend } from "./colour-legend.ts";
export { type DotPlot, dotPlot, nineteenInTwenty } from "./dot-plot.ts";
export { escapeMarkup } from "./escape-markup.ts";
export { type HexagonMap, hexagonMap, type MapHexagon, type MapMeasure, mapMeasureStyle } from "./hexagon-map.ts";
export { type IntervalChart, type IntervalPoint, intervalChart } from "./interval-chart.ts";
export type {
  ChartAxis,
  ChartLine,
  ChartRegion,
  ChartRule,
  LineChart,
  LinePoint,
} from "./line/definition.ts";
export type { ChartSize } from "./line/layout.ts";
export { colourOf as colourOfLine } from "./line/marks.ts";
export { lineChart } from "./line-chart.ts";
export { type LinePlot, linePlot } from "./line-plot.ts";
export { type LineReading, type LineTable, lineCsv, lineTable, readingsAt, xPositions } from "./line-readings.ts";
export { lineSample } from "./line-sample.ts";
export { lineThumbnail } from "./line-thumbnail.ts";
export { type ChartMark, markLabels, type PlacedMark } from "./mark-labels.ts";
export type { ScaleKind } from "./pixel-scale.ts";
export { type CellProjection, projectCells, turnTowards } from "./project-cells.ts";
export { type ChartStep, type StepChart, stepChart } from "./step-chart.ts";
export { distanceText, niceStep } from "./ticks.ts";
export { type TradeOffChart, type TradeOffLine, type TradeOffPoint, tradeOffChart } from "./trade-off-chart.ts";
export { viridis } from "./viridis.ts";
