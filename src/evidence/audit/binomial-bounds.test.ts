/** Bounds against their definition, on small cases added up term by term, and against known values. */
import { expect, test } from "vitest";
import { probabilityAtLeast, probabilityAtMost } from "./demonstrate.ts";

function tailAtMost(hits: number, runs: number, p: number): number {
  let sum = 0;
  for (let k = 0; k <= hits; k++) {
    let term = 1;
    for (let j = 0; j < k; j++) term *= ((runs - j) / (k - j)) * p;
    sum += term * (1 - p) ** (runs - k);
  }
  return sum;
}

test.each([
  [0, 10],
  [1, 10],
  [5, 10],
  [9, 10],
  [3, 40],
  [39, 40],
])("%d of %d: at the upper bound so few hits are as rare as 1 − confidence says", (hits, runs) => {
  for (const confidence of [0.5, 0.95, 0.999]) {
    const bound = probabilityAtMost(hits, runs, confidence);
    expect(tailAtMost(hits, runs, bound)).toBeCloseTo(1 - confidence, 9);
    expect(probabilityAtLeast(runs - hits, runs, confidence)).toBeCloseTo(1 - bound, 12);
  }
});

test("nothing seen is the rule of three", () => {
  expect(probabilityAtMost(0, 100_000, 0.95)).toBeCloseTo(-Math.log(0.05) / 100_000, 8);
  expect(probabilityAtLeast(0, 100, 0.95)).toBe(0);
  expect(probabilityAtMost(100, 100, 0.95)).toBe(1);
});

test("many runs come close to the normal bound", () => {
  const bound = probabilityAtMost(50_000, 100_000, 0.975);
  expect(bound).toBeCloseTo(0.5 + 1.96 * Math.sqrt(0.25 / 100_000), 4);
});
