/** Invents values over a real occupancy array from public, seeded models, to compare estimators without looking at anyone's values. */
import { itemAt } from "../../../core/errors/index.ts";
import type { Occupancy } from "../../../core/occupancy/index.ts";
import { SeededRandom } from "../seeded-random.ts";

export interface ValueModel {
  readonly name: string;
  /** What is assumed, in words. */
  readonly meaning: string;
  /**
   * Draws what users and grids have in common, then says in which part of [0, 1] each of an entry's records lies uniformly.
   * `heaviness` is its records as a share of those of the grid's heaviest user: above 0, at most 1.
   */
  prepare(
    occupancy: Occupancy,
    random: SeededRandom,
  ): (entry: { user: number; grid: number; heaviness: number }) => { low: number; high: number };
}

/** One value in [0, 1] per record; entry e's are at start[e] … start[e + 1]. */
export type SimulatedValues = ReturnType<typeof simulateValues>;

/** Half the width in which one user's records in one grid lie. */
const SCATTER = 0.15;

/** Harmless data, and data that is unkind to leaving records out in one way each. */
export const VALUE_MODELS: readonly ValueModel[] = [
  {
    name: "anywhere",
    meaning: "every value anywhere in the range, whoever's it is",
    prepare: () => () => ({ low: 0, high: 1 }),
  },
  {
    name: "users differ",
    meaning: "every user has a level of its own, the same in all grids",
    prepare(occupancy, random) {
      const level = levels(occupancy.users.length, () => SCATTER + (1 - 2 * SCATTER) * random.uniform());
      return ({ user }) => around(itemAt(level, user));
    },
  },
  {
    name: "heavy users differ",
    meaning: "every grid has a level, and the more records a user has in it, the lower that user's values",
    prepare(occupancy, random) {
      const level = levels(occupancy.grids.length, () => 0.35 + 0.3 * random.uniform());
      return ({ grid, heaviness }) => around(itemAt(level, grid) + 0.2 - 0.4 * heaviness);
    },
  },
  {
    name: "one end",
    meaning: "every value in the lowest fifth of the range: bounds that were chosen too wide",
    prepare: () => () => ({ low: 0, high: 0.2 }),
  },
];

function levels(count: number, draw: () => number): Float64Array {
  return Float64Array.from({ length: count }, draw);
}

function around(level: number) {
  return { low: level - SCATTER, high: level + SCATTER };
}

/** The same seed gives the same values. */
export function simulateValues(occupancy: Occupancy, model: ValueModel, seed: number) {
  const random = new SeededRandom(seed);
  const rangeOf = model.prepare(occupancy, random);
  const { byUser } = occupancy;
  const heaviest = new Float64Array(occupancy.grids.length);
  byUser.count.forEach((count, entry) => {
    const grid = byUser.grid[entry]!;
    heaviest[grid] = Math.max(heaviest[grid]!, count);
  });
  const start = new Float64Array(occupancy.entries + 1);
  const value = new Float64Array(occupancy.samples);
  let at = 0;
  for (let user = 0; user < occupancy.users.length; user++) {
    for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++) {
      const grid = byUser.grid[entry]!;
      const count = byUser.count[entry]!;
      const { low, high } = rangeOf({ user, grid, heaviness: count / heaviest[grid]! });
      for (const end = at + count; at < end; at++) value[at] = low + (high - low) * random.uniform();
      start[entry + 1] = at;
    }
  }
  return { occupancy, start, value };
}
