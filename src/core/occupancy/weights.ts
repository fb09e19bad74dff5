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
    const sums = new ExactSums(occupancy.grids.length);
    for (let entry = 0; entry < ofEntry.length; entry++) sums.add(grid[entry]!, this.amount(entry));
    this.ofGrid = sums.all();
  }

  /** r·m, exact. */
  amount(entry: number): number {
    return this.ofEntry[entry]! * this.occupancy.byUser.count[entry]!;
  }

  /** ½·Σ |p − a| of each grid: how much weight lies elsewhere than records do; 1 where nothing is published. */
  distances(): Rational[] {
    const { samplesOfGrid, byUser } = this.occupancy;
    const { grid, count } = byUser;
    const weightOf = Float64Array.from(this.ofGrid, Number);
    const [records, amounts] = [new ExactSums(weightOf.length), new ExactSums(weightOf.length)];
    for (let entry = 0; entry < grid.length; entry++) {
      const g = grid[entry]!;
      const amount = this.amount(entry);
      // Of entries with a < p. Where rounding hides whether it is, p − a is 10⁻¹⁵ of p, and its sign is worked out.
      const [share, own] = [count[entry]! * weightOf[g]!, amount * samplesOfGrid[g]!];
      const isNear = Math.abs(share - own) <= 1e-15 * share;
      if (isNear ? !this.#isShort(entry) : share < own) continue;
      records.add(g, count[entry]!);
      amounts.add(g, amount);
    }
    const short = amounts.all();
    return records.all().map((held, g) => {
      const [weight, samples] = [this.ofGrid[g]!, BigInt(samplesOfGrid[g]!)];
      return weight === 0n ? Rational.ONE : Rational.of(held * weight - short[g]! * samples, samples * weight);
    });
  }

  #isShort(entry: number): boolean {
    const { byUser, samplesOfGrid } = this.occupancy;
    const g = byUser.grid[entry]!;
    return BigInt(byUser.count[entry]!) * this.ofGrid[g]! > BigInt(this.amount(entry)) * BigInt(samplesOfGrid[g]!);
  }

  /** Σ a² of each grid, in doubles: one over how many users of equal weight would be as many. */
  concentrations(): Float64Array {
    const { grid } = this.occupancy.byUser;
    const squares = new Float64Array(this.ofGrid.length);
    const totals = this.ofGrid.map(Number);
    for (let entry = 0; entry < grid.length; entry++) {
      const g = grid[entry]!;
      squares[g]! += (this.amount(entry) / totals[g]!) ** 2;
    }
    return squares;
  }
}

/** Sums of whole numbers by grid, exact however large they become. */
class ExactSums {
  readonly #upper: bigint[];
  readonly #lower: Float64Array;

  constructor(length: number) {
    this.#upper = new Array<bigint>(length).fill(0n);
    this.#lower = new Float64Array(length);
  }

  add(g: number, safe: number): void {
    const sum = this.#lower[g]! + safe;
    if (Number.isSafeInteger(sum)) this.#lower[g] = sum;
    else {
      this.#upper[g]! += BigInt(this.#lower[g]!);
      this.#lower[g] = safe;
    }
  }

  all(): bigint[] {
    return this.#upper.map((sum, g) => sum + BigInt(this.#lower[g]!));
  }
}
