/** Exact rationals and integers, and decimal text. Every rounding names its direction. */
export { parseDecimal, tryParseDecimal, tryParseExact } from "./decimal.ts";
export { bitLength, divideCeil, divideFloor } from "./integers.ts";
export { naturalLogUp } from "./logarithm.ts";
export { maximum, minimum, Rational, sum } from "./rational.ts";
