/** The public interval [a, b] to which values are clamped. The curator chooses it; it is never taken from the data. */
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";

export interface Bounds {
  readonly lower: Rational;
  readonly upper: Rational;
  /** U = b − a. */
  readonly width: Rational;
}

/** Beyond these magnitudes doubles could no longer carry squares and quotients of the width while planning. */
const LARGEST_MAGNITUDE = Rational.of(10n ** 100n);
const SMALLEST_WIDTH = Rational.of(1n, 10n ** 100n);

export function makeBounds(lower: Rational, upper: Rational): Bounds {
  const width = upper.subtract(lower);
  if (width.sign() <= 0) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `bounds ${lower.toShortString()},${upper.toShortString()}: the lower bound must lie below the upper one`,
    );
  }
  if (lower.absolute().compare(LARGEST_MAGNITUDE) > 0 || upper.absolute().compare(LARGEST_MAGNITUDE) > 0) {
    throw new VeilgridError("PARAMETER_INVALID", "bounds must lie within ±1e100");
  }
  if (width.compare(SMALLEST_WIDTH) < 0)
    throw new VeilgridError("PARAMETER_INVALID", "bounds must be at least 1e-100 apart");
  return { lower, upper, width };
}

/** Reads `a,b`, the text of `--bounds`. */
export function parseBounds(text: string): Bounds {
  const [lower, upper, ...more] = text.split(",");
  if (lower === undefined || upper === undefined || more.length > 0) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--bounds ${quoteForMessage(text)} is not two numbers; write --bounds 0,65`,
    );
  }
  return makeBounds(parseDecimal(lower, "--bounds"), parseDecimal(upper, "--bounds"));
}

/** A number that looks as if it was read off the data, told from how it is written alone: the first of some, as they were typed, that has more digits than limits, ranges and prices have; undefined if none has. */
export function measuredBound(texts: readonly string[]): string | undefined {
  return texts.find((text) => hasMeasuredDigits(text.trim()));
}

/** Whole numbers such as 48213, and 1234.5. */
const MOST_DIGITS = 4;

function hasMeasuredDigits(text: string): boolean {
  const [, whole, fraction] = /^[+-]?0*(\d*)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  // Exponents are not how data is copied.
  if (whole === undefined) return false;
  const decimals = fraction ?? "";
  const digits = (whole + decimals).replace(/^0+/, "").replace(/0+$/, "");
  // 99.99 is a price, 1.25 a quarter.
  if (/^9+$/.test(digits) || /^(25|75)$/.test(decimals)) return digits.length > MOST_DIGITS + 1;
  if (decimals.length >= 2) return digits.length >= 3;
  return digits.length > MOST_DIGITS && !(decimals === "" && isSensorRange(BigInt(whole)));
}

/** 65535 and 65536: what so many bits can count to. */
function isSensorRange(whole: bigint): boolean {
  return (whole & (whole + 1n)) === 0n || (whole & (whole - 1n)) === 0n;
}
