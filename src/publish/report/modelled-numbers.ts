/** What the public model makes of a balanced plan's numbers: typical errors, intervals, and numbers drawn towards each other. In doubles, as all of it is public already. */
import { invariant, itemAt } from "../../core/errors/index.ts";
import { growsWithRecords, type Statistic } from "../../core/influence/index.ts";
import { modelQuantile, smooth } from "../../core/smoothing/index.ts";
import { gridNeighbours, readRecipe } from "../../data/partition/index.ts";
import type { PublishedStatistic } from "./published-numbers.ts";
import type { ReleaseContext } from "./release-context.ts";

interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** A number under the model. */
export interface ModelledNumber {
  readonly typical: number;
  readonly model: Interval;
  readonly smoothed: Interval;
}

/** By statistic, coordinate and row; undefined where there is no model. */
export function modelledNumbers(
  published: ReadonlyArray<readonly PublishedStatistic[] | null>,
  context: ReleaseContext,
): ModelledNumber[][][] | undefined {
  const { result, statistics } = context;
  if (result.estimator !== "weighted") return undefined;
  const ids = result.rows.map(({ grid }) => grid);
  const hasPlaces = Object.keys(result.partition).length > 0;
  const neighbours = hasPlaces ? gridNeighbours(ids, readRecipe(result.partition)) : undefined;
  return statistics.map((statistic, index) =>
    Array.from({ length: statistic.coordinates }, (_, coordinate) => {
      const own = published.map((row) => itemAt(row ?? [], index));
      return modelledNumber(own, { statistic, coordinate, neighbours, context });
    }),
  );
}

/** Of every row. A sum is smoothed per record, as groups differ in size. */
function modelledNumber(
  published: readonly PublishedStatistic[],
  {
    statistic,
    coordinate,
    neighbours,
    context,
  }: {
    readonly statistic: Statistic;
    readonly coordinate: number;
    readonly neighbours: ReturnType<typeof gridNeighbours> | undefined;
    readonly context: ReleaseContext;
  },
): ModelledNumber[] {
  const confidence = context.confidence.toNumberNearest();
  const unit = context.result.rows.map(({ samples }) => (growsWithRecords(statistic) ? samples : 1));
  const numbers = published.map(({ raw, held, model }) => {
    invariant(model !== null, "a balanced plan's numbers have a model");
    const { deviation, scales, ofSquares, noiseVariance } = model;
    return {
      value: itemAt(raw, coordinate).toNumberNearest(),
      shown: itemAt(held, coordinate).toNumberNearest(),
      reach: modelQuantile({ scales, deviation: Math.hypot(deviation, ofSquares), confidence }),
      variance: deviation ** 2 + noiseVariance,
    };
  });
  const [low, high] = statistic.range(1).map((end) => end.toNumberNearest()) as [number, number];
  const smoothed = smooth({
    values: Float64Array.from(numbers, ({ value }, row) => value / itemAt(unit, row)),
    variances: Float64Array.from(numbers, ({ variance }, row) => variance / itemAt(unit, row) ** 2),
    range: [low, high],
    neighbours,
  });
  const quantile = modelQuantile({ scales: [], deviation: 1, confidence });
  return numbers.map(({ shown, reach, variance }, row) => {
    const times = itemAt(unit, row);
    const inRange = (each: number): number => Math.min(high * times, Math.max(low * times, each));
    const around = (middle: number, width: number): Interval => ({
      value: inRange(middle),
      low: inRange(middle - width),
      high: inRange(middle + width),
    });
    return {
      typical: Math.sqrt(variance),
      model: around(shown, reach),
      smoothed: around(smoothed.values[row]! * times, quantile * smoothed.deviations[row]! * times),
    };
  });
}
