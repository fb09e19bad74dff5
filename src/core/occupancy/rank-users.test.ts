/** Ranks stand for names: same counts, same order, same plans, and none of the names. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { occupancyFromTriples } from "./builder.ts";
import { OccupancyCsvReader } from "./csv-reader.ts";
import { occupancyCsvChunks } from "./csv-writer.ts";
import { compareIds } from "./ids.ts";
import type { Occupancy } from "./occupancy.ts";
import { rankUsers } from "./rank-users.ts";

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
