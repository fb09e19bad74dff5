/** Checks quantiles of noise plus model error against the integrals that define them. */
import { expect, test } from "vitest";
import { modelQuantile } from "./index.ts";

/** Nodes and weights of the five-point rule on [-1, 1]. */
const RULE: ReadonlyArray<readonly [node: number, weight: number]> = [
  [0, 128 / 225],
  ...[-1, 1].flatMap(
    (side): Array<readonly [number, number]> => [
      [(side * Math.sqrt(5 - 2 * Math.sqrt(10 / 7))) / 3, (322 + 13 * Math.sqrt(70)) / 900],
      [(side * Math.sqrt(5 + 2 * Math.sqrt(10 / 7))) / 3, (322 - 13 * Math.sqrt(70)) / 900],
    ],
  ),
];

/** Gauss's rule on panels. */
function integral(of: (x: number) => number, from: number, to: number, panels: number): number {
  const half = (to - from) / panels / 2;
  let sum = 0;
  for (let panel = 0; panel < panels; panel++)
    for (const [node, weight] of RULE) sum += weight * of(from + (2 * panel + 1 + node) * half);
  return sum * half;
}

const density = (x: number, scale: number): number => Math.exp(-Math.abs(x) / scale) / (2 * scale);

function oneTail(t: number, scale: number): number {
  return t < 0 ? 1 - oneTail(-t, scale) : Math.exp(-t / scale) / 2;
}

/** P(X + Y > t), X integrated over in pieces without kinks. */
function noiseTail(t: number, scales: readonly number[]): number {
  const [one, two] = scales.toSorted((left, right) => left - right);
  if (one === undefined) return t < 0 ? 1 : 0;
  if (two === undefined) return oneTail(t, one);
  if (t < 0) return 1 - noiseTail(-t, scales);
  const end = 40 * one;
  const under = (x: number): number => density(x, one) * oneTail(t - x, two);
  return integral(under, -end, 0, 40) + integral(under, 0, t, 40) + integral(under, t, t + end, 40);
}

/** P(|X + Y + N| > t), N integrated over in two pieces, the noise's kink between them. */
function outside(t: number, scales: readonly number[], deviation: number): number {
  if (deviation === 0) return 2 * noiseTail(t, scales);
  const under = (z: number): number => Math.exp((-z * z) / 2) * noiseTail(t - deviation * z, scales);
  const kink = Math.min(12, t / deviation);
  return (2 * (integral(under, -12, kink, 40) + integral(under, kink, 12, 40))) / Math.sqrt(2 * Math.PI);
}

const CASES: ReadonlyArray<[scales: readonly number[], deviation: number]> = [
  [[], 1],
  [[1], 0],
  [[2], 0.3],
  [[1], 1],
  [[0.2], 3],
  [[1, 2], 0],
  [[1, 1], 0],
  [[1, 1], 0.5],
  [[1, 1.00001], 0.5],
  [[1, 1.001], 0],
  [[2, 0.3], 1],
  [[0.5, 0.6], 4],
];

test.each(CASES)("scales %j and deviation %d", (scales, deviation) => {
  for (const confidence of [0.1, 0.5, 0.95, 0.999]) {
    const t = modelQuantile({ scales, deviation, confidence });
    expect(outside(t * (1 + 1e-6), scales, deviation)).toBeLessThan(1 - confidence);
    expect(outside(t * (1 - 1e-6), scales, deviation)).toBeGreaterThan(1 - confidence);
  }
});

test("what tables say of a Gaussian, and of Laplace noise", () => {
  const gaussian = (confidence: number): number => modelQuantile({ scales: [], deviation: 2, confidence });
  expect(gaussian(0.95)).toBeCloseTo(2 * 1.959963984540054, 8);
  expect(gaussian(0.999)).toBeCloseTo(2 * 3.290526731491926, 8);
  expect(modelQuantile({ scales: [3], deviation: 0, confidence: 0.95 })).toBeCloseTo(3 * Math.log(20), 8);
  expect(modelQuantile({ scales: [3], deviation: 1e-12, confidence: 0.95 })).toBeCloseTo(3 * Math.log(20), 8);
  expect(modelQuantile({ scales: [1e-12], deviation: 2, confidence: 0.95 })).toBeCloseTo(2 * 1.959963984540054, 8);
});

test("no error has no width, and scales and deviation stretch the width", () => {
  expect(modelQuantile({ scales: [0, 0], deviation: 0, confidence: 0.95 })).toBe(0);
  const width = modelQuantile({ scales: [1, 2], deviation: 0.5, confidence: 0.95 });
  for (const factor of [1e-9, 1e9])
    expect(
      modelQuantile({ scales: [2 * factor, factor], deviation: 0.5 * factor, confidence: 0.95 }) / factor,
    ).toBeCloseTo(width, 8);
});
