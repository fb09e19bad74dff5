/** The start is the best of what bounding contributions, and even shares, come to. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { entriesOf, slowGoal } from "../../../../test/support/slow-balance.ts";
import { HOSTILE, hostileArrays } from "../../../../test/support/weighted-arrays.ts";
import type { Occupancy } from "../../occupancy/index.ts";
import { runNow } from "../long-work.ts";
import { Goal, type GoalOptions } from "./goal.ts";
import { bestStart } from "./starts.ts";

const OPTIONS: GoalOptions = {
  spread: { users: 1 / 32, records: 1 / 16, trend: 1 / 64 },
  noise: [1.4],
  power: 1,
  worstCasePrice: 0,
};

/** Each record's weight where users are held to `most` records in all: of a budget of 1, in the noise that all have. */
function bounded(occupancy: Occupancy, most: number): Float64Array {
  const records = totalsOf(occupancy);
  return Float64Array.from(
    entriesOf(occupancy).map(({ user, records: own }) => (own * Math.min(1, most / records[user]!)) / most),
  );
}

/** To `groups` grids, of which each counts alike, and `most` records in each. */
function boundedIn(occupancy: Occupancy, groups: number, most: number): Float64Array {
  const entries = entriesOf(occupancy);
  const grids = (user: number): number => entries.filter((entry) => entry.user === user).length;
  return Float64Array.from(
    entries.map(({ user, records }) => (Math.min(records, most) * Math.min(1, groups / grids(user))) / (groups * most)),
  );
}

function totalsOf(occupancy: Occupancy): number[] {
  const records = new Array<number>(occupancy.users.length).fill(0);
  for (const entry of entriesOf(occupancy)) records[entry.user]! += entry.records;
  return records;
}

test("is on every budget, and no worse than bounding contributions or even shares", () => {
  fc.assert(
    fc.property(hostileArrays, fc.constantFrom(0.001, 1, 50), (occupancy, budget) => {
      const goal = new Goal(occupancy, OPTIONS);
      const x = runNow(bestStart(goal, budget));
      const spent = new Array<number>(occupancy.users.length).fill(0);
      for (const [at, { user }] of entriesOf(occupancy).entries()) spent[user]! += x[at]!;
      for (const each of spent) expect(each).toBeLessThanOrEqual(budget * (1 + 1e-12));
      const found = slowGoal(occupancy, OPTIONS, x);
      const most = Math.max(...totalsOf(occupancy));
      const candidates = [
        ...[1, 2, 3, 4, 6, 8, 12].filter((each) => each <= most).map((each) => bounded(occupancy, each)),
        ...[1, 2, 4, 8].flatMap((groups) => [1, 2, 8].map((each) => boundedIn(occupancy, groups, each))),
        Float64Array.from(entriesOf(occupancy).map(({ user, records }) => records / totalsOf(occupancy)[user]!)),
      ];
      for (const each of candidates)
        expect(found).toBeLessThanOrEqual(
          slowGoal(
            occupancy,
            OPTIONS,
            each.map((part) => part * budget),
          ) *
            (1 + 1e-3),
        );
    }),
  );
});

test("where users are alike, each spends as much everywhere, and all of it", () => {
  const x = runNow(bestStart(new Goal(HOSTILE["users alike"]!, OPTIONS), 1));
  for (const each of x) expect(each).toBeCloseTo(1 / 5, 12);
});
