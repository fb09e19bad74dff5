/** Sensitivities, biases and losses straight from their definitions, by trying every dataset on a small lattice. */
import { maximum, Rational } from "../../src/arithmetic/index.ts";
import { makeBounds, type Statistic } from "../../src/influence/index.ts";

/** Values are 0, 1, … LEVELS − 1, so the bounds are part of the lattice. */
export const LEVELS = 5;
export const latticeBounds = makeBounds(Rational.of(0), Rational.of(LEVELS - 1));
export const THRESHOLD = 1.5;
export const CUTS = [1, 3] as const;
/** One of each kind, with the thresholds that `evaluate` uses. */
export const ALL_KEYS = `mean,variance,share:${THRESHOLD},sum,histogram:${CUTS.join("/")}`;

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

/** The statistic of the samples, by its textbook definition; `dropped` matters to the sum, which stands in the midpoint for them. */
export function evaluate(statistic: Statistic, samples: Multiset, dropped = 0): Rational[] {
  const size = samples.reduce((sum, count) => sum + count, 0);
  const total = samples.reduce((sum, count, level) => sum + count * level, 0);
  const countWhere = (test: (level: number) => boolean): number =>
    samples.reduce((sum, count, level) => sum + (test(level) ? count : 0), 0);
  switch (statistic.kind) {
    case "mean":
      return [Rational.of(total, size)];
    case "variance": {
      // The average squared distance from the mean, over a common denominator.
      const squares = samples.reduce((sum, count, level) => sum + count * (size * level - total) ** 2, 0);
      return [Rational.of(squares, size ** 3)];
    }
    case "share":
      return [
        Rational.of(
          countWhere((level) => level > THRESHOLD),
          size,
        ),
      ];
    case "sum":
      return [Rational.of(total).add(Rational.of(dropped * (LEVELS - 1), 2))];
    case "histogram":
      return [
        countWhere((level) => level < CUTS[0]),
        countWhere((level) => level >= CUTS[0] && level < CUTS[1]),
        countWhere((level) => level >= CUTS[1]),
      ].map((count) => Rational.of(count, size));
  }
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
