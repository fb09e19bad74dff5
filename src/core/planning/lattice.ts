/** The input lattice: values are rounded to a + h·i before anything else, h public and never taken from the data. */
import { Rational } from "../arithmetic/index.ts";
import { VeilgridError } from "../errors/index.ts";
import type { Bounds } from "../influence/index.ts";

const DEFAULT_STEPS = Rational.of(1 << 20);
/** Lattice integers and their sums of squares stay comfortable for every engine. */
const MOST_STEPS = 2n ** 32n;

/** h > 0 with U/h a whole number up to 2³²: the declared step if it is one, otherwise refused; U·2⁻²⁰ where none is declared (docs/mathematics.md, Theorem 13). */
export function latticeStep(bounds: Bounds, declared: Rational | undefined): Rational {
  if (declared === undefined) return bounds.width.divide(DEFAULT_STEPS);
  if (declared.sign() <= 0)
    throw new VeilgridError("PARAMETER_INVALID", `--step ${declared.toShortString()} must be above 0`);
  const steps = bounds.width.divide(declared);
  if (steps.denominator !== 1n || steps.numerator > MOST_STEPS) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--step ${declared.toShortString()} must divide the width ${bounds.width.toShortString()} of the bounds into at most 2^32 whole steps`,
    );
  }
  return declared;
}
