/** Counts users by loss, in equal steps from nothing to the budget; each user is placed exactly. */
import { Rational } from "../../core/arithmetic/index.ts";
import { itemAt } from "../../core/errors/index.ts";
import { lossOfUnits } from "./loss-units.ts";

const BINS = 20;

export interface LossBin {
  readonly from: Rational;
  readonly to: Rational;
  /** With a loss above `from` and at most `to`. */
  readonly users: number;
}

export class LossDistribution {
  readonly #budget: bigint;
  readonly #users = new Array<number>(BINS).fill(0);

  /** In units, as losses. */
  constructor(budget: bigint) {
    this.#budget = budget;
  }

  /** A user with a loss above 0. */
  add(units: bigint): void {
    // ⌈BINS·units/budget⌉ − 1.
    const bin = Math.min(Number((BigInt(BINS) * units - 1n) / this.#budget), BINS - 1);
    this.#users[bin] = itemAt(this.#users, bin) + 1;
  }

  bins(): LossBin[] {
    const width = lossOfUnits(this.#budget).divide(Rational.of(BINS));
    return this.#users.map((users, bin) => ({
      from: width.multiply(Rational.of(bin)),
      to: width.multiply(Rational.of(bin + 1)),
      users,
    }));
  }
}
