/** Cells against their definition: every grid's kept counts, sorted and counted one by one. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { occupancyFromTriples } from "./builder.ts";
import { Kept, KeptCells } from "./kept.ts";

/** Many users with few records each, and few users with many. */
const rows = fc.uniqueArray(
  fc.record({
    user: fc.nat({ max: 12 }),
    grid: fc.nat({ max: 3 }),
    count: fc.constantFrom(1, 2, 3, 5, 70, 4_294_967_295),
  }),
  { minLength: 1, maxLength: 40, selector: ({ user, grid }) => `${user} ${grid}` },
);
const limits = fc.constantFrom(0, 1, 2, 60, 4_294_967_295);

test("every entry finds a cell of its grid and count, shared by all who keep as many and by nobody else", () => {
  fc.assert(
    fc.property(rows, fc.infiniteStream(limits), (triples, draws) => {
      const occupancy = occupancyFromTriples(triples.map(({ user, grid, count }) => [`u${user}`, `g${grid}`, count]));
      const kept = new Kept(
        occupancy,
        occupancy.byUser.count.map((count) => Math.min(count, draws.next().value)),
      );
      const cells = new KeptCells(kept);
      const { byGrid } = occupancy;
      for (let grid = 0; grid < occupancy.grids.length; grid++) {
        const counts = Array.from(
          byGrid.entry.subarray(byGrid.start[grid], byGrid.start[grid + 1]),
          (entry) => kept.ofEntry[entry]!,
        );
        for (const count of counts) {
          const cell = cells.cellOf(grid, count);
          expect(cell).toBeGreaterThanOrEqual(cells.start[grid]!);
          expect(cell).toBeLessThan(cells.start[grid + 1]!);
          expect(cells.count[cell]).toBe(count);
          expect(cells.users[cell]).toBe(counts.filter((each) => each === count).length);
        }
        const all = cells.users.subarray(cells.start[grid], cells.start[grid + 1]);
        expect(all.reduce((sum, users) => sum + users, 0)).toBe(counts.length);
        const ascending = Array.from(cells.count.subarray(cells.start[grid], cells.start[grid + 1]));
        expect(ascending).toEqual([...ascending].sort((left, right) => left - right));
        const largest = Math.max(...counts);
        const inUse = ascending.filter((_, cell) => all[cell]! > 0);
        if (largest < counts.length)
          expect(ascending).toEqual(Array.from({ length: largest + 1 }, (_, count) => count));
        else expect(ascending.slice(0, inUse.length)).toEqual(inUse);
      }
      expect(cells.length).toBeLessThanOrEqual(occupancy.entries);
    }),
  );
});
