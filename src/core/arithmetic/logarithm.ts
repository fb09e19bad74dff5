/** The natural logarithm of a rational, rounded upwards so that tail bounds are never too short. */
import { invariant } from "../errors/index.ts";
import { divideCeil } from "./integers.ts";
import { Rational } from "./rational.ts";

/** Digits after the binary point of the result. */
const PLACES = 128;
const ONE = 1n << BigInt(PLACES);

/**
 * A dyadic rational not below ln(x) and at most (1 + e)·2⁻¹²⁰ above it, for 2^e ≤ x < 2^(e + 1), e ≥ 0.
 *
 * x = 2^e·y with 1 ≤ y < 2, and ln y = 2·(z + z³/3 + z⁵/5 + …), z = (y − 1)/(y + 1) ≤ 1/3, every term rounded up; what is left
 * after the last term is less than a term's own size.
 */
export function naturalLogUp(x: Rational): Rational {
  invariant(x.compare(Rational.ONE) >= 0, "only logarithms of numbers from 1 on are asked for");
  const exponent = x.floorToPowerOfTwoExponent();
  const mantissa = x.divide(Rational.powerOfTwo(exponent));
  const units = BigInt(exponent) * lnUnitsUp(Rational.of(2)) + lnUnitsUp(mantissa);
  return Rational.of(units, ONE);
}

/** ln y for 1 ≤ y ≤ 2, in units of 2⁻¹²⁸, rounded up. */
function lnUnitsUp(y: Rational): bigint {
  const z = y.subtract(Rational.ONE).divide(y.add(Rational.ONE));
  const zUnits = divideCeil(z.numerator * ONE, z.denominator);
  if (zUnits === 0n) return 0n;
  const squared = divideCeil(zUnits * zUnits, ONE);
  let power = zUnits;
  let sum = 0n;
  for (let odd = 1n; power > 1n; odd += 2n) {
    sum += divideCeil(power, odd);
    power = divideCeil(power * squared, ONE);
  }
  // The rest is a geometric series of ratio ≤ 1/9 that starts with at most one unit.
  return 2n * (sum + 2n);
}
