/** Reads a line chart at one place along x and as a table, for readouts, tables and files beside the drawing. */
import type { ChartAxis, ChartLine, LineChart, LinePoint } from "./line/definition.ts";
import { isDrawable, type ScaleKind, shareBetween, valueBetween } from "./scales.ts";

export interface LineReading {
  readonly line: ChartLine;
  /** null where the line has a gap, or is not. */
  readonly y: number | null;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** Whether the line has a point here; otherwise it is read between two. */
  readonly exact: boolean;
}

/** Every x at which some line has a point that is drawn, ascending. */
export function xPositions({ x, y, lines }: LineChart): number[] {
  const found = new Set<number>();
  for (const { points } of lines)
    for (const point of points) if (isPoint(point, x.scale, y.scale) && isWithin(point.x, x)) found.add(point.x);
  return [...found].sort((one, other) => one - other);
}

/** Each line where it is drawn above `x`: between two points as the axes' scales have it. */
export function readingsAt(chart: LineChart, x: number): LineReading[] {
  return chart.lines.map((line) => readingAt(line, x, chart));
}

function readingAt(line: ChartLine, x: number, { x: { scale: along }, y: { scale: up } }: LineChart): LineReading {
  const { points } = line;
  const nothing = { line, y: null, exact: false };
  const own = points.find((point) => point.x === x && isPoint(point, along, up));
  if (own !== undefined) return { line, y: own.y, low: own.low, high: own.high, exact: true };
  const after = points.findIndex((point) => point.x > x);
  const [from, to] = [points[after - 1], points[after]];
  if (from === undefined || to === undefined || !isPoint(from, along, up) || !isPoint(to, along, up)) return nothing;
  const share = shareBetween(along, [from.x, to.x], x);
  const read = (low: number | undefined, high: number | undefined): number | undefined =>
    low === undefined || high === undefined || !isDrawable(up, low) || !isDrawable(up, high)
      ? undefined
      : valueBetween(up, [low, high], share);
  return {
    line,
    y: valueBetween(up, [from.y, to.y], share),
    low: read(from.low, to.low),
    high: read(from.high, to.high),
    exact: false,
  };
}

export interface LineTable {
  readonly heads: readonly string[];
  /** x first; null where a line has no point. */
  readonly rows: ReadonlyArray<ReadonlyArray<number | null>>;
}

/** One row for every x, one column for every line and two more for its spread. */
export function lineTable(chart: LineChart): LineTable {
  const columns = chart.lines.flatMap(({ label, points }) => {
    const hasSpread = points.some(({ low, high }) => low !== undefined && high !== undefined);
    const of = (head: string, value: (point: LinePoint) => number | undefined) => ({
      head,
      values: new Map(points.map((point) => [point.x, value(point)])),
    });
    return [
      of(label, ({ y }) => y),
      ...(hasSpread ? [of(`${label}, lowest`, ({ low }) => low), of(`${label}, highest`, ({ high }) => high)] : []),
    ];
  });
  return {
    heads: [chart.x.label, ...columns.map(({ head }) => head)],
    rows: xPositions(chart).map((x) => [
      x,
      ...columns.map(({ values }) => {
        const value = values.get(x);
        return value === undefined || !Number.isFinite(value) ? null : value;
      }),
    ]),
  };
}

export function lineCsv(chart: LineChart): string {
  const { heads, rows } = lineTable(chart);
  return [heads.map(quoted), ...rows.map((row) => row.map((value) => (value === null ? "" : String(value))))]
    .map((row) => `${row.join(",")}\n`)
    .join("");
}

/** A leading sign would make a spreadsheet take it for a formula. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function isPoint({ x, y }: LinePoint, along: ScaleKind, up: ScaleKind): boolean {
  return isDrawable(along, x) && isDrawable(up, y);
}

function isWithin(value: number, { domain }: ChartAxis): boolean {
  return domain === undefined || (value >= domain[0] && value <= domain[1]);
}
