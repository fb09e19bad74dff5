/** Charts from plain data to SVG text: no document, no clock, nothing loaded; they run in a browser as they are. */
export { type BarChart, barChart, type ChartBar } from "./bar-chart.ts";
export {
  type CellProjection,
  cellRing,
  isCell,
  type Position,
  projectCells,
  type Ring,
  splitAtAntimeridian,
  turnTowards,
} from "./cells.ts";
export { CHART_STYLE, type ChartTheme, PAGE_THEME, PRINT_THEME } from "./chart-style.ts";
export { colourLegend, type MapMeasure, viridis } from "./colour-scale.ts";
export { type DotPlot, dotPlot, nineteenInTwenty } from "./dot-plot.ts";
export { type HexagonMap, hexagonMap, type MapHexagon, mapMeasureStyle } from "./hexagon-map.ts";
export { type IntervalChart, type IntervalPoint, intervalChart } from "./interval-chart.ts";
export type {
  ChartAxis,
  ChartLine,
  ChartRegion,
  ChartRule,
  ChartSize,
  LineChart,
  LinePoint,
} from "./line/definition.ts";
export { colourOf as colourOfLine } from "./line/marks.ts";
export { lineChart, lineSample, lineThumbnail } from "./line-chart.ts";
export { type ChartMark, type LinePlot, linePlot, markLabels, type PlacedMark } from "./line-plot.ts";
export { type LineReading, type LineTable, lineCsv, lineTable, readingsAt, xPositions } from "./line-readings.ts";
export { distanceText, niceStep, type ScaleKind } from "./scales.ts";
export { type ChartStep, type StepChart, stepChart } from "./step-chart.ts";
export { escapeMarkup } from "./svg.ts";
export {
  TRADE_OFF_STYLE,
  type TradeOffChart,
  type TradeOffLine,
  type TradeOffPoint,
  tradeOffChart,
} from "./trade-off-chart.ts";
