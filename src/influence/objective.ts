/** An objective from the texts that flags and forms give. */
import type { Bounds } from "./bounds.ts";
import type { Metric, Objective } from "./guarantee.ts";
import { parseStatistics, parseWeights } from "./parse-statistics.ts";

export interface ObjectiveWishes {
  /** `mean,variance` if absent. */
  readonly statistics?: string | undefined;
  /** `mean=1,variance=0.1`; 1 where none is given. */
  readonly weights?: string | undefined;
  /** `sum` if absent. */
  readonly metric?: Metric | undefined;
}

export function makeObjective(bounds: Bounds, wishes: ObjectiveWishes = {}): Objective {
  const statistics = parseStatistics(wishes.statistics ?? "mean,variance", bounds);
  return {
    statistics,
    weights: parseWeights(wishes.weights, statistics),
    metric: wishes.metric ?? "sum",
    estimator: "kept",
  };
}
