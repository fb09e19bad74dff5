/** The datasets that attain a sensitivity or a bias: tightness is shown, not claimed. */
import type { Statistic } from "./statistic.ts";

/** So many samples at the lower bound a, so many at the upper bound b. */
export interface TwoPointSamples {
  readonly atLower: number;
  readonly atUpper: number;
}

export interface SensitivityWitness {
  /** The same in both datasets. */
  readonly others: TwoPointSamples;
  readonly ownBefore: TwoPointSamples;
  readonly ownAfter: TwoPointSamples;
}

/** Two neighbouring datasets between which a user owning `owned` of `kept` samples moves the statistic by its whole sensitivity. */
export function sensitivityWitness(statistic: Statistic, owned: number, kept: number): SensitivityWitness {
  const raised = statistic.shape.raised(owned, kept);
  return {
    others: { atLower: kept - owned, atUpper: 0 },
    ownBefore: { atLower: owned, atUpper: 0 },
    ownAfter: { atLower: owned - raised, atUpper: raised },
  };
}

export interface BiasWitness {
  readonly kept: TwoPointSamples;
  readonly dropped: TwoPointSamples;
}

/** A dataset whose statistic differs from that of its `kept` samples by the whole worst-case bias. */
export function biasWitness(statistic: Statistic, kept: number, total: number): BiasWitness {
  const dropped = total - kept;
  const raised = statistic.shape.raised(dropped, total);
  return {
    kept: { atLower: kept, atUpper: 0 },
    dropped: { atLower: dropped - raised, atUpper: raised },
  };
}
