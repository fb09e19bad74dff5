/** The two largest contributions and the sole heaviest users after any drops, against counting them anew. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Occupancy, occupancyFromTriples } from "../../occupancy/index.ts";
import { Bits, LargestCounts } from "./largest-counts.ts";

/** More users than a grid remembers, with many ties, and an order to drop them in. */
const grids = fc
  .array(fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 1000 })), { minLength: 1, maxLength: 60 })
  .chain((counts) => fc.record({ counts: fc.constant(counts), order: fc.shuffledSubarray(counts.map((_, at) => at)) }));

function twoLargest(counts: readonly number[]): [number, number] {
  const [first = 0, second = 0] = counts.toSorted((left, right) => right - left);
  return [first, second];
}

test("bits: what was added is in and nothing else, over several words", () => {
  const bits = new Bits(100);
  const members = [0, 1, 31, 32, 33, 63, 64, 95, 96, 99];
  for (const member of members) bits.add(member);
  expect(Array.from({ length: 100 }, (_, each) => each).filter((each) => bits.has(each))).toEqual(members);
});

/** Users leave grids in the given order, and after each one everything is counted anew. */
function follow(
  columns: ReadonlyArray<readonly number[]>,
  departures: Iterable<readonly [grid: number, user: number]>,
): void {
  const occupancy: Occupancy = occupancyFromTriples(
    columns.flatMap((counts, grid) =>
      counts.map((count, user) => [`u${String(user).padStart(2, "0")}`, `g${grid}`, count] as const),
    ),
  );
  const dropped = new Bits(occupancy.entries);
  const largest = new LargestCounts(occupancy, dropped);
  const left = columns.map((counts) => new Map(counts.entries()));
  const check = (): void => {
    const led = new Map<number, number[]>();
    left.forEach((users, grid) => {
      const [first, second] = twoLargest([...users.values()]);
      expect([largest.first[grid], largest.second[grid]]).toEqual([first, second]);
      const leader = [...users].find(([, count]) => count === first)?.[0];
      if (leader !== undefined && first > second) led.set(leader, [...(led.get(leader) ?? []), grid]);
    });
    for (let user = 0; user < occupancy.users.length; user++)
      expect([...largest.gridsLedBy(user)].toSorted((left, right) => left - right)).toEqual(led.get(user) ?? []);
  };
  check();
  for (const [grid, user] of departures) {
    const entry = occupancy.entryOf(user, grid);
    dropped.add(entry);
    largest.drop(grid, entry, occupancy.byUser.count[entry]!);
    left[grid]!.delete(user);
    check();
  }
}

test("over several grids, while everyone leaves in any order: first, second and who leads", () => {
  const arrays = fc.array(grids, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(arrays, fc.infiniteStream(fc.nat(1000)), (columns, picks) => {
      const waiting = columns.map(({ order }) => [...order]);
      function* departures(): Generator<[number, number]> {
        for (;;) {
          const open = waiting.filter((order) => order.length > 0);
          if (open.length === 0) return;
          const grid = waiting.indexOf(open[picks.next().value! % open.length]!);
          yield [grid, waiting[grid]!.pop()!];
        }
      }
      follow(
        columns.map(({ counts }) => counts),
        departures(),
      );
    }),
    { numRuns: 40 },
  );
});

test("the heaviest leave first, down to the last that were remembered, or the lightest", () => {
  fc.assert(
    fc.property(grids, fc.boolean(), ({ counts }, lightest) => {
      const order = [...counts.keys()].sort((one, other) => counts[other]! - counts[one]!);
      if (lightest) order.reverse();
      follow(
        [counts, counts],
        order.map((user): [number, number] => [1, user]),
      );
    }),
    { numRuns: 40 },
  );
});
