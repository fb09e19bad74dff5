/** Tests that every number is counted once, in the column that says so. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Bin, evenBins, logBins, rangeText } from "./bins.ts";

const anyNumbers = fc.array(fc.integer({ min: 1, max: 3_000_000 }), { minLength: 1, maxLength: 50 });

function check(bins: readonly Bin[], numbers: readonly number[]): void {
  bins.forEach(({ from, to, count }, index) => {
    expect(to).toBeGreaterThanOrEqual(from);
    if (index > 0) expect(from).toBe(bins[index - 1]!.to + 1);
    expect(count).toBe(numbers.filter((number) => number >= from && number <= to).length);
  });
  expect(bins.reduce((total, { count }) => total + count, 0)).toBe(numbers.length);
}

test("even columns hold every number once, and are few", () => {
  fc.assert(
    fc.property(anyNumbers, (numbers) => {
      const bins = evenBins(numbers.map((number) => ({ number, count: 1 })));
      expect(bins.length).toBeLessThanOrEqual(24);
      check(bins, numbers);
    }),
  );
});

test("columns of 1, 2, 5, 10, … hold every number once", () => {
  fc.assert(fc.property(anyNumbers, (numbers) => check(logBins(numbers), numbers)));
  expect(logBins([3, 700]).map(({ from }) => from)).toEqual([2, 5, 10, 20, 50, 100, 200, 500]);
  expect(logBins([])).toEqual([]);
});

test("few numbers have a column each", () => {
  expect(evenBins([{ number: 3, count: 7 }])).toEqual([
    { from: 1, to: 1, count: 0 },
    { from: 2, to: 2, count: 0 },
    { from: 3, to: 3, count: 7 },
  ]);
  expect(rangeText({ from: 1000, to: 1999, count: 0 })).toBe("1,000 – 1,999");
  expect(rangeText({ from: 1, to: 1, count: 0 })).toBe("1");
});
