/** Computes each user's privacy loss where users' averages are weighted: exact, rounded up per grid, the same whatever the windows become. */
import { divideCeil, Rational } from "../arithmetic/index.ts";
import { itemAt } from "../errors/index.ts";
import { LOSS_UNIT, LOSS_UNITS_PER_ONE } from "../influence/index.ts";
import type { Weights } from "../occupancy/index.ts";
import { type LossParts, toLossParts, UserLosses } from "./loss.ts";

/** Every noise scale is at least 2⁴⁰ steps, so rounding a number to its steps costs at most this. */
export const ROUNDING_EXPONENT = -40;

/** What a pass costs a user per unit of weight in each grid, and how many numbers of each grid it rounds. */
export interface PassCost {
  /** R_g: a user with weight a moves the pass's numbers by a·R_g noise scales in all. */
  readonly rates: readonly Rational[];
  readonly numbers: number;
}

/**
 * Every user's loss in all grids, or in those given: per grid a·R + numbers·2⁻⁴⁰, rounded up to 10⁻¹⁸; nothing where its weight is 0
 * (docs/mathematics.md, Theorem 15). Losses of single grids add up to the whole.
 */
export function weightedLosses(weights: Weights, { rates, numbers }: PassCost, grids?: Iterable<number>): UserLosses {
  const { byUser, users } = weights.occupancy;
  const { start, grid } = byUser;
  const wanted = grids === undefined ? undefined : new Set(grids);
  const losses = new UserLosses(users.length);
  const lossIn = rates.map((rate, g) => {
    const total = weights.ofGrid[g] ?? 0n;
    return total === 0n || (wanted !== undefined && !wanted.has(g))
      ? undefined
      : new LossByAmount(rate, numbers, total);
  });
  for (let user = 0; user < users.length; user++) {
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
      const amount = weights.amount(entry);
      if (amount > 0) {
        const loss = lossIn[grid[entry]!]?.of(amount);
        if (loss !== undefined) losses.add(user, loss);
      }
    }
  }
  return losses;
}

const [UNITS_OF_UPPER, HALF_BITS, SPLITTER] = [1e12, 2 ** 26, 2 ** 27 + 1];
/** Below this many units, in which all steps below are exact that have to be. */
const MOST_UNITS = 2 ** 64;
/** Doubles are trusted where they lie farther than this from a whole number of units; their errors are below a tenth of it. */
const DOUBT = 2 ** -9;

/** In one grid: ⌈10¹⁸·(amount·R/total + numbers·2⁻⁴⁰)⌉, exact. Pairs of doubles decide, as integers would take ten times as long; where they cannot, integers do. */
class LossByAmount {
  /** (amount·perAmount + rounding)/divisor. */
  readonly #perAmount: bigint;
  readonly #rounding: bigint;
  readonly #divisor: bigint;
  /** perAmount/divisor to 2⁻¹²⁸ as high + low, with high = front + back in half as many bits each; and rounding/divisor. */
  readonly #high: number;
  readonly #low: number;
  readonly #front: number;
  readonly #back: number;
  readonly #rest: number;

  constructor({ numerator, denominator }: Rational, numbers: number, total: bigint) {
    this.#perAmount = (numerator * LOSS_UNITS_PER_ONE) << BigInt(-ROUNDING_EXPONENT);
    this.#rounding = BigInt(numbers) * total * denominator * LOSS_UNITS_PER_ONE;
    this.#divisor = (total * denominator) << BigInt(-ROUNDING_EXPONENT);
    const scaled = (this.#perAmount << 128n) / this.#divisor;
    const nearest = Number(scaled);
    this.#high = nearest * 2 ** -128;
    this.#low = Number(scaled - BigInt(nearest)) * 2 ** -128;
    const large = this.#high * SPLITTER;
    this.#front = large - (large - this.#high);
    this.#back = this.#high - this.#front;
    this.#rest = numbers * Number(LOSS_UNITS_PER_ONE) * 2 ** ROUNDING_EXPONENT;
  }

  of(amount: number): LossParts {
    const product = amount * this.#high;
    if (!(product < MOST_UNITS)) return this.#exactly(amount);
    // What rounding took from the product, without error: Dekker's product of two halves each.
    const lower = amount % HALF_BITS;
    const upper = amount - lower;
    const taken = upper * this.#front - product + upper * this.#back + lower * this.#front + lower * this.#back;
    const millionths = Math.floor(product / UNITS_OF_UPPER);
    const rest = product - millionths * UNITS_OF_UPPER + (taken + amount * this.#low + this.#rest);
    const units = Math.ceil(rest);
    const isDecided = units - rest > DOUBT && units - rest < 1 - DOUBT && units >= 0;
    if (!isDecided) return this.#exactly(amount);
    const carry = Math.floor(units / UNITS_OF_UPPER);
    return { upper: millionths + carry, lower: units - carry * UNITS_OF_UPPER };
  }

  #exactly(amount: number): LossParts {
    return toLossParts(divideCeil(BigInt(amount) * this.#perAmount + this.#rounding, this.#divisor));
  }
}

/** The same of one entry with this weight (docs/mathematics.md, Theorem 15). */
export function lossOfWeight({ rates, numbers }: PassCost, grid: number, weight: Rational): Rational {
  const rounding = Rational.of(numbers).multiply(Rational.powerOfTwo(ROUNDING_EXPONENT));
  return weight.multiply(itemAt(rates, grid)).add(rounding).ceilToMultipleOf(LOSS_UNIT);
}
