/** Checks what is said of a plan, most of all where it is not worth its price. */
import { expect, test } from "vitest";
import { boundsOf, guaranteeWords, noiseOfWorstGrid, unitOfStatistic, verdictOf } from "./plan-words.ts";

const MEAN = {
  ...{ statistic: "mean", worstGrid: "a", worstError: 2.74, worstBias: 1.63, worstNoise: 1.11 },
  ...{ initialWorstError: 3, dataFreeError: 32.5, usefulGrids: 7 },
};

test("a guarantee is said with its parts and unit", () => {
  expect(guaranteeWords(MEAN, "km/h")).toBe(
    "±2.74 km/h in the worst grid: 1.11 km/h of noise on average, plus at most 1.63 km/h because records are dropped",
  );
  expect(guaranteeWords({ ...MEAN, worstBias: 0 }, null)).toMatch(/no record is dropped/);
  expect(guaranteeWords({ ...MEAN, worstError: Number.POSITIVE_INFINITY }, null)).toMatch(/no grid/);
  expect(["mean", "variance", "share:50"].map((key) => unitOfStatistic(key, "km/h"))).toEqual([
    "km/h",
    "(km/h)²",
    undefined,
  ]);
});

test("the verdict is honest", () => {
  expect(verdictOf({ usefulGrids: 7, grids: 7, setAside: [] }).tone).toBe("good");
  expect(verdictOf({ usefulGrids: 3, grids: 7, setAside: [] })).toMatchObject({
    tone: "weak",
    heading: "Worth it in 3 of 7 grids",
  });
  expect(verdictOf({ usefulGrids: 0, grids: 7, setAside: [] })).toMatchObject({ tone: "bad" });
});

test("the picture shows the worst grid's noise", () => {
  const grid = { grid: "a", scales: { mean: 1.1 }, bias: { mean: 1.6 } };
  const found = noiseOfWorstGrid({ perStatistic: [MEAN], perGrid: [grid as never] }, boundsOf("0,65"));
  expect(found).toEqual({ statistic: "mean", scale: 1.1, bias: 1.6, bounds: [0, 65], center: 32.5 });
  expect(noiseOfWorstGrid({ perStatistic: [{ ...MEAN, statistic: "sum" }], perGrid: [] }, [0, 1])).toBeUndefined();
});
