/** Checks what smoothing is for, on made-up fields with Laplace noise: smaller errors, intervals that cover, and what it must not depend on. */
import { describe, expect, test } from "vitest";
import { hexagons } from "../../../test/support/hexagons.ts";
import { SeededRandom } from "../../../test/support/random.ts";
import { modelQuantile, type NoisyNumbers, type Smoothed, smooth } from "./index.ts";

const RANGE = [0, 65] as const;
const WIDTH_95 = modelQuantile({ scales: [], deviation: 1, confidence: 0.95 });

function laplace(random: SeededRandom, scale: number): number {
  const sign = random.uniform() < 0.5 ? -1 : 1;
  return -sign * scale * Math.log(1 - random.uniform());
}

function gaussian(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());
}

type Field = (random: SeededRandom, [x, y]: readonly [number, number], grid: number) => number;

interface Experiment {
  readonly rings: number;
  /** Of the noise. */
  readonly scale: number;
  readonly field: Field;
  /** The deviation that is stated, as a multiple of the true one. */
  readonly stated?: number;
}

/** Over some 600 grids, each run with a new field and new noise. */
function measure({ rings, scale, field, stated = 1 }: Experiment) {
  const neighbours = hexagons(rings);
  const random = new SeededRandom(1);
  const kinds: Array<Smoothed["kind"]> = [];
  let [noisy, smoothed, covered, deviation, grids] = [0, 0, 0, 0, 0];
  while (grids < 600) {
    const truth = neighbours.centres.map((centre, grid) => field(random, centre, grid));
    const values = Float64Array.from(truth, (each) => each + laplace(random, scale));
    const variances = values.map(() => 2 * (stated * scale) ** 2);
    const found = smooth({ values, variances, range: RANGE, neighbours });
    kinds.push(found.kind);
    for (const [grid, each] of truth.entries()) {
      const error = Math.abs(found.values[grid]! - each);
      noisy += Math.abs(Math.min(RANGE[1], Math.max(RANGE[0], values[grid]!)) - each);
      smoothed += error;
      covered += error <= WIDTH_95 * found.deviations[grid]! ? 1 : 0;
      deviation += found.deviations[grid]!;
      grids++;
    }
  }
  const times = (kind: Smoothed["kind"]): number => kinds.filter((each) => each === kind).length;
  return {
    likeliest: (["none", "common", "neighbours"] as const).toSorted((left, right) => times(right) - times(left))[0],
    ratio: smoothed / noisy,
    coverage: covered / grids,
    narrowing: deviation / grids / scale / Math.SQRT2,
  };
}

// In twenty other seeds each, bounds lay at least four standard deviations from the mean ratio and the mean coverage: a false-alarm rate below 10⁻³ for
// all of them together, were the seeds drawn again.
describe("errors shrink, and intervals cover", () => {
  test.each<[what: string, experiment: Experiment, kind: Smoothed["kind"] | undefined, most: number]>([
    ["a slope", { rings: 4, scale: 10, field: (_, [x]) => 30 + 4 * x }, "neighbours", 0.65],
    ["two parts", { rings: 4, scale: 10, field: (_, [x]) => (x > 0 ? 40 : 15) }, "neighbours", 0.85],
    ["grids that differ", { rings: 4, scale: 4, field: (random) => 20 + 6 * gaussian(random) }, "common", 0.98],
    ["grids that are alike", { rings: 4, scale: 10, field: () => 20 }, undefined, 0.5],
    ["seven hexagons of one value", { rings: 1, scale: 10, field: () => 20 }, undefined, 0.7],
    ["seven that differ", { rings: 1, scale: 10, field: (random) => 20 + 5 * gaussian(random) }, undefined, 0.8],
    [
      "patches",
      { rings: 8, scale: 10, field: (_, [x, y]) => 30 + 14 * Math.sin(x / 3) * Math.cos(y / 3) },
      "neighbours",
      0.5,
    ],
  ])("%s", (_, experiment, kind, most) => {
    const { likeliest, ratio, coverage, narrowing } = measure(experiment);
    expect(ratio).toBeLessThan(most);
    expect(coverage).toBeGreaterThan(0.88);
    expect(narrowing).toBeLessThan(0.9);
    if (kind !== undefined) expect(likeliest).toBe(kind);
  });

  test("where grids differ far more than the noise, nothing changes", () => {
    const { likeliest, ratio, coverage } = measure({ rings: 4, scale: 0.5, field: (random) => 65 * random.uniform() });
    expect([likeliest, ratio]).toEqual(["none", 1]);
    expect(coverage).toBeGreaterThan(0.88);
  });

  test("one grid unlike all others leaves the rest no worse than they were", () => {
    const { ratio, coverage } = measure({ rings: 4, scale: 2, field: (_, __, grid) => (grid === 30 ? 60 : 20) });
    expect(ratio).toBeLessThan(1);
    expect(coverage).toBeGreaterThan(0.88);
  });

  test("a deviation stated four times too small is found out", () => {
    const { coverage } = measure({ rings: 4, scale: 10, field: () => 20, stated: 1 / 4 });
    expect(coverage).toBeLessThan(0.8);
  });
});

function example(grids: number, seed = 1): NoisyNumbers & { neighbours: ReturnType<typeof hexagons> } {
  const neighbours = hexagons(grids);
  const random = new SeededRandom(seed);
  const scales = neighbours.centres.map(() => 2 + 8 * random.uniform());
  return {
    values: Float64Array.from(scales, (scale) => 25 + 5 * gaussian(random) + laplace(random, scale)),
    variances: Float64Array.from(scales, (scale) => 2 * scale ** 2),
    range: RANGE,
    neighbours,
  };
}

function expectClose(found: Float64Array, wanted: ArrayLike<number>, digits = 8): void {
  expect(found).toHaveLength(wanted.length);
  for (const [grid, each] of found.entries()) expect(each).toBeCloseTo(wanted[grid]!, digits);
}

describe("what it must not depend on", () => {
  test.each([-3, 0.001, 1000])("numbers and range moved and stretched by %d", (factor) => {
    const input = example(3);
    const moved = (value: number): number => 7 + factor * value;
    const found = smooth({
      ...input,
      values: input.values.map(moved),
      variances: input.variances.map((variance) => variance * factor ** 2),
      range: RANGE.map(moved).sort((a, b) => a - b) as [number, number],
    });
    const plain = smooth(input);
    expect(found.kind).toBe(plain.kind);
    expectClose(
      found.values.map((value) => (value - 7) / factor),
      plain.values,
    );
    expectClose(
      found.deviations.map((each) => each / Math.abs(factor)),
      plain.deviations,
    );
  });

  test("the order of grids", () => {
    const { neighbours, ...input } = example(4);
    const grids = input.values.length;
    const turned = (values: Float64Array): Float64Array => values.toReversed();
    const lists = Array.from({ length: grids }, (_, grid) =>
      [...neighbours.other.subarray(neighbours.start[grid], neighbours.start[grid + 1])].map(
        (each) => grids - 1 - each,
      ),
    ).reverse();
    const start = Int32Array.from([0, ...lists.map((_, grid) => lists.slice(0, grid + 1).flat().length)]);
    const found = smooth({
      values: turned(input.values),
      variances: turned(input.variances),
      range: RANGE,
      neighbours: { start, other: Int32Array.from(lists.flat()) },
    });
    const plain = smooth({ ...input, neighbours });
    expectClose(turned(found.values), plain.values);
    expectClose(turned(found.deviations), plain.deviations);
  });

  test("grids without a number", () => {
    const { values, variances } = example(2);
    const more = smooth({
      values: Float64Array.of(Number.NaN, ...values, Number.NaN),
      variances: Float64Array.of(1, ...variances, Number.NaN),
      range: RANGE,
    });
    const plain = smooth({ values, variances, range: RANGE });
    expect(more.values).toEqual(Float64Array.of(Number.NaN, ...plain.values, Number.NaN));
    expect(more.deviations).toEqual(Float64Array.of(Number.NaN, ...plain.deviations, Number.NaN));
  });

  test("chance and time: the same input gives the same output", () => {
    for (const rings of [1, 9]) expect(smooth(example(rings))).toEqual(smooth(example(rings)));
  });
});

describe("at the edges", () => {
  const of = (values: number[], deviations: number[]): Smoothed =>
    smooth({
      values: Float64Array.from(values),
      variances: Float64Array.from(deviations, (each) => each ** 2),
      range: RANGE,
    });

  test("no grid, and no number", () => {
    expect(of([], [])).toEqual({ kind: "none", values: Float64Array.of(), deviations: Float64Array.of() });
    expect(of([Number.NaN], [1])).toEqual({
      kind: "none",
      values: Float64Array.of(Number.NaN),
      deviations: Float64Array.of(Number.NaN),
    });
  });

  test("one to three precise numbers stay, and noisy ones stay within the range", () => {
    for (const values of [[60], [60, 3], [60, 3, 30]]) {
      expectClose(
        of(
          values,
          values.map(() => 0.1),
        ).values,
        values,
        1,
      );
      const noisy = of(
        values.map((value) => value + 1000),
        values.map(() => 1000),
      );
      for (const [grid, value] of noisy.values.entries()) {
        expect(value).toBeGreaterThan(20);
        expect(value).toBeLessThan(65);
        expect(noisy.deviations[grid]).toBeGreaterThan(10);
        expect(noisy.deviations[grid]).toBeLessThan(40);
      }
    }
  });

  test("equal numbers stay where they are, and deviate less than their noise says", () => {
    const { values, deviations } = of(Array(50).fill(20), Array(50).fill(5));
    for (const [grid, value] of values.entries()) {
      expect(Math.abs(value - 20)).toBeLessThan(0.1);
      expect(deviations[grid]).toBeLessThan(2.5);
    }
  });

  test("a grid with next to no information takes after the others and leaves them alone", () => {
    const calm = { values: [20, 22, 24, 21, 19, 23, 20, 25], deviations: Array(8).fill(4) };
    const plain = of(calm.values, calm.deviations);
    for (const deviation of [1e5, 1e20, Number.POSITIVE_INFINITY]) {
      const { values, deviations } = of([...calm.values, -3e4], [...calm.deviations, deviation]);
      expectClose(values.subarray(0, 8), plain.values, 2);
      expect(values[8]).toBeGreaterThan(20);
      expect(values[8]).toBeLessThan(23);
      expect(deviations[8]).toBeLessThan(10);
    }
  });

  test("a number out of range is clamped, also where nothing is smoothed", () => {
    expect(of([-1, 66], [0.01, 0.01])).toMatchObject({ kind: "none", values: Float64Array.of(0, 65) });
  });
});
