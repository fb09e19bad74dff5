/** Checks the totals of what a plan keeps against a plain computation over the kept triples. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { occupancyFromTriples } from "./builder.ts";
import { Kept } from "./kept.ts";

const entries = fc.uniqueArray(
  fc.tuple(fc.constantFrom(..."abcdef"), fc.constantFrom(..."PQRS"), fc.integer({ min: 1, max: 9 }), fc.nat(9)),
  { selector: ([user, grid]) => user + grid, minLength: 1, maxLength: 24 },
);

test("kept totals, maxima and users per grid, and K", () => {
  fc.assert(
    fc.property(entries, (rows) => {
      const occupancy = occupancyFromTriples(rows.map(([user, grid, count]) => [user, grid, count]));
      const sorted = rows.toSorted((a, b) => (a[0] + a[1] < b[0] + b[1] ? -1 : 1));
      const ofEntry = Uint32Array.from(sorted, ([, , count, wanted]) => Math.min(count, wanted));
      const kept = new Kept(occupancy, ofEntry);
      for (const [grid, name] of [...occupancy.grids].entries()) {
        const own = sorted.map((row, entry) => ({ row, kept: ofEntry[entry]! })).filter(({ row }) => row[1] === name);
        expect(kept.countsOf(grid)).toEqual({
          total: own.reduce((sum, { row }) => sum + row[2], 0),
          kept: own.reduce((sum, { kept }) => sum + kept, 0),
          largest: Math.max(...own.map(({ kept }) => kept)),
        });
        expect(kept.usersOfGrid(grid)).toBe(own.filter(({ kept }) => kept > 0).length);
      }
      const gridsOf = new Map<string, number>();
      sorted.forEach(([user], entry) => {
        if (ofEntry[entry]! > 0) gridsOf.set(user, (gridsOf.get(user) ?? 0) + 1);
      });
      expect(kept.maxGridsPerUser()).toBe(Math.max(0, ...gridsOf.values()));
    }),
  );
});

test("Kept.all drops nothing", () => {
  const kept = Kept.all(
    occupancyFromTriples([
      ["a", "P", 3],
      ["a", "Q", 1],
      ["b", "P", 5],
    ]),
  );
  expect([...kept.ofEntry]).toEqual([3, 1, 5]);
  expect(kept.countsOf(0)).toEqual({ total: 8, kept: 8, largest: 5 });
  expect(kept.maxGridsPerUser()).toBe(2);
});

test("totals above 32 bits stay exact", () => {
  const rows = Array.from({ length: 5 }, (_, user) => [`u${user}`, "g", 2 ** 32 - 1] as const);
  expect(Kept.all(occupancyFromTriples(rows)).countsOf(0).kept).toBe(5 * (2 ** 32 - 1));
});
