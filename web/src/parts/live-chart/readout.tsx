/** Shows the numbers of all lines at one place, beside the pointer and inside the chart. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { type LineChart, type LineReading, lineSample } from "../../../../src/publish/charts/index.ts";
import { formatNumber } from "../../format.ts";
import { Drawing } from "../drawing.tsx";
import { besidePointer, readingText, spreadText } from "./readout-words.ts";
import { WEB_THEME } from "./web-theme.ts";

export interface ReadoutProps {
  readonly chart: LineChart;
  readonly x: number;
  readonly readings: readonly LineReading[];
  /** Of x, and of the top edge. */
  readonly at: { readonly left: number; readonly top: number };
  readonly width: number;
  /** Lines are told apart by their style alone, where names would hide the chart. */
  readonly short: boolean;
}

export function Readout({ chart, x, readings, at, width, short }: ReadoutProps) {
  const ref = useRef<HTMLDivElement>(null);
  // Its own width is known only once it is there.
  useLayoutEffect(() => {
    const box = ref.current;
    if (box === null) return;
    box.style.left = `${besidePointer(at.left, { own: box.offsetWidth, room: width, gap: 14 })}px`;
    box.style.top = `${at.top}px`;
  });
  return (
    <div class={short ? "live-readout short" : "live-readout"} ref={ref} aria-hidden="true">
      <b>
        {short ? "" : `${chart.x.label} = `}
        {formatNumber(x)}
      </b>
      {short ? null : <div class="unit">{chart.y.label}</div>}
      <dl>
        {readings.map((reading) => (
          <Row key={reading.line.label} reading={reading} short={short} />
        ))}
      </dl>
    </div>
  );
}

function Row({ reading, short }: { reading: LineReading; short: boolean }) {
  const spread = spreadText(reading);
  return (
    <>
      <Drawing svg={lineSample(reading.line, WEB_THEME)} class="sample" />
      {short ? null : <dt>{reading.line.label}</dt>}
      <dd>
        {readingText(reading)}
        {spread === null ? null : <small>{spread}</small>}
      </dd>
    </>
  );
}
