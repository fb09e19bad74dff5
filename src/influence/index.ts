/** How far samples that are out of our hands can move a statistic: sensitivity, bias, guaranteed error, the data-free line, and witnesses. */
export { type Bounds, makeBounds, parseBounds } from "./bounds.ts";
export { areClearlyApart, ErrorModel } from "./error-model.ts";
export { ESTIMATORS, type EstimatorName } from "./estimator.ts";
export {
  dataFreeError,
  type GridCounts,
  type Guarantee,
  guaranteeOf,
  type KeptOfTotal,
  type Metric,
  noiseScale,
  type Objective,
  sensitivity,
  worstCaseBias,
} from "./guarantee.ts";
export { type HistogramStatistic, histogramStatistic } from "./histogram.ts";
export { meanStatistic } from "./mean.ts";
export { measuredBound } from "./measured-bounds.ts";
export { checkObjective, makeObjective, type ObjectiveWishes } from "./objective.ts";
export { parseStatistic, parseStatistics, parseWeights } from "./parse-statistics.ts";
export { countShape, fractionShape, type Shape, shapeValue, spreadShape } from "./shape.ts";
export { type ShareStatistic, shareStatistic } from "./share.ts";
export { checkEpsilon, LOSS_UNIT, LOSS_UNITS_PER_ONE, type Split, splitBudget, splitEvenly } from "./split.ts";
export type { Statistic, StatisticKind } from "./statistic.ts";
export { sumStatistic } from "./sum.ts";
export { varianceStatistic } from "./variance.ts";
export {
  type BiasWitness,
  biasWitness,
  type SensitivityWitness,
  sensitivityWitness,
  type TwoPointSamples,
} from "./witness.ts";
