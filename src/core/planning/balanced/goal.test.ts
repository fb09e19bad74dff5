/** The goal against its formula, and its derivative against differences of it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { SeededRandom } from "../../../../test/support/random.ts";
import { slowGoal } from "../../../../test/support/slow-balance.ts";
import { HOSTILE, hostileArrays, randomArray } from "../../../../test/support/weighted-arrays.ts";
import type { Occupancy } from "../../occupancy/index.ts";
import { Goal, type GoalOptions } from "./goal.ts";

const shares = fc.constantFrom(0, 0.01, 1 / 32, 0.3);
const options: fc.Arbitrary<GoalOptions> = fc.record({
  spread: fc.record({ users: fc.constantFrom(0.01, 1 / 32, 0.3), records: shares, trend: shares }),
  noise: fc.array(fc.constantFrom(0.3, 1.4, 3), { minLength: 1, maxLength: 3 }),
  power: fc.constantFrom(1, 2, 8),
  worstCasePrice: fc.constantFrom(0, 0.01, 1),
});

function points(occupancy: Occupancy, seed: number): Float64Array {
  const random = new SeededRandom(seed);
  return Float64Array.from({ length: occupancy.entries }, () => 2 ** (-8 * random.uniform()));
}

test("is the mean over grids and statistics of the formula", () => {
  fc.assert(
    fc.property(hostileArrays, options, fc.nat(1_000_000), (occupancy, chosen, seed) => {
      const x = points(occupancy, seed);
      const expected = slowGoal(occupancy, chosen, x);
      const goal = new Goal(occupancy, chosen);
      // Traits are kept in 32 bits.
      expect(Math.abs(goal.value(x) / expected - 1)).toBeLessThan(1e-3);
      expect(new Goal(occupancy, chosen, goal).value(x)).toBe(goal.value(x));
    }),
  );
});

test("does not change where every share is what the records are, but for the noise", () => {
  for (const occupancy of Object.values(HOSTILE)) {
    const { byUser, samplesOfGrid } = occupancy;
    const x = Float64Array.from(byUser.count, (count, entry) => count / samplesOfGrid[byUser.grid[entry]!]!);
    const goal = new Goal(occupancy, {
      spread: { users: 1, records: 1, trend: 1 },
      noise: [0.5, 1.5],
      power: 1,
      worstCasePrice: 1,
    });
    expect(goal.value(x)).toBeCloseTo(1, 9);
    expect(Math.max(...goal.modelError)).toBeLessThan(1e-9);
  }
});

test("is infinite where nothing is spent in some grid", () => {
  const occupancy = HOSTILE["a grid with one user"]!;
  const goal = new Goal(occupancy, {
    spread: { users: 0.1, records: 0.1, trend: 0.1 },
    noise: [1],
    power: 1,
    worstCasePrice: 0,
  });
  const lonely = occupancy.grids.indexOf("one");
  const x = Float64Array.from(occupancy.byUser.grid, (grid) => (grid === lonely ? 0 : 1));
  expect(goal.value(x) < 1e9).toBe(false);
});

test("its gradient is that of the value, in every direction", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), options, (seed, chosen) => {
      const occupancy = randomArray(seed, { users: 6, grids: 3 });
      const goal = new Goal(occupancy, chosen);
      const x = points(occupancy, seed + 1);
      const value = goal.value(x);
      const gradient = new Float64Array(x.length);
      goal.gradient(x, gradient);
      const random = new SeededRandom(seed + 2);
      const direction = x.map((each) => each * (random.uniform() - 0.5));
      const along = gradient.reduce((sum, each, at) => sum + each * direction[at]!, 0);
      const step = 1e-5;
      const [after, before] = [step, -step].map((by) => goal.value(x.map((each, at) => each + by * direction[at]!)));
      const difference = ((after! - before!) / (2 * step)) * occupancy.grids.length * chosen.noise.length;
      // Every entry moves by up to half of itself: differences of doubles are good to about 10⁻⁶ of the goal.
      const size = value * occupancy.grids.length * chosen.noise.length;
      expect(Math.abs(along - difference)).toBeLessThan(1e-6 * size * chosen.power);
    }),
  );
});
