/** Sensitivities, biases and losses straight from their definitions, by trying every dataset on a small lattice. */
import { maximum, Rational } from "../../src/core/arithmetic/index.ts";
import { type EstimatorName, makeBounds, type Statistic } from "../../src/core/influence/index.ts";
import { everyStatistic, givenOf, referenceOf } from "./statistic-references.ts";

/** Values are 0, 1, … LEVELS − 1, so the bounds are part of the lattice. */
export const LEVELS = 5;
export const latticeBounds = makeBounds(Rational.of(0), Rational.of(LEVELS - 1));
/** Thresholds and edges are lattice values, where it matters on which side they fall. */
export const latticeStatistics = (estimator: EstimatorName = "kept"): Statistic[] =>
  everyStatistic(latticeBounds, { places: ["1", "3"], estimator });
export const ALL_KEYS = latticeStatistics()
  .map(({ key }) => key)
  .join();

/** A dataset as how many samples have each lattice value. */
export type Multiset = readonly number[];

/** Every dataset of `size` samples, up to order. */
export function multisets(size: number, levels: number = LEVELS): Multiset[] {
  if (levels === 1) return [[size]];
  return Array.from({ length: size + 1 }, (_, here) => here).flatMap((here) =>
    multisets(size - here, levels - 1).map((rest) => [here, ...rest]),
  );
}

export function union(left: Multiset, right: Multiset): Multiset {
  return left.map((count, level) => count + right[level]!);
}

const known = new Map<string, Rational[]>();

/** The statistic of the samples as its reference has it; `dropped` more were left out, of which the paper's estimator knows nothing but their number. */
export function evaluate(statistic: Statistic, samples: Multiset, dropped = 0): Rational[] {
  const name = `${statistic.key} ${samples.join()} ${dropped}`;
  let value = known.get(name);
  if (value === undefined) {
    value = evaluateAnew(statistic, samples, dropped);
    known.set(name, value);
  }
  return value;
}

function evaluateAnew(statistic: Statistic, samples: Multiset, dropped: number): Rational[] {
  const reference = referenceOf(statistic);
  const given = givenOf(statistic, latticeBounds);
  const values = samples.flatMap((count, level) => new Array<Rational>(count).fill(Rational.of(level)));
  const ofKept = values.length === 0 ? [] : reference.of(values, given);
  if (dropped === 0 || reference.kept === undefined) return ofKept;
  const [kept, total] = [values.length, values.length + dropped];
  return reference.kept({ ...given, kept, total, ofKept, clampedSum: Rational.ZERO });
}

export function distance(left: readonly Rational[], right: readonly Rational[]): Rational {
  return left.reduce((sum, value, at) => sum.add(value.subtract(right[at]!).absolute()), Rational.ZERO);
}

/** The largest change of the statistic of `kept` samples when one user changes the `owned` ones it has. */
export function sensitivityByEnumeration(statistic: Statistic, owned: number, kept: number): Rational {
  let largest = Rational.ZERO;
  for (const others of multisets(kept - owned)) {
    const outcomes = multisets(owned).map((own) => evaluate(statistic, union(others, own)));
    for (const before of outcomes) for (const after of outcomes) largest = maximum(largest, distance(before, after));
  }
  return largest;
}

/** The largest distance between the statistic of all `total` samples and what is published from `kept` of them. */
export function biasByEnumeration(statistic: Statistic, kept: number, total: number): Rational {
  let largest = Rational.ZERO;
  for (const keptSamples of multisets(kept)) {
    const published = evaluate(statistic, keptSamples, total - kept);
    for (const dropped of multisets(total - kept)) {
      largest = maximum(largest, distance(published, evaluate(statistic, union(keptSamples, dropped))));
    }
  }
  return largest;
}

/** Every way to write n as a sum of positive parts, largest first: the count patterns of a grid. */
export function partitions(n: number, largest: number = n): number[][] {
  if (n === 0) return [[]];
  return Array.from({ length: Math.min(n, largest) }, (_, at) => at + 1).flatMap((part) =>
    partitions(n - part, part).map((rest) => [part, ...rest]),
  );
}
