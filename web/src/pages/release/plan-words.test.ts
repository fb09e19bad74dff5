/** Tests what is said of a plan, above all where it is not worth its price. */
import { expect, test } from "vitest";
import { boundsOf, guaranteeWords, noiseOfWorstGrid, unitOfStatistic, verdictOf } from "./plan-words.ts";

const MEAN = {
  ...{ statistic: "mean", worstGrid: "a", worstError: 2.74, worstBias: 1.63, worstNoise: 1.11 },
  ...{ initialWorstError: 3, dataFreeError: 32.5, usefulGrids: 7 },
};

test("a guarantee is said with its parts and unit", () => {
  expect(guaranteeWords(MEAN, "km/h")).toBe(
    "at most 2.74 km/h off on average, in the worst grid: 1.11 km/h of noise, plus at most 1.63 km/h because records are dropped",
  );
  expect(guaranteeWords({ ...MEAN, worstBias: 0 }, null)).toMatch(/no record is dropped/);
  expect(guaranteeWords({ ...MEAN, worstError: Number.POSITIVE_INFINITY }, null)).toMatch(/no grid/);
  expect(["mean", "variance", "share:50"].map((key) => unitOfStatistic(key, "km/h"))).toEqual([
    "km/h",
    "(km/h)²",
    undefined,
  ]);
});

test("the verdict is honest, of each statistic by itself", () => {
  const of = (...useful: number[]) =>
    verdictOf({
      grids: 7,
      setAside: [],
      rough: 0,
      perStatistic: useful.map((usefulGrids, index) => ({ ...MEAN, statistic: `s${index}`, usefulGrids })),
    });
  expect(of(7, 7).tone).toBe("good");
  expect(of(3)).toMatchObject({ tone: "weak", heading: "Worth it: in 3 of 7 grids" });
  expect(of(0, 7)).toMatchObject({ tone: "weak", heading: "Worth it: s0 in 0 of 7 grids, s1 in every grid" });
  expect(of(0, 0)).toMatchObject({ tone: "bad" });
});

test("the picture shows the worst grid's noise", () => {
  const rough = verdictOf({ grids: 7, setAside: [], rough: 2, perStatistic: [MEAN] });
  expect(rough).toMatchObject({ tone: "weak", heading: "Rough in 2 of 7 grids" });
  const grid = { grid: "a", kept: 5, samples: 9, scales: { mean: 1.1 }, bias: { mean: 1.6 } };
  const found = noiseOfWorstGrid({ perStatistic: [MEAN], perGrid: [grid as never] }, boundsOf("0,65"));
  expect(found).toEqual({ statistic: "mean", scale: 1.1, bias: 1.6, bounds: [0, 65], center: 32.5 });
  expect(noiseOfWorstGrid({ perStatistic: [{ ...MEAN, statistic: "sum" }], perGrid: [] }, [0, 1])).toBeUndefined();
});
