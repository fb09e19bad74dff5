/** Tests that no chart lets text from outside become markup. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { CHART, LINE } from "../../../test/support/drawn-lines.ts";
import {
  barChart,
  colourLegend,
  dotPlot,
  hexagonMap,
  intervalChart,
  lineChart,
  lineThumbnail,
  PRINT_THEME,
  stepChart,
  tradeOffChart,
} from "./index.ts";
import { escapeMarkup } from "./svg.ts";

/** Every chart with one text wherever it takes any. */
const CHARTS: ReadonlyArray<readonly [name: string, draw: (text: string) => string]> = [
  [
    "bar chart",
    (text) =>
      barChart({
        label: text,
        bars: [{ tick: text, title: text, value: 1 }],
        across: text,
        up: text,
        format: () => text,
      }),
  ],
  [
    "interval chart",
    (text) =>
      intervalChart({
        label: text,
        points: [{ label: text, value: 1, low: 0, high: 2, muted: true }],
        reference: { value: 1, label: text },
        format: () => text,
      }),
  ],
  [
    "hexagon map",
    (text) =>
      hexagonMap({
        label: text,
        measures: [{ label: text, domain: [0, 0], format: () => text }],
        hexagons: [{ cell: "8742d98b0ffffff", layer: 0, title: text, values: [null], weak: [true] }],
      }),
  ],
  ["legend", (text) => colourLegend({ label: text, domain: [0, 1], format: () => text })],
  [
    "dot plot",
    (text) =>
      dotPlot({ label: text, center: 1, scale: 9, bias: 1, bounds: [0, 9], format: () => text }, hostileTheme(text)),
  ],
  [
    "step chart",
    (text) => {
      const steps = [{ at: 0, value: 1, title: text }];
      const formats = { format: () => text, formatTime: () => text };
      return stepChart(
        { label: text, steps, limits: steps, limitName: text, until: 9, ...formats },
        hostileTheme(text),
      );
    },
  ],
  [
    "trade-off chart",
    (text) =>
      tradeOffChart({
        title: text,
        subtitle: text,
        lossLabel: text,
        errorLabel: text,
        lines: [{ label: text, detail: text, colour: 0, strong: true, points: [{ loss: 1, error: 5, title: text }] }],
        free: { error: 9, label: text },
        bound: { label: text, points: [1, 2].map((loss) => ({ loss, error: 1 })) },
        saving: { error: 5, from: 2, to: 0.6, label: text },
        format: () => text,
      }),
  ],
  ["line chart", (text) => lineChart(hostileLines(text), hostileTheme(text))],
  ["thumbnail", (text) => lineThumbnail(hostileLines(text), hostileTheme(text), { width: 60, height: 40 })],
];

const hostileLines = (text: string): typeof CHART => {
  const note = { axis: "y", label: text, tone: "neutral" } as const;
  return {
    ...{ id: text, title: text, subtitle: text, note: text },
    x: { ...CHART.x, label: text },
    y: { ...CHART.y, label: text },
    lines: [{ ...LINE, label: text, detail: text }],
    regions: [{ ...note, from: 1, to: null }],
    rules: [{ ...note, at: 5 }],
  };
};
const hostileTheme = (text: string): typeof PRINT_THEME => {
  const { lines: _, ...colours } = PRINT_THEME;
  const hostile = Object.fromEntries(Object.keys(colours).map((key) => [key, text])) as typeof colours;
  return { ...hostile, lines: [text, text] };
};

const TAGS = ["svg", "rect", "clipPath", "g", "title", "text", "path", "line", "circle", "div", "span", "i"];

test.each(CHARTS)("text from outside cannot become markup in a %s", (_, draw) => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (hostile) => {
      const markup = draw(`<script>"'${hostile}</text>]]>`);
      const tags = new Set(markup.match(/<\/?[a-zA-Z]+/g)?.map((tag) => tag.replace(/<\/?/, "")));
      expect([...tags].filter((tag) => !TAGS.includes(tag))).toEqual([]);
      // Between tags and inside quotes nothing is left that could end either.
      expect(markup.replace(/<\/?[a-zA-Z]+(?: [\w-]+="[^"<>]*")*\/?>/g, "")).not.toMatch(/[<>"]/);
    }),
    { numRuns: 50 },
  );
});

test("escapeMarkup leaves no character that markup or bidirectional text is made of", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(escapeMarkup(`${text}<>"'\u202e`)).not.toMatch(/[<>"'\p{Cc}\p{Bidi_Control}]/u);
    }),
  );
});
