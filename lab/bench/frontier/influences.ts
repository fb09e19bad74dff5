/** Influence and worst-case bias of mean and variance in doubles, written out again from the specification so that the yardsticks owe the planner nothing. */

export type EstimatorName = "kept" | "centred";

export interface ErrorTarget {
  /** U, the width of the range of values. */
  readonly width: number;
  /** E, for the mean's error plus the variance's. */
  readonly error: number;
}

export interface TrimTarget extends ErrorTarget {
  readonly estimator: EstimatorName;
}

/** How far `owned` of `total` samples can move the mean. */
export function influenceMean(owned: number, total: number, width: number): number {
  return (width * owned) / total;
}

/** How far `owned` of `total` samples can move the variance; whole samples. */
export function influenceVariance(owned: number, total: number, width: number): number {
  const movable = Math.min(owned, Math.floor(total / 2));
  return (width * width * movable * (total - movable)) / (total * total);
}

/** The same where samples may be divided: continuous, which a fixed point needs. */
export function influenceVarianceDivisible(owned: number, total: number, width: number): number {
  const movable = Math.min(owned, total / 2);
  return (width * width * movable * (total - movable)) / (total * total);
}

/** What the centred estimator makes of the bias of the kept one. */
export function biasFactor(estimator: EstimatorName): number {
  return estimator === "centred" ? 0.5 : 1;
}

/** What the centred estimator makes of a user's influence on the kept records: it divides by all records, not by those kept. */
export function influenceFactor(estimator: EstimatorName, kept: number, total: number): number {
  return estimator === "centred" ? kept / total : 1;
}
