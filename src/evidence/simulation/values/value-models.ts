/** The models that estimators are tried on: harmless data, and data that is unkind to leaving records out in one way each. */
import type { ValueModel, ValueRange } from "./value-model.ts";

/** Half the width in which one user's records in one grid lie. */
const SCATTER = 0.15;

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
      return ({ user }) => around(level[user]!);
    },
  },
  {
    name: "heavy users differ",
    meaning: "every grid has a level, and the more records a user has in it, the lower that user's values",
    prepare(occupancy, random) {
      const level = levels(occupancy.grids.length, () => 0.35 + 0.3 * random.uniform());
      return ({ grid, heaviness }) => around(level[grid]! + 0.2 - 0.4 * heaviness);
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

function around(level: number): ValueRange {
  return { low: level - SCATTER, high: level + SCATTER };
}
