/** Tests that numbers are called rough exactly where a release would not mark them as useful. */
import { expect, test } from "vitest";
import { offBy, offWithoutData, roughGrids, widestOf, worthOf } from "./how-far-off.ts";

const row = { kept: 10, samples: 10, useful: true, scales: { mean: 1 }, bias: { mean: 2 } };

test("19 times in 20, with the bias on top", () => {
  expect(offBy(row, "mean")).toBeCloseTo(2 + Math.log(20), 12);
  expect(offBy({ ...row, kept: 0 }, "mean")).toBeUndefined();
  expect(offBy(row, "variance")).toBeUndefined();
});

test("the widest is not the one with the largest average: noise counts three times", () => {
  const biased = { ...row, scales: { mean: 1 }, bias: { mean: 3 } };
  const noisy = { ...row, scales: { mean: 3 }, bias: { mean: 1 } };
  expect(widestOf([biased, noisy], "mean")).toBe(noisy);
  expect(widestOf([], "mean")).toBeUndefined();
});

test("as far off as the middle of the range is rough, whatever the average says", () => {
  expect(worthOf(row, ["mean"], [0, 65])).toBe("useful");
  expect(worthOf({ ...row, scales: { mean: 12 } }, ["mean"], [0, 65])).toBe("rough");
  expect(worthOf({ ...row, useful: false }, ["mean"], [0, 65])).toBe("no better");
  expect(roughGrids([row, { ...row, scales: { mean: 12 } }], ["mean"], [0, 65])).toBe(1);
});

test("what the middle could be off by", () => {
  expect(
    ["mean", "variance", "sum", "share:50", "histogram:1/2"].map((key) => offWithoutData(key, [0, 65], 10)),
  ).toEqual([32.5, 528.125, 325, 0.5, undefined]);
});
