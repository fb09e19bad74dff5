/** How far off a plan's published numbers would be on average if values were as a model draws them, in doubles. */
import type { HistogramStatistic, ShareStatistic, Statistic } from "../../influence/index.ts";
import type { MadePlan } from "../../planning/index.ts";
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
  const { statistics } = plan.objective;
  const sums = statistics.map(() => 0);
  const worst = statistics.map(() => 0);
  const totals = new GridValues(
    values,
    statistics.flatMap((statistic) => cutsOf(statistic, plan)),
  );
  plan.grids.forEach((_, grid) => {
    totals.read(grid, evaluation.kept.ofEntry);
    let firstCut = 0;
    statistics.forEach((statistic, index) => {
      const error = errorOf(totals, statistic, firstCut, {
        scale: plan.noise[grid]!.scales[index]!.toNumberNearest() / unitOf(statistic, plan),
        offset: (evaluation.guarantees[grid]?.bias[index]?.toNumberNearest() ?? 0) / unitOf(statistic, plan),
      });
      firstCut += cutsOf(statistic, plan).length;
      const inUnit = error * unitOf(statistic, plan);
      sums[index]! += inUnit;
      worst[index] = Math.max(worst[index]!, inUnit);
    });
  });
  return statistics.map(({ key }, index) => ({
    statistic: key,
    average: sums[index]! / plan.grids.length,
    worst: worst[index]!,
  }));
}

/** What one is, of values in [0, 1], in the unit of the statistic. */
function unitOf({ kind }: Statistic, { objective }: MadePlan["plan"]): number {
  const width = objective.bounds.width.toNumberNearest();
  if (kind === "variance") return width * width;
  return kind === "mean" || kind === "sum" ? width : 1;
}

/** Where a statistic counts from, of values in [0, 1]. */
function cutsOf(statistic: Statistic, { objective: { bounds } }: MadePlan["plan"]): number[] {
  const cuts =
    statistic.kind === "share"
      ? [(statistic as ShareStatistic).threshold]
      : statistic.kind === "histogram"
        ? (statistic as HistogramStatistic).cuts
        : [];
  return cuts.map((cut) => cut.subtract(bounds.lower).divide(bounds.width).toNumberNearest());
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

  variance(): number {
    return this.count === 0 ? 0 : Math.max(0, this.squares / this.count - (this.sum / this.count) ** 2);
  }

  /** Records of each bin between the cuts from `first` on. */
  bins(first: number, cuts: number): number[] {
    const from = [this.count, ...this.above.slice(first, first + cuts), 0];
    return from.slice(0, -1).map((count, bin) => count - from[bin + 1]!);
  }
}

/** The totals of a grid's records, kept and all. */
class GridValues {
  readonly all: Totals;
  readonly kept: Totals;
  /** Σ over users of the sum of all their records, clamped as if those left out were in the middle, give or take. */
  clampedSum = 0;
  readonly #values: SimulatedValues;
  readonly #cuts: readonly number[];

  constructor(values: SimulatedValues, cuts: readonly number[]) {
    this.#values = values;
    this.#cuts = cuts;
    this.all = new Totals(cuts.length);
    this.kept = new Totals(cuts.length);
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

/** For values in [0, 1]; `offset` is what the centred variance leans on. */
function errorOf(
  { all, kept, clampedSum }: GridValues,
  { kind, estimator, coordinates }: Statistic,
  firstCut: number,
  { scale, offset }: { scale: number; offset: number },
): number {
  const centred = estimator === "centred";
  const left = all.count - kept.count;
  const nothing = kept.count === 0;
  const off = (published: number, truth: number, most: number): number =>
    expectedError({ bias: published - truth, scale, below: truth, above: Math.max(0, most - truth) });
  /** A share of records, where those left out count as spread evenly over so many places. */
  const share = (count: number, places: number): number => {
    if (centred) return (count + left / places) / all.count;
    return nothing ? 1 / places : count / kept.count;
  };
  switch (kind) {
    case "mean": {
      const ofKept = nothing ? 0.5 : kept.sum / kept.count;
      return off(centred ? clampedSum / all.count : ofKept, all.sum / all.count, 1);
    }
    case "sum":
      return off(centred ? clampedSum : kept.sum + left / 2, all.sum, all.count);
    case "variance": {
      const ofKept = nothing ? 0.125 : kept.variance();
      return off(centred ? (kept.count / all.count) * kept.variance() + offset : ofKept, all.variance(), 0.25);
    }
    case "share":
      return off(share(kept.above[firstCut]!, 2), all.above[firstCut]! / all.count, 1);
    case "histogram": {
      const truth = all.bins(firstCut, coordinates - 1);
      return kept
        .bins(firstCut, coordinates - 1)
        .reduce((sum, count, bin) => sum + off(share(count, coordinates), truth[bin]! / all.count, 1), 0);
    }
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
