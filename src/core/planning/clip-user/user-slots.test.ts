/** The slots that users in turn occupy, against plain lists. */
import { describe, expect, test } from "vitest";
import { SeededRandom } from "../../../../test/support/random.ts";
import { type Occupancy, OccupancyBuilder, occupancyFromTriples } from "../../occupancy/index.ts";
import { UserSlots } from "./drop-search.ts";

function arrayOf(users: number, grids: number, seed: number, largest = 9): Occupancy {
  const random = new SeededRandom(seed);
  const builder = new OccupancyBuilder();
  for (let user = 0; user < users; user++)
    for (let grid = 0; grid < grids; grid++)
      if (grid === user % grids || random.below(3) > 0)
        builder.add(
          `u${String(user).padStart(4, "0")}`,
          `g${String(grid).padStart(3, "0")}`,
          1 + random.below(largest),
        );
  return builder.build().occupancy;
}

describe("users' slots", () => {
  test.each([
    { name: "16 bits wide", largest: 65_535 },
    { name: "32 bits wide", largest: 65_536 },
  ])("$name: admitted in turns, found, filled up, the lowest line and the next", ({ largest }) => {
    const occupancy = arrayOf(30, 8, 3, largest);
    const slots = new UserSlots(occupancy, largest);
    const { byUser } = occupancy;
    const turns = [Uint32Array.of(4, 9), Uint32Array.of(0), Uint32Array.from({ length: 20 }, (_, at) => 10 + at)];
    const held = new Map<number, { first: number; pairs: Array<[number, number]> }>();
    for (const turn of turns) {
      slots.admit(turn);
      for (const user of turn) {
        const pairs = Array.from(
          { length: byUser.start[user + 1]! - byUser.start[user]! },
          (_, offset): [number, number] => {
            const entry = byUser.start[user]! + offset;
            return [byUser.grid[entry]!, byUser.count[entry]!];
          },
        );
        held.set(user, { first: slots.firstOf(user), pairs });
      }
    }
    const random = new SeededRandom(5);
    const lines = Float64Array.from({ length: 16 }, () => random.below(1000));
    lines[2 * 3] = Number.POSITIVE_INFINITY;
    lines[2 * 3 + 1] = 0;
    const lineOf = ([grid, count]: [number, number]): number => lines[2 * grid]! + count * lines[2 * grid + 1]!;
    for (const { first, pairs } of held.values()) {
      while (pairs.length > 0) {
        const end = first + pairs.length;
        for (const [at, [grid, count]] of pairs.entries()) {
          expect([slots.gridOf(first + at), slots.countOf(first + at)]).toEqual([grid, count]);
          expect(slots.slotOf(grid, first)).toBe(first + at);
          expect(slots.lineAt(first + at, lines)).toBe(lineOf([grid, count]));
        }
        const ordered = pairs.map(lineOf).sort((left, right) => (left < right ? -1 : 1));
        const next = slots.findLowest(first, end, lines);
        expect(next).toBe(ordered[1] ?? Number.POSITIVE_INFINITY);
        if (ordered[0] === Number.POSITIVE_INFINITY) expect(slots.lowestSlot).toBe(-1);
        else expect(lineOf(pairs[slots.lowestSlot - first]!)).toBe(ordered[0]);
        const leaving = random.below(pairs.length);
        slots.remove(first + leaving, end - 1);
        const last = pairs.pop()!;
        if (leaving < pairs.length) pairs[leaving] = last;
      }
    }
  });

  test("a count that 16 bits cannot hold", () => {
    const slots = new UserSlots(occupancyFromTriples([["u", "g", 65_536]]), 65_536);
    slots.admit(Uint32Array.of(0));
    expect(slots.countOf(0)).toBe(65_536);
  });

  test("more grids than 16 bits can name", () => {
    const many = 65_600;
    const triples = Array.from({ length: many }, (_, grid) => ["u", `g${String(grid).padStart(6, "0")}`, 1] as const);
    const slots = new UserSlots(occupancyFromTriples(triples), 1);
    slots.admit(Uint32Array.of(0));
    expect([slots.gridOf(65_599), slots.countOf(65_599)]).toEqual([65_599, 1]);
  });
});
