/** Exact rational numbers over BigInt: what ε, bounds, scales, errors and losses are made of. */
import { VeilgridError } from "../errors/index.ts";
import { bitLength, divideCeil, divideFloor, greatestCommonDivisor } from "./integers.ts";

/** An exact fraction in lowest terms. Immutable; every operation is exact, every rounding names its direction. */
export class Rational {
  static readonly ZERO = new Rational(0n, 1n);
  static readonly ONE = new Rational(1n, 1n);

  /** Carries the sign. */
  readonly numerator: bigint;
  /** Always positive. */
  readonly denominator: bigint;

  /** Callers use `of`: this expects lowest terms and a positive denominator. */
  private constructor(numerator: bigint, denominator: bigint) {
    this.numerator = numerator;
    this.denominator = denominator;
  }

  /** numerator / denominator, reduced. Numbers must be safe integers. */
  static of(numerator: bigint | number, denominator: bigint | number = 1n): Rational {
    const top = toBigInt(numerator);
    const bottom = toBigInt(denominator);
    if (bottom === 0n) throw new VeilgridError("PARAMETER_INVALID", "a fraction's denominator is zero");
    const divisor = greatestCommonDivisor(top, bottom);
    const sign = bottom < 0n ? -1n : 1n;
    return new Rational((sign * top) / divisor, (sign * bottom) / divisor);
  }

  /** The exact value of a finite double. */
  static fromNumber(value: number): Rational {
    if (!Number.isFinite(value)) throw new VeilgridError("PARAMETER_INVALID", "not a finite number");
    let mantissa = value;
    let exponent = 0;
    while (!Number.isInteger(mantissa)) {
      mantissa *= 2;
      exponent += 1;
    }
    return Rational.of(BigInt(mantissa), 1n << BigInt(exponent));
  }

  add(other: Rational): Rational {
    return Rational.of(
      this.numerator * other.denominator + other.numerator * this.denominator,
      this.denominator * other.denominator,
    );
  }

  subtract(other: Rational): Rational {
    return this.add(other.negate());
  }

  multiply(other: Rational): Rational {
    return Rational.of(this.numerator * other.numerator, this.denominator * other.denominator);
  }

  divide(other: Rational): Rational {
    return Rational.of(this.numerator * other.denominator, this.denominator * other.numerator);
  }

  negate(): Rational {
    return new Rational(-this.numerator, this.denominator);
  }

  absolute(): Rational {
    return this.numerator < 0n ? this.negate() : this;
  }

  /** −1, 0 or 1. */
  sign(): -1 | 0 | 1 {
    return this.numerator < 0n ? -1 : this.numerator > 0n ? 1 : 0;
  }

  isZero(): boolean {
    return this.numerator === 0n;
  }

  /** Negative, zero or positive as this is below, equal to or above `other`. */
  compare(other: Rational): -1 | 0 | 1 {
    const left = this.numerator * other.denominator;
    const right = other.numerator * this.denominator;
    return left < right ? -1 : left > right ? 1 : 0;
  }

  equals(other: Rational): boolean {
    return this.numerator === other.numerator && this.denominator === other.denominator;
  }

  floorToInteger(): bigint {
    return divideFloor(this.numerator, this.denominator);
  }

  ceilToInteger(): bigint {
    return divideCeil(this.numerator, this.denominator);
  }

  /** The nearest integer; halves go up, towards +∞. */
  roundHalfUpToInteger(): bigint {
    return divideFloor(2n * this.numerator + this.denominator, 2n * this.denominator);
  }

  floorToMultipleOf(step: Rational): Rational {
    return Rational.of(this.divide(step).floorToInteger()).multiply(step);
  }

  ceilToMultipleOf(step: Rational): Rational {
    return Rational.of(this.divide(step).ceilToInteger()).multiply(step);
  }

  /** The exponent of the largest power of two not above this positive number. */
  floorToPowerOfTwoExponent(): number {
    if (this.sign() <= 0)
      throw new VeilgridError("PARAMETER_INVALID", "no power of two lies below a number that is not positive");
    const guess = bitLength(this.numerator) - bitLength(this.denominator);
    return Rational.powerOfTwo(guess).compare(this) <= 0 ? guess : guess - 1;
  }

  static powerOfTwo(exponent: number): Rational {
    return exponent >= 0 ? new Rational(1n << BigInt(exponent), 1n) : new Rational(1n, 1n << BigInt(-exponent));
  }

  /** The nearest double, ties to even, also among subnormals; ±Infinity beyond the doubles. */
  toNumberNearest(): number {
    if (this.numerator < 0n) return -this.negate().toNumberNearest();
    const magnitude = bitLength(this.numerator) - bitLength(this.denominator);
    // 66 quotient bits and a sticky bit let BigInt's own correctly rounded conversion do the rest.
    const shift = 66 - magnitude;
    if (magnitude <= -1022) return roundHalfEven(this.numerator << 1074n, this.denominator) * Number.MIN_VALUE;
    const top = shift > 0 ? this.numerator << BigInt(shift) : this.numerator;
    const bottom = shift < 0 ? this.denominator << BigInt(-shift) : this.denominator;
    const quotient = top / bottom;
    const sticky = quotient * bottom === top ? quotient : quotient | 1n;
    return scaleByPowerOfTwo(Number(sticky), -shift);
  }

  /** The largest double not above this. */
  toNumberDown(): number {
    const nearest = this.toNumberNearest();
    if (nearest === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
    if (nearest === Number.NEGATIVE_INFINITY) return nearest;
    return Rational.fromNumber(nearest).compare(this) <= 0 ? nearest : doubleBelow(nearest);
  }

  /** The smallest double not below this. */
  toNumberUp(): number {
    // Not a unary minus, which would make zero a negative zero.
    return 0 - this.negate().toNumberDown();
  }

  /** Decimal text with `places` digits after the point, not above this. */
  toDecimalDown(places: number): string {
    return placeDecimalPoint(this.scaled(places).floorToInteger(), places);
  }

  /** Decimal text with `places` digits after the point, not below this. */
  toDecimalUp(places: number): string {
    return placeDecimalPoint(this.scaled(places).ceilToInteger(), places);
  }

  /** Decimal text with `places` digits after the point, nearest to this; halves go up. */
  toDecimalNearest(places: number): string {
    return placeDecimalPoint(this.scaled(places).roundHalfUpToInteger(), places);
  }

  private scaled(places: number): Rational {
    return this.multiply(Rational.of(10n ** BigInt(places)));
  }

  /** The exact value as text: a decimal where one exists, `numerator/denominator` otherwise. */
  toString(): string {
    let rest = this.denominator;
    let twos = 0;
    let fives = 0;
    while (rest % 2n === 0n) {
      rest /= 2n;
      twos += 1;
    }
    while (rest % 5n === 0n) {
      rest /= 5n;
      fives += 1;
    }
    const places = Math.max(twos, fives);
    return rest === 1n && places <= 60 ? this.toDecimalDown(places) : `${this.numerator}/${this.denominator}`;
  }

  /** For messages: exact where that is short, about six digits otherwise. */
  toShortString(): string {
    const exact = this.toString();
    return exact.length <= 40 ? exact : this.toNumberNearest().toPrecision(6);
  }

  toJSON(): string {
    return this.toString();
  }
}

export function minimum(first: Rational, ...rest: Rational[]): Rational {
  return rest.reduce((least, next) => (next.compare(least) < 0 ? next : least), first);
}

export function maximum(first: Rational, ...rest: Rational[]): Rational {
  return rest.reduce((most, next) => (next.compare(most) > 0 ? next : most), first);
}

export function sum(terms: Iterable<Rational>): Rational {
  let total = Rational.ZERO;
  for (const term of terms) total = total.add(term);
  return total;
}

function toBigInt(value: bigint | number): bigint {
  if (typeof value === "bigint") return value;
  if (!Number.isSafeInteger(value))
    throw new VeilgridError("PARAMETER_INVALID", "not an integer that a double holds exactly");
  return BigInt(value);
}

function placeDecimalPoint(scaled: bigint, places: number): string {
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(places + 1, "0");
  const sign = scaled < 0n ? "-" : "";
  if (places === 0) return sign + digits;
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function roundHalfEven(numerator: bigint, denominator: bigint): number {
  const below = numerator / denominator;
  const twiceRest = 2n * (numerator - below * denominator);
  const up = twiceRest > denominator || (twiceRest === denominator && below % 2n === 1n);
  return Number(up ? below + 1n : below);
}

/** value · 2^exponent, value around 2^66, in two steps that each stay exact unless the result is beyond the doubles. */
function scaleByPowerOfTwo(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}

/** The next double below a finite one; below zero for the negative zero that a number just below zero rounds to. */
function doubleBelow(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  // Doubles of one sign are ordered as their bits, negative ones the other way round.
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? -1n : 1n));
  return view.getFloat64(0);
}
