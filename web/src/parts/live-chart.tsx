/** Shows an interactive line chart: it fits its place, reads out numbers under the pointer, hides lines, and can be picked from or dragged on. */

import type { TargetedKeyboardEvent, TargetedPointerEvent } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { itemAt } from "../../../src/core/errors/index.ts";
import {
  type ChartLine,
  type ChartMark,
  type LineChart,
  lineChart,
  lineCsv,
  linePlot,
  lineSample,
  lineTable,
  markLabels,
  PRINT_THEME,
  readingsAt,
  xPositions,
} from "../../../src/publish/charts/index.ts";
import { formatNumber } from "../format.ts";
import { Drawing } from "./drawing.tsx";
import { Overlay } from "./live-chart/overlay.tsx";
import { Readout } from "./live-chart/readout.tsx";
import { nearest, spokenReadout } from "./live-chart/readout-words.ts";
import { saveFile } from "./live-chart/save-file.ts";
import { useWidth } from "./live-chart/use-width.ts";
import { WEB_THEME } from "./live-chart/web-theme.ts";
import { SortableTable } from "./sortable-table.tsx";

export interface LiveChartProps {
  readonly chart: LineChart;
  /** Without title, subtitle and note, which the page has; files have them all the same. */
  readonly bare?: boolean | undefined;
  /** What it is called for those who listen; the title if absent. */
  readonly label?: string | undefined;
  readonly marks?: readonly ChartMark[] | undefined;
  /** A click or Enter, in the axes' units. */
  readonly onPick?: ((x: number, y: number) => void) | undefined;
  /** Which axis a drag is about, shown at the current mark. */
  readonly dragAxis?: "x" | "y" | undefined;
  /** While the pointer is down, at most once a frame. */
  readonly onDrag?: ((x: number, y: number) => void) | undefined;
  /** Where the readout is when nobody points; it follows when it changes. */
  readonly x?: number | undefined;
  readonly height?: number | undefined;
}

const NARROW = 560;
const NO_MARKS: readonly ChartMark[] = [];

export function LiveChart(props: LiveChartProps) {
  const { chart, marks = NO_MARKS } = props;
  const { ref, width } = useWidth<HTMLDivElement>();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => withLines(chart, hidden), [chart, hidden]);
  const drawn = useMemo(
    () => (props.bare ? { ...shown, title: "", subtitle: "", note: "" } : shown),
    [shown, props.bare],
  );
  const height = props.height ?? heightFor(width);
  const size = { width, height, margin: 2, names: width < NARROW ? ("none" as const) : ("ends" as const) };
  const svg = useMemo(() => (width === 0 ? "" : lineChart(drawn, WEB_THEME, size)), [drawn, width, height]);
  const toggle = (label: string): void =>
    setHidden((before) => {
      const after = new Set(before);
      if (!after.delete(label)) after.add(label);
      return after;
    });
  return (
    <div class="live-chart">
      <div class="live-plot" ref={ref} style={{ height: `${height}px` }}>
        <div aria-hidden="true">
          <Drawing svg={svg} />
        </div>
        {width === 0 ? null : <Touch {...props} chart={drawn} label={nameOf(props)} marks={marks} size={size} />}
      </div>
      <ShownLines lines={chart.lines} hidden={hidden} onToggle={toggle} />
      <Tools chart={chart} shown={shown} label={nameOf(props)} />
    </div>
  );
}

interface TouchProps extends LiveChartProps {
  readonly marks: readonly ChartMark[];
  readonly size: {
    readonly width: number;
    readonly height: number;
    readonly margin: number;
    readonly names: "ends" | "none";
  };
}

/** Takes pointer and keys, and draws what lies over the chart. */
function Touch(props: TouchProps) {
  const { chart, marks, onPick, onDrag, dragAxis, size } = props;
  const plot = useMemo(() => linePlot(chart, size), [chart, size.width, size.height]);
  const positions = useMemo(() => xPositions(chart), [chart]);
  const placed = useMemo(() => markLabels(marks, plot), [marks, plot]);
  const [at, setAt] = useState<{ x: number; isSpoken: boolean } | null>(null);
  const isDown = useRef(false);
  const { call: dragged, cancel: forgetDrag } = useThrottled(onDrag);
  const x = at?.x ?? props.x ?? null;
  const readings = x === null ? [] : readingsAt(chart, x);
  const middle = positions[Math.floor(positions.length / 2)];

  const valuesAt = (event: TargetedPointerEvent<HTMLDivElement>): readonly [number, number] => {
    const box = event.currentTarget.getBoundingClientRect();
    return [plot.xAt(plot.left + event.clientX - box.left), plot.yAt(plot.top + event.clientY - box.top)];
  };
  const follow = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    const [valueX, valueY] = valuesAt(event);
    if (isDown.current && onDrag !== undefined) dragged(valueX, valueY);
    // What is dragged is wherever the pointer is; what is read is where there are numbers.
    const place = isDown.current && onDrag !== undefined ? valueX : nearest(positions, plot.x, plot.x(valueX));
    if (place !== null && place !== at?.x) setAt({ x: place, isSpoken: false });
  };
  const press = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    isDown.current = true;
    event.currentTarget.setPointerCapture(event.pointerId);
    follow(event);
  };
  const lift = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    if (!isDown.current) return;
    isDown.current = false;
    // Otherwise its frame would come after the pick, and leave the page in the middle of a drag.
    forgetDrag();
    onPick?.(...valuesAt(event));
  };
  const step = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const now = x === null ? -1 : positions.indexOf(nearest(positions, plot.x, plot.x(x)) ?? NaN);
    const next = {
      ArrowRight: now + 1,
      ArrowUp: now + 1,
      ArrowLeft: now < 0 ? positions.length - 1 : now - 1,
      ArrowDown: now < 0 ? positions.length - 1 : now - 1,
      PageUp: now + 5,
      PageDown: Math.max(0, now) - 5,
      Home: 0,
      End: positions.length - 1,
    }[event.key];
    if (next !== undefined && positions.length > 0) {
      event.preventDefault();
      setAt({ x: itemAt(positions, Math.max(0, Math.min(positions.length - 1, next))), isSpoken: true });
    } else if (event.key === "Escape") setAt(null);
    else if (event.key === "Enter" && x !== null) {
      const first = readings.find(({ line, y }) => line.strong && y !== null) ?? readings.find(({ y }) => y !== null);
      if (first !== undefined) onPick?.(x, first.y ?? NaN);
    }
  };
  const drags = onDrag === undefined ? "" : ` drags${dragAxis === undefined ? "" : ` drags-${dragAxis}`}`;
  const now = x ?? middle ?? 0;
  return (
    <>
      <Overlay {...size} plot={plot} x={x} readings={readings} marks={placed} dragAxis={dragAxis} />
      <div
        class={`live-touch${drags}`}
        style={{
          left: `${plot.left}px`,
          top: `${plot.top}px`,
          width: `${plot.right - plot.left}px`,
          height: `${plot.bottom - plot.top}px`,
        }}
        tabIndex={0}
        role="slider"
        aria-label={`${nameOf(props)}: read at ${chart.x.label}`}
        aria-valuemin={plot.xDomain[0]}
        aria-valuemax={plot.xDomain[1]}
        aria-valuenow={now}
        aria-valuetext={`${chart.x.label} ${formatNumber(now)}`}
        onPointerMove={follow}
        onPointerDown={press}
        onPointerUp={lift}
        onPointerCancel={() => {
          isDown.current = false;
          forgetDrag();
        }}
        onPointerLeave={() => !isDown.current && setAt(null)}
        onBlur={() => setAt(null)}
        onKeyDown={step}
      />
      {at === null || x === null ? null : (
        <Readout
          chart={chart}
          x={x}
          readings={readings.filter(({ y }) => y !== null)}
          at={{ left: plot.x(x), top: plot.top + 6 }}
          width={size.width}
          short={size.names === "none"}
        />
      )}
      <p class="for-readers" aria-live="polite">
        {at?.isSpoken === true ? spokenReadout(chart.x.label, at.x, readings) : ""}
      </p>
    </>
  );
}

interface ShownLinesProps {
  readonly lines: readonly ChartLine[];
  readonly hidden: ReadonlySet<string>;
  onToggle(label: string): void;
}

function ShownLines({ lines, hidden, onToggle }: ShownLinesProps) {
  return (
    <fieldset class="live-lines">
      <legend class="for-readers">Lines that are shown</legend>
      <span class="note" aria-hidden="true">
        Show
      </span>
      {lines.map((line) => (
        <label key={line.label}>
          <input type="checkbox" checked={!hidden.has(line.label)} onChange={() => onToggle(line.label)} />
          <Drawing svg={lineSample(line, WEB_THEME)} class="sample" />
          <span>{line.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Tools({ chart, shown, label }: { chart: LineChart; shown: LineChart; label: string }) {
  const [open, setOpen] = useState(false);
  const full = { ...shown, title: chart.title === "" ? label : chart.title };
  return (
    <div class="live-tools">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Numbers as a table</summary>
        {open ? <NumbersTable chart={shown} label={label} /> : null}
      </details>
      <button
        type="button"
        class="file"
        onClick={() => saveFile(`${chart.id}.svg`, "image/svg+xml", lineChart(full, PRINT_THEME))}
      >
        Download SVG
      </button>
      <button type="button" class="file" onClick={() => saveFile(`${chart.id}.csv`, "text/csv", lineCsv(shown))}>
        Download CSV
      </button>
    </div>
  );
}

function NumbersTable({ chart, label }: { chart: LineChart; label: string }) {
  const { heads, rows } = useMemo(() => lineTable(chart), [chart]);
  const columns = useMemo(
    () =>
      heads.map((head, index) => ({
        key: String(index),
        head,
        numeric: true,
        by: (row: (typeof rows)[number]) => row[index] ?? null,
        cell: (row: (typeof rows)[number]) => formatNumber(row[index] ?? NaN, 4),
      })),
    [heads],
  );
  return (
    <SortableTable
      label={`Numbers: ${label}`}
      rows={rows}
      columns={columns}
      keyOf={(row) => String(row[0])}
      first={{ key: "0", descending: false }}
    />
  );
}

/** Hidden lines leave the axes as they were. */
function withLines(chart: LineChart, hidden: ReadonlySet<string>): LineChart {
  if (hidden.size === 0) return chart;
  const { xDomain, yDomain } = linePlot(chart);
  return {
    ...chart,
    x: { ...chart.x, domain: xDomain },
    y: { ...chart.y, domain: yDomain },
    lines: chart.lines.filter(({ label }) => !hidden.has(label)),
  };
}

/** By the width alone, so that it is reserved before anything is drawn. */
function heightFor(width: number): number {
  return width < NARROW
    ? Math.round(Math.max(320, Math.min(440, 1.2 * width)))
    : Math.round(Math.max(340, Math.min(520, 0.56 * width)));
}

function nameOf({ label, chart }: LiveChartProps): string {
  return label ?? (chart.title === "" ? `${chart.y.label} by ${chart.x.label}` : chart.title);
}

/** The latest call of a frame, when it is drawn. */
function useThrottled(call: ((x: number, y: number) => void) | undefined): {
  call(x: number, y: number): void;
  /** What waits for its frame is not called any more. */
  cancel(): void;
} {
  const latest = useRef(call);
  latest.current = call;
  const frame = useRef(0);
  const wanted = useRef<readonly [number, number]>([0, 0]);
  const cancel = (): void => {
    cancelAnimationFrame(frame.current);
    frame.current = 0;
  };
  useEffect(() => cancel, []);
  return {
    cancel,
    call: (x, y) => {
      wanted.current = [x, y];
      if (frame.current !== 0) return;
      frame.current = requestAnimationFrame(() => {
        frame.current = 0;
        latest.current?.(...wanted.current);
      });
    },
  };
}
