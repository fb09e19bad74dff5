/** Tests text, CSV and picture of a made-up comparison. */
import { expect, test } from "vitest";
import { comparisonCsv } from "./compare-csv.ts";
import { comparisonSvgText } from "./compare-svg.ts";
import { comparisonText } from "./compare-text.ts";
import type { ComparedPlan, Comparison } from "./comparison.ts";
import { estimatorPairs, estimatorVerdicts } from "./estimator-evidence.ts";

function made(
  line: Pick<ComparedPlan, "strategy" | "estimator">,
  asked: string,
  { error, mean, typical }: { error: number | null; mean: number | null; typical: number },
): ComparedPlan {
  const frontier = line.strategy === "frontier";
  return {
    partition: 0,
    asked,
    ...line,
    epsilon: frontier ? null : 0.5,
    loss: Number(asked),
    lossSimple: 2 * Number(asked),
    baselineLoss: error === null ? null : 800 / error,
    worstError: error,
    typicalError: null,
    boundOf: frontier ? "error" : null,
    lowerBound: frontier && error !== null ? 0.99 * error : null,
    gap: frontier && error !== null ? 0.01 : null,
    degradation: 3,
    usefulGrids: error !== null && error < 560 ? 7 : 0,
    leftOutShare: frontier ? 0.036 : 0,
    statistics: [
      { statistic: "mean", worstError: mean, typicalError: null, usefulGrids: 7 },
      { statistic: "variance", worstError: error, typicalError: null, usefulGrids: 7 },
    ],
    actual: [
      { model: "one end", statistic: "mean", average: typical, worst: 2 * typical },
      { model: "one end", statistic: "variance", average: 10 * typical, worst: 20 * typical },
    ],
  };
}

const BASELINE = { strategy: "baseline", estimator: "kept" } as const;
const KEPT = { strategy: "frontier", estimator: "kept" } as const;
const CENTRED = { strategy: "frontier", estimator: "centred" } as const;

const COMPARISON: Comparison = {
  goal: "loss",
  metric: "sum",
  statistics: ["mean", "variance"],
  unit: "km/h",
  seed: 1,
  partitions: [
    {
      h3: null,
      slot: null,
      users: 1388,
      grids: 7,
      samples: 413716,
      dataFreeError: 560.6,
      dataFree: [
        { statistic: "mean", error: 32.5 },
        { statistic: "variance", error: 528.1 },
      ],
    },
  ],
  plans: [
    made(BASELINE, "1", { error: 800, mean: 9, typical: 6 }),
    made(KEPT, "1", { error: 236, mean: 26, typical: 5 }),
    made(CENTRED, "1", { error: 200, mean: 23, typical: 4 }),
    made(BASELINE, "4", { error: 200, mean: 4, typical: 2 }),
    made(KEPT, "4", { error: null, mean: null, typical: 3 }),
    made(CENTRED, "4", { error: 60, mean: 3, typical: 6 }),
  ],
  models: [{ name: "one end", meaning: "every value low" }],
  presets: [{ name: "common", loss: "1", meaning: "the usual choice" }],
  suggestion: { budget: "2", releases: 4, loss: "0.5" },
};

test("the text says what is saved, what is no better than midpoints, and how much loss to take", () => {
  const text = comparisonText("city.csv", COMPARISON, { out: "x.svg" });
  expect(text).toContain("off by at most: mean 32.50 km/h, variance 528.10 (km/h)² (sd 22.98 km/h)");
  expect(text).toContain(
    "For a guaranteed error of 200.00 the baseline loses 4.00, the frontier, centred, 1.00: 4.0 times less.",
  );
  expect(text).toContain("can do more than 1.0 % better than that one");
  expect(text).toContain(
    "! baseline: no better than publishing midpoints, which costs no privacy, at a loss of 1 or less.",
  );
  expect(text).toContain("! mean, by itself: at a loss of 1 the baseline guarantees 9.00, this line 23.00;");
  expect(text).toContain("A budget of 2 over 4 releases leaves --loss 0.5 for each.");
  expect(text).toContain("--loss common  1  the usual choice");
  expect(text).toContain("Real values are not looked at, since choosing by them would leak");
  expect(text).toMatch(/written to x\.svg\n$/);
});

test("the chart in characters fits into 80 columns and marks every line", () => {
  const lines = comparisonText("city.csv", COMPARISON).split("\n");
  const from = lines.findIndex((line) => line.includes("against privacy loss"));
  const chart = lines.slice(from + 1, lines.indexOf("", from));
  for (const line of chart) expect([...line].length).toBeLessThanOrEqual(80);
  expect(chart.join("\n")).toMatch(/F {2}frontier, centred/);
  expect(chart.some((line) => line.includes("│") && line.includes("F"))).toBe(true);
  expect(chart.some((line) => line.startsWith("       561 │┄"))).toBe(true);
});

test("the CSV has a row for every plan, and nothing where there is nothing", () => {
  const [header, ...rows] = comparisonCsv(COMPARISON).trimEnd().split("\n");
  expect(header).toMatch(/^h3,slot,strategy,estimator,asked_for,asked,epsilon,loss,loss_simple,/);
  expect(header).toContain(
    ",mean_error,mean_typical_error,mean_useful_grids,variance_error,variance_typical_error,sd_error,variance_useful_grids,",
  );
  expect(header).toMatch(/,mean_actual_one_end_average,mean_actual_one_end_worst,/);
  expect(rows).toHaveLength(6);
  expect(new Set([header!, ...rows].map((row) => row.split(",").length)).size).toBe(1);
  expect(rows[4]).toMatch(/^,,frontier,kept,loss,4,,4,8,,,,560\.6,false,error,,,3,7,0,/);
});

test("a balanced plan has two lines and two columns: what is typical and what is guaranteed", () => {
  const { actual, ...guaranteed } = made({ strategy: "balanced", estimator: "weighted" }, "1", {
    error: 700,
    mean: 40,
    typical: 3,
  });
  const plan: ComparedPlan = {
    ...guaranteed,
    actual,
    typicalError: 12.5,
    statistics: guaranteed.statistics.map((each, index) => ({ ...each, typicalError: [1.75, 11][index]! })),
  };
  const comparison = { ...COMPARISON, plans: [...COMPARISON.plans, plan] };
  const text = comparisonText("o.csv", comparison);
  expect(text).toMatch(/balanced +1\.00 +2\.00 +700\.00 +125 % +40\.00 +1\.75 +3\.00 +700\.00 +11\.00 +30\.00/);
  expect(text).toContain("t  balanced, typical");
  expect(text).toContain("g  balanced, guaranteed");
  expect(text).not.toContain("! balanced");
  const svg = comparisonSvgText(comparison);
  for (const name of ["balanced, typical", "balanced, guaranteed"]) expect(svg).toContain(`>${name}</text>`);
  const [header, ...rows] = comparisonCsv(comparison).trimEnd().split("\n");
  expect(rows.at(-1)!.split(",")[header!.split(",").indexOf("mean_typical_error")]).toBe("1.75");
});

test("the picture stands on its own and names its lines", () => {
  const svg = comparisonSvgText(COMPARISON);
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*><style>/);
  expect(svg).toContain("prefers-color-scheme:dark");
  expect(svg).toContain(">frontier, centred</text>");
  expect(svg).toContain(">no plan can be here (proven, centred estimator)</text>");
  expect(svg).toContain(">4.0 × less loss</text>");
  expect(svg).not.toMatch(/NaN|Infinity|undefined|@import|href/);
});

test("estimators are held against each other at the same loss", () => {
  const pairs = estimatorPairs(COMPARISON);
  expect(pairs.map(({ statistic, loss }) => [statistic, loss])).toEqual([
    ["mean", "1"],
    ["mean", "4"],
    ["variance", "1"],
    ["variance", "4"],
  ]);
  const [mean] = estimatorVerdicts(pairs);
  expect(mean).toMatchObject({ losses: 2, guaranteedBetter: 2, tries: 2, actuallyBetter: 1 });
  expect(mean!.ratio).toBeCloseTo(Math.sqrt((4 / 5) * (6 / 3)), 12);
  expect(mean!.unkindest).toEqual({ ratio: 2, model: "one end" });
  expect(estimatorPairs({ ...COMPARISON, goal: "error" })).toEqual([]);
});

test("of several partitions it says which has the smallest error, and draws a line for each", () => {
  const [partition] = COMPARISON.partitions;
  const plans = COMPARISON.plans.filter(
    ({ strategy, estimator }) => strategy === "baseline" || estimator === "centred",
  );
  const both: Comparison = {
    ...COMPARISON,
    partitions: [
      { ...partition!, h3: "7", slot: "1h" },
      { ...partition!, h3: "8", slot: "1h", grids: 20 },
    ],
    plans: [...plans, ...plans.map((plan) => ({ ...plan, partition: 1, worstError: plan.worstError! / 2 }))],
  };
  const text = comparisonText("city.csv", both);
  expect(text).toContain(
    "At loss 1 the smallest error is that of h3 8, slot 1h (frontier, centred; 20 grids, 18 % of midpoints').",
  );
  expect(comparisonSvgText(both)).toContain(">h3 8, slot 1h</text>");
});
