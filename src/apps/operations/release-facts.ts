/** What is told of a finished release: as JSON, by the service, and in sentences by the report. */
import type { Rational } from "../../core/arithmetic/index.ts";
import type { ReleaseReport } from "./release.ts";

export interface ReleaseFacts {
  readonly dataset: string;
  readonly key: string;
  readonly planHash: string;
  readonly notPrivate: boolean;
  readonly grids: number;
  /** Grids that this call charged for. */
  readonly chargedGrids: number;
  /** Grids of which nothing was kept. */
  readonly emptyGrids: number;
  /** Finished what an earlier attempt had begun. */
  readonly resumed: boolean;
  /** Of the worst user. */
  readonly loss: number;
  readonly exactLoss: Rational;
  readonly budget: { readonly budget: Rational; readonly loss: Rational; readonly more: number | null };
}

/** Nothing in it is protected: not how many values were clamped, and no user. */
export function releaseFacts({ result, standing, plan, key, chargedGrids, resumed }: ReleaseReport): ReleaseFacts {
  const more = standing.moreLikeLast === null ? null : Number(standing.moreLikeLast);
  return {
    dataset: result.dataset,
    key,
    planHash: plan.hash,
    notPrivate: result.notPrivate,
    grids: result.rows.length,
    chargedGrids,
    emptyGrids: result.rows.filter((row) => row.kept === 0).length,
    resumed,
    loss: result.loss.toNumberNearest(),
    exactLoss: result.loss,
    budget: { budget: standing.budget, loss: standing.loss, more },
  };
}
