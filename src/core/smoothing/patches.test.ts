/** Checks that patches cover every grid once with what lies around it, on hexagons with holes. */
import { expect, test } from "vitest";
import { hexagons } from "../../../test/support/hexagons.ts";
import { cutPatches } from "./patches.ts";

test("few grids are one patch, connected or not", () => {
  const neighbours = hexagons(8);
  const known = Int32Array.from([1, 5, 60, 100]);
  expect(cutPatches(neighbours, known)).toEqual([{ grids: known, core: 4 }]);
});

test("each of many grids is in one core, margins are known grids and connected to the core", () => {
  const neighbours = hexagons(20);
  const all = neighbours.start.length - 1;
  const known = Int32Array.from({ length: all }, (_, grid) => grid).filter((grid) => grid % 7 !== 3);
  const patches = cutPatches(neighbours, known);
  expect(patches.flatMap(({ grids, core }) => [...grids.subarray(0, core)]).sort((a, b) => a - b)).toEqual([...known]);
  const isKnown = new Set(known);
  for (const { grids, core } of patches) {
    expect(core).toBeGreaterThan(0);
    expect(grids.length).toBeLessThanOrEqual(80);
    expect(new Set(grids).size).toBe(grids.length);
    const reached = new Set([grids[0]!]);
    for (const grid of reached)
      for (const next of neighbours.other.subarray(neighbours.start[grid], neighbours.start[grid + 1]))
        if (grids.includes(next)) reached.add(next);
    expect(reached.size).toBe(grids.length);
    expect([...grids].every((grid) => isKnown.has(grid))).toBe(true);
  }
  // Most of what lies around a core is in its margin.
  const around = patches.map(({ grids, core }) => {
    const own = [...grids.subarray(0, core)];
    const beside = new Set(
      own.flatMap((grid) => [...neighbours.other.subarray(neighbours.start[grid], neighbours.start[grid + 1])]),
    );
    const outside = [...beside].filter((grid) => isKnown.has(grid) && !own.includes(grid));
    return [outside.filter((grid) => grids.includes(grid)).length, outside.length] as const;
  });
  const [inMargin, outside] = [0, 1].map((part) => around.reduce((sum, counts) => sum + counts[part]!, 0));
  expect(inMargin! / outside!).toBeGreaterThan(0.9);
});
