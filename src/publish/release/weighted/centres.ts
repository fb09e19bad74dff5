/** Where users' averages of each feature are looked for: the first pass's numbers, smoothed, in doubles, then put on a lattice. */
import { maximum, minimum, Rational } from "../../../core/arithmetic/index.ts";
import { itemAt } from "../../../core/errors/index.ts";
import { type Feature, widthOf } from "../../../core/influence/index.ts";
import { type BalancedEvaluation, featuresOf, middleOf, type Plan } from "../../../core/planning/index.ts";
import { type Neighbours, type Smoothed, smooth } from "../../../core/smoothing/index.ts";

export interface Centre {
  readonly at: Rational;
  /** Standard deviation of the true value about it, in the feature's unit. */
  readonly deviation: Rational;
}

export interface Centres {
  /** By grid: squares that a statistic takes around a centre are taken around the smoothed mean. */
  readonly centres: readonly Rational[];
  /** The features that differ by centre. */
  readonly moved: readonly number[];
  /** The last pass's features by grid. */
  readonly features: ReadonlyArray<readonly Feature[]>;
  /** Of a feature that is one number. */
  of(grid: number, feature: number): Centre;
}

/** The first pass's numbers and their noise, by grid and feature. */
export interface FirstNumbers {
  readonly values: ReadonlyArray<ReadonlyArray<readonly Rational[]>>;
  readonly scales: ReadonlyArray<readonly Rational[]>;
}

interface CentresRequest {
  readonly plan: Plan;
  readonly evaluation: BalancedEvaluation;
  /** Which grids lie beside each other, where they have places. */
  readonly neighbours?: Neighbours | undefined;
}

/** Only committed numbers go in, so doubles may decide; what is made of them is exact before values are clamped to it. */
export function centresOf({ plan, evaluation, neighbours }: CentresRequest, first: FirstNumbers): Centres {
  const { objective, latticeStep } = plan;
  const { lower } = objective.bounds;
  const middle = middleOf(objective.bounds, latticeStep);
  const smoothed = (feature: Feature, numbers: Numbers): Smoothed =>
    smoothedNumbers(numbers, { feature, neighbours, modelError: evaluation.modelError });
  const scalars = evaluation.features.map((feature, at) =>
    feature.coordinates > 1 ? null : smoothed(feature, plainNumbers(first, at)),
  );
  const meanAt = evaluation.features.findIndex(({ key }) => key === "value");
  const means = scalars[meanAt] ?? null;
  const centres = plan.grids.map((_, grid) => {
    if (means === null) return middle;
    const steps = Math.round((means.values[grid]! - lower.toNumberNearest()) / latticeStep.toNumberNearest());
    return lower.add(latticeStep.multiply(Rational.of(steps)));
  });
  const features = centres.map((centre) => featuresOf(objective, centre).features);
  const elsewhere = featuresOf(objective, lower).features;
  const moved = evaluation.features.flatMap((feature, at) =>
    itemAt(elsewhere, at).quadratic[1].equals(feature.quadratic[1]) ? [] : [at],
  );
  return {
    centres,
    moved,
    features,
    of(grid, at) {
      const feature = itemAt(itemAt(features, grid), at);
      const [low, high] = feature.range;
      const own = numberIn(itemAt(scalars, at), grid);
      const mean = numberIn(means, grid);
      const { value, deviation } = moved.includes(at) ? aroundMean(own, mean, middle.toNumberNearest()) : own;
      const centre = inParts(value, feature);
      return { at: maximum(low, minimum(high, centre)), deviation: inParts(deviation, feature) };
    },
  };
}

/** By grid: a number and the variance of its noise. */
type Numbers = ReadonlyArray<{ readonly value: number; readonly variance: number }>;

function plainNumbers({ values, scales }: FirstNumbers, at: number): Numbers {
  return values.map((grid, g) => ({
    value: itemAt(itemAt(grid, at), 0).toNumberNearest(),
    variance: 2 * itemAt(itemAt(scales, g), at).toNumberNearest() ** 2,
  }));
}

interface Known {
  readonly value: number;
  readonly deviation: number;
}

function numberIn(smoothed: Smoothed | null, grid: number): Known {
  return { value: smoothed?.values[grid] ?? 0, deviation: smoothed?.deviations[grid] ?? 0 };
}

/** The average of squares around the mean, from that of squares around another point. */
function aroundMean(square: Known, mean: Known, point: number): Known {
  const offset = mean.value - point;
  return {
    value: square.value - offset * offset,
    deviation: Math.hypot(square.deviation, 2 * offset * mean.deviation),
  };
}

function smoothedNumbers(
  numbers: Numbers,
  {
    feature,
    neighbours,
    modelError,
  }: { feature: Feature; neighbours: Neighbours | undefined; modelError: Float64Array },
): Smoothed {
  const width = widthOf(feature).toNumberNearest();
  const [low, high] = feature.range;
  return smooth({
    values: Float64Array.from(numbers, ({ value }) => value),
    variances: Float64Array.from(numbers, ({ variance }, grid) => variance + (modelError[grid]! * width) ** 2),
    range: [low.toNumberNearest(), high.toNumberNearest()],
    neighbours,
  });
}

/** A double as a multiple of 2⁻³² of the feature's range. */
function inParts(value: number, feature: Feature): Rational {
  const part = widthOf(feature).multiply(Rational.powerOfTwo(-32));
  return part.multiply(Rational.of(BigInt(Math.round(value / part.toNumberNearest()))));
}
