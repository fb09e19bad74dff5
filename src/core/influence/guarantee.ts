/** Computes a group's guaranteed error exactly, worst-case bias plus expected noise of each statistic, and the data-free error to compare it with. */
import { maximum, Rational, sum } from "../arithmetic/index.ts";
import { itemAt } from "../errors/index.ts";
import type { Bounds } from "./bounds.ts";
import { shapeValue } from "./shape.ts";
import type { EstimatorName, Statistic } from "./statistic.ts";

/** `sum` adds the weighted errors as the paper does; `relative` takes the worst error as a multiple of the data-free one. */
export type Metric = "sum" | "relative";

/** What is published of each grid and how its error is measured. */
export interface Objective {
  /** What the statistics' factors were made from. */
  readonly bounds: Bounds;
  readonly statistics: readonly Statistic[];
  /** One per statistic; `relative` ignores them. */
  readonly weights: readonly Rational[];
  readonly metric: Metric;
  /** What the statistics were made for, too. */
  readonly estimator: EstimatorName;
}

/** How many of a grid's records are kept. */
export interface KeptOfTotal {
  /** n_g: records in the data. */
  readonly total: number;
  /** k_g: records kept. */
  readonly kept: number;
}

/** The counts of a grid that its error depends on. */
export interface GridCounts extends KeptOfTotal {
  /** Γ*_g: kept records of the heaviest user. */
  readonly largest: number;
}

/** Δ: how far a user who owns `owned` of the kept records can move the statistic, at most (docs/mathematics.md, Theorem 9). */
export function sensitivity(statistic: Statistic, owned: number, { kept, total }: KeptOfTotal): Rational {
  if (owned === 0) return Rational.ZERO;
  const ofKept = statistic.sensitivityFactor.multiply(shapeValue(statistic.shape, owned, kept));
  return statistic.scaledByKeptShare ? ofKept.multiply(Rational.of(kept, total)) : ofKept;
}

/** How far off the published statistic can be from that of all records, before noise, at most (docs/mathematics.md, Theorems 3 and 9). */
export function worstCaseBias(statistic: Statistic, { kept, total }: KeptOfTotal): Rational {
  return statistic.biasFactor.multiply(shapeValue(statistic.shape, total - kept, total));
}

/** The Laplace scale Δ/ε_t, which makes the heaviest user lose ε_t; 0 where no user can move the statistic (docs/mathematics.md, Theorem 9). */
export function noiseScale(statistic: Statistic, counts: GridCounts, epsilon: Rational): Rational {
  const delta = sensitivity(statistic, counts.largest, counts);
  return delta.isZero() ? Rational.ZERO : delta.divide(epsilon);
}

export interface Guarantee {
  /** Per statistic, in the objective's order. */
  readonly bias: readonly Rational[];
  readonly scale: readonly Rational[];
  /** bias + expected |noise|, per statistic. */
  readonly statisticError: readonly Rational[];
  /** E_g in the objective's metric. */
  readonly error: Rational;
}

/**
 * The guarantee of a grid with ε split as given. Undefined for a grid of which nothing is kept, which has no statistic under the
 * paper's estimator; the centred one publishes the middle there, without noise.
 */
export function guaranteeOf(
  objective: Objective,
  counts: GridCounts,
  epsilons: readonly Rational[],
): Guarantee | undefined {
  if (counts.kept === 0 && objective.estimator === "kept") return undefined;
  const { statistics } = objective;
  const bias = statistics.map((statistic) => worstCaseBias(statistic, counts));
  const scale = statistics.map((statistic, index) => noiseScale(statistic, counts, itemAt(epsilons, index)));
  const statisticError = statistics.map((statistic, index) => {
    return itemAt(bias, index).add(itemAt(scale, index).multiply(Rational.of(statistic.coordinates)));
  });
  return { bias, scale, statisticError, error: combineErrors(objective, statisticError, counts.total) };
}

/** The error of publishing midpoints, which costs no privacy, in the objective's metric. */
export function dataFreeError(objective: Objective, total: number): Rational {
  return combineErrors(
    objective,
    objective.statistics.map((statistic) => statistic.dataFreeError(total)),
    total,
  );
}

/** Every statistic's error as a multiple of its data-free error. */
export function relativeErrors(objective: Objective, errors: readonly Rational[], total: number): Rational[] {
  return errors.map((error, index) => error.divide(itemAt(objective.statistics, index).dataFreeError(total)));
}

/** Errors of the statistics as one, in the objective's metric. */
export function combineErrors(objective: Objective, errors: readonly Rational[], total: number): Rational {
  if (objective.metric === "sum")
    return sum(errors.map((error, index) => error.multiply(itemAt(objective.weights, index))));
  return maximum(Rational.ZERO, ...relativeErrors(objective, errors, total));
}
