/** Tests rows against the exact numbers they are made of: clamping, outward rounding, coverage, usefulness. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleResult } from "../../../test/support/sample-result.ts";
import { Rational } from "../../core/arithmetic/index.ts";
import { tailSteps } from "../../core/noise/index.ts";
import { gridText, headerText, readResult, resultText } from "../release/index.ts";
import { releasedRows } from "./released-rows.ts";

const ALL = ["mean", "variance", "share:50", "sum", "histogram:10/20"];
const exact = Rational.fromNumber;

test("an interval holds raw ± (bias + rounding + tail) wherever the range does, and the value always", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 99 }), (seed, percent) => {
      const result = sampleResult({
        cells: 3,
        statistics: ALL,
        seed,
        bounds: seed % 2 === 0 ? ["-5", "60.1"] : ["0", "65"],
      });
      const confidence = Rational.of(percent, 100);
      const rows = releasedRows(result, { confidence });
      const [lower, upper] = result.bounds;
      rows.forEach((row, at) => {
        row.statistics!.forEach((shown, index) => {
          const released = result.rows[at]!.statistics![index]!;
          const step = Rational.powerOfTwo(released.stepExponent);
          const tail = step.multiply(
            Rational.of(
              tailSteps(Rational.of(released.deltaSteps).divide(released.epsilon), Rational.ONE.subtract(confidence)),
            ),
          );
          const bias = shown.kind === "histogram" ? released.bias.divide(Rational.of(2)) : released.bias;
          const reach = bias.add(released.latticeError).add(tail);
          const width = upper.subtract(lower);
          const [least, most] = {
            mean: [lower, upper],
            variance: [Rational.ZERO, width.multiply(width).divide(Rational.of(4))],
            sum: [lower.multiply(Rational.of(row.samples)), upper.multiply(Rational.of(row.samples))],
            share: [Rational.ZERO, Rational.ONE],
            histogram: [Rational.ZERO, Rational.ONE],
          }[shown.kind] as [Rational, Rational];
          shown.numbers.forEach((number, coordinate) => {
            const raw = Rational.of(released.steps[coordinate]!).multiply(step);
            expect(number.raw).toBe(raw.toNumberNearest());
            // Every number of the range within reach of raw lies in the interval.
            for (const candidate of [raw.subtract(reach), raw, raw.add(reach)]) {
              if (candidate.compare(least) < 0 || candidate.compare(most) > 0) continue;
              expect(exact(number.low).compare(candidate)).toBeLessThanOrEqual(0);
              expect(exact(number.high).compare(candidate)).toBeGreaterThanOrEqual(0);
            }
            expect(number.low).toBeLessThanOrEqual(number.value);
            expect(number.high).toBeGreaterThanOrEqual(number.value);
            expect(number.low).toBeGreaterThanOrEqual(least.toNumberDown());
            expect(number.high).toBeLessThanOrEqual(most.toNumberUp());
          });
        });
      });
    }),
    { numRuns: 60 },
  );
});

test("intervals of drawn noise miss no more often than they say, and would if they were half as wide", () => {
  // Noise alone, nothing dropped, around a known middle: 4000 draws at 80 %; a false alarm is 5 standard deviations away.
  const template = sampleResult({ cells: 1, statistics: ["share:50"] }).rows[0]!.statistics![0]!;
  const t = Rational.of(template.deltaSteps).divide(template.epsilon);
  const step = 2 ** template.stepExponent;
  let state = 12345;
  const uniform = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  const truth = 0.5;
  const rows = Array.from({ length: 4000 }, (_, index) => {
    const draw = uniform() - 0.5;
    const noise = -Math.sign(draw) * Math.log(1 - 2 * Math.abs(draw)) * t.toNumberNearest();
    const steps = [BigInt(Math.round(truth / step + noise))];
    const statistic = { ...template, steps, bias: Rational.ZERO, latticeError: Rational.ZERO };
    return { grid: `g${index}`, users: 5, samples: 10, kept: 10, statistics: [statistic] };
  });
  const result = { ...sampleResult({ statistics: ["share:50"] }), partition: {}, rows };
  const misses = (factor: number): number =>
    releasedRows(result, { confidence: Rational.of(4, 5) }).filter((row) => {
      const { raw, low, high } = row.statistics![0]!.numbers[0]!;
      return truth < raw - factor * (raw - low) || truth > raw + factor * (high - raw);
    }).length;
  const slack = 5 * Math.sqrt(4000 * 0.2 * 0.8);
  expect(misses(1)).toBeLessThan(800 + slack);
  expect(misses(0.5)).toBeGreaterThan(800 + slack);
});

test("values are clamped, raw ones are not", () => {
  const result = sampleResult({ cells: 1, statistics: ALL });
  for (const sign of [1n, -1n]) {
    const rows = result.rows.map((row) => ({
      ...row,
      statistics: row.statistics!.map((each) => ({ ...each, steps: each.steps.map(() => sign * 10n ** 30n) })),
    }));
    const [mean, variance, share, sum, histogram] = releasedRows({ ...result, rows })[0]!.statistics!;
    const { samples } = result.rows[0]!;
    const ends = sign > 0n ? [65, 65 ** 2 / 4, 1, 65 * samples, 1] : [0, 0, 0, 0, 0];
    expect([mean, variance, share, sum, histogram].map((each) => each!.numbers[0]!.value)).toEqual(ends);
    expect(variance!.sd!.value).toBe(sign > 0n ? 32.5 : 0);
    expect(Math.abs(mean!.numbers[0]!.raw)).toBeGreaterThan(1e6);
  }
});

test("a standard deviation's ends are outside the roots of the variance's", () => {
  for (const row of releasedRows(sampleResult({ cells: 60, bounds: ["0", "0.3"] }))) {
    const { sd, numbers } = row.statistics![1]!;
    const squared = (value: number): Rational => exact(value).multiply(exact(value));
    expect(squared(sd!.low).compare(exact(numbers[0]!.low))).toBeLessThanOrEqual(0);
    expect(sd!.high === 0.15 || squared(sd!.high).compare(exact(numbers[0]!.high)) >= 0).toBe(true);
    expect(sd!.value).toBe(Math.sqrt(numbers[0]!.value));
  }
});

test("error and usefulness follow from bias, noise, rounding and the data-free line", () => {
  const result = sampleResult({ cells: 40, statistics: ALL });
  let useless = 0;
  releasedRows(result).forEach((row, at) => {
    row.statistics!.forEach((shown, index) => {
      const released = result.rows[at]!.statistics![index]!;
      const coordinates = shown.kind === "histogram" ? 3 : 1;
      const error = released.bias.add(released.latticeError).add(released.scale.multiply(Rational.of(coordinates)));
      expect(shown.error).toBe(error.toNumberUp());
      const dataFree = { mean: 32.5, variance: 528.125, share: 0.5, sum: 32.5 * row.samples, histogram: 4 / 3 }[
        shown.kind
      ]!;
      expect(shown.dataFreeError).toBeCloseTo(dataFree, 9);
      expect(shown.useful).toBe(error.toNumberNearest() < dataFree);
      if (!shown.useful) useless += 1;
    });
  });
  expect(useless).toBeGreaterThan(0);
});

test("without noise the interval is bias and rounding alone", () => {
  const result = sampleResult({ cells: 1 });
  const [mean, variance] = result.rows[0]!.statistics!;
  const still = {
    ...variance!,
    steps: [0n],
    deltaSteps: 0n,
    epsilon: Rational.ZERO,
    scale: Rational.ZERO,
    bias: Rational.of(3),
    latticeError: Rational.ONE,
  };
  const rows = [{ ...result.rows[0]!, statistics: [mean!, still] }];
  expect(releasedRows({ ...result, rows })[0]!.statistics![1]!.numbers[0]).toMatchObject({
    value: 0,
    low: 0,
    high: 4,
    scale: 0,
  });
});

test("an emptied grid under the centred estimator: the whole range, and no better than the data-free line", () => {
  const result = sampleResult({ cells: 2, statistics: ALL, estimator: "centred", empty: [1] });
  const [, emptied] = releasedRows(result);
  const ranges = [
    [0, 65],
    [0, 65 ** 2 / 4],
    [0, 1],
    [0, 3 * 65],
    [0, 1],
  ];
  emptied!.statistics!.forEach((shown, index) => {
    expect(shown.useful).toBe(false);
    shown.numbers.forEach(({ value, low, high, scale }) => {
      expect(scale).toBe(0);
      expect([low <= value, value <= high]).toEqual([true, true]);
      const [least, most] = ranges[index]!;
      // Three records cannot be split in halves: their variance ends below U²/4. A bin may hold everything, but not less than nothing.
      expect(low).toBeCloseTo(least!, 6);
      if (shown.kind === "variance") expect(high).toBeLessThan(most!);
      else expect(high).toBeCloseTo(most!, 6);
    });
  });
});

test("bins are named by their edges, places by their parts, and empty grids have no statistics", () => {
  const result = sampleResult({
    cells: 2,
    slots: ["2016-12-16T09:00+05:30"],
    statistics: ["histogram:10/20"],
    empty: [1],
  });
  const [first, second] = releasedRows(result);
  expect(first!.statistics![0]!.numbers.map(({ key }) => key)).toEqual([
    "histogram:10/20[0,10)",
    "histogram:10/20[10,20)",
    "histogram:10/20[20,65]",
  ]);
  expect(`${first!.cell}/${first!.slot}`).toBe(first!.grid);
  expect(second!.statistics).toBeNull();
});

test("a result read back from its canonical bytes gives the same rows", () => {
  const result = sampleResult({ cells: 5, statistics: ALL, empty: [2] });
  const { rows, ...header } = result;
  const back = readResult(resultText(headerText(header), rows.map(gridText)));
  expect(releasedRows(back)).toEqual(releasedRows(result));
});

test.each(["0", "1", "-1", "1.5"])("confidence %s is refused", (text) => {
  const confidence = Rational.of(Math.round(Number(text) * 10), 10);
  expect(() => releasedRows(sampleResult(), { confidence })).toThrow(
    expect.objectContaining({ code: "PARAMETER_INVALID" }),
  );
});
