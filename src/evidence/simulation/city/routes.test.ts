/** Checks that routes follow streets, cross the river by bridges the map has, and have stops where riders expect them. */
import { expect, test } from "vitest";
import { streamOf } from "./draws.ts";
import { type Crossing, makeMap } from "./map.ts";
import { layRoutes } from "./routes.ts";

test.each([1, 2, 3])("routes of seed %i", (seed) => {
  const map = makeMap(streamOf(seed, 1));
  const routes = layRoutes(map, 30, streamOf(seed, 2));
  const terminals = new Set<string>();
  for (const { out, back } of routes) {
    const crossings = out.points as readonly Crossing[];
    for (const [index, to] of crossings.slice(1).entries())
      expect(crossings[index]!.streets.some((street) => street.to === to)).toBe(true);
    expect(new Set(crossings).size).toBe(crossings.length);
    terminals.add(`${crossings[0]!.number},${crossings.at(-1)!.number}`);

    expect(out.metres).toBeGreaterThan(3000);
    expect(out.metres).toBeLessThan(9000);
    const stops = out.stops.map(({ metres }) => metres);
    expect([stops[0], stops.at(-1)]).toEqual([0, out.metres]);
    for (const [index, stop] of stops.slice(1).entries()) {
      const spacing = stop - stops[index]!;
      expect(spacing).toBeGreaterThan(249);
      expect(spacing).toBeLessThan(501);
    }
    expect(back.points.every((point, index) => point === out.points.at(-1 - index))).toBe(true);
    expect(back.metres).toBeCloseTo(out.metres, 6);
    expect(back.stops.length).toBe(out.stops.length);
  }
  expect(terminals.size).toBeGreaterThan(20);
  // Corridors through the centre: some crossing is on a quarter of all routes.
  const uses = map.crossings.map((each) => routes.filter(({ out }) => out.points.includes(each)).length);
  expect(Math.max(...uses)).toBeGreaterThanOrEqual(8);
});
