/** Sensitivity, bias, range and the data-free line by enumeration on bounds that do not begin at 0: not every statistic is the same wherever its values lie. */
import { describe, expect, test } from "vitest";
import { distance, LEVELS } from "../../../test/support/enumerate.ts";
import { choices } from "../../../test/support/enumerate-centred.ts";
import { everyStatistic, givenOf, referenceOf } from "../../../test/support/statistic-references.ts";
import { maximum, minimum, Rational, sum } from "../arithmetic/index.ts";
import {
  type Bounds,
  ESTIMATORS,
  type EstimatorName,
  makeBounds,
  type Statistic,
  sensitivity,
  worstCaseBias,
} from "./index.ts";

/** 0 in the middle, off it on either side, at the upper end, below all values and above them. */
const LOWER = [-2, -3, -1, -4, 2, -7];
const MOST_RECORDS = 3;
/** Halves of it can be at either end. */
const EVEN = 4;

/** One user and the others, who are as one: values kept and values left out. */
interface Grid {
  readonly own: Part;
  readonly others: Part;
}

interface Part {
  readonly kept: readonly Rational[];
  readonly leftOut: readonly Rational[];
}

interface Counts {
  readonly kept: number;
  readonly leftOut: number;
}

describe.each(ESTIMATORS)("%s", (estimator) => {
  describe.each(LOWER)("values from %d on", (lower) => {
    const bounds = makeBounds(Rational.of(lower), Rational.of(lower + LEVELS - 1));
    const statistics = everyStatistic(bounds, { places: [lower + 1, lower + 3].map(String), estimator });

    test.each(statistics.map((each) => [each.key, each] as const))("%s", (_, statistic) => {
      let grids = 0;
      for (const [own, others] of patterns(estimator)) {
        const counts = { kept: own.kept + others.kept, total: own.kept + own.leftOut + others.kept + others.leftOut };
        let [moved, off] = [Rational.ZERO, Rational.ZERO];
        for (const theirs of datasets(others, bounds)) {
          const published = datasets(own, bounds).map((mine) => {
            const grid = { own: mine, others: theirs };
            const numbers = publishedOf(statistic, grid, bounds);
            off = maximum(off, distance(numbers, truthOf(statistic, grid, bounds)));
            return numbers;
          });
          for (const before of published)
            for (const after of published) moved = maximum(moved, distance(before, after));
        }
        const where = JSON.stringify({ own, others });
        expect(moved, where).toEqual(sensitivity(statistic, own.kept, counts));
        expect(off, where).toEqual(worstCaseBias(statistic, counts));
        grids += 1;
      }
      expect(grids).toBeGreaterThan(10);

      const all = datasets({ kept: EVEN, leftOut: 0 }, bounds).map(({ kept }) =>
        referenceOf(statistic).of(kept, givenOf(statistic, bounds)),
      );
      const middle = statistic.dataFreeValue(EVEN);
      expect(maximum(Rational.ZERO, ...all.map((numbers) => distance(numbers, middle)))).toEqual(
        statistic.dataFreeError(EVEN),
      );
      const numbers = all.flat();
      expect([minimum(numbers[0]!, ...numbers), maximum(numbers[0]!, ...numbers)]).toEqual(statistic.range(EVEN));
    });
  });
});

/** What the user has and what the others have, up to three records in all; the paper's estimator needs one that is kept. */
function* patterns(estimator: EstimatorName): Generator<[Counts, Counts]> {
  const upTo = Array.from({ length: MOST_RECORDS + 1 }, (_, count) => count);
  for (const [kept, leftOut, othersKept, othersLeftOut] of choices([upTo, upTo, upTo, upTo])) {
    const records = kept! + leftOut! + othersKept! + othersLeftOut!;
    if (records > MOST_RECORDS || kept! + leftOut! === 0) continue;
    if (estimator === "kept" && kept! + othersKept! === 0) continue;
    yield [
      { kept: kept!, leftOut: leftOut! },
      { kept: othersKept!, leftOut: othersLeftOut! },
    ];
  }
}

/** Every choice of values, up to their order. */
function datasets({ kept, leftOut }: Counts, bounds: Bounds): Part[] {
  return ascending(kept, bounds).flatMap((own) =>
    ascending(leftOut, bounds).map((rest) => ({ kept: own, leftOut: rest })),
  );
}

function ascending(size: number, bounds: Bounds, from = 0): Rational[][] {
  if (size === 0) return [[]];
  return Array.from({ length: LEVELS - from }, (_, at) => from + at).flatMap((level) =>
    ascending(size - 1, bounds, level).map((rest) => [bounds.lower.add(Rational.of(level)), ...rest]),
  );
}

function publishedOf(statistic: Statistic, { own, others }: Grid, bounds: Bounds): Rational[] {
  const reference = referenceOf(statistic);
  const given = givenOf(statistic, bounds);
  const values = [...own.kept, ...others.kept];
  const ofKept = values.length === 0 ? [] : reference.of(values, given);
  const grid = {
    ...given,
    kept: values.length,
    total: values.length + own.leftOut.length + others.leftOut.length,
    ofKept,
    clampedSum: sum([own, others].map((part) => clamped(part, bounds))),
  };
  return statistic.estimator === "centred" ? reference.centred(grid) : (reference.kept?.(grid) ?? ofKept);
}

function truthOf(statistic: Statistic, { own, others }: Grid, bounds: Bounds): Rational[] {
  const values = [own, others].flatMap(({ kept, leftOut }) => [...kept, ...leftOut]);
  return referenceOf(statistic).of(values, givenOf(statistic, bounds));
}

/** A user's sum, held to m·mid ± Γ·U/2. */
function clamped({ kept, leftOut }: Part, { lower, upper, width }: Bounds): Rational {
  const centre = lower
    .add(upper)
    .divide(Rational.of(2))
    .multiply(Rational.of(kept.length + leftOut.length));
  const reach = width.multiply(Rational.of(kept.length, 2));
  return minimum(centre.add(reach), maximum(centre.subtract(reach), sum([...kept, ...leftOut])));
}
