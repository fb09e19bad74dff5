/** Checks the array built from unordered triples against a plain map of sums, both ways round. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkTotal, LARGEST_COUNT, OccupancyBuilder, occupancyFromTriples } from "./builder.ts";
import type { Occupancy } from "./occupancy.ts";

type Triple = [user: string, grid: string, count: number];

const id = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("007", "7", "", "null", "😀", "a/b%c", "a", "ab", "abc", "\uffff", "\u{10000}"),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()) },
);
const count = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 1_000_000_000 }));
const triples: fc.Arbitrary<Triple[]> = fc.array(fc.tuple(id, id, count), { maxLength: 60 });

function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** The definition: sums per pair, in order of user and then grid. */
function plainSums(input: readonly Triple[]): Triple[] {
  const sums = new Map<string, Triple>();
  for (const [user, grid, count] of input) {
    if (count === 0) continue;
    const key = JSON.stringify([user, grid]);
    sums.set(key, [user, grid, (sums.get(key)?.[2] ?? 0) + count]);
  }
  return [...sums.values()].sort((a, b) => byBytes(a[0], b[0]) || byBytes(a[1], b[1]));
}

function entriesByUser({ users, grids, byUser }: Occupancy): Triple[] {
  const found: Triple[] = [];
  for (let user = 0; user < users.length; user++) {
    for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++) {
      found.push([users.get(user), grids.get(byUser.grid[entry]!), byUser.count[entry]!]);
    }
  }
  return found;
}

function entriesByGrid({ users, grids, byUser, byGrid }: Occupancy): Triple[] {
  const found: Triple[] = [];
  for (let grid = 0; grid < grids.length; grid++) {
    for (let position = byGrid.start[grid]!; position < byGrid.start[grid + 1]!; position++) {
      const entry = byGrid.entry[position]!;
      expect(byUser.grid[entry]).toBe(grid);
      found.push([users.get(byGrid.user[position]!), grids.get(grid), byUser.count[entry]!]);
    }
  }
  return found;
}

function build(input: readonly Triple[]) {
  const builder = new OccupancyBuilder();
  for (const triple of input) builder.add(...triple);
  return builder.build();
}

test("entries are the sums per pair, sorted by bytes, by user and by grid", () => {
  fc.assert(
    fc.property(triples, (input) => {
      const { occupancy, notes } = build(input);
      const expected = plainSums(input);
      expect(entriesByUser(occupancy)).toEqual(expected);
      expect(entriesByGrid(occupancy)).toEqual(expected.toSorted((a, b) => byBytes(a[1], b[1]) || byBytes(a[0], b[0])));
      expect([...occupancy.users]).toEqual([...new Set(expected.map(([user]) => user))].sort(byBytes));
      expect([...occupancy.grids]).toEqual([...new Set(expected.map(([, grid]) => grid))].sort(byBytes));
      expect(occupancy.entries).toBe(expected.length);
      const zeroRows = input.filter(([, , count]) => count === 0).length;
      expect(notes).toEqual({ rows: input.length, zeroRows, duplicateRows: input.length - zeroRows - expected.length });
    }),
    { numRuns: 300 },
  );
});

test("totals per grid and user, and lookups of entries, are those of the plain sums", () => {
  fc.assert(
    fc.property(triples, (input) => {
      const { occupancy } = build(input);
      const expected = plainSums(input);
      const total = (rows: Triple[]) => rows.reduce((sum, [, , count]) => sum + count, 0);
      expect(occupancy.samples).toBe(total(expected));
      let mostGrids = 0;
      for (const [user, name] of [...occupancy.users].entries()) {
        const own = expected.filter((row) => row[0] === name);
        expect(occupancy.users.indexOf(name)).toBe(user);
        expect(occupancy.gridsOfUser(user)).toBe(own.length);
        mostGrids = Math.max(mostGrids, own.length);
      }
      expect(occupancy.maxGridsPerUser()).toBe(mostGrids);
      for (const [grid, name] of [...occupancy.grids].entries()) {
        const own = expected.filter((row) => row[1] === name);
        expect(occupancy.usersOfGrid(grid)).toBe(own.length);
        expect(occupancy.samplesOfGrid[grid]).toBe(total(own));
        for (const [user, userName] of [...occupancy.users].entries()) {
          const entry = expected.findIndex((row) => row[0] === userName && row[1] === name);
          expect(occupancy.entryOf(user, grid)).toBe(entry);
          if (entry >= 0) expect(occupancy.userOfEntry(entry)).toBe(user);
        }
      }
    }),
  );
});

test("ids given as bytes of one text are those of the text; a row of 0 names nobody", () => {
  const source = new TextEncoder().encode("bus 7,north,bus 9");
  const [seven, north, nine] = [
    { start: 0, end: 5 },
    { start: 6, end: 11 },
    { start: 12, end: 17 },
  ] as const;
  const builder = new OccupancyBuilder();
  builder.addBytes(source, seven, north, 3);
  builder.addBytes(source, nine, north, 0);
  const { occupancy, notes } = builder.build();
  expect(entriesByUser(occupancy)).toEqual([["bus 7", "north", 3]]);
  expect(notes).toEqual({ rows: 2, duplicateRows: 0, zeroRows: 1 });
});

test("the user of each of many entries, of users with few and with many", () => {
  const triples = Array.from({ length: 300 }, (_, user) =>
    Array.from(
      { length: user % 7 === 0 ? 90 : 1 + (user % 3) },
      (_, grid): Triple => [`u${String(user).padStart(3, "0")}`, `g${grid}`, 1],
    ),
  ).flat();
  const { occupancy } = build(triples);
  const found = Array.from({ length: occupancy.entries }, (_, entry) => occupancy.userOfEntry(entry));
  const { start } = occupancy.byUser;
  expect(found).toEqual(found.map((_, entry) => start.findIndex((from) => from > entry) - 1));
});

test("occupancyFromTriples keeps UTF-8 order where UTF-16's differs, and text that looks like numbers", () => {
  const occupancy = occupancyFromTriples([
    ["\u{10000}", "10", 1],
    ["\uffff", "9", 2],
    ["007", "09", 3],
    ["7", "9", 4],
  ]);
  expect([...occupancy.users]).toEqual(["007", "7", "\uffff", "\u{10000}"]);
  expect([...occupancy.grids]).toEqual(["09", "10", "9"]);
});

test("nothing added is an array of nothing", () => {
  const { occupancy, notes } = build([["only", "zero", 0]]);
  expect([occupancy.users.length, occupancy.grids.length, occupancy.entries, occupancy.samples]).toEqual([0, 0, 0, 0]);
  expect(occupancy.maxGridsPerUser()).toBe(0);
  expect(notes).toEqual({ rows: 1, duplicateRows: 0, zeroRows: 1 });
});

test("counts up to 2^32 - 1 are held exactly", () => {
  expect(LARGEST_COUNT).toBe(2 ** 32 - 1);
  for (const count of [1_000_000_000, 2 ** 31, 2 ** 32 - 1]) {
    expect(entriesByUser(build([["u", "g", count]]).occupancy)).toEqual([["u", "g", count]]);
  }
  const halves: Triple[] = [
    ["u", "g", 2 ** 31],
    ["u", "g", 2 ** 31 - 1],
  ];
  expect(entriesByUser(build(halves).occupancy)).toEqual([["u", "g", 2 ** 32 - 1]]);
});

test("larger counts are refused, given at once or as the sum of one pair", () => {
  expect(() => build([["u", "g", 2 ** 32]])).toThrow(
    expect.objectContaining({ code: "INPUT_TOO_LARGE", message: expect.stringContaining("4294967296") }),
  );
  const halves: Triple[] = [
    ["bus\n1", "g", 2 ** 31],
    ["bus\n1", "g", 2 ** 31],
  ];
  expect(() => build(halves)).toThrow(
    expect.objectContaining({
      code: "INPUT_TOO_LARGE",
      message: "the counts of user 'bus\\u000a1' in grid 'g' add up to more than 4294967295",
    }),
  );
});

test("a total of 2^53 - 1 is exact, one above it is refused", () => {
  expect(() => checkTotal(2 ** 53 - 1)).not.toThrow();
  expect(() => checkTotal(2 ** 53)).toThrow(expect.objectContaining({ code: "INPUT_TOO_LARGE" }));
});

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, -0.5])("count %d is refused as malformed", (count) => {
  expect(() => build([["u", "g", count]])).toThrow(
    expect.objectContaining({ code: "INPUT_MALFORMED", message: expect.stringContaining(`'${count}'`) }),
  );
});

test("ids with half a surrogate pair are refused", () => {
  for (const triple of [["\ud83d", "g", 1] as Triple, ["u", "x\ude00", 1] as Triple]) {
    expect(() => build([triple])).toThrow(expect.objectContaining({ code: "INPUT_MALFORMED" }));
  }
});
