/** A sampler followed along every path of draws, for exact probabilities of what it gives. */
import type { Uniform } from "../../src/core/noise/index.ts";

/** Follows one path of draws; draws beyond it are reported as choices to be made. */
export class Path implements Uniform {
  readonly #choices: readonly number[];
  #at = 0;
  probability = 1;
  /** How many ways there are at the first draw that is not decided. */
  open: number | undefined;

  constructor(choices: readonly number[]) {
    this.#choices = choices;
  }

  below(bound: bigint): bigint {
    if (this.#at === this.#choices.length) {
      this.open = Number(bound);
      throw new RangeError("open");
    }
    this.probability /= Number(bound);
    return BigInt(this.#choices[this.#at++]!);
  }

  coin(): boolean {
    return this.below(2n) === 1n;
  }
}

/** Probability of every outcome over all paths at least this likely, and the probability of the paths not walked. */
export function walk<Outcome>(
  sample: (uniform: Uniform) => Outcome,
  leastLikely: number,
): { of: Map<Outcome, number>; rest: number } {
  const of = new Map<Outcome, number>();
  let rest = 0;
  const pending: number[][] = [[]];
  while (pending.length > 0) {
    const choices = pending.pop()!;
    const path = new Path(choices);
    try {
      const outcome = sample(path);
      of.set(outcome, (of.get(outcome) ?? 0) + path.probability);
    } catch (error) {
      if (path.open === undefined) throw error;
      if (path.probability < leastLikely) rest += path.probability;
      else for (let choice = 0; choice < path.open; choice++) pending.push([...choices, choice]);
    }
  }
  return { of, rest };
}

/** Of k under P(k) ∝ exp(−|k|/t). */
export function laplaceProbability(k: number, scale: number): number {
  const ratio = Math.exp(-1 / scale);
  return ((1 - ratio) / (1 + ratio)) * ratio ** Math.abs(k);
}
