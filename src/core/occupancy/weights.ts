/** Weights: how much a record of each entry counts in its grid's averages, as whole numbers, with exact totals per grid. */
import { Rational } from "../arithmetic/index.ts";
import type { Occupancy } from "./occupancy.ts";

/** The largest weight of a record: with at most 2³² records in an entry, weight times records stays below 2⁵³. */
export const MOST_WEIGHT = 2 ** 20;

/** User ℓ's average counts in grid g with a = r·m/Σ r·m; p = m/n is its share of the records. */
export class Weights {
  readonly occupancy: Occupancy;
  /** r by entry. */
  readonly ofEntry: Uint32Array;
  /** Σ r·m by grid; 0 where nothing is published. */
  readonly ofGrid: readonly bigint[];

  constructor(occupancy: Occupancy, ofEntry: Uint32Array) {
    this.occupancy = occupancy;
    this.ofEntry = ofEntry;
    const { grid } = occupancy.byUser;
    const upper = new Array<bigint>(occupancy.grids.length).fill(0n);
    const lower = new Float64Array(upper.length);
    for (let entry = 0; entry < ofEntry.length; entry++) {
      const g = grid[entry]!;
      const sum = lower[g]! + this.amount(entry);
      if (Number.isSafeInteger(sum)) lower[g] = sum;
      else {
        upper[g]! += BigInt(lower[g]!);
        lower[g] = this.amount(entry);
      }
    }
    this.ofGrid = upper.map((sum, g) => sum + BigInt(lower[g]!));
  }

  /** r·m, exact. */
  amount(entry: number): number {
    return this.ofEntry[entry]! * this.occupancy.byUser.count[entry]!;
  }

  /** ½·Σ |p − a| of each grid: how much weight lies elsewhere than records do; 1 where nothing is published. */
  distances(): Rational[] {
    const { samplesOfGrid, byUser } = this.occupancy;
    const { grid, count } = byUser;
    const totals = Array.from(samplesOfGrid, BigInt);
    const lacking = new Array<bigint>(totals.length).fill(0n);
    for (let entry = 0; entry < grid.length; entry++) {
      const g = grid[entry]!;
      const short = BigInt(count[entry]!) * this.ofGrid[g]! - BigInt(this.amount(entry)) * totals[g]!;
      if (short > 0n) lacking[g]! += short;
    }
    return lacking.map((sum, g) =>
      this.ofGrid[g] === 0n ? Rational.ONE : Rational.of(sum, totals[g]! * this.ofGrid[g]!),
    );
  }
}
