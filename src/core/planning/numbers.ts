/** Sums, maxima, bisection and roundings that every search here needs. */
import { Rational } from "../arithmetic/index.ts";

/** By index: an iterator over a typed array makes garbage of every number. */
export function sumOf(numbers: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < numbers.length; at++) sum += numbers[at]!;
  return sum;
}

/** The largest of numbers that are not negative; 0 of none. */
export function largestOf(numbers: ArrayLike<number>): number {
  let largest = 0;
  for (let at = 0; at < numbers.length; at++) if (numbers[at]! > largest) largest = numbers[at]!;
  return largest;
}

/** The first of low, low + step, … high for which `holds`, which holds from there on; undefined if it holds for none. */
export function firstWhere(
  low: number,
  high: number,
  step: number,
  holds: (at: number) => boolean,
): number | undefined {
  if (low > high || !holds(high)) return undefined;
  let left = 0;
  let right = (high - low) / step;
  while (left < right) {
    const middle = Math.floor((left + right) / 2);
    if (holds(low + step * middle)) right = middle;
    else left = middle + 1;
  }
  return low + step * right;
}

/** The last whole number of low … high for which `holds`, which holds up to there; `low` itself is not asked about. */
export function lastWhere(low: number, high: number, holds: (at: number) => boolean): number {
  let left = low;
  let right = high;
  while (left < right) {
    const middle = Math.ceil((left + right) / 2);
    if (holds(middle)) left = middle;
    else right = middle - 1;
  }
  return left;
}

/** Ten significant digits, rounded up, so that plans carry short numbers. */
export function roundUp(value: number): Rational {
  return Rational.fromNumber(value).ceilToMultipleOf(tenDigits(value));
}

/** Ten significant digits, rounded down. */
export function roundDown(value: number): Rational {
  return Rational.fromNumber(value).floorToMultipleOf(tenDigits(value));
}

function tenDigits(value: number): Rational {
  const exponent = Math.floor(Math.log10(value)) - 9;
  return exponent >= 0 ? Rational.of(10n ** BigInt(exponent)) : Rational.of(1n, 10n ** BigInt(-exponent));
}
