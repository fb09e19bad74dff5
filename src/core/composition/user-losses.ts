/** Adds up one exact loss per user, in whole units of 10⁻¹⁸, without a BigInt per user. */
import { Rational } from "../arithmetic/index.ts";
import { invariant } from "../errors/index.ts";
import { LOSS_UNITS_PER_ONE } from "../influence/index.ts";

const UNITS_PER_PART = 10n ** 12n;
const CARRY = Number(UNITS_PER_PART);

/** A loss as two integers that doubles hold exactly: upper·10⁻⁶ + lower·10⁻¹⁸, lower below 10¹². */
export interface LossParts {
  readonly upper: number;
  readonly lower: number;
}

/** The parts of a whole number of 10⁻¹⁸ units, exactly (docs/mathematics.md, Theorem 5). */
export function toLossParts(units: bigint): LossParts {
  return { upper: Number(units / UNITS_PER_PART), lower: Number(units % UNITS_PER_PART) };
}

/** Losses by number, as parts. */
export class LossColumn {
  readonly upper: Float64Array;
  readonly lower: Float64Array;

  constructor(length: number) {
    this.upper = new Float64Array(length);
    this.lower = new Float64Array(length);
  }

  get length(): number {
    return this.upper.length;
  }

  set(index: number, loss: LossParts): void {
    this.upper[index] = loss.upper;
    this.lower[index] = loss.lower;
  }
}

/** Sums of losses by user, exact below 9·10⁹ (docs/mathematics.md, Theorem 5). */
export class UserLosses {
  readonly #upper: Float64Array;
  readonly #lower: Float64Array;

  constructor(users: number) {
    this.#upper = new Float64Array(users);
    this.#lower = new Float64Array(users);
  }

  get length(): number {
    return this.#upper.length;
  }

  add(user: number, loss: LossParts): void {
    this.#add(user, loss.upper, loss.lower);
  }

  addFrom(losses: LossColumn, index: number, user: number): void {
    this.#add(user, losses.upper[index]!, losses.lower[index]!);
  }

  #add(user: number, moreUpper: number, moreLower: number): void {
    const lower = this.#lower[user]! + moreLower;
    const carry = lower >= CARRY ? 1 : 0;
    this.#upper[user]! += moreUpper + carry;
    this.#lower[user] = lower - carry * CARRY;
  }

  of(user: number): Rational {
    return Rational.of(this.unitsOf(user), LOSS_UNITS_PER_ONE);
  }

  /** In units of 10⁻¹⁸. */
  unitsOf(user: number): bigint {
    return toUnits(this.#upper[user]!, this.#lower[user]!);
  }

  /** The largest loss of any user. */
  largest(): Rational {
    let upper = 0;
    let lower = 0;
    for (let user = 0; user < this.length; user++) {
      // As lower parts stay below a unit of the upper ones, this is the order of the losses.
      if (this.#upper[user]! > upper || (this.#upper[user] === upper && this.#lower[user]! > lower)) {
        upper = this.#upper[user]!;
        lower = this.#lower[user]!;
      }
    }
    return Rational.of(toUnits(upper, lower), LOSS_UNITS_PER_ONE);
  }
}

function toUnits(upper: number, lower: number): bigint {
  invariant(Number.isSafeInteger(upper), "a user's loss is above 9·10⁹");
  return BigInt(upper) * UNITS_PER_PART + BigInt(lower);
}
