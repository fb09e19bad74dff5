/** How a statistic is made of noisy features, and how their noise and bias reach it. */
import { maximum, minimum, Rational } from "../arithmetic/index.ts";
import { itemAt } from "../errors/index.ts";
import { type Feature, widthOf } from "./features.ts";

/** A feature of a grid as it was published. */
export interface NoisyFeature {
  readonly feature: Feature;
  /** One per coordinate. */
  readonly values: readonly Rational[];
  /** b of each coordinate's Laplace noise. */
  readonly scale: Rational;
}

/** Features are those of `features`, in its order; `total` is the grid's records. */
export interface Linear {
  /** `centre` is where squares are taken around, if the statistic leaves it open. */
  features(centre: Rational): readonly Feature[];
  /** Its numbers, right on average. */
  value(noisy: readonly NoisyFeature[], total: number): Rational[];
  /** Its numbers from features that are first held to their ranges: nearer to the truth where noise is loud. */
  held(noisy: readonly NoisyFeature[], total: number): Rational[];
  /** How far noise can have moved a number of `held` if that of each feature moved none of its numbers by more than `most`. */
  reach(noisy: readonly NoisyFeature[], most: readonly Rational[], total: number): Rational;
  /** Scales of the independent Laplace noises that a number carries, but for what their squares add. */
  noiseScales(noisy: readonly NoisyFeature[], total: number): Rational[];
  /** The standard deviation of what squares of noise add to a number. */
  ofSquares(scales: readonly number[]): number;
  /** The largest expected |noise| of a number, for noise of these scales. */
  expectedNoise(features: readonly Feature[], scales: readonly Rational[], total: number): Rational;
  /**
   * The variance of a number's noise, in doubles. Where that goes by how far the mean lies from a centre, the mean is taken to lie
   * anywhere in `around` with equal chance: in the range, if absent. Noise itself does not come into it.
   */
  noiseVariance(
    features: readonly Feature[],
    scales: readonly number[],
    total: number,
    around?: readonly [low: number, high: number],
  ): number;
  /**
   * The most that weighting users otherwise than by their records puts its numbers off, in all, given the same for each
   * feature. `distance` is ½·Σ |p − a|; null where averages are clamped to windows.
   */
  bias(biases: readonly Rational[], distance: Rational | null, total: number): Rational;
}

function held({ values, feature: { range } }: NoisyFeature): Rational[] {
  const [low, high] = range;
  return values.map((value) => maximum(low, minimum(high, value)));
}

function heldFeatures(noisy: readonly NoisyFeature[]): NoisyFeature[] {
  return noisy.map((each) => ({ ...each, values: held(each) }));
}

/** The average of a feature, or that times the records. */
export function averageOfFeature(feature: Feature, isSum = false): Linear {
  const times = (value: Rational, total: number): Rational => (isSum ? value.multiply(Rational.of(total)) : value);
  return {
    features: () => [feature],
    value: ([noisy], total) => (noisy?.values ?? []).map((each) => times(each, total)),
    held: ([noisy], total) => (noisy === undefined ? [] : held(noisy).map((each) => times(each, total))),
    reach: (_, most, total) => times(itemAt(most, 0), total),
    noiseScales: ([noisy], total) => (noisy === undefined ? [] : [times(noisy.scale, total)]),
    ofSquares: () => 0,
    expectedNoise: (_, scales, total) => times(itemAt(scales, 0), total),
    noiseVariance: (_, scales, total) => 2 * (itemAt(scales, 0) * (isSum ? total : 1)) ** 2,
    bias: (biases, _, total) => times(itemAt(biases, 0), total),
  };
}

/** For noise e of scale 1, E|e² − 2| = 4(1 + √2)·e^(−√2) = 2.348 lies below this. */
const SQUARED_NOISE = Rational.of(47, 20);

/**
 * M − (μ − c)², M the average of (x − c)² and μ that of x, each with noise: the square of μ's noise adds 2b² on average,
 * which is given back (docs/mathematics.md, Theorem 18). `value` is the feature of μ, `squareAround` makes that of M.
 */
export function spreadOfFeatures(value: Feature, squareAround: (centre: Rational) => Feature): Linear {
  const width = widthOf(value);
  const twice = (of: Rational): Rational => of.add(of);
  /** D: how far a value can lie from the centre. D² is the most that (x − c)² can be. */
  const farthest = ({ quadratic: [, beta] }: Feature): Rational => {
    const centre = beta.divide(Rational.of(-2));
    const ends = value.range.map((end) => end.subtract(centre).absolute());
    return itemAt(ends, itemAt(ends, 0).compare(itemAt(ends, 1)) > 0 ? 0 : 1);
  };
  const offsetOf = ([mean, square]: readonly NoisyFeature[]): Rational => {
    const centre = square?.feature.quadratic[1].divide(Rational.of(-2)) ?? Rational.ZERO;
    return (mean?.values[0] ?? Rational.ZERO).subtract(centre);
  };
  return {
    features: (centre) => [value, squareAround(centre)],
    value(noisy) {
      const [mean, square] = [itemAt(noisy, 0), itemAt(noisy, 1)];
      const offset = offsetOf(noisy);
      const given = twice(mean.scale.multiply(mean.scale));
      return [itemAt(square.values, 0).subtract(offset.multiply(offset)).add(given)];
    },
    held(noisy) {
      const offset = offsetOf(heldFeatures(noisy));
      return [itemAt(held(itemAt(noisy, 1)), 0).subtract(offset.multiply(offset))];
    },
    reach(noisy, most) {
      const [byMean, bySquare] = [itemAt(most, 0), itemAt(most, 1)];
      const linear = twice(offsetOf(heldFeatures(noisy)).absolute().multiply(byMean));
      return bySquare.add(linear).add(byMean.multiply(byMean));
    },
    noiseScales(noisy) {
      const linear = twice(offsetOf(heldFeatures(noisy)).absolute().multiply(itemAt(noisy, 0).scale));
      return [itemAt(noisy, 1).scale, linear];
    },
    ofSquares: ([b = 0]) => Math.sqrt(20) * b * b,
    expectedNoise([, square], scales) {
      const [b, ofSquare] = [itemAt(scales, 0), itemAt(scales, 1)];
      const linear = twice(farthest(square ?? value).multiply(b));
      return ofSquare.add(linear).add(b.multiply(b).multiply(SQUARED_NOISE));
    },
    noiseVariance([, square], scales, _, around) {
      const [b, ofSquare] = [itemAt(scales, 0), itemAt(scales, 1)];
      const centre = square === undefined ? 0 : square.quadratic[1].toNumberNearest() / -2;
      const [low, high] = around ?? [value.range[0].toNumberNearest(), value.range[1].toNumberNearest()];
      const offset2 = ((low + high) / 2 - centre) ** 2 + (high - low) ** 2 / 12;
      return 2 * ofSquare ** 2 + 8 * offset2 * b ** 2 + 20 * b ** 4;
    },
    bias(biases, distance) {
      const two = Rational.of(2);
      const separately = itemAt(biases, 1).add(twice(width.multiply(itemAt(biases, 0))));
      if (distance === null) return separately;
      // Σ |p − a|/2 of the records' weight can be moved between the ends of the range.
      const moved = distance.compare(Rational.ONE.divide(two)) > 0 ? Rational.ONE.divide(two) : distance;
      return width.multiply(width).multiply(moved).multiply(Rational.ONE.subtract(moved));
    },
  };
}
