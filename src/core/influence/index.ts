/** How far one user's samples, or samples left out, can move a statistic: sensitivity, bias, guaranteed error and data-free error. */
export { type Bounds, makeBounds, measuredBound, parseBounds } from "./bounds.ts";
export { areClearlyApart, ErrorLimit, ErrorModel } from "./error-model.ts";
export { type Cut, type Feature, largestMove, squareFeature, widthOf } from "./features.ts";
export {
  combineErrors,
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
export type { Linear, NoisyFeature } from "./linear.ts";
export { checkObjective, defaultMetric, makeObjective, type ObjectiveOptions } from "./objective.ts";
export { countShape, spreadShape } from "./shape.ts";
export { checkEpsilon, LOSS_UNIT, LOSS_UNITS_PER_ONE, type Split, splitBudget, splitEvenly } from "./split.ts";
export {
  ESTIMATORS,
  type EstimatorName,
  type GridSums,
  type Numbers,
  type Statistic,
  type StatisticKind,
} from "./statistic.ts";
export {
  growsWithRecords,
  kindOfKey,
  parseStatistic,
  parseStatistics,
  parseWeights,
  STATISTICS,
  statisticName,
  statisticsHelp,
} from "./statistics.ts";
export { sensitivityWitness } from "./witness.ts";
