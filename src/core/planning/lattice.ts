/** The input lattice: values are rounded to a + h·i before anything else, in doubles and in one order of operations, the same in every engine. */
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

export interface InputLattice {
  /** a, the nearest double. */
  readonly lower: number;
  /** b, to tell the curator how many values were clamped. */
  readonly upper: number;
  /** h, the nearest double. */
  readonly step: number;
  /** N = U/h. */
  readonly steps: bigint;
  /** The integer of the middle of the range, for values that are missing. */
  readonly midpoint: bigint;
}

/** Beyond this many steps from 0, rounding to doubles would no longer be small beside half a step. */
const FARTHEST_STEPS = 2 ** 40;

/** The lattice a + h·i, i = 0 … N = U/h, as every engine computes with it; refused where doubles could not tell neighbouring values apart (docs/mathematics.md, Theorem 13). */
export function inputLattice(bounds: Bounds, latticeStep: Rational): InputLattice {
  const lower = bounds.lower.toNumberNearest();
  const upper = bounds.upper.toNumberNearest();
  const step = latticeStep.toNumberNearest();
  const steps = bounds.width.divide(latticeStep).roundHalfUpToInteger();
  if (!(Math.max(Math.abs(lower), Math.abs(upper)) / step <= FARTHEST_STEPS)) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `the bounds ${bounds.lower.toShortString()},${bounds.upper.toShortString()} lie too far from 0 for steps of ${latticeStep.toShortString()}: doubles cannot tell such values apart; shift the values or give a larger --step`,
    );
  }
  return { lower, upper, step, steps, midpoint: (steps + 1n) / 2n };
}

/** i = ⌊(x − a)/h + 0.5⌋ in doubles, clamped to 0 … N: the reference for what engines print (docs/mathematics.md, Theorem 13). */
export function latticeInteger(value: number, lattice: InputLattice): bigint {
  const rounded = Math.floor((value - lattice.lower) / lattice.step + 0.5);
  if (rounded <= 0) return 0n;
  return rounded >= Number(lattice.steps) ? lattice.steps : BigInt(rounded);
}
