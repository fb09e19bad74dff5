/** Attacks a mechanism many thousand times and compares what it could demonstrate with what is claimed. */
import { checkpoint, type LongWorkOptions } from "../../core/planning/index.ts";
import { type Demonstration, demonstrableAtBest, demonstrate } from "./demonstrate.ts";
import { answersOf, type Mechanism } from "./mechanism.ts";
import type { Attack } from "./scenario.ts";

export interface AttackOptions extends LongWorkOptions {
  /** On each of the two datasets. */
  readonly runs: number;
  /** That a mechanism which keeps its claim is not called broken. */
  readonly confidence: number;
}

export interface AttackReport {
  readonly name: string;
  /** The loss that the plan claims. */
  readonly claim: number;
  /** The largest ε that the runs demonstrate at this confidence. */
  readonly demonstrated: number;
  /** The loss between the two datasets, exactly. */
  readonly attained: number;
  /** What so many runs show of these two datasets on average, at best. */
  readonly atBest: number;
  /** Whether the two datasets attain the claim: nobody here owns more than half of a grid, or one number is looked at. */
  readonly tight: boolean;
  /** Published numbers that the attacker looked at. */
  readonly statistics: number;
  /** The claim is refuted. */
  readonly broken: boolean;
  readonly event: Demonstration;
}

const RUNS_PER_CHECKPOINT = 500;

export async function attackMechanism(
  attack: Attack,
  mechanism: Mechanism,
  options: AttackOptions,
): Promise<AttackReport> {
  const { runs, confidence } = options;
  const evidence = { before: new Float64Array(runs), after: new Float64Array(runs) };
  for (let run = 0; run < runs; run++) {
    for (const side of ["before", "after"] as const)
      evidence[side][run] = evidenceOf(attack, answersOf(attack, mechanism, side));
    if (run % RUNS_PER_CHECKPOINT === 0) {
      options.onProgress?.({ step: `attacking the ${attack.name}`, done: run, of: runs });
      await checkpoint(options.signal);
    }
  }
  const event = demonstrate(evidence, confidence);
  return {
    name: attack.name,
    claim: attack.claim,
    demonstrated: event.epsilon,
    attained: attack.attained,
    atBest: demonstrableAtBest(
      attack.targets.flatMap(({ apart }) => apart),
      { runs, confidence },
    ),
    tight: attack.tight,
    statistics: attack.targets.length,
    broken: event.epsilon > attack.claim,
    event,
  };
}

/**
 * ln of how much likelier an answer is on the second dataset than on the first, under the noise as it should be:
 * Σ (|y − x| − |y − x′|)/t. Whatever the noise is in truth, this is a fixed rule, and the runs decide.
 */
function evidenceOf({ targets }: Attack, answers: ReadonlyArray<readonly bigint[]>): number {
  let evidence = 0;
  targets.forEach(({ scale, rounded }, at) => {
    answers[at]!.forEach((steps, coordinate) => {
      const nearer = distance(steps, rounded.before[coordinate]!) - distance(steps, rounded.after[coordinate]!);
      evidence += Number(nearer) / scale;
    });
  });
  return evidence;
}

export function distance(left: bigint, right: bigint): bigint {
  return left < right ? right - left : left - right;
}
