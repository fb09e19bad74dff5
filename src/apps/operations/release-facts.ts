/** What is told of a finished release: as JSON, by the service, and in sentences by the report. */
import type { ReleaseFacts as ReportedFacts } from "../../publish/report/index.ts";
import type { ReleaseReport } from "./release.ts";

export interface ReleaseFacts extends Omit<ReportedFacts, "files"> {
  readonly planHash: string;
  /** Of the worst user. */
  readonly loss: number;
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
