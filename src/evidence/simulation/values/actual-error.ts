/** How far off a plan's published numbers would be on average if values were as a model draws them, in doubles. */
import type { Bounds, GridSums, Statistic } from "../../../core/influence/index.ts";
import type { MadePlan } from "../../../core/planning/index.ts";
import { Double } from "./double.ts";
import { expectedError } from "./expected-error.ts";
import type { SimulatedValues } from "./value-model.ts";

/** Of one statistic, in its own unit: bias that this data has, and expected noise. */
export interface ActualError {
  readonly statistic: string;
  /** Over the grids. */
  readonly average: number;
  /** Of the grid that is furthest off. */
  readonly worst: number;
}

/**
 * The first Γ of a user's records are kept: in these models a user's records in a grid are as good as one another. A grid of which the
 * paper's estimator keeps nothing counts as if its midpoints were published.
 */
export function actualErrors(values: SimulatedValues, { plan, evaluation }: MadePlan): ActualError[] {
  const { statistics, bounds } = plan.objective;
  const sums = statistics.map(() => 0);
  const worst = statistics.map(() => 0);
  const grids = new GridValues(values, bounds, statistics);
  plan.grids.forEach((_, grid) => {
    grids.read(grid, evaluation.kept.ofEntry);
    statistics.forEach((_statistic, index) => {
      const error = errorOf(grids, index, plan.noise[grid]!.scales[index]!.toNumberNearest());
      sums[index]! += error;
      worst[index] = Math.max(worst[index]!, error);
    });
  });
  return statistics.map(({ key }, index) => ({
    statistic: key,
    average: sums[index]! / plan.grids.length,
    worst: worst[index]!,
  }));
}

/** Totals of some records. */
class Totals {
  count = 0;
  sum = 0;
  squares = 0;
  readonly above: Float64Array;

  constructor(cuts: number) {
    this.above = new Float64Array(cuts);
  }

  clear(): void {
    this.count = 0;
    this.sum = 0;
    this.squares = 0;
    this.above.fill(0);
  }
}

/** The totals of a grid's records, kept and all. */
class GridValues {
  readonly all: Totals;
  readonly kept: Totals;
  /** Σ over users of the sum of all their records, clamped as if those left out were in the middle, give or take. */
  clampedSum = 0;
  readonly #values: SimulatedValues;
  readonly #width: number;
  readonly #statistics: readonly Statistic[];
  /** Of all statistics, one after another, of values in [0, 1]. */
  readonly #cuts: readonly number[];
  /** Where each statistic's begin. */
  readonly #firstCut: readonly number[];

  constructor(values: SimulatedValues, { lower, width }: Bounds, statistics: readonly Statistic[]) {
    this.#values = values;
    this.#width = width.toNumberNearest();
    this.#statistics = statistics;
    const cuts = statistics.map((statistic) =>
      statistic.cuts.map(({ at }) => at.subtract(lower).divide(width).toNumberNearest()),
    );
    this.#cuts = cuts.flat();
    this.#firstCut = cuts.map((_, index) => cuts.slice(0, index).flat().length);
    this.all = new Totals(this.#cuts.length);
    this.kept = new Totals(this.#cuts.length);
  }

  /** A statistic before noise, as it is published, and as it is of all records. */
  numbersOf(index: number): { statistic: Statistic; published: number[]; truth: number[] } {
    const statistic = this.#statistics[index]!;
    const total = this.all.count;
    const isLost = this.kept.count === 0 && statistic.estimator === "kept";
    return {
      statistic,
      published: isLost
        ? statistic.dataFreeValue(total).map((value) => value.toNumberNearest())
        : this.#valueOf(index, this.kept, this.clampedSum),
      truth: this.#valueOf(index, this.all, this.all.sum),
    };
  }

  #valueOf(index: number, totals: Totals, clampedSum: number): number[] {
    const statistic = this.#statistics[index]!;
    const first = this.#firstCut[index]!;
    const width = this.#width;
    const sums: GridSums<Double> = {
      kept: totals.count,
      total: this.all.count,
      sum: new Double(width * totals.sum),
      sumOfSquares: new Double(width * width * totals.squares),
      counts: Array.from(totals.above.subarray(first, first + statistic.cuts.length), (count) => new Double(count)),
      clampedSum: new Double(width * clampedSum),
      of: Double.of,
    };
    return statistic.value(sums).map(({ value }) => value);
  }

  read(grid: number, keptOfEntry: Uint32Array): void {
    const { occupancy, start, value } = this.#values;
    const { byGrid } = occupancy;
    this.all.clear();
    this.kept.clear();
    this.clampedSum = 0;
    for (let position = byGrid.start[grid]!; position < byGrid.start[grid + 1]!; position++) {
      const entry = byGrid.entry[position]!;
      const records = start[entry + 1]! - start[entry]!;
      const keptRecords = keptOfEntry[entry]!;
      let sum = 0;
      let squares = 0;
      for (let rank = 0; rank < records; rank++) {
        if (rank === keptRecords) this.#keep(rank, sum, squares);
        const x = value[start[entry]! + rank]!;
        sum += x;
        squares += x * x;
        this.#count(x, rank < keptRecords);
      }
      if (keptRecords === records) this.#keep(records, sum, squares);
      this.all.count += records;
      this.all.sum += sum;
      this.all.squares += squares;
      this.clampedSum += clamp(sum, (records - keptRecords) / 2, (records + keptRecords) / 2);
    }
  }

  #keep(records: number, sum: number, squares: number): void {
    this.kept.count += records;
    this.kept.sum += sum;
    this.kept.squares += squares;
  }

  #count(x: number, isKept: boolean): void {
    for (let cut = 0; cut < this.#cuts.length; cut++) {
      if (x < this.#cuts[cut]!) continue;
      this.all.above[cut]! += 1;
      if (isKept) this.kept.above[cut]! += 1;
    }
  }
}

function errorOf(grids: GridValues, index: number, scale: number): number {
  const { statistic, published, truth } = grids.numbersOf(index);
  const [low, high] = statistic.range(grids.all.count).map((end) => end.toNumberNearest()) as [number, number];
  return truth.reduce(
    (sum, value, at) =>
      sum +
      expectedError({ bias: published[at]! - value, scale, below: value - low, above: Math.max(0, high - value) }),
    0,
  );
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
