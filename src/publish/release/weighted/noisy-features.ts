/** Adds noise to exact features, and writes and reads what a pass committed. */
import { Rational } from "../../../core/arithmetic/index.ts";
import { invariant, VeilgridError } from "../../../core/errors/index.ts";
import { discreteLaplace, type Uniform } from "../../../core/noise/index.ts";
import { stepExponentFor } from "../../../core/planning/index.ts";

/** Numbers on a lattice: each is steps · 2^stepExponent. */
export interface LatticeNumbers {
  readonly steps: readonly bigint[];
  readonly stepExponent: number;
}

/** A feature's exact numbers, one per coordinate, and the scale of the noise that is to hide them. */
export interface ExactNumbers {
  readonly exact: readonly Rational[];
  readonly scale: Rational;
}

/** Rounded to the lattice of their noise. */
export function onLattice({ exact, scale }: ExactNumbers): LatticeNumbers {
  const stepExponent = stepExponentFor(scale);
  const step = Rational.powerOfTwo(stepExponent);
  return { steps: exact.map((value) => value.divide(step).roundHalfUpToInteger()), stepExponent };
}

/** Exact numbers rounded to their lattice, plus discrete Laplace noise of this scale on it (docs/mathematics.md, Theorem 15). */
export function addLaplace(numbers: ExactNumbers, uniform: Uniform): LatticeNumbers {
  const { steps, stepExponent } = onLattice(numbers);
  const inSteps = numbers.scale.divide(Rational.powerOfTwo(stepExponent));
  return { steps: steps.map((each) => each + discreteLaplace(uniform, inSteps)), stepExponent };
}

export function numbersOf({ steps, stepExponent }: LatticeNumbers): Rational[] {
  const step = Rational.powerOfTwo(stepExponent);
  return steps.map((each) => Rational.of(each).multiply(step));
}

/** The canonical text of a pass: lists of numbers, by grid and feature. */
export function passText(pass: string, numbers: ReadonlyArray<readonly LatticeNumbers[]>): string {
  const rows = numbers.map((row) => row.map(({ steps, stepExponent }) => ({ steps: steps.map(String), stepExponent })));
  return JSON.stringify({ format: `veilgrid-pass/1`, pass, numbers: rows });
}

/** Reads back what `passText` wrote. */
export function readPass(pass: string, text: string | undefined): LatticeNumbers[][] {
  invariant(text !== undefined, "a pass is committed before the next is made from it");
  try {
    const read = JSON.parse(text) as { pass: string; numbers: Array<Array<{ steps: string[]; stepExponent: number }>> };
    if (read.pass !== pass) throw new TypeError();
    return read.numbers.map((row) =>
      row.map(({ steps, stepExponent }) => ({ steps: steps.map(BigInt), stepExponent })),
    );
  } catch {
    throw new VeilgridError("INPUT_MALFORMED", "the text is no pass of a release in its canonical form");
  }
}
