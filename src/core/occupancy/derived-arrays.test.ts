/** Checks the choice of grids against filtering the list of triples by the rule's own words, and that ranks stand for names. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { occupancyFromTriples } from "./builder.ts";
import { OccupancyCsvReader } from "./csv-reader.ts";
import { occupancyCsvChunks, occupancyHash } from "./csv-writer.ts";
import { rankUsers, selectGrids } from "./derived-arrays.ts";
import { compareIds } from "./ids.ts";
import type { Occupancy } from "./occupancy.ts";

type Triple = readonly [user: string, grid: string, count: number];

function triplesOf({ users, grids, byUser }: Occupancy): Triple[] {
  const found: Triple[] = [];
  for (let user = 0; user < users.length; user++)
    for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++)
      found.push([users.get(user), grids.get(byUser.grid[entry]!), byUser.count[entry]!]);
  return found;
}

/** Enough users; then most records, ties by the bytes of the id. */
function filtered(triples: readonly Triple[], { minUsers, top }: { minUsers: number; top: number | null }): Triple[] {
  const grids = [...new Set(triples.map(([, grid]) => grid))].map((grid) => {
    const own = triples.filter((triple) => triple[1] === grid && triple[2] > 0);
    return {
      grid,
      users: new Set(own.map(([user]) => user)).size,
      records: own.reduce((sum, [, , count]) => sum + count, 0),
    };
  });
  const chosen = grids
    .filter(({ users }) => users >= minUsers)
    .sort((a, b) => b.records - a.records || Buffer.compare(Buffer.from(a.grid), Buffer.from(b.grid)))
    .slice(0, top ?? undefined)
    .map(({ grid }) => grid);
  return triples.filter(([, grid]) => chosen.includes(grid));
}

test("the same array as from the triples of the chosen grids", () => {
  const id = fc.constantFrom("a", "b", "c", "ab", "\uffff", "\u{10000}", "é", "", "10", "9");
  const triples = fc.array(fc.tuple(id, id, fc.integer({ min: 0, max: 4 })), { maxLength: 40 });
  const rule = fc.record({ minUsers: fc.integer({ min: 1, max: 4 }), top: fc.option(fc.integer({ min: 1, max: 6 })) });
  fc.assert(
    fc.property(triples, rule, (input, rule) => {
      const selected = selectGrids(occupancyFromTriples(input), rule);
      const expected = occupancyFromTriples(filtered(input, rule));
      expect(triplesOf(selected)).toEqual(triplesOf(expected));
      expect([...selected.users]).toEqual([...expected.users]);
      expect([...selected.grids]).toEqual([...expected.grids]);
      expect([...selected.samplesOfGrid]).toEqual([...expected.samplesOfGrid]);
      expect(occupancyHash(selected)).toBe(occupancyHash(expected));
    }),
    { numRuns: 500 },
  );
});

test("enough users come before most records", () => {
  const occupancy = occupancyFromTriples([
    ["u", "crowded by one", 1000],
    ["u", "shared", 1],
    ["v", "shared", 1],
    ["v", "also shared", 2],
    ["w", "also shared", 2],
  ]);
  const selected = selectGrids(occupancy, { minUsers: 2, top: 1 });
  expect(triplesOf(selected)).toEqual([
    ["v", "also shared", 2],
    ["w", "also shared", 2],
  ]);
  expect([...selected.users]).toEqual(["v", "w"]);
});

test("ties go to the lower id by UTF-8 bytes, where UTF-16 says otherwise", () => {
  const occupancy = occupancyFromTriples([
    ["u", "\u{10000}", 5],
    ["u", "\uffff", 5],
    ["u", "z", 4],
  ]);
  expect([...selectGrids(occupancy, { minUsers: 1, top: 1 }).grids]).toEqual(["\uffff"]);
  expect([...selectGrids(occupancy, { minUsers: 1, top: 2 }).grids]).toEqual(["\uffff", "\u{10000}"]);
});

test("ties go to the lower id among many grids", () => {
  const names = Array.from({ length: 500 }, (_, grid) => String(grid).padStart(3, "0"));
  const occupancy = occupancyFromTriples(names.map((grid, at) => ["u", grid, 1 + (at % 2)]));
  const chosen = [...selectGrids(occupancy, { minUsers: 1, top: 300 }).grids];
  const odd = names.filter((_, at) => at % 2 === 1);
  const even = names.filter((_, at) => at % 2 === 0);
  expect(chosen).toEqual([...odd, ...even.slice(0, 50)].sort());
});

test("an array that passes whole is the same one; nothing chosen is an array of nothing", () => {
  const occupancy = occupancyFromTriples([
    ["u", "g", 1],
    ["v", "h", 2],
  ]);
  expect(selectGrids(occupancy, { minUsers: 1, top: null })).toBe(occupancy);
  expect(selectGrids(occupancy, { minUsers: 1, top: 2 })).toBe(occupancy);
  const nothing = selectGrids(occupancy, { minUsers: 2, top: null });
  expect([nothing.users.length, nothing.grids.length, nothing.samples]).toEqual([0, 0, 0]);
});

test("the array that was given stays as it was", () => {
  const occupancy = occupancyFromTriples([
    ["u", "g", 1],
    ["v", "g", 1],
    ["v", "h", 2],
  ]);
  const before = occupancyHash(occupancy);
  selectGrids(occupancy, { minUsers: 2, top: 1 });
  expect(occupancyHash(occupancy)).toBe(before);
});

const csv = (occupancy: Occupancy): string => Buffer.concat([...occupancyCsvChunks(occupancy)]).toString();

test("written out, users are numbers of one width", () => {
  const names = Array.from({ length: 11 }, (_, index) => `person ${index}`);
  const occupancy = occupancyFromTriples(names.map((name, index) => [name, "A, B", index + 1]));
  const order = [...names].sort(compareIds);
  const expected = order.map((name, rank) => `${String(rank).padStart(2, "0")},"A, B",${names.indexOf(name) + 1}\n`);
  expect(csv(rankUsers(occupancy))).toBe(`user,grid,count\n${expected.join("")}`);
});

test("read again it is the array with each user's rank in place of its name", () => {
  const triple = fc.tuple(
    fc.string({ unit: "grapheme", minLength: 1 }),
    fc.constantFrom("a", "b", "c"),
    fc.integer({ min: 1, max: 9 }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(triple, { selector: ([user, grid]) => `${grid}${user}`, minLength: 1 }), (triples) => {
      const occupancy = occupancyFromTriples(triples);
      const order = [...new Set(triples.map(([user]) => user))].sort(compareIds);
      const width = String(order.length - 1).length;
      const renamed = triples.map(
        ([user, grid, count]) => [String(order.indexOf(user)).padStart(width, "0"), grid, count] as const,
      );
      const reader = new OccupancyCsvReader("ranked");
      for (const chunk of occupancyCsvChunks(rankUsers(occupancy))) reader.push(chunk);
      expect(csv(reader.finish().occupancy)).toBe(csv(occupancyFromTriples(renamed)));
    }),
  );
});

test.each([1, 2, 9, 10, 11, 99, 100, 101])("%d users have ranks as wide as the last one's", (many) => {
  const names = Array.from({ length: many }, (_, index) => `person ${String(index).padStart(3, "0")}`);
  const ranks = [...rankUsers(occupancyFromTriples(names.map((name) => [name, "g", 1]))).users];
  expect(ranks).toEqual(names.map((_, rank) => String(rank).padStart(String(many - 1).length, "0")));
});

test("an array of nobody stays one", () => {
  expect([...rankUsers(occupancyFromTriples([])).users]).toEqual([]);
});
