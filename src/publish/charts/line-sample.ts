/** A piece of a line as it is drawn, for legends outside of the chart. */
import type { ChartTheme } from "./chart-theme.ts";
import type { ChartLine } from "./line/definition.ts";
import { drawnShapes, strokeOf } from "./line/marks.ts";
import { svgElement } from "./svg-element.ts";

const [WIDTH, HEIGHT] = [34, 14];

export function lineSample(line: ChartLine, theme: ChartTheme): string {
  const middle = { x: WIDTH / 2, y: HEIGHT / 2 };
  return svgElement(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, "aria-hidden": "true" },
    svgElement("path", { d: `M1 ${middle.y}H${WIDTH - 1}`, ...strokeOf(line, theme) }) +
      (line.markers ? drawnShapes(line, [middle], theme) : ""),
  );
}
