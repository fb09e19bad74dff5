/** The two ways to make a grid's statistics when some of its records are left out. */

/**
 * `kept`: the paper's, which computes the statistic from the kept records as if there were no others.
 * `centred`: what is left out counts as the middle of what it could be (docs/mathematics.md, Theorem 9).
 */
export type EstimatorName = "kept" | "centred";

export const ESTIMATORS: readonly EstimatorName[] = ["kept", "centred"];
