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
export { measuredBound } from "./measured-bounds.ts";
export { checkObjective, defaultMetric, makeObjective, type ObjectiveOptions } from "./objective.ts";
export { parseStatistic, parseStatistics, parseWeights } from "./parse-statistics.ts";
export { countShape, fractionShape, type Shape, shapeValue, spreadShape } from "./shape.ts";
export { checkEpsilon, LOSS_UNIT, LOSS_UNITS_PER_ONE, type Split, splitBudget, splitEvenly } from "./split.ts";
export type {
  Bins,
  Cut,
  GridSums,
  Numbers,
  Statistic,
  StatisticArgument,
  StatisticKind,
  StatisticWords,
} from "./statistic.ts";
export { histogramStatistic } from "./statistics/histogram.ts";
export { meanStatistic } from "./statistics/mean.ts";
export { shareStatistic } from "./statistics/share.ts";
export { sumStatistic } from "./statistics/sum.ts";
export { varianceStatistic } from "./statistics/variance.ts";
export { growsWithRecords, kindOfKey, STATISTICS, statisticName, statisticsHelp } from "./statistics.ts";
export {
  type BiasWitness,
  biasWitness,
  type SensitivityWitness,
  sensitivityWitness,
  type TwoPointSamples,
} from "./witness.ts";
