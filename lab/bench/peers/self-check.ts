/** Holds the baseline's noise to its claim by enumeration: every dataset of a few tiny arrays, every change of one user. */

import { noiseScale } from "./bounded-laplace.js";
import type { ContributionBounds } from "./bounding.js";
import { keptMoments } from "./bounding.js";
import { LOWER, UPPER } from "./datasets.js";

/** Records as [user, grid]. */
const ARRAYS: readonly (readonly (readonly [number, number])[])[] = [
  [
    [0, 0],
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
    [1, 1],
    [2, 0],
    [2, 1],
  ],
  [
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 0],
    [1, 0],
    [1, 1],
    [2, 1],
    [2, 1],
  ],
  [
    [0, 0],
    [1, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [0, 2],
    [2, 2],
    [2, 1],
  ],
];
const BOUNDS: readonly ContributionBounds[] = [
  { groups: 1, records: 1 },
  { groups: 2, records: 1 },
  { groups: 2, records: 2 },
  { groups: 3, records: 3 },
  { total: 1 },
  { total: 3 },
  { total: 8 },
];

/** The largest loss over all arrays and bounds, as a share of the ε that was asked for: at most 1, and 1 for means where a user fills its bounds. */
export function largestLossShare(statistics: readonly ("mean" | "variance")[]): number {
  let largest = 0;
  for (const array of ARRAYS)
    for (const bounds of BOUNDS) largest = Math.max(largest, lossShare(array, bounds, statistics));
  return largest;
}

function lossShare(
  array: readonly (readonly [number, number])[],
  bounds: ContributionBounds,
  statistics: readonly ("mean" | "variance")[],
): number {
  const columns = {
    users: ["a", "b", "c"],
    grids: ["x", "y", "z"],
    userOf: Uint32Array.from(array, ([user]) => user),
    gridOf: Uint32Array.from(array, ([, grid]) => grid),
  };
  const datasets = 1 << array.length;
  const released = Array.from({ length: datasets }, (_, bits) => {
    const value = Float64Array.from(array, (__, record) => ((bits >> record) & 1 ? UPPER : LOWER));
    const moments = keptMoments({ ...columns, value }, bounds);
    return columns.grids.flatMap((___, grid) => {
      const kept = moments.count[grid]!;
      if (kept === 0) return statistics.map(() => 0);
      const mean = moments.sum[grid]! / kept;
      const exact = { mean, variance: moments.squares[grid]! / kept - mean * mean };
      return statistics.map((statistic) => {
        const scale = noiseScale(statistic, { kept, largest: moments.largest[grid]!, bounds }, 1 / statistics.length);
        // One record's variance is always 0 and has no noise.
        return scale === 0 ? 0 : exact[statistic] / scale;
      });
    });
  });
  let largest = 0;
  for (const user of [0, 1, 2]) {
    const own = array.reduce((mask, [owner], record) => (owner === user ? mask | (1 << record) : mask), 0);
    for (let bits = 0; bits < datasets; bits++)
      for (let change = own; change > 0; change = (change - 1) & own) {
        const before = released[bits]!;
        const after = released[bits ^ change]!;
        const loss = before.reduce((sum, each, at) => sum + Math.abs(each - after[at]!), 0);
        largest = Math.max(largest, loss);
      }
  }
  return largest;
}
