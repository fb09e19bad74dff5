/** Draws the layer over a line chart: crosshair, dots on the lines, marks. */
import {
  colourOfLine,
  type LinePlot,
  type LineReading,
  type PlacedMark,
} from "../../../../src/publish/charts/index.ts";
import { WEB_THEME } from "./web-theme.ts";

export interface OverlayProps {
  readonly width: number;
  readonly height: number;
  readonly plot: LinePlot;
  /** Where the readout is; null for nowhere. */
  readonly x: number | null;
  readonly readings: readonly LineReading[];
  readonly marks: readonly PlacedMark[];
  readonly dragAxis?: "x" | "y" | undefined;
}

export function Overlay({ width, height, plot, x, readings, marks, dragAxis }: OverlayProps) {
  const at = x === null ? NaN : plot.x(x);
  return (
    <svg class="live-over" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {marks.map((placed) => (
        <Mark key={`${placed.mark.kind} ${placed.mark.label}`} placed={placed} dragAxis={dragAxis} />
      ))}
      {Number.isNaN(at) ? null : (
        <>
          <path class="live-cross" d={`M${at} ${plot.top}V${plot.bottom}`} />
          {readings.map(({ line, y }) => {
            const height = y === null ? NaN : plot.y(y);
            return height >= plot.top && height <= plot.bottom ? (
              <circle
                key={line.label}
                class="live-dot"
                cx={at}
                cy={height}
                r={5}
                stroke={colourOfLine(line, WEB_THEME)}
              />
            ) : null;
          })}
        </>
      )}
    </svg>
  );
}

function Mark({
  placed: { mark, x, y, isOff, label },
  dragAxis,
}: {
  placed: PlacedMark;
  dragAxis: "x" | "y" | undefined;
}) {
  const isCurrent = mark.kind === "current";
  return (
    <g class={isCurrent ? "live-mark current" : "live-mark"}>
      {isCurrent ? (
        <>
          {dragAxis === "x" ? (
            <path class="arrows" d={`M${x - 11} ${y - 5}l-5 5 5 5M${x + 11} ${y - 5}l5 5-5 5`} />
          ) : dragAxis === "y" ? (
            <path class="arrows" d={`M${x - 5} ${y - 11}l5-5 5 5M${x - 5} ${y + 11}l5 5 5-5`} />
          ) : null}
          <circle cx={x} cy={y} r={8} />
        </>
      ) : (
        <path d={`M${x} ${y - 6}l6 6-6 6-6-6Z`} />
      )}
      <text x={label.x} y={label.y} text-anchor={label.anchor}>
        {mark.label}
        {isOff ? " (off the chart)" : ""}
      </text>
    </g>
  );
}
