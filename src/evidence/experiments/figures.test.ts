/** Figures: lines and columns say the same, sentences come from the numbers, and nothing is drawn where there is nothing. */
import { expect, test } from "vitest";
import { lineChart, PRINT_THEME } from "../../publish/charts/index.ts";
import { columnsCsv, type Figure } from "../../publish/report/index.ts";
import { beyondFigures } from "./beyond-figures.ts";
import { findingsOf } from "./findings.ts";
import type { ClippedPoint, FrontierPoint } from "./measure.ts";
import { paperFigures } from "./paper-figures.ts";
import { epsilonRange, type Study } from "./study.ts";
import { paperTasks, syntheticOutlines } from "./tasks.ts";

/** E = 1000/ε in the first draw and 3000/ε in the second: midpoints (500) are beaten from ε = 2 and ε = 6 on. */
function study(subject: "city" | "gamma-3"): Study {
  const { paper, beyond, frontierErrors } = epsilonRange(subject);
  const draws = subject === "city" ? [1] : [1, 3];
  const clipped = (draw: number, epsilon: number): ClippedPoint => ({
    epsilon,
    gridsBefore: 10,
    gridsAfter: epsilon < 0.5 ? 2 : 4 + draw,
    gridsAfterAsPrinted: epsilon < 0.3 * draw ? 9 : 10,
    errorBefore: (1000 * draw) / epsilon,
    // Just below the 500 of midpoints at the last ε of the first draw.
    errorAfter: epsilon === 1 && draw === 1 ? 499 : (800 * draw) / epsilon,
    meanErrorBefore: (50 * draw) / epsilon,
    varianceErrorBefore: (950 * draw) / epsilon,
    usefulGridsBefore: 3,
    lossBefore: 2 * epsilon * draw,
    lossAfter: epsilon * draw * (epsilon < 0.5 ? 1 : 3),
    lossCapped: 4 * epsilon * draw,
    dataFreeError: 500,
  });
  const frontier = (draw: number, epsilon: number): FrontierPoint => ({
    epsilon,
    lossKept: (1000 * draw) / epsilon < 500 ? epsilon / 2 : 0,
    lossCentred: (1000 * draw) / epsilon < 500 ? epsilon / 4 : 0,
    errorAtLoss: frontierErrors.includes(String(epsilon)) ? (400 * draw) / epsilon : null,
  });
  const all = [...new Set([...paper, ...beyond])].map(Number);
  return {
    subject,
    name: subject,
    about: "made up",
    unit: "km/h",
    clipped: draws.map((draw) => all.map((epsilon) => clipped(draw, epsilon))),
    frontier: draws.map((draw) => beyond.map((epsilon) => frontier(draw, Number(epsilon)))),
  };
}

function column({ columns }: Figure, name: string): ReadonlyArray<number | null> {
  return columns.find((each) => each.name === name)!.values;
}

test("the paper's figures show mean and spread of K·ε and of the errors", () => {
  const [loss, error] = paperFigures(study("gamma-3"));
  const last = { x: 1, y: 6, low: 5, high: 7 };
  expect(loss!.chart.lines.map(({ points }) => points.at(-1))).toEqual([{ x: 1, y: 10, low: 10, high: 10 }, last]);
  expect(column(loss!, "loss_after_mean").at(-1)).toBe(6);
  expect(column(loss!, "loss_after_min").at(-1)).toBe(5);
  expect(column(loss!, "loss_after_max").at(-1)).toBe(7);
  expect(column(loss!, "K_mean")[0]).toBe(2);
  expect(loss!.seen).toBe(
    "K is 2 of 10 at ε = 0.1 and 6 at ε = 1, on average: the loss so counted falls by 40 % to 80 %.",
  );
  expect([loss!.chart.x.scale, loss!.chart.y.scale]).toEqual(["log", "linear"]);
  expect([error!.chart.x.scale, error!.chart.y.scale]).toEqual(["log", "log"]);
  expect(column(error!, "error_before_mean")[0]).toBe(20_000);
  expect(error!.chart.lines[1]!.points[0]).toEqual({ x: 0.1, y: 16_000, low: 8000, high: 24_000 });
  expect(error!.seen).toBe(
    "Ē lies 20 % to 28 % below E: 20 % at ε = 0.1, 28 % at ε = 1; 20 % at ε = 0.315, in between.",
  );
});

test("a city is one array: one column each", () => {
  const [loss] = paperFigures(study("city"));
  expect(loss!.columns.map(({ name }) => name)).toEqual(["epsilon", "loss_before", "loss_after", "K"]);
  expect(loss!.columns[0]!.values.at(-1)).toBe(2);
});

test("beyond the paper the frontier's line begins where every draw needs it, and its columns have all of it", () => {
  const [loss, error] = beyondFigures(study("gamma-3"));
  const centred = loss!.chart.lines.find(({ label }) => label.includes("centred"))!;
  expect(centred.points[0]).toEqual({ x: 6.3, y: 6.3 / 4, low: 6.3 / 4, high: 6.3 / 4 });
  expect(centred.points.at(-1)!.x).toBe(10);
  const at = column(loss!, "epsilon").indexOf(4);
  expect(column(loss!, "frontier_centred_mean")[at]).toBe(0.5);
  expect(column(loss!, "frontier_centred_min")[at]).toBe(0);
  expect(column(loss!, "frontier_kept_mean")[at]).toBe(1);
  expect(error!.seen).toContain("the frontier (centred) guarantees 800, the baseline 2,000");
  expect(loss!.chart.regions).toEqual([expect.objectContaining({ axis: "x", from: null, to: 4 })]);
  expect(loss!.seen).toContain(
    "Below ε = 4 the worst error E is no better than that of publishing midpoints, in the mean.",
  );
  expect(loss!.seen).toContain("16 times less at ε = 6.3 (with the paper's estimator 8)");
  expect(error!.chart.rules).toContainEqual(expect.objectContaining({ axis: "y", at: 500 }));
  expect(error!.seen).toContain("Of the ε drawn here, Ē is below it from ε = 4 on");
  const frontier = error!.chart.lines.at(-1)!;
  expect(frontier.points.map(({ x }) => x)).toEqual(epsilonRange("gamma-3").frontierErrors.map(Number));
});

test("findings count draws and ε", () => {
  const found = findingsOf(study("gamma-3"));
  expect(found).toMatchObject({
    draws: 2,
    gridsBefore: 10,
    printedLowersNothingFrom: 0.9,
    printedTooFar: 0,
    worthlessBelow: 4,
    useful: 0,
    usefulWithCaps: 1,
    jointOfEpsilon: 4,
    points: 42,
    raised: 14,
    raisedWithCaps: 42,
  });
  const last = Object.fromEntries(found.columns.map(({ name, values }) => [name, values.at(-1)]));
  expect(last).toEqual({
    epsilon: 1,
    K_before: 10,
    K: 6,
    K_theorem_as_printed: 10,
    error_before: 2000,
    error_after: (499 + 2400) / 2,
    data_free: 500,
    mean_error_before: 100,
    variance_error_before: 1900,
    useful_grids_before: 3,
    joint_before: 4,
    joint_clip_user: 6,
    joint_clip_user_caps: 8,
  });
  expect(found.columns.find(({ name }) => name === "K_theorem_as_printed")!.values[0]).toBe(9);
});

test("every figure has its own id, a CSV of plain numbers and a picture without a gap in its markup", () => {
  const figures = (["city", "gamma-3"] as const).flatMap((subject) => [
    ...paperFigures(study(subject)),
    ...beyondFigures(study(subject)),
  ]);
  expect(new Set(figures.map(({ id }) => id)).size).toBe(8);
  for (const { columns, chart } of figures) {
    const [header, ...rows] = columnsCsv(columns).trimEnd().split("\n");
    expect(header!.split(",")[0]).toBe("epsilon");
    for (const row of rows) {
      expect(row.split(",")).toHaveLength(columns.length);
      expect(row).toMatch(/^[\d.,]+$/);
    }
    expect(lineChart(chart, PRINT_THEME)).not.toMatch(/NaN|Infinity|undefined/);
  }
});

test("draws have seeds of their own, one after the other", () => {
  const [first] = syntheticOutlines({ seed: 5, draws: 3 });
  expect(first!.arrays).toEqual([5, 6, 7].map((seed) => ({ gamma: 3, seed })));
  expect(paperTasks(first!).map(({ array, protectLowest }) => [array, protectLowest])).toEqual(
    first!.arrays.map((array) => [array, true]),
  );
});
