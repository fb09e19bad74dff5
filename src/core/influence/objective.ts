/** Makes an objective from the texts of flags and forms, and checks objectives that were assembled by hand. */
import { VeilgridError } from "../errors/index.ts";
import type { Bounds } from "./bounds.ts";
import type { Metric, Objective } from "./guarantee.ts";
import type { EstimatorName } from "./statistic.ts";
import { parseStatistic, parseStatistics, parseWeights } from "./statistics.ts";

export interface ObjectiveOptions {
  /** `DEFAULT_STATISTICS` if absent. */
  readonly statistics?: string | undefined;
  /** `mean=1,variance=0.1`; 1 where none is given. */
  readonly weights?: string | undefined;
  /** `sum`, the paper's, if absent; `plan` and `compare` pass `defaultMetric`. */
  readonly metric?: Metric | undefined;
  /** `kept` if absent. */
  readonly estimator?: EstimatorName | undefined;
}

const DEFAULT_STATISTICS = "mean,variance";

/**
 * The metric where none is named: relative for several statistics, whose errors have different units, `sum` for one.
 *
 * `plan` (under the frontier), `compare` and the dashboard take it from here. The paper's strategies and `makeObjective`, which knows
 * no strategy, take `sum`: an objective of your own for the frontier wants `metric: defaultMetric(statistics)`.
 */
export function defaultMetric(statistics: string = DEFAULT_STATISTICS): Metric {
  return statistics.includes(",") ? "relative" : "sum";
}

export function makeObjective(bounds: Bounds, options: ObjectiveOptions = {}): Objective {
  const estimator = options.estimator ?? "kept";
  const statistics = parseStatistics(options.statistics ?? DEFAULT_STATISTICS, bounds, estimator);
  return {
    bounds,
    statistics,
    weights: parseWeights(options.weights, statistics),
    metric: options.metric ?? "sum",
    estimator,
  };
}

/** Refuses statistics that were made for other bounds or another estimator: their noise would be for another range than the values'. */
export function checkObjective(objective: Objective): void {
  const { statistics, weights } = objective;
  const refuse = (what: string): never => {
    throw new VeilgridError("PARAMETER_INVALID", `objective: ${what}`);
  };
  if (statistics.length === 0) refuse("there is no statistic");
  if (new Set(statistics.map((statistic) => statistic.identity)).size < statistics.length)
    refuse("a statistic is named twice");
  if (weights.length !== statistics.length || weights.some((weight) => weight.sign() <= 0))
    refuse("weights must be positive, one per statistic");
  for (const statistic of statistics) {
    const rebuilt = parseStatistic(statistic.key, objective.bounds, objective.estimator);
    const same =
      rebuilt.estimator === statistic.estimator &&
      rebuilt.shape === statistic.shape &&
      rebuilt.scaledByKeptShare === statistic.scaledByKeptShare &&
      rebuilt.coordinates === statistic.coordinates &&
      rebuilt.sensitivityFactor.equals(statistic.sensitivityFactor) &&
      rebuilt.biasFactor.equals(statistic.biasFactor);
    if (!same) refuse(`the statistic ${statistic.key} was made for other bounds or another estimator`);
  }
}
