/** Tests that steps are where they should be, and that any times can be drawn. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { PAGE_THEME } from "./chart-style.ts";
import { stepChart } from "./step-chart.ts";

const format = String;
const formatTime = String;
const looks = { label: "spent", limitName: "budget", format, formatTime };

function draw(steps: Array<[at: number, value: number]>, limits: Array<[number, number]>, until: number): string {
  const named = (all: Array<[number, number]>) => all.map(([at, value]) => ({ at, value, title: "" }));
  return stepChart({ ...looks, steps: named(steps), limits: named(limits), until }, PAGE_THEME);
}

test("dots are at their times and heights, the limit at the top", () => {
  const svg = draw(
    [
      [0, 0],
      [50, 1],
    ],
    [[0, 2]],
    100,
  );
  const dots = [...svg.matchAll(/<circle cx="([\d.]+)%" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
  expect(dots[0]).toEqual([1.5, 174]);
  expect(dots[1]![0]).toBe(50);
  expect(dots[1]![1]).toBeCloseTo(174 - 150 / 2.12, 1);
  expect(svg).toContain("budget 2");
});

test("whatever happened when, it can be drawn", () => {
  const step = fc.tuple(fc.integer({ min: 0, max: 2e12 }), fc.double({ min: 0, max: 1e6, noNaN: true }));
  fc.assert(
    fc.property(fc.array(step), fc.array(step), fc.integer({ min: 0, max: 2e12 }), (steps, limits, until) => {
      const inOrder = (all: Array<[number, number]>) => [...all].sort((one, other) => one[0] - other[0]);
      const svg = draw(inOrder(steps), inOrder(limits), Math.max(until, ...[...steps, ...limits].map(([at]) => at)));
      expect(svg).not.toMatch(/NaN|Infinity|="-/);
    }),
  );
});
