/** PNGs of SVGs: letters are really drawn, those of the figures are in the font, nothing of a chart is cut off, and bytes repeat. */
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { type LineChart, lineChart, PRINT_THEME } from "../../publish/charts/index.ts";
import { pngRenderer } from "./render-png.ts";

const render = await pngRenderer();

function picture(svg: string, scale = 1): PNG {
  return PNG.sync.read(Buffer.from(render(svg, { scale })));
}

/** The pixels of a text; weight 400 or 600. */
function written(text: string, weight = 400): PNG {
  return picture(
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><text x="10" y="40" font-size="40" font-weight="${weight}" font-family="${PRINT_THEME.font}">${text}</text></svg>`,
  );
}

function difference(one: PNG, other: PNG): number {
  return pixelmatch(one.data, other.data, undefined, one.width, one.height, { includeAA: true });
}

const CHART: LineChart = {
  id: "figure",
  title:
    "Privacy loss before and after CLIP-USER, for which this title is rather longer than any other and is therefore wrapped",
  subtitle: "WWWWWWWWWWWWWWW ".repeat(12),
  x: { label: "privacy parameter per grid, ε ".repeat(4), scale: "log" },
  y: { label: "MMMMMMMMMMMMMMMM ".repeat(6), scale: "log" },
  lines: ["frontier, centred estimator", "after CLIP-USER and caps, Ē", "W".repeat(60), "@@@ ".repeat(20)].map(
    (label, at) => ({
      label,
      detail: "MWMWMWMWMW ".repeat(5),
      colour: at,
      dash: "solid",
      strong: at === 1,
      markers: true,
      points: [
        { x: 1e-5, y: 1e-5 },
        { x: 1e8, y: 1e8 * (1 + at) },
      ],
    }),
  ),
  regions: [{ axis: "y", from: 1, to: null, label: "worse than publishing midpoints", tone: "warning" }],
  rules: [{ axis: "x", at: 1, label: "the paper's", tone: "neutral" }],
  note: "Bands: 5th to 95th percentile of 200 draws. ".repeat(20),
};

test("the same bytes twice, twice as many pixels at twice the scale, white where nothing is", () => {
  const svg = lineChart(CHART, PRINT_THEME);
  expect(Buffer.compare(render(svg, { scale: 2 }), render(svg, { scale: 2 }))).toBe(0);
  const { width, height } = picture(svg, 2);
  expect([width, height]).toEqual([1760, 1080]);
  expect([...picture('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>').data]).toEqual([
    255, 255, 255, 255,
  ]);
});

test("letters are drawn, in two weights, and those of the figures are not the box of a missing one", () => {
  const nothing = written("");
  const missing = written("\u{e000}");
  for (const weight of [400, 600]) {
    for (const letter of "aεγδσλĒē·×−÷–…≤≥≈√∞→²³⁻⁹₁µ€") {
      expect(difference(written(letter, weight), nothing), letter).toBeGreaterThan(10);
      expect(difference(written(letter, weight), missing), letter).toBeGreaterThan(30);
    }
  }
  expect(difference(written("ε"), written("γ"))).toBeGreaterThan(50);
  expect(difference(written("Ē"), written("E"))).toBeGreaterThan(20);
  expect(difference(written("loss", 400), written("loss", 600))).toBeGreaterThan(50);
});

test("in a font that is not there text is drawn in ours, so that no machine's fonts matter", () => {
  const svg = (family: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><text x="10" y="40" font-size="40" font-family="${family}">loss</text></svg>`;
  for (const family of ["Arial", "DejaVu Sans", "sans-serif", "Nobody"])
    expect(difference(picture(svg(family)), picture(svg("Source Sans 3")))).toBe(0);
});

test("nothing of a chart with far too long texts reaches the edge of its picture or beyond", () => {
  // The same drawing on a larger sheet: what was cut off would show.
  const svg = lineChart(CHART, PRINT_THEME).replace(
    'viewBox="0 0 880 540" width="880" height="540"',
    'viewBox="-100 -100 1080 740" width="1080" height="740"',
  );
  const { data, width, height } = picture(svg);
  const dark: string[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if ((x < 108 || x >= 972 || y < 108 || y >= 632) && data[4 * (y * width + x)]! < 250)
        dark.push(`${x - 100} ${y - 100}`);
  expect(dark).toEqual([]);
});

test("characters that XML does not know do not make a chart unreadable", () => {
  const hostile = "\ufffe\uffff\u0000\ud800\u202e<&>\"'";
  const chart = { ...CHART, title: hostile, note: hostile, lines: [{ ...CHART.lines[0]!, label: hostile }] };
  expect(render(lineChart(chart, PRINT_THEME), { scale: 1 }).length).toBeGreaterThan(1000);
});

test("what is no SVG is refused, and the next one is drawn", () => {
  expect(() => render("<svg", { scale: 1 })).toThrow();
  expect(render(lineChart(CHART, PRINT_THEME), { scale: 1 }).length).toBeGreaterThan(1000);
});
