/** Tests what the trade-off chart draws where. */
import { expect, test } from "vitest";
import { type TradeOffChart, tradeOffChart } from "./trade-off-chart.ts";

const CHART: TradeOffChart = {
  title: "The same error for less privacy loss",
  subtitle: "3 users",
  lossLabel: "loss",
  errorLabel: "error",
  lines: [
    {
      label: "baseline",
      detail: "20 at loss 5",
      colour: 0,
      points: [
        { loss: 0.1, error: 1000, title: "off the chart" },
        { loss: 1, error: 100, title: "on the line" },
        { loss: 5, error: 20, title: "last" },
      ],
      strong: false,
    },
    {
      label: "frontier",
      detail: "19 at loss 5",
      colour: 5,
      points: [
        { loss: 0.5, error: 60, title: "first" },
        { loss: 5, error: 19, title: "end" },
      ],
      strong: true,
    },
  ],
  free: { error: 100, label: "publishing midpoints" },
  bound: {
    label: "no plan can be here",
    points: [
      { loss: 0.5, error: 55 },
      { loss: 5, error: 18 },
    ],
  },
  saving: { error: 60, from: 1.7, to: 0.5, label: "3 × less loss" },
  format: String,
};

test("has a dot for every point that is not far worse than midpoints, a line, a label and a bound", () => {
  const svg = tradeOffChart(CHART);
  expect(svg.match(/<circle/g)).toHaveLength(4);
  expect(svg).not.toContain("off the chart");
  for (const text of [
    "baseline",
    "20 at loss 5",
    "frontier",
    "publishing midpoints",
    "no plan can be here",
    "3 × less loss",
  ])
    expect(svg).toContain(`>${text}<`);
  expect(svg).toContain('aria-label="The same error for less privacy loss. 3 users"');
});

test("labels of lines that end together do not lie on each other", () => {
  const lines = Array.from({ length: 6 }, (_, index) => ({ ...CHART.lines[1]!, label: `line ${index}` }));
  const svg = tradeOffChart({ ...CHART, lines });
  const heights = [...svg.matchAll(/y="([\d.]+)" class="vg-name"/g)].map((match) => Number(match[1]));
  expect(heights).toHaveLength(6);
  heights.sort((left, right) => left - right);
  for (let at = 1; at < heights.length; at++) expect(heights[at]! - heights[at - 1]!).toBeGreaterThan(28);
});

test("draws one point, none, and a loss of nothing without a number that is none", () => {
  const nothing = { ...CHART.lines[0]!, points: [] };
  const free = { ...CHART.lines[0]!, points: [{ loss: 0, error: 100, title: "free" }] };
  const one = { ...CHART.lines[0]!, points: [{ loss: 1, error: 50, title: "one" }] };
  for (const lines of [[nothing], [free], [one], [nothing, free, one]]) {
    const svg = tradeOffChart({ ...CHART, lines, bound: null, saving: null });
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  }
});
