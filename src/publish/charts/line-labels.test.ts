/** Tests words on a line chart: names of lines, labels of regions and rules, legends; none lies on another, and all lie in the picture at any size. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  anySize,
  CHART,
  draw,
  expectInside,
  frameOf,
  LINE,
  manyLines,
  overlap,
  plainChart,
  strokesOf,
  type Text,
  textsOf,
  withPoints,
} from "../../../test/support/drawn-lines.ts";
import { lineChart, PRINT_THEME } from "./index.ts";

test("names of lines never lie on each other nor leave the picture, in the order of the ends, or of the lines where ends are shared", () => {
  fc.assert(
    fc.property(manyLines, (lines) => {
      const svg = draw({ lines, note: "Bands." });
      const { right } = frameOf(svg);
      const labels = textsOf(svg).filter(({ left }) => left > right + 20);
      for (const [at, label] of labels.entries()) {
        expectInside(label, { left: 0, right: 880, top: 0, bottom: 540 });
        for (const other of labels.slice(at + 1)) expect(overlap(label, other)).toBe(false);
      }
      const names = labels.filter(({ fill }) => fill === PRINT_THEME.lines[1]);
      const order = names.flatMap(
        ({ content }) =>
          content
            .match(/^(\d+)(?: |$)/)
            ?.slice(1)
            .map(Number) ?? [],
      );
      expect(order).toHaveLength(lines.length);
      // Beyond the plot's edges all ends are the edge.
      const ends = order.map((index) => Math.min(40, Math.max(0, lines[index]!.points[1]!.y)));
      for (let at = 1; at < order.length; at++) {
        expect(ends[at]!).toBeLessThan(ends[at - 1]! + 0.5);
        if (ends[at] === ends[at - 1] && Number.isInteger(ends[at]) && ends[at]! % 40 !== 0)
          expect(order[at]!).toBeGreaterThan(order[at - 1]!);
      }
    }),
  );
});

test("a name begins beside the end of its line where nothing else wants to be there", () => {
  const svg = draw({});
  const { right, top, bottom } = frameOf(svg);
  const name = textsOf(svg).find(({ content }) => content === "baseline")!;
  expect(Math.abs((name.top + name.bottom) / 2 - (top + bottom) / 2)).toBeLessThan(3);
  expect(name.left - right).toBeLessThan(30);
});

test("labels of regions and rules lie in them and in the plot, off the lines where they can, and apart", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1, max: 39, noNaN: true }),
      fc.double({ min: 1, max: 39, noNaN: true }),
      (from, to) => {
        const points = Array.from({ length: 40 }, (_, at) => ({
          x: 10 ** (at / 19.5),
          y: from + ((to - from) * at) / 39,
        }));
        const svg = draw({
          ...withPoints(points),
          regions: [
            { axis: "x", from: null, to: 10, label: "range of the paper", tone: "neutral" },
            { axis: "y", from: 20, to: null, label: "worse than midpoints", tone: "warning" },
          ],
          rules: [{ axis: "y", at: 20, label: "data-free: 20", tone: "warning" }],
        });
        const frame = frameOf(svg);
        const [middle, half] = [(frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2];
        const label = (content: string): Text => textsOf(svg).find((text) => text.content === content)!;
        const [paper, worse, free] = ["range of the paper", "worse than midpoints", "data-free: 20"].map(label) as [
          Text,
          Text,
          Text,
        ];
        expectInside(paper, { ...frame, right: middle });
        expectInside(worse, { ...frame, bottom: half });
        expectInside(free, frame);
        expect(Math.min(Math.abs(free.bottom - half), Math.abs(free.top - half))).toBeLessThan(14);
        expect(overlap(paper, worse) || overlap(paper, free) || overlap(worse, free)).toBe(false);
        const [[run]] = strokesOf(svg) as [number[][][]];
        for (const text of [paper, worse, free])
          for (const [x, y] of run!) expect(overlap(text, { left: x!, right: x!, top: y!, bottom: y! })).toBe(false);
      },
    ),
  );
});

test("the label of a narrow region stands upright, and one that fits nowhere stays its title", () => {
  const narrow = (label: string): string =>
    draw({ regions: [{ axis: "x", from: 10, to: 11.5, label, tone: "neutral" }] });
  expect(narrow("school holidays")).toMatch(/rotate\(-90 [^>]+>school holidays</);
  const long = "word ".repeat(60).trim();
  expect(narrow(long)).toContain(`<title>${long}</title>`);
  expect(narrow(long)).not.toContain("rotate");
});

test("at any size every text lies inside the picture, letters keep their size, and the plot has room", () => {
  fc.assert(
    fc.property(plainChart, anySize, (chart, size) => {
      const svg = lineChart(chart, PRINT_THEME, size);
      expect(svg).toContain(`viewBox="0 0 ${size.width} ${size.height}"`);
      const sheet = { left: 0, right: size.width, top: 0, bottom: size.height };
      const frame = frameOf(svg);
      expectInside(frame, sheet);
      expect(frame.bottom - frame.top).toBeGreaterThan(0.25 * size.height);
      // Names at the ends are looked at above, and may shrink.
      if ((size.names ?? (size.width < 560 ? "legend" : "ends")) !== "ends") {
        for (const text of textsOf(svg)) expectInside(text, sheet);
        expect(frame.right - frame.left).toBeGreaterThan(0.6 * size.width);
        for (const match of svg.matchAll(/font-size="([\d.]+)"/g)) expect(Number(match[1])).toBeGreaterThanOrEqual(12);
      }
    }),
  );
});

test("a narrow chart names its lines in a legend above the plot, each after a piece of its line", () => {
  const lines = [
    { ...LINE, label: "baseline, simple: 12·ε", dash: "dotted" },
    { ...LINE, label: "CLIP-USER", colour: 2, markers: true },
    { ...LINE, label: "frontier, centred, at the baseline's joint loss", colour: 3, dash: "dashed" },
  ] as const;
  const svg = lineChart({ ...CHART, lines }, PRINT_THEME, { width: 330, height: 420 });
  const frame = frameOf(svg);
  const names = textsOf(svg).filter(({ fill }) => PRINT_THEME.lines.indexOf(fill) % 7 > 0);
  expect(names.map(({ content }) => content).join(" ")).toBe(lines.map(({ label }) => label).join(" "));
  for (const [at, name] of names.entries()) {
    expect(name.bottom).toBeLessThan(frame.top);
    for (const other of names.slice(at + 1)) expect(overlap(name, other)).toBe(false);
  }
  const samples = [...svg.matchAll(/<path d="M[\d.]+ [\d.]+h30"([^>]+)>/g)].map((match) => match[1]!);
  expect(samples).toHaveLength(3);
  expect(samples[0]).toContain('stroke-dasharray="1.5 4.5"');
  expect(samples[2]).toContain('stroke-dasharray="8 5"');
  // One shape for each point, and one in the legend.
  expect(svg.match(/<polygon/g)).toHaveLength(4);
  expect(lineChart({ ...CHART, lines }, PRINT_THEME, { width: 330, height: 420, names: "none" })).not.toContain("h30");
});
