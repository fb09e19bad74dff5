/** Tests columns against their values, and ticks against the room there is. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { barChart, type ChartBar } from "./bar-chart.ts";

const anyBar: fc.Arbitrary<ChartBar> = fc.record({
  tick: fc.string({ maxLength: 8 }),
  title: fc.string(),
  value: fc.integer({ min: 0, max: 1_000_000 }),
});

function columnsOf(svg: string): number[] {
  return [...svg.matchAll(/class="vg-bar"[^>]* height="([\d.]+)"/g)].map(([, height]) => Number(height));
}

test("columns are as high as their values, and what is there can be seen", () => {
  fc.assert(
    fc.property(fc.array(anyBar, { maxLength: 40 }), (bars) => {
      const heights = columnsOf(barChart({ label: "", bars, across: "", up: "" }));
      expect(heights).toHaveLength(bars.length);
      const highest = Math.max(0, ...bars.map(({ value }) => value));
      bars.forEach(({ value }, index) => {
        if (value === 0) expect(heights[index]).toBe(0);
        else expect(heights[index]).toBeCloseTo(Math.max(1.5, (150 * value) / highest), 1);
      });
    }),
  );
});

test("texts beneath the columns never need more room than a phone has", () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 60 }), fc.integer({ min: 1, max: 9 }), (count, letters) => {
      const bars = Array.from({ length: count }, () => ({ tick: "9".repeat(letters), title: "", value: 1 }));
      const svg = barChart({ label: "", bars, across: "", up: "", format: () => "" });
      const shown = svg.split(`>${"9".repeat(letters)}<`).length - 1;
      expect(shown).toBeGreaterThan(0);
      expect((shown - 1) * letters * 7).toBeLessThanOrEqual(270);
    }),
  );
});

test("few columns carry their numbers, many have an axis", () => {
  const bars = (count: number): ChartBar[] =>
    Array.from({ length: count }, (_, index) => ({ tick: `${index}`, title: "", value: 1000 * (index + 1) }));
  const chart = (count: number): string => barChart({ label: "", bars: bars(count), across: "grids", up: "users" });
  expect(chart(4)).toContain(">4,000<");
  expect(chart(4)).not.toContain("vg-tick");
  expect(chart(30)).toContain("vg-tick");
});
