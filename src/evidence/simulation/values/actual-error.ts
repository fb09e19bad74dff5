/** Computes how far off a plan's published numbers would be on average if values were as a model draws them. */
import type { Rational } from "../../../core/arithmetic/index.ts";
import { itemAt } from "../../../core/errors/index.ts";
import type { GridSums, Numbers, Statistic } from "../../../core/influence/index.ts";
import type { Weights } from "../../../core/occupancy/index.ts";
import type { MadePlan } from "../../../core/planning/index.ts";
import type { SimulatedValues } from "./value-models.ts";

/**
 * The first Γ of a user's records are kept: in these models a user's records in a grid are as good as one another. A grid of which the
 * paper's estimator keeps nothing counts as if its midpoints were published. Errors are bias that this data has and expected noise.
 * Balanced plans weight users' averages instead; of two passes the noise is that of the second as if its windows were whole.
 */
export function actualErrors(values: SimulatedValues, { plan, evaluation }: MadePlan) {
  const { statistics, bounds } = plan.objective;
  const width = bounds.width.toNumberNearest();
  // Values are simulated in [0, 1], and so cuts are too.
  const cutsOf = statistics.map(({ cuts }) =>
    cuts.map(({ at }) => at.subtract(bounds.lower).divide(bounds.width).toNumberNearest()),
  );
  const weights = evaluation.balanced?.weights;
  const grids = plan.grids.map((_, grid) => {
    const asked = { grid, cuts: cutsOf.flat() };
    return weights === undefined
      ? gridTotals(values, evaluation.kept.ofEntry, asked)
      : weightedTotals(values, weights, asked);
  });
  return statistics.map((statistic, index) => {
    const [from, to] = [index, index + 1].map((end) => cutsOf.slice(0, end).flat().length) as [number, number];
    const errors = grids.map((totals, grid) => {
      const scale = itemAt(itemAt(plan.noise, grid).scales, index).toNumberNearest();
      return errorOf(statistic, { totals, width, cuts: [from, to], scale });
    });
    const sum = errors.reduce((sum, error) => sum + error, 0);
    return {
      statistic: statistic.key,
      /** Over the grids. */
      average: sum / grids.length,
      /** Of the grid that is furthest off. */
      worst: errors.reduce((most, error) => Math.max(most, error), 0),
    };
  });
}

/** Sums over some records; `above` counts them from each cut on. */
class Totals {
  count = 0;
  sum = 0;
  squares = 0;
  readonly above: Float64Array;

  constructor(cuts: number) {
    this.above = new Float64Array(cuts);
  }
}

/** Of a grid's records, all and kept. */
type GridTotals = ReturnType<typeof gridTotals>;

/** Every record counts as often as its weight says, the grid's records in all: then averages are the weighted ones, and a sum is that of all. */
function weightedTotals(
  { occupancy, start, value }: SimulatedValues,
  weights: Weights,
  { grid, cuts }: { grid: number; cuts: readonly number[] },
): GridTotals {
  const [all, kept] = [new Totals(cuts.length), new Totals(cuts.length)];
  const { byGrid, samplesOfGrid } = occupancy;
  const times = samplesOfGrid[grid]! / Number(weights.ofGrid[grid]);
  for (const entry of byGrid.entry.subarray(byGrid.start[grid], byGrid.start[grid + 1])) {
    const weight = weights.ofEntry[entry]! * times;
    for (const x of value.subarray(start[entry], start[entry + 1])) {
      addTo(all, 1, x, x * x);
      addTo(kept, weight, weight * x, weight * x * x);
      cuts.forEach((at, cut) => {
        if (x < at) return;
        all.above[cut]! += 1;
        kept.above[cut]! += weight;
      });
    }
  }
  kept.count = all.count;
  return { all, kept, clampedSum: 0 };
}

function gridTotals(
  { occupancy, start, value }: SimulatedValues,
  keptOfEntry: Uint32Array,
  { grid, cuts }: { grid: number; cuts: readonly number[] },
) {
  const [all, kept] = [new Totals(cuts.length), new Totals(cuts.length)];
  const { byGrid } = occupancy;
  /** Σ over users of the sum of all their records, clamped as if those left out were in the middle, give or take. */
  let clampedSum = 0;
  for (const entry of byGrid.entry.subarray(byGrid.start[grid], byGrid.start[grid + 1])) {
    const own = value.subarray(start[entry], start[entry + 1]);
    const keptRecords = itemAt(keptOfEntry, entry);
    let [sum, squares] = [0, 0];
    own.forEach((x, rank) => {
      if (rank === keptRecords) addTo(kept, keptRecords, sum, squares);
      sum += x;
      squares += x * x;
      cuts.forEach((at, cut) => {
        if (x < at) return;
        all.above[cut]! += 1;
        if (rank < keptRecords) kept.above[cut]! += 1;
      });
    });
    if (keptRecords === own.length) addTo(kept, keptRecords, sum, squares);
    addTo(all, own.length, sum, squares);
    clampedSum += Math.min((own.length + keptRecords) / 2, Math.max((own.length - keptRecords) / 2, sum));
  }
  return { all, kept, clampedSum };
}

function addTo(totals: Totals, records: number, sum: number, squares: number): void {
  totals.count += records;
  totals.sum += sum;
  totals.squares += squares;
}

/** Over all numbers of a statistic in one grid: how far what is published is expected to be off that of all records. */
function errorOf(
  statistic: Statistic,
  grid: { totals: GridTotals; width: number; cuts: readonly [from: number, to: number]; scale: number },
): number {
  const { totals, width, cuts, scale } = grid;
  const { all, kept, clampedSum } = totals;
  const numbersOf = (some: Totals, clamped: number): number[] => {
    const sums: GridSums<Double> = {
      kept: some.count,
      total: all.count,
      sum: new Double(width * some.sum),
      sumOfSquares: new Double(width * width * some.squares),
      counts: Array.from(some.above.subarray(...cuts), (count) => new Double(count)),
      clampedSum: new Double(width * clamped),
      of: Double.of,
    };
    return statistic.value(sums).map(({ value }) => value);
  };
  const isLost = kept.count === 0 && statistic.estimator === "kept";
  const published = isLost
    ? statistic.dataFreeValue(all.count).map((value) => value.toNumberNearest())
    : numbersOf(kept, clampedSum);
  const [low, high] = statistic.range(all.count).map((end) => end.toNumberNearest()) as [number, number];
  return numbersOf(all, all.sum).reduce((sum, value, at) => {
    const room = { below: value - low, above: Math.max(0, high - value) };
    return sum + expectedError({ bias: itemAt(published, at) - value, scale, ...room });
  }, 0);
}

/** A double that adds and multiplies as rationals do, for formulas that serve both. */
export class Double implements Numbers<Double> {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  static of(value: Rational | number): Double {
    return new Double(typeof value === "number" ? value : value.toNumberNearest());
  }

  add(other: Double): Double {
    return new Double(this.value + other.value);
  }

  subtract(other: Double): Double {
    return new Double(this.value - other.value);
  }

  multiply(other: Double): Double {
    return new Double(this.value * other.value);
  }

  divide(other: Double): Double {
    return new Double(this.value / other.value);
  }
}

/**
 * E|clamp(true + bias + noise) − true| for Laplace noise of scale b, where the true value lies `below` above the lower end of its range
 * and `above` below the upper one.
 *
 * It is ∫ P(error > t) dt over both sides, and each side ends where the clamp does. With an endless range: |bias| + b·exp(−|bias|/b).
 */
export function expectedError(number: { bias: number; scale: number; below: number; above: number }): number {
  const { bias, scale, below, above } = number;
  return oneSide(bias, scale, above) + oneSide(-bias, scale, below);
}

/** ∫ from 0 to `room` of P(shift + noise > t) dt. */
function oneSide(shift: number, scale: number, room: number): number {
  return Math.max(0, excess(shift, scale, 0) - excess(shift, scale, room));
}

/** E max(0, shift + noise − t). */
function excess(shift: number, scale: number, t: number): number {
  const over = shift - t;
  if (scale === 0) return Math.max(0, over);
  return Math.max(0, over) + (scale / 2) * Math.exp(-Math.abs(over) / scale);
}
