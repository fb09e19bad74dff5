/** The interface of a statistic. Planning, releases, reports, simulations and the dashboard know statistics only through it. */
import type { Rational } from "../arithmetic/index.ts";
import type { Bounds } from "./bounds.ts";
import type { Cut } from "./features.ts";
import type { Linear } from "./linear.ts";
import type { Shape } from "./shape.ts";

/**
 * How to make a grid's statistics when some of its records are left out.
 *
 * `kept`: the paper's, which computes the statistic from the kept records as if there were no others.
 * `centred`: what is left out counts as the middle of what it could be (docs/mathematics.md, Theorem 9).
 * `weighted`: nothing is left out by rank; every user's average is weighted (Theorem 15), as `linear` says.
 */
export type EstimatorName = "kept" | "centred" | "weighted";

/** The estimators that leave records out. */
export const ESTIMATORS: readonly EstimatorName[] = ["kept", "centred"];

/** A statistic before bounds, estimator and argument are known. One per file in `statistics/`, all of them in `statistics.ts`. */
export interface StatisticKind {
  /** As `--statistics` has it, and as the file is called. */
  readonly name: string;
  /** What follows the name and a colon, such as a threshold; null where nothing does. */
  readonly argument: StatisticArgument | null;
  /** Of its numbers: that of the values, the square of it, or none. */
  readonly unit: "value" | "squared" | "fraction";
  /** Whether its square root, the standard deviation, is published beside it. */
  readonly hasDeviation: boolean;
  /** In a sentence, given its argument: `share above 50`. */
  nameIn(argument: string): string;
  /** How the dashboard's form offers it. */
  readonly choice: { readonly name: string; readonly says: string };
  /** `argument` is empty where there is none. Throws PARAMETER_INVALID for one that does not fit the bounds. */
  make(argument: string, bounds: Bounds, estimator: EstimatorName): Statistic;
}

interface StatisticArgument {
  /** In help: `share:T (of values above T)`. */
  readonly short: string;
  readonly says: string;
  /** In messages: `share:THRESHOLD`. */
  readonly long: string;
  /** The dashboard's field for it; of a list the parts go to `make` joined by `/`. */
  readonly field: {
    readonly label: string;
    readonly placeholder: string;
    readonly wanted: string;
    readonly isList: boolean;
  };
}

/**
 * One published statistic under given bounds and estimator. Of `kept` out of `total` samples:
 *
 *   sensitivity to a user owning `owned` of the kept ones = sensitivityFactor · shape(owned, kept)  [· kept/total]
 *   worst-case bias of having left out the others          = biasFactor · shape(total − kept, total)
 *
 * The bracket applies where `scaledByKeptShare`. Several numbers, such as bins, are moved or off by so much in all.
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
  /** Noisy numbers published per grid: as many as there are bins, otherwise 1. */
  readonly coordinates: number;
  readonly bins: Bins | null;

  /** The middle of the range, which is published without looking at any data … */
  dataFreeValue(total: number): Rational[];
  /** … and how far off it can be, in all. */
  dataFreeError(total: number): Rational;
  /** What rounding values to a lattice of this step adds to the error. */
  latticeError(step: Rational, total: number): Rational;
  /** What each of its numbers can be at all; noisy ones are clamped to it. */
  range(total: number): readonly [low: Rational, high: Rational];

  /** From where on records are counted, for `value`. */
  readonly cuts: readonly Cut[];
  /** Whether `value` asks for `clampedSum`. */
  readonly needsClampedSum: boolean;
  /** Its numbers before noise. Under the paper's estimator something is kept; the centred one must do without. */
  value<N extends Numbers<N>>(grid: GridSums<N>): N[];

  /** How it is made where users' averages are weighted; the same under every estimator. */
  readonly linear: Linear;

  readonly words: StatisticWords;
}

/** Of a statistic that is several numbers. */
interface Bins {
  /** What is added to the key for each: `[0,10)`. */
  readonly names: readonly string[];
  /** How much of the bias a single one can have: half of it, where they go up only as others go down. */
  readonly largestBiasShare: Rational;
}

/** Exact rationals in a release, doubles in a simulation. */
export interface Numbers<N> {
  add(other: N): N;
  subtract(other: N): N;
  multiply(other: N): N;
  divide(other: N): N;
}

/** What a statistic is worked out from. A value x is told as y = x − a, its distance from the lower bound. */
export interface GridSums<N extends Numbers<N>> {
  /** Records that are kept, and all of them. */
  readonly kept: number;
  readonly total: number;
  /** Σ y and Σ y² of the kept records. */
  readonly sum: N;
  readonly sumOfSquares: N;
  /** For each cut, how many kept records count there. */
  readonly counts: readonly N[];
  /** Σ over users of Σ y over all their records, held to m·U/2 ± Γ·U/2, m of them and Γ of those kept. Only for those who need it. */
  readonly clampedSum: N;
  /** A whole number or a constant in the arithmetic of these sums. */
  of(value: Rational | number): N;
}

/** `bin` is one of the bins' names, or empty. */
interface StatisticWords {
  /** Over a map, of values called so: `Mean speed`. That of the standard deviation, where there is one. */
  label(values: string, bin: string): string;
  /** Over a column: `mean`, `> 50`; of the standard deviation likewise. */
  short(bin: string): string;
  /** In the data dictionary: `Mean of the values`. */
  meaning(bin: string): string;
  /** What became of records that were left out, where that is not plain from the estimator: a sentence if centred, otherwise a clause; or null. */
  readonly leftOut: string | null;
  /** The data-free error, where no number says it. */
  readonly dataFreeError?: string;
}
