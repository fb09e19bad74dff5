/** Line charts to draw, and what can be read off their SVG: the plot, strokes, and texts with the room they take. */
import fc from "fast-check";
import { expect } from "vitest";
import {
  type ChartLine,
  type ChartTheme,
  type LineChart,
  type LinePoint,
  lineChart,
  PRINT_THEME,
} from "../../src/publish/charts/index.ts";
import { textWidth } from "../../src/publish/charts/text-width.ts";

export const LINE: ChartLine = {
  label: "baseline",
  detail: "",
  colour: 1,
  dash: "solid",
  strong: false,
  markers: false,
  points: [
    { x: 1, y: 10 },
    { x: 10, y: 30 },
    { x: 100, y: 20 },
  ],
};
export const CHART: LineChart = {
  id: "figure-1",
  title: "Errors",
  subtitle: "of 3 users",
  x: { label: "loss, ε", scale: "log", domain: [1, 100] },
  y: { label: "error (µg/m³)", scale: "linear", domain: [0, 40] },
  lines: [LINE],
  regions: [],
  rules: [],
  note: "",
};
export const draw = (chart: Partial<LineChart>, theme: ChartTheme = PRINT_THEME): string =>
  lineChart({ ...CHART, ...chart }, theme);
export const withPoints = (points: readonly LinePoint[]): Partial<LineChart> => ({ lines: [{ ...LINE, points }] });

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export function frameOf(svg: string): Frame {
  const [x, y, width, height] = svg
    .match(/<clipPath id="[\w-]+"><rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/)!
    .slice(1)
    .map(Number) as [number, number, number, number];
  return { left: x, right: x + width, top: y, bottom: y + height };
}

/** Of every stroke, its runs of [x, y]. */
export function strokesOf(svg: string): number[][][][] {
  return [...svg.matchAll(/<path d="([^"]+)" fill="none" stroke="[^"]+" stroke-width="[\d.]+" stroke-linejoin/g)].map(
    (match) => runsOf(match[1]!),
  );
}

export function runsOf(d: string): number[][][] {
  return d
    .split("M")
    .slice(1)
    .map((run) =>
      run
        .replace("Z", "")
        .split("L")
        .map((pair) => pair.split(" ").map(Number)),
    );
}

export interface Text {
  readonly content: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly fill: string;
}

export function textsOf(svg: string): Text[] {
  return [...svg.matchAll(/<text x="(-?[\d.]+)" y="(-?[\d.]+)"([^>]*)>([^<]*)<\/text>/g)].map((match) => {
    const [x, y, attributes] = [Number(match[1]), Number(match[2]), match[3]!];
    const content = match[4]!
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&quot;/g, '"')
      .replace(/&#39;/g, "'")
      .replace(/&amp;/g, "&");
    const size = Number(attributes.match(/font-size="([\d.]+)"/)![1]);
    const width = textWidth(content, size);
    const fill = attributes.match(/fill="([^"]+)"/)![1]!;
    if (attributes.includes("rotate"))
      return { content, fill, left: x - 0.75 * size, right: x + 0.25 * size, top: y - width, bottom: y };
    const left = attributes.includes('"end"') ? x - width : attributes.includes('"middle"') ? x - width / 2 : x;
    return { content, fill, left, right: left + width, top: y - 0.75 * size, bottom: y + 0.25 * size };
  });
}

export function overlap(one: Frame, other: Frame): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

export function expectInside(inner: Frame, outer: Frame): void {
  expect(inner.left).toBeGreaterThanOrEqual(outer.left - 0.1);
  expect(inner.right).toBeLessThanOrEqual(outer.right + 0.1);
  expect(inner.top).toBeGreaterThanOrEqual(outer.top - 0.1);
  expect(inner.bottom).toBeLessThanOrEqual(outer.bottom + 0.1);
}

export const manyLines = fc
  .array(
    fc.record({
      end: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.double({ min: -10, max: 60, noNaN: true })),
      label: fc.constantFrom(
        "a",
        "frontier, centred estimator",
        "after CLIP-USER and caps, Ē",
        "x".repeat(60),
        "a b ".repeat(40),
      ),
      detail: fc.constantFrom("", "12.0 at ε = 1", "no guarantee at any loss beyond this one, nor before"),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((lines) =>
    lines.map(({ end, label, detail }, index) => ({
      ...LINE,
      label: `${index} ${label}`,
      detail,
      points: [
        { x: 1, y: 20 },
        { x: 100, y: end },
      ],
    })),
  );

export const anySize = fc.record({
  width: fc.integer({ min: 280, max: 1400 }),
  height: fc.integer({ min: 220, max: 800 }),
  names: fc.constantFrom("ends", "legend", "none", undefined),
});
export const plainChart: fc.Arbitrary<LineChart> = fc.record({
  id: fc.constant("any"),
  title: fc.string({ maxLength: 200 }),
  subtitle: fc.string({ maxLength: 200 }),
  x: fc.record({ label: fc.string(), scale: fc.constantFrom("linear", "log"), domain: fc.constant([0.1, 100]) }),
  y: fc.record({ label: fc.string(), scale: fc.constantFrom("linear", "log"), domain: fc.constant([5, 5000]) }),
  lines: manyLines,
  regions: fc.constant([{ axis: "y", from: 20, to: null, label: "worse than midpoints", tone: "warning" }]),
  rules: fc.constant([{ axis: "x", at: 1, label: "the paper ends here", tone: "neutral" }]),
  note: fc.string({ maxLength: 300 }),
});
