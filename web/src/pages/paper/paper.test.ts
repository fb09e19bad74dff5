/** Tests sentences and orders of the Paper page on the committed figures. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { LineChart } from "../../../../src/publish/charts/index.ts";
import { epsilonSentence } from "./epsilon-sentence.ts";
import { inOrder, neighbours, subjectName } from "./figure-order.ts";
import type { PaperFigures } from "./figures.ts";
import { runIt } from "./run-draw.ts";
import { readOptions } from "./run-options.ts";

const data = JSON.parse(
  readFileSync(new URL("../../../../docs/figures/figures.json", import.meta.url), "utf8"),
) as PaperFigures;

const line = { detail: "", strong: false, markers: false, dash: "dashed", colour: 0 } as const;
const CHART: LineChart = {
  id: "c",
  title: "",
  subtitle: "",
  x: { label: "ε", scale: "log" },
  y: { label: "error", scale: "log" },
  lines: [
    { ...line, label: "before", points: [{ x: 0.5, y: 1000, low: 900, high: 1100 }] },
    { ...line, label: "after", colour: 1, strong: true, points: [{ x: 0.5, y: 400 }] },
  ],
  regions: [],
  rules: [{ axis: "y", at: 560.625, label: "", tone: "warning" }],
  note: "",
};

test("the sentence reads every line, compares, and holds them against midpoints", () => {
  expect(epsilonSentence(CHART, 0.5)).toBe(
    "At ε = 0.5: “before” is 1,000 (900 to 1,100 over the draws); “after” is 400. “after” is 60 % below “before”. Of them, only “after” guarantees more than publishing midpoints (561).",
  );
  expect(epsilonSentence(CHART, 3)).toBe("At ε = 3 no line is drawn.");
});

test("sixteen figures, the paper's first, each with a neighbour on either side but for the ends", () => {
  const ordered = inOrder(data.figures);
  expect(ordered).toHaveLength(16);
  expect(ordered.slice(0, 3).map(({ id }) => id)).toEqual([
    "paper-loss-gamma-3",
    "paper-error-gamma-3",
    "paper-loss-gamma-6",
  ]);
  expect(ordered.at(-1)!.id).toBe("beyond-error-city");
  expect(neighbours(ordered, "paper-loss-gamma-3").before).toBeNull();
  expect(neighbours(ordered, "paper-loss-gamma-3").after!.id).toBe("paper-error-gamma-3");
  expect(neighbours(ordered, "none")).toEqual({ before: null, after: null });
  expect(subjectName("gamma-9")).toBe("γ\u00a0=\u00a09");
});

test("every figure says something at every ε that it draws", () => {
  for (const { chart } of data.figures)
    for (const { points } of chart.lines)
      for (const { x } of points) expect(epsilonSentence(chart, x)).not.toContain("no line");
});

test("one draw run in the page gives what findings.csv says of ten, about", () => {
  const { rows, dataFree } = finished(runIt({ gamma: 3, q: 0.01, seed: 1, grids: 12, epsilon: "0.5" }));
  const [before, after, capped] = rows;
  expect(before).toMatchObject({ most: 12, simple: 6 });
  expect(after!.most).toBeLessThan(7);
  expect(after!.simple).toBeCloseTo(after!.most * 0.5, 9);
  expect(after!.error).toBeLessThanOrEqual(before!.error! * (1 + 1e-9));
  expect(capped!.error).toBeLessThan(after!.error!);
  expect(dataFree).toBe(560.625);
});

test("options that cannot be run are refused with the field they are about", () => {
  const options = { gamma: "3", q: "0.01", seed: "1", grids: "12", epsilon: "0.5" };
  expect(readOptions(options)).toEqual({ options: { gamma: 3, q: 0.01, seed: 1, grids: 12, epsilon: "0.5" } });
  for (const [field, value] of [
    ["gamma", "-1"],
    ["gamma", "1.5"],
    ["q", "0"],
    ["q", "x"],
    ["seed", ""],
    ["grids", "13"],
    ["epsilon", "0"],
    ["epsilon", "1e9"],
  ] as const)
    expect(Object.keys(readOptions({ ...options, [field]: value }).problems ?? {})).toEqual([field]);
});

function finished<Result>(work: Generator<unknown, Result, void>): Result {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
}
