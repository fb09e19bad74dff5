/** Constructs two neighbouring datasets that attain a sensitivity, so that tightness can be shown. */
import type { Statistic } from "./statistic.ts";

/**
 * Two neighbouring datasets between which a user owning `owned` of `kept` samples, and `leftOut` more that are not kept, moves the
 * statistic by its whole sensitivity: so many samples at the lower bound a, so many at the upper bound b.
 */
export function sensitivityWitness(
  statistic: Statistic,
  { owned, kept, leftOut = 0 }: { owned: number; kept: number; leftOut?: number },
) {
  const raised = statistic.shape.raised(owned, kept);
  return {
    /** Kept samples of the others: the same in both datasets. */
    others: { atLower: kept - owned, atUpper: 0 },
    /** Kept samples of the user. */
    ownBefore: { atLower: owned, atUpper: 0 },
    ownAfter: { atLower: owned - raised, atUpper: raised },
    /** Samples of the user that are left out. Only centred means and sums look at them. */
    ownLeftOutBefore: { atLower: leftOut, atUpper: 0 },
    ownLeftOutAfter: { atLower: 0, atUpper: leftOut },
  };
}
