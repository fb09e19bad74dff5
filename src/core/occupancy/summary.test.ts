/** Checks the survey's numbers against a plain computation over the triples. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { occupancyFromTriples } from "./builder.ts";
import { summariseOccupancy } from "./summary.ts";

const entries = fc.uniqueArray(
  fc.tuple(fc.constantFrom(..."abcdefghijklmn"), fc.constantFrom(..."PQRSTU"), fc.integer({ min: 1, max: 6 })),
  { selector: ([user, grid]) => user + grid, minLength: 1, maxLength: 60 },
);

function total(counts: number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

test("every figure of the summary is that of the plain list", () => {
  fc.assert(
    fc.property(entries, fc.integer({ min: 0, max: 20 }), (rows, contributors) => {
      const users = [...new Set(rows.map(([user]) => user))].sort();
      const grids = [...new Set(rows.map(([, grid]) => grid))].sort();
      const ofUser = users.map((user) => {
        const own = rows.filter((row) => row[0] === user);
        return { user, records: total(own.map((row) => row[2])), grids: own.length };
      });
      const gridCounts = [...new Set(ofUser.map((user) => user.grids))].sort((a, b) => a - b);
      // Array.sort is stable, so equal users stay in order of their ids.
      const heaviest = ofUser.toSorted((a, b) => b.records - a.records);
      expect(summariseOccupancy(occupancyFromTriples(rows), { contributors })).toEqual({
        users: users.length,
        grids: grids.length,
        samples: total(rows.map((row) => row[2])),
        entries: rows.length,
        maxGridsPerUser: Math.max(...gridCounts),
        meanGridsPerUser: rows.length / users.length,
        gridsPerUser: gridCounts.map((grids) => ({
          grids,
          users: ofUser.filter((user) => user.grids === grids).length,
        })),
        heaviestContributors: heaviest.slice(0, contributors),
        perGrid: grids.map((grid) => {
          const own = rows.filter((row) => row[1] === grid).map((row) => row[2]);
          return { grid, users: own.length, samples: total(own), largestContribution: Math.max(...own) };
        }),
      });
    }),
  );
});

test("ten heaviest contributors unless asked otherwise", () => {
  const rows = Array.from({ length: 15 }, (_, user) => [`u${user}`, "g", user + 1] as const);
  const { heaviestContributors } = summariseOccupancy(occupancyFromTriples(rows));
  expect(heaviestContributors.map(({ user }) => user)).toEqual([
    "u14",
    "u13",
    "u12",
    "u11",
    "u10",
    "u9",
    "u8",
    "u7",
    "u6",
    "u5",
  ]);
});
