/** The mechanism against the specification's formulas, with draws that are known beforehand. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { replayedBytes } from "../../../test/support/replayed-bytes.ts";
import { everyStatistic } from "../../../test/support/statistic-references.ts";
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import {
  ESTIMATORS,
  type GridCounts,
  parseBounds,
  parseStatistic,
  type Statistic,
  sensitivity,
} from "../../core/influence/index.ts";
import { discreteLaplace, RandomBits, type Uniform } from "../../core/noise/index.ts";
import { addNoise } from "./add-noise.ts";

const bounds = parseBounds("-5,60");
const keys = everyStatistic(bounds, { places: ["0", "10", "20"] }).map(({ key }) => key);
const statisticOf = (key: string): Statistic => parseStatistic(key, bounds);

const mechanisms = fc
  .record({
    key: fc.constantFrom(...keys),
    estimator: fc.constantFrom(...ESTIMATORS),
    largest: fc.integer({ min: 1, max: 40 }),
    others: fc.integer({ min: 1, max: 300 }),
    dropped: fc.nat(20),
    epsilon: fc.constantFrom("0.001", "0.07", "0.5", "1", "3", "50").map((text) => parseDecimal(text)),
    seed: fc.nat(1_000_000),
  })
  .map(({ key, estimator, largest, others, dropped, epsilon, seed }) => {
    const kept = largest + others;
    const counts: GridCounts = { largest, kept, total: kept + dropped };
    const statistic = parseStatistic(key, bounds, estimator);
    return { noise: { statistic, counts, epsilon }, delta: sensitivity(statistic, largest, counts), seed };
  });

const fractions = fc
  .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.bigInt({ min: 1n, max: 10n ** 9n }))
  .map(([numerator, denominator]) => Rational.of(numerator, denominator));

/** ⌊x + ½⌋ by integers only. */
function roundHalfUp({ numerator, denominator }: Rational): bigint {
  const [top, bottom] = [2n * numerator + denominator, 2n * denominator];
  const quotient = top / bottom;
  return top % bottom < 0n ? quotient - 1n : quotient;
}

const atMost = (one: Rational, other: Rational): boolean => one.compare(other) <= 0;

test("the lattice's step is the largest power of two within min(Δ, Δ/ε)·2⁻⁴⁰", () => {
  fc.assert(
    fc.property(mechanisms, fractions, ({ noise, delta, seed }, value) => {
      const { stepExponent, deltaSteps } = addNoise([value], noise, new RandomBits(replayedBytes(seed)));
      const perEpsilon = delta.divide(noise.epsilon);
      const limit = (atMost(delta, perEpsilon) ? delta : perEpsilon).divide(Rational.of(2n ** 40n));
      const step = Rational.powerOfTwo(stepExponent);
      expect(atMost(step, limit)).toBe(true);
      expect(atMost(step.add(step), limit)).toBe(false);
      // ⌈Δ/s⌉, and B − 1 more for the rounding of B bins.
      expect(deltaSteps).toBe(delta.divide(step).ceilToInteger() + BigInt(noise.statistic.coordinates - 1));
    }),
  );
});

test("steps are the value rounded half up plus a draw of scale deltaSteps/ε for each coordinate, in order", () => {
  fc.assert(
    fc.property(mechanisms, fc.array(fractions, { minLength: 1, maxLength: 4 }), ({ noise, seed }, values) => {
      const found = addNoise(values, noise, new RandomBits(replayedBytes(seed)));
      const same = new RandomBits(replayedBytes(seed));
      const step = Rational.powerOfTwo(found.stepExponent);
      const scale = Rational.of(found.deltaSteps).divide(noise.epsilon);
      expect(found.steps).toEqual(
        values.map((value) => roundHalfUp(value.divide(step)) + discreteLaplace(same, scale)),
      );
    }),
  );
});

test("halves go up, on both sides of 0", () => {
  const noise = { statistic: statisticOf("mean"), counts: { largest: 1, kept: 2, total: 2 }, epsilon: Rational.ONE };
  const at = (steps: Rational): bigint => {
    const { stepExponent } = addNoise([Rational.ZERO], noise, new RandomBits(replayedBytes(1)));
    const value = steps.multiply(Rational.powerOfTwo(stepExponent));
    const drawn = addNoise([Rational.ZERO], noise, new RandomBits(replayedBytes(1))).steps[0]!;
    return addNoise([value], noise, new RandomBits(replayedBytes(1))).steps[0]! - drawn;
  };
  const quarters = [-6, -5, -3, -2, -1, 0, 1, 2, 3, 6];
  expect(quarters.map((quarter) => at(Rational.of(quarter, 4)))).toEqual([-1, -1, -1, 0, 0, 0, 0, 1, 1, 2].map(BigInt));
});

const untouched: Uniform = {
  below: () => expect.unreachable("a draw"),
  coin: () => expect.unreachable("a draw"),
};

test("ε = 0 gives the number itself and draws nothing", () => {
  const noise = { statistic: statisticOf("variance"), counts: { largest: 1, kept: 1, total: 3 } };
  expect(addNoise([Rational.ZERO], { ...noise, epsilon: Rational.ZERO }, untouched)).toEqual({
    steps: [0n],
    stepExponent: 0,
    deltaSteps: 0n,
    rounding: Rational.ZERO,
  });
});

describe("the middle of an emptied grid, without noise", () => {
  const middleOf = (key: string, exact: readonly Rational[], range = bounds) => {
    const statistic = parseStatistic(key, range, "centred");
    const noise = { statistic, counts: { largest: 0, kept: 0, total: 7 }, epsilon: Rational.ZERO };
    return { ...addNoise(exact, noise, untouched), statistic };
  };

  test("is written as it is where it is a multiple of a power of two, with the coarsest step that does it", () => {
    expect(middleOf("mean", [Rational.of(55, 2)])).toMatchObject({ steps: [55n], stepExponent: -1 });
    expect(middleOf("mean", [Rational.of(-3, 8)])).toMatchObject({ steps: [-3n], stepExponent: -3 });
    expect(middleOf("sum", [Rational.of(192)])).toMatchObject({ steps: [192n], stepExponent: 0 });
    expect(middleOf("mean", [Rational.of(55, 2)]).rounding).toEqual(Rational.ZERO);
  });

  test("is otherwise within 2⁻⁴¹ of its data-free error, and says how far it was rounded", () => {
    fc.assert(
      fc.property(fc.constantFrom(...keys), fractions, (key, value) => {
        const found = middleOf(key, [value]);
        const published = Rational.of(found.steps[0]!).multiply(Rational.powerOfTwo(found.stepExponent));
        const off = published.subtract(value).absolute();
        expect(found.rounding).toEqual(off);
        expect(found.deltaSteps).toBe(0n);
        expect(atMost(off, found.statistic.dataFreeError(7).multiply(Rational.powerOfTwo(-41)))).toBe(true);
      }),
    );
  });

  test("of several bins is rounded with one step, the rounding of all of them added up", () => {
    const thirds = Array.from({ length: 3 }, () => Rational.of(1, 3));
    const { steps, stepExponent, rounding } = middleOf("histogram:0/10", thirds);
    expect(new Set(steps).size).toBe(1);
    const off = Rational.of(steps[0]!).multiply(Rational.powerOfTwo(stepExponent)).subtract(thirds[0]!).absolute();
    expect(rounding).toEqual(off.multiply(Rational.of(3)));
  });

  test("holds for the smallest and the largest ranges", () => {
    for (const text of ["0,1e-100", "-1e100,1e100", "0,0.1"]) {
      const range = parseBounds(text);
      const value = range.lower.add(range.width.divide(Rational.of(3)));
      const { rounding, statistic } = middleOf("mean", [value], range);
      expect(atMost(rounding, statistic.dataFreeError(7).multiply(Rational.powerOfTwo(-41)))).toBe(true);
    }
  });

  test("and a number that somebody can move is not published without noise", () => {
    const noise = { statistic: statisticOf("mean"), counts: { largest: 1, kept: 2, total: 2 }, epsilon: Rational.ZERO };
    expect(() => addNoise([Rational.ONE], noise, untouched)).toThrow(/needs noise/);
  });
});

test("values Δ apart round at most deltaSteps steps apart", () => {
  const share = fc.bigInt({ min: 0n, max: 1000n }).map((part) => Rational.of(part, 1000n));
  fc.assert(
    fc.property(mechanisms, fractions, share, fc.boolean(), ({ noise, delta, seed }, value, part, up) => {
      const moved = delta.multiply(part);
      const other = up ? value.add(moved) : value.subtract(moved);
      const of = (exact: Rational): bigint => addNoise([exact], noise, new RandomBits(replayedBytes(seed))).steps[0]!;
      const apart = of(value) - of(other);
      const { deltaSteps } = addNoise([value], noise, new RandomBits(replayedBytes(seed)));
      const limit = deltaSteps - BigInt(noise.statistic.coordinates - 1);
      expect(apart <= limit && -apart <= limit).toBe(true);
    }),
  );
});

test("histograms Δ apart in all bins together round at most deltaSteps steps apart in all", () => {
  const statistic = statisticOf("histogram:0/10/20");
  const shares = fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 0, max: 30 })));
  fc.assert(
    fc.property(shares, fc.integer({ min: 1, max: 9 }), fc.nat(3), fc.nat(3), (bins, owned, from, to) => {
      const others = bins.reduce((total, each) => total + each, 0);
      const kept = others + owned;
      const sharesWith = (bin: number): Rational[] =>
        bins.map((count, index) => Rational.of(count + (index === bin ? owned : 0), kept));
      const noise = { statistic, counts: { largest: owned, kept, total: kept }, epsilon: Rational.of(1, 3) };
      const steps = (bin: number) => addNoise(sharesWith(bin), noise, new RandomBits(replayedBytes(owned)));
      const [one, other] = [steps(from), steps(to)];
      const apart = one.steps.reduce((total, each, bin) => {
        const difference = each - other.steps[bin]!;
        return total + (difference < 0n ? -difference : difference);
      }, 0n);
      expect(apart <= one.deltaSteps).toBe(true);
    }),
  );
});

describe("the expected size of the noise", () => {
  const DRAWS = 20_000;
  const counts: GridCounts = { largest: 3, kept: 50, total: 60 };
  const epsilon = parseDecimal("0.37");
  const statistic = statisticOf("mean");
  const value = Rational.of(2143, 101);
  const scale = sensitivity(statistic, counts.largest, counts).divide(epsilon).toNumberNearest();
  let noise: readonly number[];
  beforeAll(() => {
    const bits = new RandomBits(replayedBytes(20));
    noise = Array.from({ length: DRAWS }, () => {
      const { steps, stepExponent } = addNoise([value], { statistic, counts, epsilon }, bits);
      const noisy = Rational.of(steps[0]!).multiply(Rational.powerOfTwo(stepExponent));
      return noisy.subtract(value).toNumberNearest();
    });
  });
  /**
   * |noise| is all but exponential, with standard deviation equal to its mean: the mean of n draws is off by more than
   * 5/√n of it in about one of a million seeds (normal tail: one in 1.7 million). 5/√20000 is 3.5 %.
   */
  const LIMIT = 5 / Math.sqrt(DRAWS);
  const offFrom = (claimed: number): number => {
    const size = noise.reduce((total, each) => total + Math.abs(each), 0) / DRAWS;
    return Math.abs(size / claimed - 1);
  };

  test("is Δ/ε", () => expect(offFrom(scale)).toBeLessThan(LIMIT));

  test.each([0.9, 1.1])("and not %d times it", (factor) => expect(offFrom(factor * scale)).toBeGreaterThan(LIMIT));

  test("and its mean is 0: of standard deviation √2·Δ/ε, off by 5 of it once in 1.7 million seeds", () => {
    const mean = noise.reduce((total, each) => total + each, 0) / DRAWS;
    const limit = 5 * Math.SQRT2 * (scale / Math.sqrt(DRAWS));
    expect(Math.abs(mean)).toBeLessThan(limit);
    expect(Math.abs(mean + 0.1 * scale)).toBeGreaterThan(limit);
  });
});
