/** Tests that readouts, tables, files and marks beside a line chart say what it draws. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ChartLine,
  type LineChart,
  lineChart,
  lineCsv,
  linePlot,
  lineSample,
  lineTable,
  lineThumbnail,
  markLabels,
  PRINT_THEME,
  readingsAt,
  xPositions,
} from "./index.ts";
import { textWidth } from "./text-width.ts";

const LINE: ChartLine = {
  label: "baseline, E",
  detail: "",
  colour: 1,
  dash: "dashed",
  strong: false,
  markers: true,
  points: [
    { x: 1, y: 10, low: 5, high: 20 },
    { x: 100, y: 1000, low: 50, high: 2000 },
  ],
};
const OTHER: ChartLine = {
  ...LINE,
  label: '=a "b"',
  markers: false,
  points: [
    { x: 10, y: 4 },
    { x: 50, y: NaN },
    { x: 100, y: 5 },
  ],
};
const CHART: LineChart = {
  id: "c",
  title: "",
  subtitle: "",
  x: { label: "ε", scale: "log" },
  y: { label: "error", scale: "log" },
  lines: [LINE, OTHER],
  regions: [{ axis: "y", from: 100, to: null, label: "worse", tone: "warning" }],
  rules: [],
  note: "",
};

test("positions are the x of drawn points, once each", () => {
  expect(xPositions(CHART)).toEqual([1, 10, 100]);
  expect(xPositions({ ...CHART, x: { ...CHART.x, domain: [5, 50] } })).toEqual([10]);
});

test("between points a line is read where it is drawn; over a gap it says nothing", () => {
  const [line, other] = readingsAt(CHART, 10);
  expect(line!.y).toBeCloseTo(100, 9);
  expect(line!.low).toBeCloseTo(Math.sqrt(5 * 50), 9);
  expect(line!.exact).toBe(false);
  expect(other).toEqual({ line: OTHER, y: 4, low: undefined, high: undefined, exact: true });
  expect(readingsAt(CHART, 60)[1]!.y).toBeNull();
  expect(readingsAt(CHART, 0.5)[0]!.y).toBeNull();
  const linear = { ...CHART, x: { label: "", scale: "linear" }, y: { label: "", scale: "linear" } } as const;
  expect(readingsAt(linear, 50.5)[0]!.y).toBeCloseTo(505, 9);
});

test("a reading lies on the stroke, whatever the scales", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("linear", "log"),
      fc.constantFrom("linear", "log"),
      fc.double({ min: 1, max: 100, noNaN: true }),
      (along, up, x) => {
        const chart = { ...CHART, x: { label: "", scale: along }, y: { label: "", scale: up } } as LineChart;
        const plot = linePlot(chart);
        const share = (plot.x(x) - plot.x(1)) / (plot.x(100) - plot.x(1));
        const drawn = plot.y(10) + share * (plot.y(1000) - plot.y(10));
        expect(Math.abs(plot.y(readingsAt(chart, x)[0]!.y!) - drawn)).toBeLessThan(0.3);
      },
    ),
  );
});

test("the table has a row for every x and the spread beside its line; in a file no head is a formula", () => {
  expect(lineTable(CHART)).toEqual({
    heads: ["ε", "baseline, E", "baseline, E, lowest", "baseline, E, highest", '=a "b"'],
    rows: [
      [1, 10, 5, 20, null],
      [10, null, null, null, 4],
      [100, 1000, 50, 2000, 5],
    ],
  });
  expect(lineCsv(CHART).split("\n")[0]).toBe(
    'ε,"baseline, E","baseline, E, lowest","baseline, E, highest","\'=a ""b"""',
  );
  expect(lineCsv(CHART).split("\n")[2]).toBe("10,,,,4");
});

test("samples and thumbnails look like the lines, and have no text", () => {
  expect(lineSample(LINE, PRINT_THEME)).toMatch(/stroke="#0067a5".*stroke-dasharray="8 5".*<polygon/);
  expect(lineSample(OTHER, PRINT_THEME)).not.toContain("<polygon");
  const small = lineThumbnail(CHART, PRINT_THEME, { width: 120, height: 60 });
  expect(small).toContain('viewBox="0 0 120 60"');
  expect(small).not.toContain("<text");
  expect(small.match(/stroke="#0067a5"/g)).toHaveLength(1);
  expect(lineChart(CHART, PRINT_THEME).match(/<path [^>]*stroke="#0067a5"[^>]*dasharray="8 5"/g)).toHaveLength(1);
});

test("marks stand where their numbers are, at the edge beyond it; labels stay in the plot and apart", () => {
  const place = fc.record({
    x: fc.double({ min: 0.5, max: 200, noNaN: true }),
    y: fc.double({ min: 1, max: 5000, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 5 }), (places) => {
      const plot = linePlot(CHART, { width: 700, height: 400 });
      const marks = places.map((at, index) => ({ ...at, label: `mark ${index}`, kind: "other" as const }));
      const placed = markLabels(marks, plot);
      expect(placed).toHaveLength(marks.length);
      for (const { mark, x, y, isOff, label } of placed) {
        expect(Math.abs(x - Math.max(plot.left, Math.min(plot.right, plot.x(mark.x))))).toBeLessThan(0.1);
        expect(isOff).toBe(Math.abs(x - plot.x(mark.x)) > 0.6 || Math.abs(y - plot.y(mark.y)) > 0.6);
        const wide = textWidth(mark.label, 13);
        const left = label.x - (label.anchor === "start" ? 0 : label.anchor === "end" ? wide : wide / 2);
        expect(left).toBeGreaterThanOrEqual(plot.left - 0.1);
        expect(left + wide).toBeLessThanOrEqual(plot.right + 0.1);
        expect(label.y).toBeGreaterThan(plot.top);
        expect(label.y).toBeLessThanOrEqual(plot.bottom);
      }
    }),
  );
  const same = { x: 10, y: 100, kind: "other" } as const;
  const [first, second] = markLabels(
    [
      { ...same, label: "baseline" },
      { ...same, label: "you are here", kind: "current" },
    ],
    linePlot(CHART),
  );
  expect(first!.mark.kind).toBe("current");
  expect(second!.label).not.toEqual(first!.label);
  expect(markLabels([{ ...same, x: -1, label: "nowhere" }], linePlot(CHART))).toEqual([]);
});
