/** Integer helpers over BigInt that name their rounding direction. */

/** The largest integer not above numerator / denominator. */
export function divideFloor(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const exact = quotient * denominator === numerator;
  return exact || numerator < 0n === denominator < 0n ? quotient : quotient - 1n;
}

/** The smallest integer not below numerator / denominator. */
export function divideCeil(numerator: bigint, denominator: bigint): bigint {
  return -divideFloor(-numerator, denominator);
}

/** Number of binary digits of |value|; 0 for 0. */
export function bitLength(value: bigint): number {
  const digits = (value < 0n ? -value : value).toString(16);
  return 4 * (digits.length - 1) + (32 - Math.clz32(Number.parseInt(digits[0]!, 16)));
}

export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a;
  let y = b < 0n ? -b : b;
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
