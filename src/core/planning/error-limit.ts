/** Whether a grid's error stays within a bound: doubles where they can tell, rationals where they cannot. */
import type { Rational } from "../arithmetic/index.ts";
import { areClearlyApart, type ErrorModel } from "../influence/index.ts";

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
    const error = this.model.error(total, kept, largest);
    if (areClearlyApart(error, this.#boundNumber)) return error < this.#boundNumber;
    return this.model.exactError({ total, kept, largest })!.compare(this.bound) <= 0;
  }

  /** True only if factor · E_g lies above the bound beyond doubt. */
  clearlyExceeded(total: number, kept: number, largest: number, factor: number): boolean {
    const error = factor * this.model.error(total, kept, largest);
    return error > this.#boundNumber && areClearlyApart(error, this.#boundNumber);
  }

  /** True only if factor · E_g lies below the bound beyond doubt. */
  clearlyMet(total: number, kept: number, largest: number, factor: number): boolean {
    const error = factor * this.model.error(total, kept, largest);
    return error < this.#boundNumber && areClearlyApart(error, this.#boundNumber);
  }
}
