/** Checks that rows whose ids are indices into lists make the array that the same rows with their ids as text make. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LARGEST_COUNT, OccupancyBuilder, occupancyFromCoded } from "./builder.ts";
import { occupancyHash } from "./csv-writer.ts";
import { compareIds, IdTable } from "./ids.ts";
import type { Occupancy } from "./occupancy.ts";

interface Coded {
  readonly users: readonly string[];
  readonly grids: readonly string[];
  readonly rows: ReadonlyArray<readonly [user: number, grid: number, count: number]>;
}

function fromCoded({ users, grids, rows }: Coded): Occupancy {
  return occupancyFromCoded(
    { users, grids },
    {
      user: Uint32Array.from(rows, ([user]) => user),
      grid: Uint32Array.from(rows, ([, grid]) => grid),
      count: Float64Array.from(rows, ([, , count]) => count),
    },
  );
}

function fromText({ users, grids, rows }: Coded): Occupancy {
  const builder = new OccupancyBuilder();
  for (const [user, grid, count] of rows) builder.add(users[user]!, grids[grid]!, count);
  return builder.build().occupancy;
}

const facts = (occupancy: Occupancy) => ({
  hash: occupancyHash(occupancy),
  users: [...occupancy.users],
  grids: [...occupancy.grids],
  samples: occupancy.samples,
});

/** Ids as one table of bytes, distinct and in order, and rows that name them by their place in it. */
function fromTables({ users, grids, rows }: Coded): Occupancy {
  const sorted = (ids: readonly string[]): string[] => [...new Set(ids)].sort(compareIds);
  const tableOf = (ids: readonly string[]): IdTable => {
    const texts = ids.map((id) => new TextEncoder().encode(id));
    return IdTable.ofBytes(
      Uint8Array.from(texts.flatMap((text) => [...text])),
      texts.map((text) => text.length),
    );
  };
  const [userIds, gridIds] = [sorted(users), sorted(grids)];
  return occupancyFromCoded(
    { users: tableOf(userIds), grids: tableOf(gridIds) },
    {
      user: Uint32Array.from(rows, ([user]) => userIds.indexOf(users[user]!)),
      grid: Uint32Array.from(rows, ([, grid]) => gridIds.indexOf(grids[grid]!)),
      count: Uint32Array.from(rows, ([, , count]) => count),
    },
  );
}

/** Ids may stand in a list twice, and may stand there without any row. */
const ids = fc.array(fc.constantFrom("a", "b", "ab", "", "007", "7", "é", "\uffff", "\u{10000}", "😀"), {
  minLength: 1,
  maxLength: 8,
});
const count = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 50_000_000 }));
const coded: fc.Arbitrary<Coded> = fc.tuple(ids, ids).chain(([users, grids]) =>
  fc.record({
    users: fc.constant(users),
    grids: fc.constant(grids),
    rows: fc.array(fc.tuple(fc.nat({ max: users.length - 1 }), fc.nat({ max: grids.length - 1 }), count), {
      maxLength: 60,
    }),
  }),
);

describe("occupancyFromCoded", () => {
  test("is the array of the same rows as text", () => {
    fc.assert(
      fc.property(coded, (given) => {
        const expected = facts(fromText(given));
        expect(facts(fromCoded(given))).toEqual(expected);
        expect(facts(fromTables(given))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test.each([-1, 0.5, Number.NaN, LARGEST_COUNT + 1])("a count of %d is refused", (count) => {
    expect(() => fromCoded({ users: ["u"], grids: ["g"], rows: [[0, 0, count]] })).toThrow(
      expect.objectContaining({ code: "INPUT_TOO_LARGE" }),
    );
  });

  test("a total above 2^53 - 1 is refused and one of exactly 2^53 - 1 is not, two million rows long", () => {
    const refusedFor = (last: number): boolean => {
      const count = new Uint32Array(2 ** 21 + 1).fill(LARGEST_COUNT).fill(last, 2 ** 21);
      const [user, grid] = [count.map((_, row) => row >>> 10), count.map((_, row) => row & 1023)];
      const names = Array.from({ length: 2049 }, (_, code) => String(code));
      try {
        occupancyFromCoded({ users: names, grids: names }, { user, grid, count });
      } catch (error) {
        expect(error).toMatchObject({ code: "INPUT_TOO_LARGE", message: expect.stringContaining("2^53 - 1") });
        return true;
      }
      return false;
    };
    // 2^21 · (2^32 − 1) + (2^21 − 1) = 2^53 − 1.
    expect(refusedFor(2 ** 21 - 1)).toBe(false);
    expect(refusedFor(2 ** 21)).toBe(true);
  });

  test("two halves of a record are no record, and 2^32 - 1 of one pair are not too many", () => {
    const pair = (...counts: number[]): Coded => ({
      users: ["u"],
      grids: ["g"],
      rows: counts.map((count) => [0, 0, count] as const),
    });
    expect(() => fromCoded(pair(0.5, 0.5))).toThrow(/a user has 0\.5 records/);
    expect(fromCoded(pair(LARGEST_COUNT)).byUser.count).toEqual(Uint32Array.of(LARGEST_COUNT));
  });

  test("what becomes of the rows afterwards does not change the array", () => {
    const rows = { user: Uint32Array.of(0, 1), grid: Uint32Array.of(0, 1), count: Uint32Array.of(2, 3) };
    const occupancy = occupancyFromCoded({ users: ["u", "v"], grids: ["g", "h"] }, rows);
    for (const column of Object.values(rows)) column.fill(7);
    expect(occupancy.byUser.grid).toEqual(Uint32Array.of(0, 1));
    expect(occupancy.byUser.count).toEqual(Uint32Array.of(2, 3));
  });
});
