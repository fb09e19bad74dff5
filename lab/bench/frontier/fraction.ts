/** Exact fractions over BigInt for the plan checker: as few lines as will do, and none of them the planner's. */

export class Fraction {
  static readonly ZERO = new Fraction(0n, 1n);
  readonly top: bigint;
  /** Positive; the fraction is in lowest terms. */
  readonly bottom: bigint;

  private constructor(top: bigint, bottom: bigint) {
    this.top = top;
    this.bottom = bottom;
  }

  static of(top: bigint | number, bottom: bigint | number = 1n): Fraction {
    const [over, under] = [BigInt(top), BigInt(bottom)];
    if (under === 0n) throw new RangeError("a fraction with denominator zero");
    let [a, b] = [over < 0n ? -over : over, under < 0n ? -under : under];
    while (b !== 0n) [a, b] = [b, a % b];
    const divisor = under < 0n ? -a : a;
    return new Fraction(over / divisor, under / divisor);
  }

  /** `3`, `-0.25` or `1/3`. */
  static parse(text: string): Fraction {
    const fraction = /^(-?\d+)\/(\d+)$/.exec(text);
    if (fraction !== null) return Fraction.of(BigInt(fraction[1]!), BigInt(fraction[2]!));
    const decimal = /^(-?\d+)(?:\.(\d+))?$/.exec(text);
    if (decimal === null) throw new SyntaxError(`not an exact number: ${JSON.stringify(text)}`);
    const digits = decimal[2] ?? "";
    return Fraction.of(BigInt(decimal[1]! + digits), 10n ** BigInt(digits.length));
  }

  plus(other: Fraction): Fraction {
    return Fraction.of(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
  }

  minus(other: Fraction): Fraction {
    return Fraction.of(this.top * other.bottom - other.top * this.bottom, this.bottom * other.bottom);
  }

  times(other: Fraction): Fraction {
    return Fraction.of(this.top * other.top, this.bottom * other.bottom);
  }

  over(other: Fraction): Fraction {
    return Fraction.of(this.top * other.bottom, this.bottom * other.top);
  }

  isZero(): boolean {
    return this.top === 0n;
  }

  equals(other: Fraction): boolean {
    return this.top === other.top && this.bottom === other.bottom;
  }

  isAbove(other: Fraction): boolean {
    return this.top * other.bottom > other.top * this.bottom;
  }

  /** The smallest integer not below this. */
  ceiling(): bigint {
    const whole = this.top / this.bottom;
    return this.top > whole * this.bottom ? whole + 1n : whole;
  }

  /** A nearby double, to look at. */
  toNumber(): number {
    const sign = this.top < 0n ? -1 : 1;
    const size = this.top < 0n ? -this.top : this.top;
    const bits = (value: bigint): number => value.toString(2).length;
    const shift = 64 - (bits(size) - bits(this.bottom));
    const quotient = shift >= 0 ? (size << BigInt(shift)) / this.bottom : size / (this.bottom << BigInt(-shift));
    return sign * Number(quotient) * 2 ** -shift;
  }

  toString(): string {
    return this.bottom === 1n ? String(this.top) : `${this.top}/${this.bottom}`;
  }
}

export function larger(left: Fraction, right: Fraction): Fraction {
  return right.isAbove(left) ? right : left;
}
