/** Doubles as short exact numbers: ten significant digits, rounded in a stated direction, so that plans carry short numbers. */
import { Rational } from "../../arithmetic/index.ts";

export function roundUp(value: number): Rational {
  return Rational.fromNumber(value).ceilToMultipleOf(tenDigits(value));
}

export function roundDown(value: number): Rational {
  return Rational.fromNumber(value).floorToMultipleOf(tenDigits(value));
}

function tenDigits(value: number): Rational {
  const exponent = Math.floor(Math.log10(value)) - 9;
  return exponent >= 0 ? Rational.of(10n ** BigInt(exponent)) : Rational.of(1n, 10n ** BigInt(-exponent));
}
