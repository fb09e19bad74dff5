/** The way from a hexagon's place on a face up to resolution 0: one digit per resolution, and the place where it ends. */
import { ODD_DIGITS, PAIRS, STEPS } from "./cell-digits.ts";

/** Of the 45 bits of a cell's fifteen digits the lower part holds 7 to 15, the upper one 1 to 6. */
export const LOW_BITS = 27;
export const FINEST = 15;
const PAIRS_ABOVE = 3;
/** Places at resolution 0 lie between −3 and 3. */
const FARTHEST = 3;
export const PLACES = (2 * FARTHEST + 1) ** 2;

const STEPS_ACROSS = Int8Array.from(STEPS, ([across]) => across);
const STEPS_UP = Int8Array.from(STEPS, ([, up]) => up);

export class CellPath {
  /** What `follow` leaves here: digits as the face has them, 0 where finer than the resolution, and the place at resolution 0. */
  readonly found = { low: 0, high: 0, place: 0 };
  readonly #pairsBelow: number;
  readonly #pairsAbove: number;
  readonly #isOdd: boolean;
  /** Makes places positive, in such a way that it is the range of places once all pairs are passed. */
  readonly #lift: number;
  readonly #lowShift: number;
  readonly #highShift: number;

  constructor(resolution: number) {
    const pairs = Math.floor(resolution / 2);
    this.#pairsAbove = Math.min(pairs, PAIRS_ABOVE);
    this.#pairsBelow = pairs - this.#pairsAbove;
    this.#isOdd = resolution % 2 === 1;
    this.#lift = FARTHEST * 7 ** pairs;
    const unused = 3 * (FINEST - resolution);
    this.#lowShift = Math.min(unused, LOW_BITS);
    this.#highShift = Math.max(unused - LOW_BITS, 0);
  }

  follow(across: number, up: number): void {
    let a = (across + this.#lift) | 0;
    let b = (up + this.#lift) | 0;
    let low = 0;
    let high = 0;
    let lowShift = this.#lowShift;
    let highShift = this.#highShift;
    if (this.#isOdd) {
      const digit = this.#oddDigit(across, up);
      const childAcross = across - STEPS_ACROSS[digit]!;
      const childUp = up - STEPS_UP[digit]!;
      a = ((3 * childAcross - childUp) / 7 + this.#lift) | 0;
      b = ((childAcross + 2 * childUp) / 7 + this.#lift) | 0;
      if (lowShift < LOW_BITS) {
        low = digit << lowShift;
        lowShift += 3;
      } else {
        high = digit << highShift;
        highShift += 3;
      }
    }
    for (let pair = this.#pairsBelow; pair > 0; pair--) {
      const quotientA = (a / 7) | 0;
      const quotientB = (b / 7) | 0;
      const code = PAIRS[7 * (a - 7 * quotientA) + b - 7 * quotientB]!;
      low |= (code & 63) << lowShift;
      lowShift += 6;
      a = quotientA + ((code >> 6) & 1);
      b = quotientB + (code >> 7);
    }
    for (let pair = this.#pairsAbove; pair > 0; pair--) {
      const quotientA = (a / 7) | 0;
      const quotientB = (b / 7) | 0;
      const code = PAIRS[7 * (a - 7 * quotientA) + b - 7 * quotientB]!;
      high |= (code & 63) << highShift;
      highShift += 6;
      a = quotientA + ((code >> 6) & 1);
      b = quotientB + (code >> 7);
    }
    const { found } = this;
    found.low = low;
    found.high = high;
    found.place = (2 * FARTHEST + 1) * a + b;
  }

  #oddDigit(across: number, up: number): number {
    const a = across + 7 * this.#lift;
    const b = up + 7 * this.#lift;
    return ODD_DIGITS[7 * (a % 7) + (b % 7)]!;
  }
}
