/** What every statistic of a grid tells the planner and the composition about itself. */
import type { Rational } from "../arithmetic/index.ts";
import type { EstimatorName } from "./estimator.ts";
import type { Shape } from "./shape.ts";

export type StatisticKind = "mean" | "variance" | "share" | "sum" | "histogram";

/**
 * One published statistic under given bounds and estimator. Of `kept` out of `total` samples:
 *
 *   sensitivity to a user owning `owned` of the kept ones = sensitivityFactor · shape(owned, kept)  [· kept/total]
 *   worst-case bias of having left out the others          = biasFactor · shape(total − kept, total)
 *
 * The bracket applies where `scaledByKeptShare`.
 */
export interface Statistic {
  readonly kind: StatisticKind;
  /** The flag's text, which is also the key of per-statistic objects: `mean`, `share:50`. */
  readonly key: string;
  /** The same for two spellings of one statistic: `share:50` for `share:50.0`. */
  readonly identity: string;
  readonly estimator: EstimatorName;
  readonly shape: Shape;
  /** The kept records' statistic enters with the weight kept/total: averages, centred. */
  readonly scaledByKeptShare: boolean;
  readonly sensitivityFactor: Rational;
  readonly biasFactor: Rational;
  /** Noisy numbers published per grid: the bins of a histogram, otherwise 1. */
  readonly coordinates: number;
  /** How far off publishing the middle of the range can be, spending nothing. */
  dataFreeError(total: number): Rational;
  /** What rounding values to a lattice of this step adds to the error. */
  latticeError(step: Rational, total: number): Rational;
}
