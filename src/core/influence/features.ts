/** Features: what statistics average over records where users' averages are weighted. Each is a whole number per record on the value lattice. */
import { maximum, minimum, Rational } from "../arithmetic/index.ts";
import type { Bounds } from "./bounds.ts";

/** Values above `at` count, and values at it where it is inclusive. */
export interface Cut {
  readonly at: Rational;
  readonly inclusive: boolean;
}

/**
 * A feature f(x) of a record's value: a quadratic on each side of its cuts, as most are on one piece only.
 *
 * Several features of one record move together, so what a user can move is the diameter of the curve x ↦ (f(x))
 * (docs/mathematics.md, Theorem 15).
 */
export interface Feature {
  /** The same for the same feature of two statistics, which is then published once; another centre changes no key. */
  readonly key: string;
  /** Noisy numbers: as many as there are bins, otherwise 1. */
  readonly coordinates: number;
  /** What each of them can be. */
  readonly range: readonly [low: Rational, high: Rational];
  /** Where f jumps, ascending. */
  readonly cuts: readonly Cut[];
  /** f(x) = α·x² + β·x + γ. Bins and shares have α = β = 0 and count records beyond their cuts. */
  readonly quadratic: Quadratic;
}

export type Quadratic = readonly [alpha: Rational, beta: Rational, gamma: Rational];

const { ZERO, ONE } = Rational;

/** x itself. */
export function valueFeature({ lower, upper }: Bounds): Feature {
  return { key: "value", coordinates: 1, range: [lower, upper], cuts: [], quadratic: [ZERO, ONE, ZERO] };
}

/** (x − centre)². */
export function squareFeature(key: string, bounds: Bounds, centre: Rational): Feature {
  const ends = [bounds.lower, bounds.upper].map((end) => end.subtract(centre));
  const squares = ends.map((end) => end.multiply(end));
  const [first = ZERO, second = ZERO] = squares;
  const isInside = ends.some((end) => end.sign() <= 0) && ends.some((end) => end.sign() >= 0);
  return {
    key,
    coordinates: 1,
    range: [isInside ? ZERO : minimum(first, second), maximum(first, second)],
    cuts: [],
    quadratic: [ONE, centre.add(centre).negate(), centre.multiply(centre)],
  };
}

/** 1 above the cut, 0 below it. */
export function shareFeature(key: string, cut: Cut): Feature {
  return { key, coordinates: 1, range: [ZERO, ONE], cuts: [cut], quadratic: [ZERO, ZERO, ZERO] };
}

/** One number per bin: 1 in the record's own, 0 in the others. */
export function binsFeature(key: string, cuts: readonly Cut[]): Feature {
  return { key, coordinates: cuts.length + 1, range: [ZERO, ONE], cuts, quadratic: [ZERO, ZERO, ZERO] };
}

/** How wide a coordinate's range is. */
export function widthOf({ range: [low, high] }: Pick<Feature, "range">): Rational {
  return high.subtract(low);
}

/**
 * The most that changing one value within the bounds can move all features together, each measured in its own scale:
 * max over x, y of Σ |f_t(x) − f_t(y)|/b_t; of users' averages too, which lie in the convex hull of the curve.
 * Attained up to cuts, where it is a supremum, and bins, which are counted as if x and y never shared one
 * (docs/mathematics.md, Theorem 15).
 *
 * Σ |d_t|/b_t is the largest of Σ ±d_t/b_t over all signs, so each choice of signs leaves one function of x, whose
 * extremes lie at cuts, bounds and the vertex of its parabola.
 */
export function diameter(features: readonly Feature[], scales: readonly Rational[], bounds: Bounds): Rational {
  const terms = features.map((feature, at) => ({ feature, perUnit: ONE.divide(scales[at] ?? ONE) }));
  const scalars = terms.filter(({ feature }) => feature.coordinates === 1);
  const cuts = scalars.flatMap(({ feature }) => feature.cuts.map(({ at }) => at));
  const ends = [bounds.lower, ...cuts.sort((one, other) => one.compare(other)), bounds.upper];
  let most = ZERO;
  for (let signs = 0; signs < 2 ** Math.max(0, scalars.length - 1); signs++) {
    const signed = scalars.map(({ feature, perUnit }, at) => ({
      feature,
      factor: (signs >> at) & 1 ? perUnit.negate() : perUnit,
    }));
    const values = ends.slice(1).flatMap((right, piece) => valuesOn([ends[piece] ?? right, right], signed));
    const [first, ...others] = values;
    if (first !== undefined) most = maximum(most, maximum(first, ...others).subtract(minimum(first, ...others)));
  }
  return terms
    .filter(({ feature }) => feature.coordinates > 1)
    .reduce((total, { perUnit }) => total.add(perUnit).add(perUnit), most);
}

/** The candidates for extremes of Σ factor·f(x) between two neighbouring cuts. */
function valuesOn(
  [left, right]: readonly [Rational, Rational],
  terms: ReadonlyArray<{ readonly feature: Feature; readonly factor: Rational }>,
): Rational[] {
  let [alpha, beta, gamma] = [ZERO, ZERO, ZERO];
  for (const { feature, factor } of terms) {
    const [a, b, c] = feature.quadratic;
    // A cut at the lower bound has a piece of one point to its left: that of values not above it.
    const above = feature.cuts.filter(({ at }) => at.compare(right) < 0).length;
    alpha = alpha.add(factor.multiply(a));
    beta = beta.add(factor.multiply(b));
    gamma = gamma.add(factor.multiply(c.add(Rational.of(above))));
  }
  const places = [left, right];
  if (!alpha.isZero()) {
    const vertex = beta.divide(alpha.add(alpha)).negate();
    if (vertex.compare(left) > 0 && vertex.compare(right) < 0) places.push(vertex);
  }
  return places.map((x) => alpha.multiply(x).add(beta).multiply(x).add(gamma));
}

/**
 * What users can move all features together per unit of weight, when users' averages are clamped to windows of these
 * widths: the diameter without windows, or Σ width/b, whichever is less. Clamping projects the hull, so the diameter
 * of clamped values would be too small (docs/mathematics.md, Theorem 16).
 */
export function largestMove(
  features: readonly Feature[],
  scales: readonly Rational[],
  { bounds, widths }: { readonly bounds: Bounds; readonly widths: readonly Rational[] },
): Rational {
  let separately = ZERO;
  features.forEach(({ coordinates }, at) => {
    const width = coordinates > 1 ? Rational.of(2) : (widths[at] ?? ONE);
    separately = separately.add(width.divide(scales[at] ?? ONE));
  });
  return minimum(diameter(features, scales, bounds), separately);
}
