/** Tests that everything in a line chart lands where the scales say, whatever the numbers. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  anySize,
  CHART,
  draw,
  expectInside,
  frameOf,
  LINE,
  plainChart,
  runsOf,
  strokesOf,
  textsOf,
  withPoints,
} from "../../../test/support/drawn-lines.ts";
import { type LineChart, lineChart, linePlot, PAGE_THEME, PRINT_THEME } from "./index.ts";

test("points and ticks land where the scales say", () => {
  for (const [xScale, yScale] of [
    ["log", "linear"],
    ["linear", "log"],
  ] as const) {
    const svg = draw({
      x: { label: "x", scale: xScale, domain: [1, 100] },
      y: { label: "y", scale: yScale, domain: [5, 40] },
    });
    const { left, right, top, bottom } = frameOf(svg);
    const share = (scale: string, value: number, [low, high]: readonly [number, number]): number =>
      scale === "log" ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    const x = (value: number): number => left + (right - left) * share(xScale, value, [1, 100]);
    const y = (value: number): number => bottom - (bottom - top) * share(yScale, value, [5, 40]);
    const [[run]] = strokesOf(svg) as [number[][][]];
    expect(run).toHaveLength(3);
    run!.forEach(([px, py], at) => {
      expect(Math.abs(px! - x(LINE.points[at]!.x))).toBeLessThan(0.06);
      expect(Math.abs(py! - y(LINE.points[at]!.y))).toBeLessThan(0.06);
    });
    const tick = textsOf(svg).find(({ content, top: above }) => content === "100" && above > bottom)!;
    expect(Math.abs((tick.left + tick.right) / 2 - right)).toBeLessThan(0.2);
    const row = textsOf(svg).find(({ content, right: end }) => content === "20" && end < left)!;
    expect(Math.abs((row.top + row.bottom) / 2 - y(20))).toBeLessThan(3);
  }
});

test("unset domains hold all points, spreads, rules and ends of regions, from 0 on a linear axis", () => {
  const svg = draw({
    ...withPoints([
      { x: 2, y: 3, low: 1, high: 90 },
      { x: 50, y: 4 },
    ]),
    x: { label: "x", scale: "log" },
    y: { label: "y", scale: "linear" },
    rules: [{ axis: "y", at: 120, label: "rule", tone: "warning" }],
  });
  const frame = frameOf(svg);
  const [[run]] = strokesOf(svg) as [number[][][]];
  expect(run!.map(([x]) => x)).toEqual([frame.left, frame.right]);
  const rule = Number(
    svg.match(/stroke-width="1.3"/) && svg.match(/<path d="M[\d.]+ ([\d.]+)L[^"]+"[^>]+stroke-width="1.3"/)![1],
  );
  expect(rule).toBeGreaterThan(frame.top);
  // 3 of 0 … 120 and a little: near the bottom, by as much as the rule's height says.
  expect((frame.bottom - run![0]![1]!) / (frame.bottom - rule)).toBeCloseTo(3 / 120, 2);
});

test("a spread is the area between low and high; on a logarithmic axis nothing is at the bottom", () => {
  const points = [
    { x: 1, y: 10, low: 5, high: 20 },
    { x: 10, y: 10, low: 0, high: 40 },
    { x: 100, y: 10 },
  ];
  const y = { label: "y", scale: "log", domain: [1, 100] } as const;
  const svg = draw({ ...withPoints(points), y });
  const { left, right, top, bottom } = frameOf(svg);
  const [band] = runsOf(svg.match(/<path d="([^"]+)" fill="#0067a5" fill-opacity="0.15"/)![1]!);
  const at = (value: number): number => bottom - ((bottom - top) * Math.log10(value)) / 2;
  const middle = (left + right) / 2;
  const wanted = [
    [left, at(20)],
    [middle, at(40)],
    [middle, bottom],
    [left, at(5)],
  ];
  expect(band).toHaveLength(4);
  band!.forEach(([px, py], index) => {
    expect(Math.abs(px! - wanted[index]![0]!)).toBeLessThan(0.06);
    expect(Math.abs(py! - wanted[index]![1]!)).toBeLessThan(0.06);
  });
  expect(draw(withPoints(points.map(({ x, y: value }) => ({ x, y: value }))))).not.toContain("fill-opacity");
});

test("what is not finite, or not positive on a logarithmic axis, interrupts the line; a point between gaps is a dot", () => {
  const points = [4, 5, NaN, 6, Infinity, 7, 8, 9].map((y, at) => ({ x: at + 1, y }));
  const svg = draw(withPoints(points));
  expect(strokesOf(svg)[0]!.map((run) => run.length)).toEqual([2, 3]);
  expect(svg.match(/<polygon/g)).toHaveLength(1);
  const y = { label: "y", scale: "log", domain: [1, 100] } as const;
  const holes = [3, 4, 0, 5, 6, -1, 7, 8].map((value, at) => ({ x: at + 1, y: value }));
  expect(strokesOf(draw({ ...withPoints(holes), y }))[0]!.map((run) => run.length)).toEqual([2, 2, 2]);
});

test("markers stand at the points inside the plot, another shape for every colour", () => {
  const points = [...LINE.points, { x: 50, y: 400 }];
  const shapes = PRINT_THEME.lines.map((_, colour) => {
    const svg = draw({ lines: [{ ...LINE, points, colour, markers: true }] });
    const found = svg.match(/<(circle|polygon) [^>]+>/g)!;
    expect(found).toHaveLength(3);
    return found[0];
  });
  expect(new Set(shapes).size).toBe(PRINT_THEME.lines.length);
});

const anyNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -1, 1, 1e-320, 1e308, -1e308, NaN, Infinity, -Infinity),
  fc.double({ min: 0, max: 100, noNaN: true }),
);
const anyAxis = fc.record({
  label: fc.string(),
  scale: fc.constantFrom<"linear" | "log">("linear", "log"),
  domain: fc.option(fc.tuple(anyNumber, anyNumber), { nil: undefined }),
});
const tone = fc.constantFrom<"warning" | "neutral">("warning", "neutral");
const axisName = fc.constantFrom<"x" | "y">("x", "y");
const anyChart: fc.Arbitrary<LineChart> = fc.record({
  id: fc.string(),
  title: fc.string({ maxLength: 300 }),
  subtitle: fc.string({ maxLength: 400 }),
  x: anyAxis,
  y: anyAxis,
  lines: fc.array(
    fc.record({
      label: fc.string({ maxLength: 80 }),
      detail: fc.string({ maxLength: 80 }),
      colour: fc.oneof(fc.nat(20), fc.constantFrom(-1, 0.5, NaN)),
      dash: fc.constantFrom<"solid" | "dashed" | "dotted">("solid", "dashed", "dotted"),
      strong: fc.boolean(),
      markers: fc.boolean(),
      points: fc.array(
        fc.record({
          x: anyNumber,
          y: anyNumber,
          low: fc.option(anyNumber, { nil: undefined }),
          high: fc.option(anyNumber, { nil: undefined }),
        }),
        { maxLength: 6 },
      ),
    }),
    { maxLength: 5 },
  ),
  regions: fc.array(
    fc.record({ axis: axisName, from: fc.option(anyNumber), to: fc.option(anyNumber), label: fc.string(), tone }),
    { maxLength: 3 },
  ),
  rules: fc.array(fc.record({ axis: axisName, at: anyNumber, label: fc.string(), tone }), { maxLength: 3 }),
  note: fc.string({ maxLength: 600 }),
});

test("any numbers at all: the same bytes again, no number that is none, and every text inside the picture", () => {
  fc.assert(
    fc.property(anyChart, (chart) => {
      const svg = lineChart(chart, PRINT_THEME);
      expect(lineChart(structuredClone(chart), PRINT_THEME)).toBe(svg);
      const markup = svg.replace(/>[^<]*</g, "><").replace(/aria-label="[^"]*"/, "");
      expect(markup).not.toMatch(/NaN|Infinity|undefined|null/);
      expect(svg).toMatch(
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 880 540" width="880" height="540"/,
      );
      for (const text of textsOf(svg)) expectInside(text, { left: 0, right: 880, top: 0, bottom: 540 });
      for (const match of markup.matchAll(/[ML"](-?[\d.]+) (-?[\d.]+)/g))
        for (const value of match.slice(1).map(Number)) expect(Math.abs(value)).toBeLessThanOrEqual(100_000);
    }),
    { numRuns: 200 },
  );
});

test("linePlot says where lineChart draws, and back", () => {
  fc.assert(
    fc.property(plainChart, anySize, (chart, size) => {
      const plot = linePlot(chart, size);
      const { left, right, top, bottom } = plot;
      expect({ left, right, top, bottom }).toEqual(frameOf(lineChart(chart, PRINT_THEME, size)));
      for (const share of [0, 0.3, 1]) {
        const [x, y] = [left + share * (right - left), top + share * (bottom - top)];
        expect(Math.abs(plot.x(plot.xAt(x)) - x)).toBeLessThan(0.06);
        expect(Math.abs(plot.y(plot.yAt(y)) - y)).toBeLessThan(0.06);
      }
      expect(plot.xAt(right + 500)).toBeCloseTo(plot.xDomain[1], 9);
      expect(plot.yAt(bottom + 500)).toBeCloseTo(plot.yDomain[0], 9);
    }),
  );
  const plot = linePlot(CHART);
  const [[run]] = strokesOf(draw({})) as [number[][][]];
  expect(run).toEqual(LINE.points.map(({ x, y }) => [plot.x(x), plot.y(y)]));
  expect(plot.x(-1)).toBeNaN();
});

test("no line, no point, one point: axes are drawn all the same", () => {
  for (const scale of ["linear", "log"] as const) {
    const axis = { label: "axis", scale };
    for (const lines of [[], [{ ...LINE, points: [] }], [{ ...LINE, points: [{ x: 3, y: 4 }] }]]) {
      const svg = draw({ lines, x: axis, y: axis });
      expect(textsOf(svg).filter(({ content }) => /^[\d.,]+$/.test(content)).length).toBeGreaterThan(3);
    }
  }
});

test("lines and their names can be read on the theme's paper", () => {
  const contrast = (colour: string, paper: string): number => {
    const [low, high] = [luminance(colour), luminance(paper)].sort((one, other) => one - other) as [number, number];
    return (high + 0.05) / (low + 0.05);
  };
  for (const colour of [...PRINT_THEME.lines, PRINT_THEME.ink, PRINT_THEME.inkSoft, PRINT_THEME.warning])
    expect(contrast(colour, PRINT_THEME.paper)).toBeGreaterThan(4.3);
  // The cards of light and dark pages; semibold and lines need 3.
  for (const colour of PAGE_THEME.lines.filter((each) => each.startsWith("#")))
    for (const paper of ["#ffffff", "#182028"]) expect(contrast(colour, paper)).toBeGreaterThan(3.2);
  expect(draw({}, PAGE_THEME)).toContain('fill="var(--card)"');
});

/** WCAG's relative luminance. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
