/** Smoothing of published numbers: what a Gaussian model over grids makes of numbers that are public and noisy, and quantiles under the model. */
export { type ModelError, modelQuantile } from "./model-quantile.ts";
export type { Neighbours } from "./patches.ts";
export { type NoisyNumbers, type Smoothed, smooth } from "./smooth.ts";
