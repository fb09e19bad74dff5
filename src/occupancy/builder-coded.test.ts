/** Checks that rows whose ids are indices into lists build the array that the same rows with their ids as text build. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LARGEST_COUNT, OccupancyBuilder } from "./builder.ts";
import { occupancyHash } from "./csv-writer.ts";

interface Coded {
  readonly users: readonly string[];
  readonly grids: readonly string[];
  readonly rows: ReadonlyArray<readonly [user: number, grid: number, count: number]>;
}

function addCoded(builder: OccupancyBuilder, { users, grids, rows }: Coded): void {
  builder.addCoded(
    { users, grids },
    {
      user: Uint32Array.from(rows, ([user]) => user),
      grid: Uint32Array.from(rows, ([, grid]) => grid),
      count: Float64Array.from(rows, ([, , count]) => count),
    },
  );
}

function addPlain(builder: OccupancyBuilder, { users, grids, rows }: Coded): void {
  for (const [user, grid, count] of rows) builder.add(users[user]!, grids[grid]!, count);
}

function built(...adds: Array<(builder: OccupancyBuilder) => void>) {
  const builder = new OccupancyBuilder();
  for (const add of adds) add(builder);
  const { occupancy, notes } = builder.build();
  return { hash: occupancyHash(occupancy), users: [...occupancy.users], grids: [...occupancy.grids], notes };
}

/** Ids may stand in a list twice, and may stand there without any row. */
const ids = fc.array(fc.constantFrom("a", "b", "ab", "", "007", "7", "é", "\uffff", "\u{10000}", "😀"), {
  minLength: 1,
  maxLength: 8,
});
const count = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 1_000_000_000 }));
const coded: fc.Arbitrary<Coded> = fc.tuple(ids, ids).chain(([users, grids]) =>
  fc.record({
    users: fc.constant(users),
    grids: fc.constant(grids),
    rows: fc.array(fc.tuple(fc.nat({ max: users.length - 1 }), fc.nat({ max: grids.length - 1 }), count), {
      maxLength: 60,
    }),
  }),
);

describe("addCoded", () => {
  test("is add", () => {
    fc.assert(
      fc.property(coded, (given) => {
        expect(built((builder) => addCoded(builder, given))).toEqual(built((builder) => addPlain(builder, given)));
      }),
      { numRuns: 500 },
    );
  });

  test("goes together with other ways to add, and with lists of its own each time", () => {
    fc.assert(
      fc.property(coded, coded, coded, (first, second, third) => {
        const mixed = built(
          (builder) => addCoded(builder, first),
          (builder) => addPlain(builder, second),
          (builder) => addCoded(builder, third),
        );
        const plain = built(
          (builder) => addPlain(builder, first),
          (builder) => addPlain(builder, second),
          (builder) => addPlain(builder, third),
        );
        expect(mixed).toEqual(plain);
      }),
    );
  });

  test("takes no id that no row names, nor one whose rows all count nothing", () => {
    const { users, grids, notes } = built((builder) =>
      addCoded(builder, {
        users: ["idle", "u", "nothing"],
        grids: ["unseen", "g"],
        rows: [
          [1, 1, 2],
          [2, 1, 0],
        ],
      }),
    );
    expect(users).toEqual(["u"]);
    expect(grids).toEqual(["g"]);
    expect(notes).toEqual({ rows: 2, duplicateRows: 0, zeroRows: 1 });
  });

  test.each([
    [-1, "INPUT_MALFORMED"],
    [0.5, "INPUT_MALFORMED"],
    [Number.NaN, "INPUT_MALFORMED"],
    [LARGEST_COUNT + 1, "INPUT_TOO_LARGE"],
  ])("a count of %d is refused", (count, code) => {
    expect(() => built((builder) => addCoded(builder, { users: ["u"], grids: ["g"], rows: [[0, 0, count]] }))).toThrow(
      expect.objectContaining({ code }),
    );
  });

  test("half a surrogate pair is refused", () => {
    expect(() => built((builder) => addCoded(builder, { users: ["\ud83d"], grids: ["g"], rows: [[0, 0, 1]] }))).toThrow(
      expect.objectContaining({ code: "INPUT_MALFORMED" }),
    );
  });
});
