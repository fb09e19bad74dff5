/** Tests rings against RFC 7946, and scales and colours against their definitions. */
import fc from "fast-check";
import { cellToParent, latLngToCell } from "h3-js";
import { expect, test } from "vitest";
import { cellRing, type Ring, splitAtAntimeridian } from "./cells.ts";
import { viridis } from "./colour-scale.ts";
import { hexagonMap } from "./hexagon-map.ts";

const anyCell = fc
  .record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.oneof(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: 179, max: 181, noNaN: true }).map((each) => (each > 180 ? each - 360 : each)),
    ),
    resolution: fc.integer({ min: 0, max: 12 }),
  })
  .map(({ latitude, longitude, resolution }) => latLngToCell(latitude, longitude, resolution));

function area(ring: Ring): number {
  let twice = 0;
  for (let index = 0; index + 1 < ring.length; index += 1)
    twice += ring[index]![0] * ring[index + 1]![1] - ring[index + 1]![0] * ring[index]![1];
  return twice / 2;
}

test("parts of a ring are closed, counter-clockwise, within the globe, and cover what the ring covers", () => {
  fc.assert(
    fc.property(anyCell, (cell) => {
      const whole = cellRing(cell);
      const parts = splitAtAntimeridian(whole);
      expect(parts.length).toBeGreaterThan(0);
      for (const ring of parts) {
        expect(ring.length).toBeGreaterThanOrEqual(4);
        expect(ring.at(-1)).toEqual(ring[0]);
        expect(area(ring)).toBeGreaterThan(0);
        for (const [longitude, latitude] of ring) {
          expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
          expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
        }
        for (let index = 0; index + 1 < ring.length; index += 1)
          expect(Math.abs(ring[index]![0] - ring[index + 1]![0])).toBeLessThanOrEqual(360);
      }
      const covered = parts.reduce((total, ring) => total + area(ring), 0);
      expect(Math.abs(covered - area(whole))).toBeLessThan(1e-6 * area(whole) + 1e-9);
    }),
    { numRuns: 500 },
  );
});

test("a hexagon on the antimeridian is split, and one around a pole reaches it", () => {
  expect(splitAtAntimeridian(cellRing(latLngToCell(0, 180, 4)))).toHaveLength(2);
  for (const latitude of [90, -90]) {
    const ring = cellRing(latLngToCell(latitude, 0, 3));
    expect(ring.some((position) => position[1] === latitude)).toBe(true);
  }
});

test("a map over the antimeridian stays together", () => {
  const cells = [179.9, -179.9].map((longitude) => cellToParent(latLngToCell(-17, longitude, 9), 6));
  const svg = hexagonMap({
    label: "two",
    measures: [{ label: "mean", domain: [0, 1], format: String }],
    hexagons: cells.map((cell) => ({ cell, layer: 0, title: cell, values: [0.5], weak: [false] })),
  });
  expect(svg).toContain("km</span>");
  // Half a world between them would make each smaller than a tenth of a unit.
  const xs = [...svg.matchAll(/[ML](-?[\d.]+) /g)].map((match) => Number(match[1]));
  expect(new Set(xs).size).toBeGreaterThan(8);
});

test("the palette gets lighter all the way", () => {
  const lightness = (colour: string): number => {
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [
      number,
      number,
      number,
    ];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const all = Array.from({ length: 101 }, (_, index) => lightness(viridis(index / 100)));
  for (let index = 1; index < all.length; index += 1) expect(all[index]!).toBeGreaterThanOrEqual(all[index - 1]! - 1);
  expect(viridis(-1)).toBe(viridis(0));
  expect(viridis(2)).toBe("#fde725");
});
