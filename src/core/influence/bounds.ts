/** The public interval [a, b] that values are clamped to. Chosen by the curator, never taken from the data. */
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
  const parts = text.split(",");
  if (parts.length !== 2) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--bounds ${quoteForMessage(text)} is not two numbers; write --bounds 0,65`,
    );
  }
  return makeBounds(parseDecimal(parts[0]!, "--bounds"), parseDecimal(parts[1]!, "--bounds"));
}
