/** Tests the dots against the Laplace distribution, and the stacks against the dots. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { PAGE_THEME } from "./chart-style.ts";
import { DOTS, dotPlot, dotStacks, laplaceQuantiles, nineteenInTwenty } from "./dot-plot.ts";

function laplaceBelow(value: number, center: number, scale: number): number {
  const away = (value - center) / scale;
  return away < 0 ? Math.exp(away) / 2 : 1 - Math.exp(-away) / 2;
}

const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const positive = fc.double({ min: 1e-3, max: 1e6, noNaN: true });

test("below the i-th dot lie (i + ½)/20 of all draws", () => {
  fc.assert(
    fc.property(finite, positive, (center, scale) => {
      laplaceQuantiles({ center, scale }).forEach((value, index) => {
        expect(laplaceBelow(value, center, scale)).toBeCloseTo((index + 0.5) / DOTS, 5);
      });
    }),
  );
  expect(laplaceQuantiles({ center: 3, scale: 0 })).toEqual(Array.from({ length: DOTS }, () => 3));
});

test("19 draws in 20 are as near as it is said", () => {
  fc.assert(
    fc.property(positive, (scale) => {
      const near = nineteenInTwenty(scale);
      expect(laplaceBelow(near, 0, scale) - laplaceBelow(-near, 0, scale)).toBeCloseTo(0.95, 9);
    }),
  );
});

test("every dot is in a stack, and those beyond the bounds are counted", () => {
  fc.assert(
    fc.property(finite, positive, finite, positive, (center, scale, low, width) => {
      const high = low + width;
      const { heights, columns, below, above } = dotStacks({ center, scale, bounds: [low, high] });
      const values = laplaceQuantiles({ center, scale });
      expect([...heights.values()].reduce((sum, height) => sum + height, 0)).toBe(DOTS);
      expect([...heights.keys()].every((column) => column >= 0 && column < columns)).toBe(true);
      expect(below).toBe(values.filter((value) => value < low).length);
      expect(above).toBe(values.filter((value) => value > high).length);
    }),
  );
});

test("the drawing has 20 dots of the same size at any setting, hollow where cut off", () => {
  const draw = (center: number, scale: number, bias = 0): string =>
    dotPlot({ label: "", center, scale, bias, bounds: [0, 65], format: String }, PAGE_THEME);
  for (const [center, scale] of [
    [32, 0],
    [32, 3],
    [0, 500],
    [65, 0.001],
  ] as const) {
    const svg = draw(center, scale);
    expect(svg.match(/<circle/g)).toHaveLength(DOTS);
    expect(svg).not.toMatch(/NaN|Infinity/);
    expect(svg).toMatch(/height="172"/);
  }
  expect(draw(1, 5)).toContain("of 20 cut off");
  expect(draw(32, 1)).not.toContain("cut off");
  expect(draw(32, 1, 2).length).toBeGreaterThan(draw(32, 1).length);
});

test("bounds that are one number do not break it", () => {
  const svg = dotPlot({ label: "", center: 1, scale: 1, bias: 1, bounds: [1, 1], format: String }, PAGE_THEME);
  expect(svg).not.toMatch(/NaN|Infinity/);
});
