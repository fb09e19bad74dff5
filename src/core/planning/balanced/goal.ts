/** What a balanced plan minimises: the mean over grids and statistics of the typical error as a share of the range, under the public model. */
import type { Occupancy } from "../../occupancy/index.ts";
import { TRAITS, traitsOf } from "./spread.ts";

export interface GoalOptions {
  /** Standard deviations as shares of the range. */
  readonly spread: { readonly users: number; readonly records: number; readonly trend: number };
  /** Of each statistic: its noise's standard deviation as a share of its range where users spend 1 in the grid together. */
  readonly noise: readonly number[];
  /** 1: the mean over grids; larger: worse grids count for more. */
  readonly power: number;
  /** What the share of weight that lies elsewhere than the records is held to cost, as a share of the range. */
  readonly worstCasePrice: number;
}

/** Vectors that change a whole grid at once: the sum of what is spent, the pull of the spread, traits, and the weight elsewhere. */
export const DIRECTIONS = 2 + TRAITS + 1;

/**
 * The goal as a function of what each entry is spent (x ≥ 0, of a user's budget): in a grid weights are a = x/X and noise goes
 * with 1/X, X = Σ x. The typical error of a statistic, as a share of its range, is √(A + noise²/X²) with
 *
 *   A = Σ (a − p)²·(users² + records²/m) + trend²·Σ_k (Σ (a − p)·h_k)² + price²·(Σ max(0, p − a))²
 */
export class Goal {
  readonly occupancy: Occupancy;
  readonly options: GoalOptions;
  readonly traits: Float32Array;
  /** X by grid, of the last point evaluated. */
  readonly spent: Float64Array;
  /** How A's part of the goal falls with A, by grid, and the goal's other derivative: how it falls as X rises, times X/2. */
  readonly ofSpread: Float64Array;
  readonly ofNoise: Float64Array;
  /** Σ (a − p)·h_k for each trait, and Σ max(0, p − a), by grid. */
  readonly leaning: Float64Array;
  /** √A by grid. */
  readonly modelError: Float64Array;

  /** Of the same array, `like` saves working traits out again. */
  constructor(occupancy: Occupancy, options: GoalOptions, like?: Goal) {
    this.occupancy = occupancy;
    this.options = options;
    this.traits = like?.traits ?? traitsOf(occupancy);
    const grids = occupancy.grids.length;
    this.spent = new Float64Array(grids);
    this.ofSpread = new Float64Array(grids);
    this.ofNoise = new Float64Array(grids);
    this.leaning = new Float64Array((TRAITS + 1) * grids);
    this.modelError = new Float64Array(grids);
  }

  /** users² + records²/m of an entry. */
  variance(entry: number): number {
    const { users, records } = this.options.spread;
    return users * users + (records * records) / this.occupancy.byUser.count[entry]!;
  }

  /** The goal at x. Infinite where nothing is spent in some grid. */
  value(x: Float64Array): number {
    const { grid, count } = this.occupancy.byUser;
    const { samplesOfGrid } = this.occupancy;
    const { spread, noise, power, worstCasePrice } = this.options;
    const { spent, leaning, modelError, traits } = this;
    const [users2, records2] = [spread.users ** 2, spread.records ** 2];
    spent.fill(0);
    leaning.fill(0);
    modelError.fill(0);
    for (let entry = 0; entry < x.length; entry++) spent[grid[entry]!]! += x[entry]!;
    for (let entry = 0; entry < x.length; entry++) {
      const g = grid[entry]!;
      const records = count[entry]!;
      const moved = x[entry]! / spent[g]! - records / samplesOfGrid[g]!;
      modelError[g]! += moved * moved * (users2 + records2 / records);
      const at = (TRAITS + 1) * g;
      const trait = TRAITS * entry;
      leaning[at]! += moved * traits[trait]!;
      leaning[at + 1]! += moved * traits[trait + 1]!;
      leaning[at + 2]! += moved * traits[trait + 2]!;
      if (moved < 0) leaning[at + TRAITS]! -= moved;
    }
    let goal = 0;
    for (let g = 0; g < spent.length; g++) {
      let model = modelError[g]!;
      for (let k = 0; k < TRAITS; k++) model += (spread.trend * leaning[(TRAITS + 1) * g + k]!) ** 2;
      modelError[g] = Math.sqrt(model);
      model += (worstCasePrice * leaning[(TRAITS + 1) * g + TRAITS]!) ** 2;
      this.ofSpread[g] = 0;
      this.ofNoise[g] = 0;
      for (const each of noise) {
        const byNoise = (each / spent[g]!) ** 2;
        const typical = Math.sqrt(model + byNoise);
        const slope = (power * typical ** (power - 2)) / 2;
        goal += typical ** power;
        this.ofSpread[g]! += slope;
        this.ofNoise[g]! += slope * byNoise;
      }
    }
    return goal / (spent.length * noise.length);
  }

  /** What each trait, and being given less than one's share, adds to A when x grows: the price of a direction. */
  priceOf(direction: number): number {
    const { spread, worstCasePrice } = this.options;
    return direction < TRAITS ? spread.trend ** 2 : worstCasePrice ** 2;
  }

  /** The vectors of an entry at the last point evaluated, in the order of `DIRECTIONS`. */
  directions(entry: number, spentThere: number, into: Float64Array): void {
    const g = this.occupancy.byUser.grid[entry]!;
    const weight = spentThere / this.spent[g]!;
    into[0] = 1;
    into[1] = this.variance(entry) * weight;
    for (let k = 0; k < TRAITS; k++) into[2 + k] = this.traits[TRAITS * entry + k]!;
    const isShort = weight < this.occupancy.byUser.count[entry]! / this.occupancy.samplesOfGrid[g]!;
    into[2 + TRAITS] = isShort ? -1 : 0;
  }

  /** The goal's derivative by x, of the last point evaluated (which must be `x`), up to the factor grids × statistics. */
  gradient(x: Float64Array, into: Float64Array): void {
    const { grid, count } = this.occupancy.byUser;
    const { samplesOfGrid } = this.occupancy;
    const { spent, leaning, traits, ofSpread, ofNoise } = this;
    const { spread, worstCasePrice } = this.options;
    const [users2, records2] = [2 * spread.users ** 2, 2 * spread.records ** 2];
    const [byTrend, byPrice] = [2 * spread.trend ** 2, 2 * worstCasePrice ** 2];
    const mean = new Float64Array(spent.length);
    for (let entry = 0; entry < x.length; entry++) {
      const g = grid[entry]!;
      const records = count[entry]!;
      const weight = x[entry]! / spent[g]!;
      const moved = weight - records / samplesOfGrid[g]!;
      const at = (TRAITS + 1) * g;
      const trait = TRAITS * entry;
      let slope = moved * (users2 + records2 / records);
      slope +=
        byTrend *
        (leaning[at]! * traits[trait]! + leaning[at + 1]! * traits[trait + 1]! + leaning[at + 2]! * traits[trait + 2]!);
      if (moved < 0) slope -= byPrice * leaning[at + TRAITS]!;
      into[entry] = slope;
      mean[g]! += weight * slope;
    }
    for (let entry = 0; entry < x.length; entry++) {
      const g = grid[entry]!;
      into[entry] = (ofSpread[g]! * (into[entry]! - mean[g]!) - 2 * ofNoise[g]!) / spent[g]!;
    }
  }
}
