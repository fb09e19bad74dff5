/** The optimiser beside a slow one: budgets, no worse than the start, the same again, and as good to one per cent. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seeds } from "../../../../test/support/full.ts";
import { SeededRandom } from "../../../../test/support/random.ts";
import { slowDescent } from "../../../../test/support/slow-balance.ts";
import { HOSTILE, hostileArrays, randomArray } from "../../../../test/support/weighted-arrays.ts";
import type { Occupancy } from "../../occupancy/index.ts";
import { runNow } from "../long-work.ts";
import { descend } from "./descend.ts";
import { Goal, type GoalOptions } from "./goal.ts";
import { bestStart } from "./starts.ts";

const OPTIONS: GoalOptions = {
  spread: { users: 1 / 32, records: 1 / 16, trend: 1 / 64 },
  noise: [1.4],
  power: 1,
  worstCasePrice: 0,
};
const options: fc.Arbitrary<GoalOptions> = fc.record({
  spread: fc.record({
    users: fc.constantFrom(0.001, 1 / 32, 0.3),
    records: fc.constantFrom(0, 1 / 16),
    trend: fc.constantFrom(0, 1 / 64, 0.5),
  }),
  noise: fc.constantFrom([1.4], [2.2, 0.8]),
  power: fc.constantFrom(1, 8),
  worstCasePrice: fc.constantFrom(0, 1 / 16, 4),
});
const budgets = fc.constantFrom(0.001, 0.3, 1, 50);

/** What each user spends in all grids. */
function spentBy({ byUser, users }: Occupancy, x: Float64Array): number[] {
  return Array.from({ length: users.length }, (_, user) =>
    x.subarray(byUser.start[user]!, byUser.start[user + 1]!).reduce((sum, each) => sum + each, 0),
  );
}

function solved(occupancy: Occupancy, chosen: GoalOptions, budget: number) {
  const goal = new Goal(occupancy, chosen);
  const start = runNow(bestStart(goal, budget));
  const x = runNow(descend(goal, start, { budget, mostSteps: 80, step: "balancing", done: 0 }));
  return { goal, start, x, value: goal.value(x) };
}

test("no user leaves its budget, nothing gets worse, and the same is found again", () => {
  fc.assert(
    fc.property(hostileArrays, options, budgets, (occupancy, chosen, budget) => {
      const { goal, start, x, value } = solved(occupancy, chosen, budget);
      for (const spent of spentBy(occupancy, x)) expect(spent).toBeLessThanOrEqual(budget * (1 + 1e-12));
      expect(x.every((each) => each > 0 && Number.isFinite(each))).toBe(true);
      expect(value).toBeLessThanOrEqual(goal.value(start));
      expect(solved(occupancy, chosen, budget).x).toEqual(x);
    }),
  );
});

test("nor from a start that is not on any budget", () => {
  fc.assert(
    fc.property(hostileArrays, fc.nat(1_000_000), (occupancy, seed) => {
      const random = new SeededRandom(seed);
      const from = Float64Array.from(
        { length: occupancy.entries },
        () => (0.01 + random.uniform()) / occupancy.grids.length / 2,
      );
      const goal = new Goal(occupancy, OPTIONS);
      const x = runNow(descend(goal, from, { budget: 1, mostSteps: 20, step: "balancing", done: 0 }));
      for (const spent of spentBy(occupancy, x)) expect(spent).toBeLessThanOrEqual(1 + 1e-12);
      expect(goal.value(x)).toBeLessThanOrEqual(goal.value(from));
    }),
  );
});

describe("within one per cent of many small steps", () => {
  /** Of the typical error: the best that 4000 plain steps find from three starts. */
  function reference(occupancy: Occupancy, chosen: GoalOptions, starts: readonly Float64Array[]): number {
    const goal = new Goal(occupancy, chosen);
    const value = (x: Float64Array): number => goal.value(x);
    const gradient = (x: Float64Array): Float64Array => {
      const slope = new Float64Array(x.length);
      goal.gradient(x, slope);
      return slope;
    };
    const found = starts.map((from) => slowDescent({ occupancy, value, gradient }, from, { budget: 1, steps: 4000 }));
    return Math.min(...found.map((each) => each.value));
  }

  function held(occupancy: Occupancy, chosen: GoalOptions): void {
    const { byUser } = occupancy;
    const { start, value, x } = solved(occupancy, chosen, 1);
    const evenly = Float64Array.from(
      { length: occupancy.entries },
      (_, entry) => 1 / (byUser.start[occupancy.userOfEntry(entry) + 1]! - byUser.start[occupancy.userOfEntry(entry)]!),
    );
    const best = reference(occupancy, chosen, [start, evenly, x]);
    expect((value / best) ** (1 / chosen.power)).toBeLessThan(1.01);
  }

  test.each(Object.keys(HOSTILE))("%s", (name) => held(HOSTILE[name]!, OPTIONS));

  test("random arrays, whatever the model, for the mean and for the worst grids", () => {
    for (const seed of seeds(40)) {
      const random = new SeededRandom(seed);
      const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)]!;
      held(randomArray(seed, { users: 2 + random.below(30), grids: 1 + random.below(6) }), {
        spread: { users: pick([0.01, 1 / 32, 0.2]), records: pick([0, 1 / 16]), trend: pick([0, 1 / 64, 0.1]) },
        noise: pick([[1.4], [2.2, 0.8]]),
        power: pick([1, 1, 8]),
        worstCasePrice: 0,
      });
    }
  });
});
