/** Privacy loss of a whole release, per user and overall: the paper's simple rule and the exact joint loss. */
export { continuousLossOfUser, jointLosses, type NoiseBudget, simpleLosses, type UserLosses } from "./loss.ts";
export { type NoiseLattice, noiseLattice, stepCounter } from "./noise-lattice.ts";
export { lossOfWeight, type PassCost, ROUNDING_EXPONENT, weightedLosses } from "./weighted-loss.ts";
