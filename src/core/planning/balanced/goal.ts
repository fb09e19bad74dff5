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

/** Sums over a grid's entries, side by side, so that an entry finds all of its grid's in one place. */
export const SUMS = 8;
/** Σ (a − p)²·v, with v = users² + records²/m. */
const MODEL = 0;
/** Σ (a − p)·h_k of the three traits; as Σ p·h_k = 0, this is Σ a·h_k too. */
export const LEANING = 1;
/** Σ max(0, p − a), and Σ a where a < p; only where the worst case has a price. */
const SHORT = 4;
export const SHORT_WEIGHT = 5;
/** Σ a²·v. */
export const SQUARES = 6;
/** Σ a·(a − p)·v. */
const PULL = 7;

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
  /** How the goal grows with A, by grid, and how it falls as X rises, times X/2. */
  readonly ofSpread: Float64Array;
  readonly ofNoise: Float64Array;
  /** `SUMS` numbers by grid, of the last point evaluated. */
  readonly sums: Float64Array;
  /** √A by grid, without the price of the worst case. */
  readonly modelError: Float64Array;
  readonly #users2: number;
  readonly #records2: number;
  readonly #isPriced: boolean;

  /** Of the same array, `like` saves working traits out again. */
  constructor(occupancy: Occupancy, options: GoalOptions, like?: Goal) {
    this.occupancy = occupancy;
    this.options = options;
    this.traits = like?.traits ?? traitsOf(occupancy);
    const grids = occupancy.grids.length;
    this.spent = new Float64Array(grids);
    this.ofSpread = new Float64Array(grids);
    this.ofNoise = new Float64Array(grids);
    this.sums = new Float64Array(SUMS * grids);
    this.modelError = new Float64Array(grids);
    this.#users2 = options.spread.users ** 2;
    this.#records2 = options.spread.records ** 2;
    this.#isPriced = options.worstCasePrice > 0;
  }

  /** users² + records²/m of an entry. */
  variance(entry: number): number {
    return this.#users2 + this.#records2 / this.occupancy.byUser.count[entry]!;
  }

  /** Whether an entry has less than its share of the weight and that has a price, at the last point evaluated, where it is spent so much. */
  isShort(entry: number, spentThere: number): boolean {
    if (!this.#isPriced) return false;
    const g = this.occupancy.byUser.grid[entry]!;
    return spentThere / this.spent[g]! < this.occupancy.byUser.count[entry]! / this.occupancy.samplesOfGrid[g]!;
  }

  /** What the goal at x would be if all users' values were alike: below `value`, and sooner known. */
  valueOfNoise(x: Float64Array): number {
    const { noise, power } = this.options;
    this.#spend(x);
    let goal = 0;
    for (const spent of this.spent) for (const each of noise) goal += (each / spent) ** power;
    return goal / (this.spent.length * noise.length);
  }

  /** The goal at x. Infinite where nothing is spent in some grid. */
  value(x: Float64Array): number {
    this.#addUp(x);
    const { spread, noise, power, worstCasePrice } = this.options;
    const { spent, sums } = this;
    let goal = 0;
    for (let g = 0; g < spent.length; g++) {
      let model = sums[SUMS * g + MODEL]!;
      for (let k = 0; k < TRAITS; k++) model += (spread.trend * sums[SUMS * g + LEANING + k]!) ** 2;
      this.modelError[g] = Math.sqrt(model);
      model += (worstCasePrice * sums[SUMS * g + SHORT]!) ** 2;
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

  #spend(x: Float64Array): void {
    const { grid } = this.occupancy.byUser;
    const { spent } = this;
    spent.fill(0);
    for (let entry = 0; entry < x.length; entry++) spent[grid[entry]!]! += x[entry]!;
  }

  #addUp(x: Float64Array): void {
    const { grid, count } = this.occupancy.byUser;
    const { samplesOfGrid } = this.occupancy;
    const { spent, sums, traits } = this;
    const isPriced = this.#isPriced;
    this.#spend(x);
    sums.fill(0);
    for (let entry = 0; entry < x.length; entry++) {
      const g = grid[entry]!;
      const weight = x[entry]! / spent[g]!;
      const moved = weight - count[entry]! / samplesOfGrid[g]!;
      const variance = this.variance(entry);
      const at = SUMS * g;
      const trait = TRAITS * entry;
      sums[at + MODEL]! += moved * moved * variance;
      sums[at + LEANING]! += moved * traits[trait]!;
      sums[at + LEANING + 1]! += moved * traits[trait + 1]!;
      sums[at + LEANING + 2]! += moved * traits[trait + 2]!;
      sums[at + SQUARES]! += weight * weight * variance;
      sums[at + PULL]! += weight * moved * variance;
      if (isPriced && moved < 0) {
        sums[at + SHORT]! -= moved;
        sums[at + SHORT_WEIGHT]! += weight;
      }
    }
  }

  /** The goal's derivative by x, of the last point evaluated (which must be `x`), up to the factor grids × statistics. */
  gradient(x: Float64Array, into: Float64Array): void {
    const { grid, count } = this.occupancy.byUser;
    const { samplesOfGrid } = this.occupancy;
    const { spent, sums, traits, ofSpread, ofNoise } = this;
    const trend2 = this.options.spread.trend ** 2;
    const price2 = this.options.worstCasePrice ** 2;
    // ½·Σ a·∂A/∂a, which falls to X as a whole.
    const mean = Float64Array.from(spent, (_, g) => {
      const [first, second, third] = sums.subarray(SUMS * g + LEANING) as unknown as [number, number, number];
      const ofTraits = trend2 * (first * first + second * second + third * third);
      return sums[SUMS * g + PULL]! + ofTraits - price2 * sums[SUMS * g + SHORT]! * sums[SUMS * g + SHORT_WEIGHT]!;
    });
    for (let entry = 0; entry < x.length; entry++) {
      const g = grid[entry]!;
      const moved = x[entry]! / spent[g]! - count[entry]! / samplesOfGrid[g]!;
      const at = SUMS * g;
      const trait = TRAITS * entry;
      let slope = moved * this.variance(entry) - mean[g]!;
      slope +=
        trend2 *
        (sums[at + LEANING]! * traits[trait]! +
          sums[at + LEANING + 1]! * traits[trait + 1]! +
          sums[at + LEANING + 2]! * traits[trait + 2]!);
      if (moved < 0) slope -= price2 * sums[at + SHORT]!;
      into[entry] = (2 * (ofSpread[g]! * slope - ofNoise[g]!)) / spent[g]!;
    }
  }
}
