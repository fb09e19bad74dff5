/** The map from a value to its lattice integer, in doubles and in one order of operations, the same in every engine. */
import type { Rational } from "../arithmetic/index.ts";
import { VeilgridError } from "../errors/index.ts";
import type { Bounds } from "../influence/index.ts";

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
