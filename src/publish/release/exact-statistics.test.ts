/** Exact statistics of both estimators against their definitions, worked out value by value in rationals. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { everyStatistic, givenOf, referenceOf } from "../../../test/support/statistic-references.ts";
import { maximum, minimum, parseDecimal, Rational, sum } from "../../core/arithmetic/index.ts";
import {
  type Bounds,
  type EstimatorName,
  makeBounds,
  parseBounds,
  parseStatistics,
  type Statistic,
} from "../../core/influence/index.ts";
import type { GridTotals } from "../../data/engines/index.ts";
import { exactStatistics } from "./exact-statistics.ts";

interface Lattice {
  readonly bounds: Bounds;
  readonly step: Rational;
}

/** What an engine would count of these lattice integers. */
function totalsOf(integers: readonly number[], thresholds: readonly bigint[]): GridTotals {
  const all = integers.map(BigInt);
  return {
    grid: "g",
    kept: all.length,
    sum: all.reduce((total, each) => total + each, 0n),
    sumOfSquares: all.reduce((total, each) => total + each * each, 0n),
    atLeast: thresholds.map((threshold) => BigInt(all.filter((each) => each >= threshold).length)),
    doubledClampedSum: null,
  };
}

/** The values that these lattice integers stand for. */
function valuesOf(integers: readonly number[], { bounds, step }: Lattice): Rational[] {
  return integers.map((i) => bounds.lower.add(step.multiply(Rational.of(i))));
}

/** The statistic of the kept values, and what is known of the grid beside them; there is no clamped sum unless told. */
function partlyKept(
  statistic: Statistic,
  values: readonly Rational[],
  { total, bounds }: { total: number; bounds: Bounds },
) {
  const given = givenOf(statistic, bounds);
  const ofKept = values.length === 0 ? [] : referenceOf(statistic).of(values, given);
  return { ...given, kept: values.length, total, ofKept, clampedSum: Rational.ZERO };
}

/** Whole, fractional and negative lattices of N + 1 points. */
const lattices = fc
  .record({
    lower: fc.constantFrom("0", "-10", "-3.5", "2.25"),
    step: fc.constantFrom("1", "0.5", "0.3", "2.5"),
    N: fc.constantFrom(4, 10, 16),
  })
  .map(({ lower, step, N }) => {
    const [a, h] = [parseDecimal(lower), parseDecimal(step)];
    const lattice: Lattice = { bounds: makeBounds(a, a.add(h.multiply(Rational.of(N)))), step: h };
    return { lattice, N };
  });

/** A lattice, integers on it, and thresholds on its points and between them. */
const cells = lattices.chain(({ lattice, N }) =>
  fc.record({
    lattice: fc.constant(lattice),
    integers: fc.array(fc.integer({ min: 0, max: N }), { minLength: 1, maxLength: 12 }),
    dropped: fc.nat(5),
    // In tenths of a step: a multiple of ten is a point of the lattice.
    places: fc.uniqueArray(
      fc.oneof(
        fc.integer({ min: 1, max: N - 1 }).map((i) => 10 * i),
        fc.integer({ min: 1, max: 10 * N - 1 }),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  }),
);

/** Every statistic, with thresholds and edges at these tenths of a step. */
function statisticsAt({ bounds, step }: Lattice, places: readonly number[], estimator?: EstimatorName): Statistic[] {
  const at = (tenths: number): string => bounds.lower.add(step.multiply(Rational.of(tenths, 10))).toDecimalNearest(6);
  return everyStatistic(bounds, { places: [...places].sort((one, other) => one - other).map(at), estimator });
}

test("every statistic is that of its definition, exactly", () => {
  fc.assert(
    fc.property(cells, ({ lattice, integers, dropped, places }) => {
      const statistics = statisticsAt(lattice, places);
      const exact = exactStatistics(statistics, lattice);
      const totals = totalsOf(integers, exact.thresholds);
      const total = integers.length + dropped;
      const values = valuesOf(integers, lattice);
      statistics.forEach((statistic, index) => {
        const found = exact.of[index]!(totals, { total, kept: integers.length, largest: 1 });
        const grid = partlyKept(statistic, values, { total, bounds: lattice.bounds });
        const expected = referenceOf(statistic).kept?.(grid) ?? grid.ofKept;
        expect(found.map(String), statistic.key).toEqual(expected.map(String));
      });
    }),
    { numRuns: 400 },
  );
});

describe("centred", () => {
  /** A user's lattice integers: those kept, those left out. */
  interface User {
    readonly kept: readonly number[];
    readonly leftOut: readonly number[];
  }

  const grids = cells.chain(({ lattice, places }) => {
    const N = Number(lattice.bounds.width.divide(lattice.step).floorToInteger());
    const integers = (maxLength: number) => fc.array(fc.integer({ min: 0, max: N }), { maxLength });
    const user: fc.Arbitrary<User> = fc
      .record({ kept: integers(3), leftOut: integers(5) })
      .filter(({ kept, leftOut }) => kept.length + leftOut.length > 0);
    return fc.record({
      lattice: fc.constant(lattice),
      places: fc.constant(places),
      users: fc.oneof(
        fc.array(user, { minLength: 1, maxLength: 4 }),
        // Of which nothing is kept.
        fc.array(
          user.map(({ kept, leftOut }): User => ({ kept: [], leftOut: [...kept, ...leftOut] })),
          { minLength: 1, maxLength: 3 },
        ),
      ),
    });
  });

  /** Σ over users of the user's sum over all its records, held to m·mid ± Γ·U/2. */
  function clampedSum(users: readonly User[], { bounds, step }: Lattice): Rational {
    const middle = bounds.lower.add(bounds.upper).divide(Rational.of(2));
    return sum(
      users.map(({ kept, leftOut }) => {
        const values = valuesOf([...kept, ...leftOut], { bounds, step });
        const centre = middle.multiply(Rational.of(values.length));
        const reach = bounds.width.multiply(Rational.of(kept.length)).divide(Rational.of(2));
        return minimum(centre.add(reach), maximum(centre.subtract(reach), sum(values)));
      }),
    );
  }

  test("every statistic is that of its definition, exactly, also where nothing is kept", () => {
    let emptied = 0;
    fc.assert(
      fc.property(grids, ({ lattice, places, users }) => {
        const { bounds, step } = lattice;
        const statistics = statisticsAt(lattice, places, "centred");
        const exact = exactStatistics(statistics, lattice);
        expect(exact.clampedSums).toBe(true);
        const integers = users.flatMap(({ kept }) => kept);
        const total = users.reduce((count, { kept, leftOut }) => count + kept.length + leftOut.length, 0);
        const counts = { total, kept: integers.length, largest: Math.max(...users.map(({ kept }) => kept.length)) };
        const clamped = clampedSum(users, lattice);
        const doubled = clamped
          .subtract(bounds.lower.multiply(Rational.of(total)))
          .divide(step)
          .multiply(Rational.of(2));
        expect(doubled.denominator).toBe(1n);
        const totals = { ...totalsOf(integers, exact.thresholds), doubledClampedSum: doubled.numerator };
        const values = valuesOf(integers, lattice);
        if (values.length === 0) emptied += 1;
        statistics.forEach((statistic, index) => {
          const grid = { ...partlyKept(statistic, values, { total, bounds }), clampedSum: clamped };
          const found = exact.of[index]!(totals, counts);
          expect(found.map(String), statistic.key).toEqual(referenceOf(statistic).centred(grid).map(String));
        });
      }),
      { numRuns: 400 },
    );
    expect(emptied).toBeGreaterThan(50);
  });

  test("an emptied grid has the middle of everything, by hand", () => {
    const lattice: Lattice = { bounds: parseBounds("10,14"), step: Rational.ONE };
    const keys = "mean,variance,share:11,sum,histogram:11/12";
    const exact = exactStatistics(parseStatistics(keys, lattice.bounds, "centred"), lattice);
    const of = (total: number): string[][] => {
      const totals = { ...totalsOf([], exact.thresholds), doubledClampedSum: 4n * BigInt(total) };
      return exact.of.map((each) => each(totals, { total, kept: 0, largest: 0 }).map(String));
    };
    expect(of(4)).toEqual([["12"], ["2"], ["0.5"], ["48"], ["1/3", "1/3", "1/3"]]);
    // Three records cannot be split in halves: their variance is at most 16·2/9.
    expect(of(3)).toEqual([["12"], ["16/9"], ["0.5"], ["36"], ["1/3", "1/3", "1/3"]]);
    expect(of(1)).toEqual([["12"], ["0"], ["0.5"], ["12"], ["1/3", "1/3", "1/3"]]);
  });

  test("clamped sums are asked for by means and sums only, and must then be there", () => {
    const lattice: Lattice = { bounds: parseBounds("0,4"), step: Rational.ONE };
    const of = (keys: string) => exactStatistics(parseStatistics(keys, lattice.bounds, "centred"), lattice);
    expect(["variance,share:1,histogram:2", "mean", "sum"].map((keys) => of(keys).clampedSums)).toEqual([
      false,
      true,
      true,
    ]);
    expect(() => of("mean").of[0]!(totalsOf([1, 2], []), { total: 3, kept: 2, largest: 1 })).toThrow(/clamped sums/);
  });
});

describe("at the edges", () => {
  /** −2, −1, 0, 1, 2. */
  const lattice: Lattice = { bounds: parseBounds("-2,2"), step: Rational.ONE };
  const of = (key: string, integers: readonly number[], total = integers.length): string[] => {
    const exact = exactStatistics(parseStatistics(key, lattice.bounds), lattice);
    const counts = { total, kept: integers.length, largest: 1 };
    return exact.of[0]!(totalsOf(integers, exact.thresholds), counts).map(String);
  };

  test.each([
    ["on a point, which does not count", "share:1", "0.2"],
    ["just below a point", "share:0.99", "0.4"],
    ["just above a point", "share:1.01", "0.2"],
    ["at the lower bound", "share:-2", "0.8"],
    ["between two points below 0", "share:-1.5", "0.8"],
  ])("a share's threshold %s", (_, key, expected) => expect(of(key, [0, 1, 2, 3, 4])).toEqual([expected]));

  test("a value at a cut belongs to the bin above, and the outer bins reach to the bounds", () => {
    expect(of("histogram:-1/1", [0, 1, 2, 3, 4])).toEqual(["0.2", "0.4", "0.4"]);
    expect(of("histogram:-1.5/0.5", [0, 1, 2, 3, 4])).toEqual(["0.2", "0.4", "0.4"]);
    expect(of("histogram:-2/0/2", [0, 0, 4, 4])).toEqual(["0.5", "0.5"]);
  });

  test("records left out of a sum count as the middle, which is not 0 everywhere", () => {
    expect(of("sum", [0, 0], 7)).toEqual(["-4"]);
    const shifted: Lattice = { bounds: parseBounds("10,14"), step: Rational.ONE };
    const exact = exactStatistics(parseStatistics("sum", shifted.bounds), shifted);
    expect(exact.of[0]!(totalsOf([1, 4], []), { total: 5, kept: 2, largest: 1 }).map(String)).toEqual(["61"]);
  });

  test("one record has variance 0, and numbers of twenty digits stay exact", () => {
    expect(of("variance", [3])).toEqual(["0"]);
    const exact = exactStatistics(parseStatistics("variance", lattice.bounds), lattice);
    const huge = 10n ** 20n + 1n;
    const totals: GridTotals = { ...totalsOf([0, 0], []), sum: huge, sumOfSquares: huge * huge };
    const quarter = Rational.of(huge * huge, 4n);
    expect(exact.of[0]!(totals, { total: 2, kept: 2, largest: 1 })[0]!.equals(quarter)).toBe(true);
  });

  test("statistics that need no thresholds leave the others theirs", () => {
    const statistics = parseStatistics("share:0,mean,histogram:-1/1,variance,share:1", lattice.bounds);
    expect(exactStatistics(statistics, lattice).thresholds).toEqual([3n, 1n, 3n, 4n]);
  });
});
