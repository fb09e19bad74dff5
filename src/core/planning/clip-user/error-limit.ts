/** Whether a grid's error stays within a bound: doubles where they can tell, rationals where they cannot. */
import type { Rational } from "../../arithmetic/index.ts";
import { areClearlyApart, type ErrorModel } from "../../influence/index.ts";

export class ErrorLimit {
  readonly model: ErrorModel;
  readonly bound: Rational;
  readonly #boundNumber: number;

  constructor(model: ErrorModel, bound: Rational) {
    this.model = model;
    this.bound = bound;
    this.#boundNumber = bound.toNumberNearest();
  }

  /** E_g ≤ bound, as exact arithmetic has it. An empty grid is never within. */
  allows(total: number, kept: number, largest: number): boolean {
    const sign = this.clearSign(this.model.error(total, kept, largest));
    return sign === 0 ? this.model.exactError({ total, kept, largest })!.compare(this.bound) <= 0 : sign < 0;
  }

  /** The sign of error − bound where it is beyond doubt, 0 where doubles cannot tell. */
  clearSign(error: number): -1 | 0 | 1 {
    if (!areClearlyApart(error, this.#boundNumber)) return 0;
    return error < this.#boundNumber ? -1 : 1;
  }
}
