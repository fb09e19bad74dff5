/** Makes the exact numbers of a grid's statistics from what was committed: of trimmed records as they are, of weighted ones from noisy features. */
import { maximum, minimum, Rational } from "../../core/arithmetic/index.ts";
import { invariant, itemAt } from "../../core/errors/index.ts";
import type { Feature, Linear, NoisyFeature, Statistic } from "../../core/influence/index.ts";
import { tailSteps } from "../../core/noise/index.ts";
import type { ReleasedFeature, ReleasedGrid, ReleasedStatistic, WeightedGrid } from "../release/index.ts";
import type { ReleaseContext } from "./release-context.ts";

/** A statistic of a grid, in exact numbers. */
export interface PublishedStatistic {
  /** Before anything is clamped: one, or one per bin. */
  readonly raw: readonly Rational[];
  /** The same to be clamped to the range and shown. */
  readonly held: readonly Rational[];
  /** How far noise carries a number at the wanted confidence. */
  readonly noise: Rational;
  /** Expected |noise| of a number. */
  readonly scale: Rational;
  /** Of all numbers together. */
  readonly bias: Rational;
  readonly latticeError: Rational;
  /** Of balanced plans. */
  readonly model: ModelledStatistic | null;
}

/** What the public model says of a statistic: in doubles, of numbers that are public already. */
export interface ModelledStatistic {
  /** The standard deviation of the model's own error, in the statistic's unit. */
  readonly deviation: number;
  /** The variance of a number's noise, as can be told without looking at the number. */
  readonly noiseVariance: number;
  /** Scales of the independent Laplace noises in a number … */
  readonly scales: readonly number[];
  /** … and the standard deviation of what their squares add. */
  readonly ofSquares: number;
}

/** In the order of the result's statistics; null where nothing is kept, unless the estimator is centred. */
export function publishedNumbers(row: ReleasedGrid, context: ReleaseContext): PublishedStatistic[] | null {
  const { statistics, confidence, result } = context;
  const delta = Rational.ONE.subtract(confidence);
  const { weighted } = row;
  if (weighted !== undefined)
    return statistics.map((statistic) =>
      weightedNumbers(statistic, { total: row.samples, weighted, delta, latticeStep: result.latticeStep }),
    );
  invariant(row.statistics === null || row.statistics.length === statistics.length, "a row lacks a statistic");
  return (
    row.statistics?.map((released) => {
      const { bias, scale, latticeError } = released;
      const step = Rational.powerOfTwo(released.stepExponent);
      const raw = released.steps.map((steps) => Rational.of(steps).multiply(step));
      return {
        raw,
        held: raw,
        scale,
        bias,
        latticeError,
        noise: step.multiply(Rational.of(tailOf(released, delta))),
        model: null,
      };
    }) ?? null
  );
}

function tailOf({ deltaSteps, epsilon }: ReleasedStatistic, delta: Rational): bigint {
  return deltaSteps === 0n ? 0n : tailSteps(Rational.of(deltaSteps).divide(epsilon), delta);
}

interface WeightedRequest {
  readonly total: number;
  readonly weighted: WeightedGrid;
  readonly delta: Rational;
  readonly latticeStep: Rational;
}

/** Features' noise is bounded together: each exceeds its bound with an equal part of what is left of the confidence. */
function weightedNumbers(
  statistic: Statistic,
  { total, weighted, delta, latticeStep }: WeightedRequest,
): PublishedStatistic {
  const { linear } = statistic;
  const features = linear.features(weighted.centre);
  const released = features.map(({ key }) => releasedFeature(weighted, key));
  const noisy = features.map((feature, at) => noisyFeature(feature, itemAt(released, at)));
  const scales = released.map(({ scale }) => scale);
  const part = delta.divide(Rational.of(features.length));
  const most = released.map(({ scale, stepExponent }) => {
    const step = Rational.powerOfTwo(stepExponent);
    return step.multiply(Rational.of(tailSteps(scale.divide(step), part)));
  });
  const [low, high] = statistic.range(total);
  return {
    raw: linear.value(noisy, total),
    held: linear.held(noisy, total),
    noise: linear.reach(noisy, most, total),
    scale: linear.expectedNoise(features, scales, total),
    // A number clamped to its range is off by no more than all of it.
    bias: minimum(
      linear.bias(
        released.map(({ bias }) => bias),
        weighted.distance,
        total,
      ),
      high.subtract(low).multiply(Rational.of(Math.min(2, statistic.coordinates))),
    ),
    latticeError: statistic.latticeError(latticeStep, total),
    model: {
      deviation: maximum(Rational.ZERO, ...released.map(({ modelError }) => modelError))
        .multiply(high.subtract(low))
        .toNumberNearest(),
      ...noiseOf(linear, { noisy, weighted, total }),
    },
  };
}

function releasedFeature({ features }: WeightedGrid, key: string): ReleasedFeature {
  const found = features.find((feature) => feature.key === key);
  invariant(found !== undefined, "a row lacks a feature");
  return found;
}

function noisyFeature(feature: Feature, { steps, stepExponent, scale }: ReleasedFeature): NoisyFeature {
  const step = Rational.powerOfTwo(stepExponent);
  return { feature, values: steps.map((each) => Rational.of(each).multiply(step)), scale };
}

function noiseOf(
  linear: Linear,
  { noisy, weighted, total }: { noisy: readonly NoisyFeature[]; weighted: WeightedGrid; total: number },
): Omit<ModelledStatistic, "deviation"> {
  const features = noisy.map(({ feature }) => feature);
  const ofFeatures = noisy.map(({ scale }) => scale.toNumberNearest());
  const scales = linear.noiseScales(noisy, total).map((scale) => scale.toNumberNearest());
  const window = weighted.features.find(({ key }) => key === "value")?.window;
  const around = window == null ? undefined : ([window[0].toNumberNearest(), window[1].toNumberNearest()] as const);
  return {
    noiseVariance: linear.noiseVariance(features, ofFeatures, total, around),
    scales,
    ofSquares: linear.ofSquares(ofFeatures),
  };
}
