/** Tests the data page's counts against an array small enough to count by hand, and that no name is in them. */
import { expect, test } from "vitest";
import { occupancyFromTriples } from "../../../../src/core/occupancy/index.ts";
import { dataCounts } from "./counts.ts";

test("counts of a small array", () => {
  const occupancy = occupancyFromTriples([
    ["anna", "north", 6],
    ["anna", "south", 1],
    ["bert", "north", 2],
    ["carl", "south", 1],
  ]);
  const counts = dataCounts(occupancy);
  expect(counts).toMatchObject({ users: 3, records: 10, mostGrids: 2, usersInOne: 2, usersInMany: 3 });
  expect(counts.meanGrids).toBeCloseTo(4 / 3, 12);
  expect(counts.mostOfOne).toEqual({ id: "north", records: 8, users: 2, largestShare: 0.75 });
  expect(counts.heaviest[0]).toEqual({ rank: 1, records: 7, share: 0.7, grids: 2 });
  expect(counts.gridsPerUser.map(({ count }) => count)).toEqual([2, 1]);
  expect(counts.recordsPerUser).toEqual([
    { from: 1, to: 1, count: 1 },
    { from: 2, to: 4, count: 1 },
    { from: 5, to: 9, count: 1 },
  ]);
  expect(JSON.stringify(counts)).not.toMatch(/anna|bert|carl/);
});
