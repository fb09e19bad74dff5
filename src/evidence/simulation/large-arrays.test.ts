/** Builds an occupancy array of two million random triples and checks that its columns are consistent with a plain tally. */
import { expect, test } from "vitest";
import { OccupancyBuilder } from "../../core/occupancy/index.ts";
import { SeededRandom } from "./seeded-random.ts";

const TRIPLES = 2_000_000;
const USERS = 20_000;
const GRIDS = 150;

test("two million triples", () => {
  const random = new SeededRandom(99);
  const builder = new OccupancyBuilder();
  const userIds = Array.from({ length: USERS }, (_, user) => `bus-${user.toString(36)}`);
  const gridIds = Array.from({ length: GRIDS }, (_, grid) => `hexagon/${grid}`);
  const samplesOfPair = new Float64Array(USERS * GRIDS);
  for (let triple = 0; triple < TRIPLES; triple++) {
    const user = random.below(USERS);
    const grid = random.below(GRIDS);
    const count = 1 + random.below(1000);
    samplesOfPair[user * GRIDS + grid]! += count;
    builder.add(userIds[user]!, gridIds[grid]!, count);
  }
  const { occupancy, notes } = builder.build();
  const { users, grids, byUser, byGrid } = occupancy;

  const pairs = samplesOfPair.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
  expect(occupancy.entries).toBe(pairs);
  expect(notes).toEqual({ rows: TRIPLES, duplicateRows: TRIPLES - pairs, zeroRows: 0 });
  expect(occupancy.samples).toBe(samplesOfPair.reduce((sum, count) => sum + count, 0));

  // Plain numbers are tallied and compared once: millions of expectations would take longer than the work.
  const userNumbers = new Map(userIds.map((id, user) => [id, user]));
  const gridNumbers = Array.from(grids, (id) => gridIds.indexOf(id));
  let wrongCounts = 0;
  let wrongOrder = 0;
  for (let user = 0; user < users.length; user++) {
    const row = userNumbers.get(users.get(user))! * GRIDS;
    for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++) {
      if (byUser.count[entry] !== samplesOfPair[row + gridNumbers[byUser.grid[entry]!]!]) wrongCounts += 1;
      if (entry > byUser.start[user]! && byUser.grid[entry - 1]! >= byUser.grid[entry]!) wrongOrder += 1;
    }
  }
  let wrongTransposed = 0;
  for (let grid = 0; grid < grids.length; grid++) {
    for (let at = byGrid.start[grid]!; at < byGrid.start[grid + 1]!; at++) {
      const entry = byGrid.entry[at]!;
      const user = byGrid.user[at]!;
      const isOfUser = byUser.start[user]! <= entry && entry < byUser.start[user + 1]!;
      if (!isOfUser || byUser.grid[entry] !== grid) wrongTransposed += 1;
      if (at > byGrid.start[grid]! && byGrid.user[at - 1]! >= user) wrongOrder += 1;
    }
  }
  expect({ wrongCounts, wrongOrder, wrongTransposed }).toEqual({ wrongCounts: 0, wrongOrder: 0, wrongTransposed: 0 });
  expect([byUser.start[users.length], byGrid.start[grids.length]]).toEqual([pairs, pairs]);
  const ids = [...users];
  expect(ids.join()).toBe(userIds.toSorted().join());
}, 60_000);
