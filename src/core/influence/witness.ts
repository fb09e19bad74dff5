/** The datasets that attain a sensitivity or a bias: tightness is shown, not claimed. */
import type { KeptOfTotal } from "./guarantee.ts";
import type { Statistic } from "./statistic.ts";

/** So many samples at the lower bound a, so many at the upper bound b. */
export interface TwoPointSamples {
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

export interface BiasWitness {
  readonly kept: TwoPointSamples;
  readonly dropped: TwoPointSamples;
}

/** A dataset whose statistic differs from what is published of it, before noise, by the whole worst-case bias. */
export function biasWitness(statistic: Statistic, { kept, total }: KeptOfTotal): BiasWitness {
  const dropped = total - kept;
  if (statistic.estimator === "centred") {
    // All alike, and at the end of the range: as far from the middle as what is left out can be, and no spread at all.
    return { kept: { atLower: 0, atUpper: kept }, dropped: { atLower: 0, atUpper: dropped } };
  }
  const raised = statistic.shape.raised(dropped, total);
  return {
    kept: { atLower: kept, atUpper: 0 },
    dropped: { atLower: dropped - raised, atUpper: raised },
  };
}
