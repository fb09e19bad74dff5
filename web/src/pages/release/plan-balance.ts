/** Computes what a release does to the budget where some of it may have been charged before under the same key. */
import type { ReleaseStanding, Standing } from "../ledger/standing.ts";

export interface PlanBalance {
  /** Of the budget, what other releases leave to this one. */
  readonly leftForIt: number;
  /** At least so much is left once all of it is out; below 0 if it may be refused. */
  readonly leftAfter: number;
}

/**
 * Whatever a user loses under this key stays below the plan's loss, charged before or not; what other releases took from any one user is
 * at most their sum, and at most what the worst user has lost in all.
 */
export function planBalance(
  { budget, loss: spent, releases }: Pick<Standing, "budget" | "loss" | "releases">,
  { loss, own }: { readonly loss: number; readonly own: ReleaseStanding | undefined },
): PlanBalance {
  const byOthers = releases.filter((release) => release !== own).reduce((sum, release) => sum + release.loss, 0);
  const leftForIt = budget - Math.min(spent, byOthers);
  return { leftForIt, leftAfter: leftForIt - loss };
}
