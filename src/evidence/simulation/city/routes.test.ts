/** Checks that routes follow streets, cross the river by bridges the map has, and have stops where riders expect them. */
import { expect, test } from "vitest";
import { streamOf } from "./draws.ts";
import { makeMap } from "./map.ts";
import { layRoutes } from "./routes.ts";

test.each([1, 2, 3])("routes of seed %i", (seed) => {
  const map = makeMap(streamOf(seed, 1));
  const crossingAt = new Map(map.crossings.map(({ x, y }, number) => [`${x},${y}`, number]));
  const routes = layRoutes(map, 30, streamOf(seed, 2));
  const terminals = new Set<string>();
  for (const { out, back } of routes) {
    const numbers = Array.from(out.x, (x, vertex) => crossingAt.get(`${x},${out.y[vertex]}`)!);
    for (let vertex = 1; vertex < numbers.length; vertex++)
      expect(map.streetsFrom[numbers[vertex - 1]!]!.some((street) => street.to === numbers[vertex])).toBe(true);
    expect(new Set(numbers).size).toBe(numbers.length);
    terminals.add(`${numbers[0]},${numbers.at(-1)}`);

    expect(out.metres).toBeGreaterThan(3000);
    expect(out.metres).toBeLessThan(9000);
    expect(out.stops[0]).toBe(0);
    expect(out.stops.at(-1)).toBe(out.metres);
    for (let stop = 1; stop < out.stops.length; stop++) {
      const spacing = out.stops[stop]! - out.stops[stop - 1]!;
      expect(spacing).toBeGreaterThan(249);
      expect(spacing).toBeLessThan(501);
    }
    expect([...back.x]).toEqual([...out.x].reverse());
    expect(back.metres).toBeCloseTo(out.metres, 6);
    expect(back.stops.length).toBe(out.stops.length);
  }
  expect(terminals.size).toBeGreaterThan(20);
  // Corridors through the centre: some crossing is on a quarter of all routes.
  const uses = map.crossings.map(({ x }) => routes.filter(({ out }) => out.x.includes(x)).length);
  expect(Math.max(...uses)).toBeGreaterThanOrEqual(8);
});
