/** Half-widths of intervals under the model: quantiles of Laplace noise plus a Gaussian error. */
import { invariant } from "../errors/index.ts";

export interface ModelError {
  /** Scales of independent Laplace noises, none to two. */
  readonly scales: readonly number[];
  /** Standard deviation of an independent Gaussian error. */
  readonly deviation: number;
  /** Above 0, below 1. */
  readonly confidence: number;
}

/** Half of the scales' relative distance below which their difference quotient is taken further apart, at an error of its square. */
const CLOSE = 1e-5;

/** The t with P(|error| ≤ t) = confidence, to a relative 10⁻⁹. */
export function modelQuantile({ scales, deviation, confidence }: ModelError): number {
  invariant(scales.length <= 2, "at most two noises");
  const outside = 1 - confidence;
  const unit = Math.max(deviation, ...scales);
  if (unit === 0) return 0;
  const tail = (t: number): number => 2 * upperTail(t, scales, deviation);
  let high = unit;
  while (tail(high) > outside) high *= 2;
  let low = high === unit ? 0 : high / 2;
  while (high - low > 1e-10 * high) {
    const middle = (low + high) / 2;
    if (tail(middle) > outside) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * P(error > t), t ≥ 0. The density of two Laplace noises together is (b² f_b − a² f_a)/(b² − a²), f_b that of one noise of scale b: so is every tail made
 * of it, with a Gaussian error or without. For equal scales it is the limit.
 */
function upperTail(t: number, scales: readonly number[], deviation: number): number {
  const [one, two] = scales.filter((scale) => scale > 0);
  if (one === undefined) return gaussianTail(t / deviation);
  if (two === undefined) return laplaceTail(t, one, deviation);
  const middle = (one + two) / 2;
  const apart = Math.max(Math.abs(one - two) / 2, CLOSE * middle);
  const [small, large] = [middle - apart, middle + apart];
  return (
    (large ** 2 * laplaceTail(t, large, deviation) - small ** 2 * laplaceTail(t, small, deviation)) /
    (large ** 2 - small ** 2)
  );
}

/** P(X + N > t) for X of Laplace scale b and N Gaussian; each exponential is put together with the Gaussian tail that it multiplies, so that none overflows. */
function laplaceTail(t: number, scale: number, deviation: number): number {
  if (deviation === 0) return Math.exp(-t / scale) / 2;
  const z = t / deviation;
  const ratio = deviation / scale;
  const density = Math.exp((-z * z) / 2);
  const near =
    z < ratio
      ? (density * scaledErfc((ratio - z) / Math.SQRT2)) / 2
      : Math.exp((ratio * ratio) / 2 - t / scale) * (1 - gaussianTail(z - ratio));
  const far = (density * scaledErfc((z + ratio) / Math.SQRT2)) / 2;
  return gaussianTail(z) + (near - far) / 2;
}

/** P(N > z) of a standard Gaussian, z ≥ 0. */
function gaussianTail(z: number): number {
  return (Math.exp((-z * z) / 2) * scaledErfc(z / Math.SQRT2)) / 2;
}

/** e^(x²)·erfc(x), x ≥ 0: the series of erf with positive terms for small x, the continued fraction of erfc for large. */
function scaledErfc(x: number): number {
  const SERIES_BELOW = 2.5;
  const TERMS = 80;
  if (x < SERIES_BELOW) {
    let term = x;
    let sum = x;
    for (let n = 1; n < TERMS; n++) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return Math.exp(x * x) - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = x;
  for (let n = TERMS; n >= 1; n--) fraction = x + n / 2 / fraction;
  return 1 / (Math.sqrt(Math.PI) * fraction);
}
