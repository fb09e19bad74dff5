/** What every statistic of a grid tells the planner and the composition about itself. */
import type { Rational } from "../arithmetic/index.ts";
import type { Shape } from "./shape.ts";

export type StatisticKind = "mean" | "variance" | "share" | "sum" | "histogram";

/**
 * One published statistic under given bounds. For the paper's estimator, of `kept` out of `total` samples:
 *
 *   sensitivity to a user owning `owned` of the kept ones = sensitivityFactor · shape(owned, kept)
 *   worst-case bias of having dropped the others           = biasFactor · shape(total − kept, total)
 */
export interface Statistic {
  readonly kind: StatisticKind;
  /** The flag's text, which is also the key of per-statistic objects: `mean`, `share:50`. */
  readonly key: string;
  /** The same for two spellings of one statistic: `share:50` for `share:50.0`. */
  readonly identity: string;
  readonly shape: Shape;
  readonly sensitivityFactor: Rational;
  readonly biasFactor: Rational;
  /** Noisy numbers published per grid: the bins of a histogram, otherwise 1. */
  readonly coordinates: number;
  /** How far off publishing the middle of the range can be, spending nothing. */
  dataFreeError(total: number): Rational;
  /** What rounding values to a lattice of this step adds to the error. */
  latticeError(step: Rational, total: number): Rational;
}
