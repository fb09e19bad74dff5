/** Tests that labels are in order, apart, within limits, and as near to where they want to be as they can. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { gathered, pushedApart } from "./pushed-apart.ts";

const labels = fc
  .array(fc.record({ wish: fc.double({ min: 0, max: 400, noNaN: true }), height: fc.integer({ min: 10, max: 60 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((found) => ({
    wanted: found.map(({ wish }) => wish).sort((left, right) => left - right),
    heights: found.map(({ height }) => height),
  }));

function expectApart(places: readonly number[], heights: readonly number[]): void {
  for (let at = 1; at < places.length; at++)
    expect(places[at]! - places[at - 1]!).toBeGreaterThanOrEqual(heights[at - 1]! - 1e-9);
}

test("pushedApart keeps labels apart, and within limits that have room for them", () => {
  fc.assert(
    fc.property(labels, ({ wanted, heights }) => {
      const places = pushedApart(wanted, { least: 0, most: 400 - heights.at(-1)!, heights });
      expectApart(places, heights);
      expect(places[0]!).toBeGreaterThanOrEqual(0);
      expect(places.at(-1)! + heights.at(-1)!).toBeLessThanOrEqual(400 + 1e-9);
    }),
  );
});

test("gathered keeps labels apart, and no other places that do are nearer to the wishes", () => {
  fc.assert(
    fc.property(
      labels,
      fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 6, maxLength: 6 }),
      (all, by) => {
        const { wanted, heights } = all;
        const places = gathered(wanted, heights);
        expectApart(places, heights);
        const moved = pushedApart(
          places.map((place, at) => place + by[at]!),
          { least: -1000, most: 1000, heights },
        );
        const off = (each: readonly number[]): number =>
          each.reduce((sum, place, at) => sum + (place - wanted[at]!) ** 2, 0);
        expect(off(places)).toBeLessThanOrEqual(off(moved) + 1e-6);
      },
    ),
  );
});
