/** Constructs two neighbouring datasets that attain a sensitivity, so that tightness can be shown. */
import type { Statistic } from "./statistic.ts";

/** So many samples at the lower bound a, so many at the upper bound b. */
interface TwoPointSamples {
  readonly atLower: number;
  readonly atUpper: number;
}

export interface SensitivityWitness {
  /** Kept samples of the others: the same in both datasets. */
  readonly others: TwoPointSamples;
  /** Kept samples of the user. */
  readonly ownBefore: TwoPointSamples;
  readonly ownAfter: TwoPointSamples;
  /** Samples of the user that are left out. Only centred means and sums look at them. */
  readonly ownLeftOutBefore: TwoPointSamples;
  readonly ownLeftOutAfter: TwoPointSamples;
}

/**
 * Two neighbouring datasets between which a user owning `owned` of `kept` samples, and `leftOut` more that are not kept, moves the
 * statistic by its whole sensitivity.
 */
export function sensitivityWitness(
  statistic: Statistic,
  { owned, kept, leftOut = 0 }: { owned: number; kept: number; leftOut?: number },
): SensitivityWitness {
  const raised = statistic.shape.raised(owned, kept);
  return {
    others: { atLower: kept - owned, atUpper: 0 },
    ownBefore: { atLower: owned, atUpper: 0 },
    ownAfter: { atLower: owned - raised, atUpper: raised },
    ownLeftOutBefore: { atLower: leftOut, atUpper: 0 },
    ownLeftOutAfter: { atLower: 0, atUpper: leftOut },
  };
}
