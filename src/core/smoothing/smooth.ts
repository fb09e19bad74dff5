/** Smooths published numbers under a Gaussian model over grids, its parameters by marginal likelihood (docs/mathematics.md, "Smoothing"). */
import { invariant } from "../errors/index.ts";
import type { Standardised } from "./covariance.ts";
import { cutPatches, type Neighbours } from "./patches.ts";
import { type Graph, solve, type Weighted, weighSettings } from "./settings.ts";

/** By grid. Numbers are unbiased, not clamped to the range, and NaN where nothing is published. */
export interface NoisyNumbers {
  readonly values: Float64Array;
  /** Of the noise and the model's own error together; above 0. */
  readonly variances: Float64Array;
  /** Where true values lie. */
  readonly range: readonly [low: number, high: number];
  readonly neighbours?: Neighbours | undefined;
}

export interface Smoothed {
  /**
   * `none`: next to nothing would change, and the numbers stay as they are. Otherwise they are averages over both other models by likelihood;
   * `neighbours` where it is at least twice as likely that neighbours are alike as that they are not, else `common`.
   */
  readonly kind: "none" | "common" | "neighbours";
  /** Clamped to the range; NaN where nothing is published. */
  readonly values: Float64Array;
  /** Standard deviations of the true values about the numbers, under the model. */
  readonly deviations: Float64Array;
}

/** In units of the range's own deviation. Noise beyond it says nothing about a grid and would cost digits. */
const MOST_DEVIATION = 3000;
/** The posterior is worked out for so many grids times settings, the likeliest settings first. */
const MOST_WORK = 40_000;
const LEAST_WEIGHT = 0.002;
/** Smoothing that leaves this much of the variance is not worth a second number. */
const NOTHING_GAINED = 0.99;

/** The same input gives the same output. Numbers moved or stretched with their range give the like; so do grids in another order, but for where patches are cut. */
export function smooth({ values, variances, range: [low, high], neighbours }: NoisyNumbers): Smoothed {
  invariant(low < high, "a range is wider than a point");
  const unit = (high - low) / Math.sqrt(12);
  const middle = (low + high) / 2;
  const known = Int32Array.from([...values.keys()].filter((grid) => Number.isFinite(values[grid])));
  const capped = variances.map((variance) => Math.min(variance / unit ** 2, MOST_DEVIATION ** 2));
  invariant(
    known.every((grid) => capped[grid]! > 0),
    "published numbers have a variance",
  );
  // Where the variance is cut, so is the number's distance from the middle.
  const numbers = values.map((value, grid) => (value - middle) * Math.sqrt(capped[grid]! / variances[grid]!));
  const data: Standardised = { numbers, variances: capped, known };

  const isLinked = neighbours !== undefined && neighbours.other.length > 0;
  const graph = isLinked ? { neighbours, patches: cutPatches(neighbours, known) } : undefined;
  const settings = likeliest(weighSettings(data, graph), known.length);
  const { means, left } = posterior(data, graph, settings);
  const clamped = (value: number): number => Math.min(high, Math.max(low, value));
  const kept = known.reduce((sum, grid) => sum + left[grid]! / capped[grid]!, 0);
  if (kept >= NOTHING_GAINED * known.length)
    return {
      kind: "none",
      values: values.map((value) => (Number.isFinite(value) ? clamped(value) : Number.NaN)),
      deviations: variances.map((variance, grid) => (Number.isFinite(values[grid]) ? Math.sqrt(variance) : Number.NaN)),
    };
  const alike = settings.reduce((sum, { setting, weight }) => sum + (setting.share > 0 ? weight : 0), 0);
  return {
    kind: alike >= 2 / 3 ? "neighbours" : "common",
    values: means.map((mean) => clamped(middle + unit * mean)),
    deviations: left.map((variance) => unit * Math.sqrt(variance)),
  };
}

/** Those that the posterior is made of; weights add up to 1. */
function likeliest(all: readonly Weighted[], grids: number): Weighted[] {
  const most = Math.max(1, Math.floor(MOST_WORK / grids));
  const used = all.filter(({ weight }, rank) => rank === 0 || (rank < most && weight > LEAST_WEIGHT));
  const total = used.reduce((sum, { weight }) => sum + weight, 0);
  return used.map(({ setting, weight }) => ({ setting, weight: weight / total }));
}

/** Mean and variance of every known grid's true value, averaged over the settings by weight. */
function posterior(
  data: Standardised,
  graph: Graph | undefined,
  used: readonly Weighted[],
): { means: Float64Array; left: Float64Array } {
  const { numbers, variances, known } = data;
  const whole = used.map(() => ({
    numbers: new Float64Array(numbers.length),
    ones: new Float64Array(numbers.length),
    diagonal: new Float64Array(numbers.length),
  }));
  solve(
    data,
    graph,
    used.map(({ setting }) => setting),
    (index, solved, core) => {
      for (const part of ["numbers", "ones", "diagonal"] as const)
        for (let at = 0; at < core; at++) whole[index]![part][solved.grids[at]!] = solved[part][at]!;
    },
  );
  const means = new Float64Array(numbers.length).fill(Number.NaN);
  const left = means.slice();
  const meansOf = whole.map(({ numbers, ones }) => {
    const precision = ones.reduce((sum, each) => sum + each, 1);
    return { mean: numbers.reduce((sum, each) => sum + each, 0) / precision, variance: 1 / precision };
  });
  for (const grid of known) {
    const noise = variances[grid]!;
    const each = used.map(({ weight }, index) => {
      const { mean, variance } = meansOf[index]!;
      const one = whole[index]!.ones[grid]!;
      return {
        weight,
        mean: numbers[grid]! - noise * (whole[index]!.numbers[grid]! - mean * one),
        variance: Math.max(0, noise - noise ** 2 * whole[index]!.diagonal[grid]!) + (noise * one) ** 2 * variance,
      };
    });
    const mean = each.reduce((sum, part) => sum + part.weight * part.mean, 0);
    means[grid] = mean;
    left[grid] = each.reduce((sum, part) => sum + part.weight * (part.variance + (part.mean - mean) ** 2), 0);
  }
  return { means, left };
}
