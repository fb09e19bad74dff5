/** Every formula of sensitivity and bias against enumeration of all small datasets, and the witnesses that attain them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  biasByEnumeration,
  distance,
  evaluate,
  LEVELS,
  latticeStatistics,
  multisets,
  partitions,
  sensitivityByEnumeration,
  union,
} from "../../../test/support/enumerate.ts";
import { everyStatistic } from "../../../test/support/statistic-references.ts";
import { maximum, minimum, Rational } from "../arithmetic/index.ts";
import {
  dataFreeError,
  guaranteeOf,
  makeBounds,
  makeObjective,
  parseBounds,
  parseStatistic,
  sensitivity,
  sensitivityWitness,
  worstCaseBias,
} from "./index.ts";

const SAMPLES = 7;
/** Halves of it can be at either end. */
const EVEN = 6;
const cases = latticeStatistics().map((statistic) => [statistic.key, statistic] as const);

describe.each(cases)("%s", (_, statistic) => {
  test("sensitivity to every user of every count pattern up to 7 samples is the enumerated one", () => {
    const known = new Map<string, Rational>();
    const enumerated = (owned: number, kept: number): Rational => {
      const key = `${owned}/${kept}`;
      if (!known.has(key)) known.set(key, sensitivityByEnumeration(statistic, owned, kept));
      return known.get(key)!;
    };
    for (let kept = 1; kept <= SAMPLES; kept++) {
      for (const counts of partitions(kept)) {
        for (const owned of counts)
          expect(sensitivity(statistic, owned, { kept, total: kept }), `${owned} of ${kept}`).toEqual(
            enumerated(owned, kept),
          );
      }
    }
    expect(known.size).toBe((SAMPLES * (SAMPLES + 1)) / 2);
  });

  test("worst-case bias of keeping k of n up to 7 samples is the enumerated one", () => {
    for (let total = 1; total <= SAMPLES; total++) {
      for (let kept = 1; kept <= total; kept++) {
        expect(worstCaseBias(statistic, { kept, total }), `${kept} of ${total}`).toEqual(
          biasByEnumeration(statistic, kept, total),
        );
      }
    }
  });

  test("witnesses attain sensitivity and bias at any size", () => {
    const samplesOf = ({ atLower, atUpper }: { atLower: number; atUpper: number }): number[] => [
      atLower,
      ...new Array(LEVELS - 2).fill(0),
      atUpper,
    ];
    const both = (left: number[], right: number[]): number[] => left.map((count, at) => count + right[at]!);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 400 }), (first, second) => {
        const [small, large] = first < second ? [first, second] : [second, first];
        const { others, ownBefore, ownAfter } = sensitivityWitness(statistic, { owned: small, kept: large });
        const before = both(samplesOf(others), samplesOf(ownBefore));
        const after = both(samplesOf(others), samplesOf(ownAfter));
        expect(before.reduce((sum, count) => sum + count, 0)).toBe(large);
        expect(ownAfter.atLower + ownAfter.atUpper).toBe(small);
        expect(distance(evaluate(statistic, before), evaluate(statistic, after))).toEqual(
          sensitivity(statistic, small, { kept: large, total: large }),
        );

        // Those left out as far from the kept ones as moves most.
        const raised = statistic.shape.raised(large - small, large);
        const kept = { atLower: small, atUpper: 0 };
        const dropped = { atLower: large - small - raised, atUpper: raised };
        const published = evaluate(statistic, samplesOf(kept), large - small);
        const truth = evaluate(statistic, both(samplesOf(kept), samplesOf(dropped)));
        expect(distance(published, truth)).toEqual(worstCaseBias(statistic, { kept: small, total: large }));
      }),
    );
  });

  test("sensitivity and bias never fall as more samples are out of our hands", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 4_000_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (total, share) => {
          const owned = Math.max(1, Math.floor(share * (total - 1)));
          const all = { kept: total, total };
          expect(
            sensitivity(statistic, owned + 1, all).compare(sensitivity(statistic, owned, all)),
          ).toBeGreaterThanOrEqual(0);
          const kept = total - owned;
          expect(
            worstCaseBias(statistic, { kept: Math.max(1, kept - 1), total }).compare(
              worstCaseBias(statistic, { kept, total }),
            ),
          ).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  test("publishing the middle of the range is never further off than the data-free error, and sometimes as far", () => {
    const middle = statistic.dataFreeValue(EVEN);
    const errors = multisets(EVEN).map((samples) => distance(middle, evaluate(statistic, samples)));
    expect(maximum(Rational.ZERO, ...errors)).toEqual(statistic.dataFreeError(EVEN));
  });

  test("its range is what its numbers can be: none lies outside, and both ends are reached", () => {
    const [low, high] = statistic.range(EVEN);
    const numbers = multisets(EVEN).flatMap((samples) => evaluate(statistic, samples));
    expect(minimum(numbers[0]!, ...numbers)).toEqual(low);
    expect(maximum(numbers[0]!, ...numbers)).toEqual(high);
  });

  test("a single number is off by no more than its share of the bias", () => {
    const share = statistic.bins?.largestBiasShare ?? Rational.ONE;
    for (const kept of multisets(3)) {
      const published = evaluate(statistic, kept, 2);
      for (const dropped of multisets(2)) {
        const truth = evaluate(statistic, union(kept, dropped));
        const most = worstCaseBias(statistic, { kept: 3, total: 5 }).multiply(share);
        published.forEach((number, at) => {
          expect(number.subtract(truth[at]!).absolute().compare(most)).toBeLessThanOrEqual(0);
        });
      }
    }
  });
});

test("the printed, reversed theorem is not what we use: n = 4 keeping 3 gives 3/16, keeping 1 gives 1/4", () => {
  const variance = parseStatistic("variance", makeBounds(Rational.of(0), Rational.of(1)));
  expect(worstCaseBias(variance, { kept: 3, total: 4 })).toEqual(Rational.of(3, 16));
  expect(worstCaseBias(variance, { kept: 1, total: 4 })).toEqual(Rational.of(1, 4));
  expect(worstCaseBias(variance, { kept: 2, total: 5 })).toEqual(Rational.of(6, 25)); // odd n: U²/4·(1 − 1/n²)
});

describe("guaranteed error", () => {
  const bounds = parseBounds("-5,60");
  const objective = (statistics: string, metric: "sum" | "relative", weights?: string) => {
    return makeObjective(bounds, { statistics, metric, weights });
  };
  const counts = { total: 10, kept: 8, largest: 3 };
  const half = [Rational.of(1, 2), Rational.of(1, 2)];

  test("sum adds weighted bias and noise by hand", () => {
    // mean: 65·2/10 + 65·3/8·2; variance: 4225·2·8/100 + 4225·3·5/64·2
    const meanError = Rational.of(13).add(Rational.of(195, 4));
    const varianceError = Rational.of(676).add(Rational.of(4225 * 15, 32));
    const guarantee = guaranteeOf(objective("mean,variance", "sum", "mean=3,variance=0.5"), counts, half)!;
    expect(guarantee.statisticError).toEqual([meanError, varianceError]);
    expect(guarantee.error).toEqual(meanError.multiply(Rational.of(3)).add(varianceError.divide(Rational.of(2))));
  });

  test("relative takes the worst multiple of the data-free error", () => {
    const guarantee = guaranteeOf(objective("mean,variance", "relative"), counts, half)!;
    const ratios = [
      guarantee.statisticError[0]!.divide(Rational.of(65, 2)),
      guarantee.statisticError[1]!.divide(Rational.of(4225, 8)),
    ];
    expect(guarantee.error).toEqual(ratios[0]!.compare(ratios[1]!) > 0 ? ratios[0] : ratios[1]);
  });

  test("a histogram's noise counts once per bin", () => {
    const guarantee = guaranteeOf(objective("histogram:10/20/30", "sum"), counts, [Rational.ONE])!;
    expect(guarantee.scale).toEqual([Rational.of(6, 8)]);
    expect(guarantee.error).toEqual(Rational.of(4, 10).add(Rational.of(4 * 6, 8)));
  });

  test("an empty grid has no guarantee, a single record no variance noise", () => {
    expect(guaranteeOf(objective("mean,variance", "sum"), { total: 3, kept: 0, largest: 0 }, half)).toBeUndefined();
    const single = guaranteeOf(objective("mean,variance", "sum"), { total: 1, kept: 1, largest: 1 }, [
      Rational.of(1, 2),
      Rational.ZERO,
    ])!;
    expect(single.scale).toEqual([Rational.of(130), Rational.ZERO]);
  });

  test("centred, an emptied grid is no worse than the data-free line and needs no noise", () => {
    const keys = everyStatistic(bounds, { places: ["0", "9"] }).map(({ key }) => key);
    const centred = makeObjective(bounds, { statistics: keys.join(), estimator: "centred" });
    const none = centred.statistics.map(() => Rational.ZERO);
    for (const total of [1, 2, 7, 12]) {
      const guarantee = guaranteeOf(centred, { total, kept: 0, largest: 0 }, none)!;
      expect(guarantee.scale).toEqual(none);
      centred.statistics.forEach((statistic, index) => {
        const line = statistic.dataFreeError(total);
        // An odd number of records cannot be split in halves: their variance stays below U²/4.
        const odd = statistic.key === "variance" && total % 2 === 1;
        const expected = odd ? line.subtract(line.divide(Rational.of(total * total))) : line;
        expect(guarantee.bias[index], statistic.key).toEqual(expected);
      });
    }
  });

  test("the data-free line of the paper's buses is 560.625", () => {
    expect(dataFreeError(makeObjective(parseBounds("0,65")), 7).toString()).toBe("560.625");
  });
});
