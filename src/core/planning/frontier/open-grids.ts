/** The grids that a loss is to be spent on, and which of them need something kept at an error. */
import { maximum, Rational } from "../../arithmetic/index.ts";
import type { Objective } from "../../influence/index.ts";
import type { Kept, Occupancy } from "../../occupancy/index.ts";
import { ActiveArray } from "./active-array.ts";
import { freeError } from "./error-target.ts";

export class OpenGrids {
  readonly setAside: ReadonlySet<number>;
  /** Of the open grids: at this error none needs anything kept. */
  readonly largestFree: Rational;
  readonly #occupancy: Occupancy;
  readonly #isCentred: boolean;
  readonly #free: readonly Rational[];

  constructor(occupancy: Occupancy, objective: Objective, setAside: ReadonlySet<number>) {
    this.#occupancy = occupancy;
    this.#isCentred = objective.estimator === "centred";
    this.setAside = setAside;
    const ofTotal = new Map<number, Rational>();
    this.#free = Array.from(occupancy.samplesOfGrid, (total) => {
      const known = ofTotal.get(total) ?? freeError(objective, total);
      ofTotal.set(total, known);
      return known;
    });
    this.largestFree = this.#largest((grid) => !setAside.has(grid));
  }

  /** What needs records at an error: under the paper's estimator all that is open. */
  arrayAt(error: Rational): ActiveArray {
    return new ActiveArray(this.#occupancy, (grid) => {
      return !this.setAside.has(grid) && !(this.#isCentred && this.#free[grid]!.compare(error) <= 0);
    });
  }

  /** The error of the open grids that the array leaves empty. */
  largestFreeWithout(array: ActiveArray): Rational {
    return this.#largest((grid) => !this.setAside.has(grid) && !array.isActive(grid));
  }

  keptOf(array: ActiveArray, owned: Float64Array): Kept {
    return array.keptOf(this.#occupancy, owned);
  }

  #largest(isCounted: (grid: number) => boolean): Rational {
    return this.#free.reduce((most, free, grid) => (isCounted(grid) ? maximum(most, free) : most), Rational.ZERO);
  }
}
