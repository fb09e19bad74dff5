/** Checks the preset against the shape of the paper's bus data: 50 hexagons, L = 223 users, at most 11 grids a user. */
import { latLngToCell } from "h3-js";
import { expect, test } from "vitest";
import { cityRecords } from "./records.ts";

/** Users seen in the 50 hexagons with most records from nine to ten, and the most of them one user is seen in. */
function shapeOf(seed: number): { grids: number; users: number; mostGrids: number } {
  const cells = new Map<string, { records: number; users: Set<string> }>();
  for (const { latitude, longitude, vehicleId } of cityRecords({ seed, preset: "paper", hours: [9, 10] })) {
    const id = latLngToCell(latitude, longitude, 8);
    const cell = cells.get(id) ?? { records: 0, users: new Set() };
    cells.set(id, cell);
    cell.records += 1;
    cell.users.add(vehicleId);
  }
  const busiest = [...cells].sort(([a, x], [b, y]) => y.records - x.records || (a < b ? -1 : 1)).slice(0, 50);
  const gridsOf = new Map<string, number>();
  for (const [, cell] of busiest) for (const user of cell.users) gridsOf.set(user, (gridsOf.get(user) ?? 0) + 1);
  return { grids: busiest.length, users: gridsOf.size, mostGrids: Math.max(...gridsOf.values()) };
}

test.each([1, 2, 3, 4, 5])("seed %i", (seed) => {
  const { grids, users, mostGrids } = shapeOf(seed);
  expect(grids).toBe(50);
  expect(users).toBeGreaterThanOrEqual(215);
  expect(users).toBeLessThanOrEqual(231);
  expect(mostGrids).toBeGreaterThanOrEqual(10);
  expect(mostGrids).toBeLessThanOrEqual(12);
});
