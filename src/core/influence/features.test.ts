/** What one user can move several features by: against enumeration of values and of averages, with windows and without, and the closed forms. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  allAverages,
  averagesOf,
  binsBetween,
  type Case,
  clamped,
  featureCases,
  shareAbove,
  squareAround,
  theValue,
  type Window,
  whole,
  widest,
} from "../../../test/support/features-by-definition.ts";
import { maximum, minimum, Rational, sum } from "../arithmetic/index.ts";
import { makeBounds, parseBounds } from "./bounds.ts";
import { diameter, largestMove, widthOf } from "./features.ts";

const { ONE, ZERO } = Rational;
const quarter = Rational.of(1, 4);
const bounds = makeBounds(whole(-3), whole(5));
const U = bounds.width;

/** The steepest that Σ f/b can be: a pair of values that is a step away from another is this much wider at most. */
function steepness({ features, scales, bounds: { lower, upper } }: Case): Rational {
  const slopes = features.map(({ quadratic: [alpha, beta] }, at) => {
    const [first, second] = [lower, upper].map((x) => alpha.add(alpha).multiply(x).add(beta).absolute());
    return maximum(first!, second!).divide(scales[at]!);
  });
  return sum(slopes);
}

test("ranges are those of the values, from end to end, wherever the centre is", () => {
  fc.assert(
    fc.property(featureCases({ jumps: true }), ({ defined, lattice }) => {
      for (const { feature, of } of defined) {
        const [low, high] = feature.range;
        const numbers = lattice.flatMap(of);
        expect(maximum(low, ...numbers)).toEqual(high);
        expect(minimum(high, ...numbers)).toEqual(low);
        expect(widthOf(feature)).toEqual(high.subtract(low));
        expect(of(lattice[0]!)).toHaveLength(feature.coordinates);
      }
    }),
  );
});

describe("without windows", () => {
  test("no two averages are farther apart than the diameter, jumps and bins included", () => {
    fc.assert(
      fc.property(featureCases({ jumps: true }), (given) => {
        const { defined, features, scales, lattice } = given;
        const found = widest(allAverages(defined, lattice, 3), scales);
        expect(found.compare(diameter(features, scales, given.bounds))).toBeLessThanOrEqual(0);
      }),
    );
  });

  test("two values are that far apart, up to a step of the lattice on either side", () => {
    fc.assert(
      fc.property(featureCases({ jumps: true }), (given) => {
        const { defined, features, scales, lattice, step } = given;
        // Bins are counted as if no two values shared one.
        fc.pre(features.every(({ coordinates }) => coordinates === 1));
        const found = widest(
          lattice.map((value) => averagesOf(defined, [value])),
          scales,
        );
        const near = found.add(steepness(given).multiply(step.add(step)));
        expect(diameter(features, scales, given.bounds).compare(near)).toBeLessThanOrEqual(0);
      }),
    );
  });

  test("and exactly where the extremes lie on the lattice", () => {
    fc.assert(
      fc.property(featureCases({ jumps: false }), fc.integer({ min: 0, max: 5 }), (given, place) => {
        const { lattice, step } = given;
        const centre = lattice[place % lattice.length]!;
        const defined = [theValue(given.bounds), squareAround(given.bounds, centre)];
        const features = defined.map(({ feature }) => feature);
        // The vertex of ±x/b₁ + (x − c)²/b₂ lies b₂/(2b₁) from c: a whole number of steps.
        for (const steps of [1, 2, 3]) {
          const scales = [ONE, step.multiply(whole(2 * steps))];
          const points = lattice.map((value) => averagesOf(defined, [value]));
          expect(diameter(features, scales, given.bounds)).toEqual(widest(points, scales));
        }
      }),
    );
  });

  test("a share above the lower bound itself moves by 1, beside others too", () => {
    const above = shareAbove(bounds.lower);
    expect(diameter([above.feature], [quarter], bounds)).toEqual(whole(4));
    expect(diameter([theValue(bounds).feature, above.feature], [ONE, ONE], bounds)).toEqual(U.add(ONE));
    const square = squareAround(bounds, bounds.lower);
    expect(diameter([above.feature, square.feature], [ONE, ONE], bounds)).toEqual(U.multiply(U).add(ONE));
  });
});

describe("closed forms", () => {
  const value = theValue(bounds).feature;

  test("one statistic: U/b, 1/b of a share, 2/b of a histogram, however many bins", () => {
    expect(diameter([value], [quarter], bounds)).toEqual(U.multiply(whole(4)));
    expect(diameter([shareAbove(ONE).feature], [quarter], bounds)).toEqual(whole(4));
    for (const edges of [[0], [-1, 0, 2], [-2, -1, 0, 1, 2, 3, 4]])
      expect(diameter([binsBetween(edges.map(whole)).feature], [quarter], bounds)).toEqual(whole(8));
  });

  test("mean and (x − mid)²: (1/2 + 1/k + k/16)/v, and not 1/v for each", () => {
    const mid = bounds.lower.add(U.divide(whole(2)));
    const features = [value, squareAround(bounds, mid).feature];
    for (const k of [1, 2, 3, 4].flatMap((each) => [Rational.of(each), Rational.of(each, 3)])) {
      const v = Rational.of(2, 7);
      const scales = [U.multiply(v), k.multiply(v).multiply(U).multiply(U).divide(whole(4))];
      const expected = Rational.of(1, 2)
        .add(ONE.divide(k))
        .add(k.divide(whole(16)))
        .divide(v);
      expect(diameter(features, scales, bounds)).toEqual(expected);
    }
    expect(diameter(features, [U, U.multiply(U).divide(whole(4))], bounds).toString()).toBe("1.5625");
  });

  test("around another centre: (D + q)²/b₂, or U/b₁ + U(2D − U)/b₂ once q = b₂/(2b₁) exceeds U − D", () => {
    const scale = fc.integer({ min: 1, max: 400 }).map((tenths) => Rational.of(tenths, 10));
    let [inside, beyond] = [0, 0];
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 16 }), scale, scale, (half, b1, b2) => {
        const centre = bounds.lower.add(Rational.of(half, 2));
        const D = maximum(centre.subtract(bounds.lower), bounds.upper.subtract(centre));
        const q = b2.divide(b1.add(b1));
        const isInside = q.compare(U.subtract(D)) <= 0;
        if (isInside) inside += 1;
        else beyond += 1;
        const expected = isInside
          ? D.add(q).multiply(D.add(q)).divide(b2)
          : U.divide(b1).add(U.multiply(D.add(D).subtract(U)).divide(b2));
        expect(diameter([value, squareAround(bounds, centre).feature], [b1, b2], bounds)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
    expect(Math.min(inside, beyond)).toBeGreaterThan(10);
  });

  test("scales that all grow move it as much the other way", () => {
    fc.assert(
      fc.property(featureCases({ jumps: true }), fc.integer({ min: 1, max: 9 }), (given, times) => {
        const wider = given.scales.map((scale) => scale.multiply(whole(times)));
        expect(diameter(given.features, wider, given.bounds).multiply(whole(times))).toEqual(
          diameter(given.features, given.scales, given.bounds),
        );
      }),
    );
  });
});

describe("with windows", () => {
  /** Anywhere in the range, eighths of it wide. */
  const windows = fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 1, max: 8 }));
  const cases = fc.tuple(featureCases({ jumps: true }), fc.array(windows, { minLength: 4, maxLength: 4 }));

  function windowsOf(
    { features }: Pick<Case, "features">,
    eighths: ReadonlyArray<readonly [number, number]>,
  ): Window[] {
    return features.map((feature, at) => {
      const [low, high] = feature.range;
      // Bins are not clamped.
      if (feature.coordinates > 1) return [low, high];
      const eighth = widthOf(feature).divide(whole(8));
      const [from, size] = eighths[at]!;
      const end = Math.min(8, from + size);
      return [low.add(eighth.multiply(whole(from))), low.add(eighth.multiply(whole(end)))];
    });
  }

  test("no two clamped averages are farther apart than the largest move", () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const [given, eighths] = drawn;
        const { defined, features, scales, lattice } = given;
        const held = windowsOf(given, eighths);
        const widths = held.map(([low, high]) => high.subtract(low));
        const points = allAverages(defined, lattice, 3).map((point) => clamped(point, held));
        const most = largestMove(features, scales, { bounds: given.bounds, widths });
        expect(widest(points, scales).compare(most)).toBeLessThanOrEqual(0);
        expect(most.compare(diameter(features, scales, given.bounds))).toBeLessThanOrEqual(0);
      }),
      { numRuns: 60 },
    );
  });

  test("one feature attains it in every window, and whole windows change nothing", () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const [given, eighths] = drawn;
        const held = windowsOf(given, eighths);
        given.defined.forEach((one, at) => {
          const [feature, scale] = [[one.feature], [given.scales[at]!]];
          const [low, high] = held[at]!;
          const widths = [high.subtract(low)];
          const points = given.lattice.map((value) => clamped(averagesOf([one], [value]), [held[at]!]));
          expect(largestMove(feature, scale, { bounds: given.bounds, widths })).toEqual(widest(points, scale));
        });
        const widths = given.features.map(widthOf);
        expect(largestMove(given.features, given.scales, { bounds: given.bounds, widths })).toEqual(
          diameter(given.features, given.scales, given.bounds),
        );
      }),
    );
  });

  test("clamping averages moves them farther than clamping values: averages of records at both ends lie where no record does", () => {
    const unit = parseBounds("0,1");
    const defined = [theValue(unit), squareAround(unit, quarter)];
    const features = defined.map(({ feature }) => feature);
    const scales = [ONE, Rational.of(36, 100)];
    const held: Window[] = [
      [Rational.of(5, 100), quarter],
      [Rational.of(3, 100), Rational.of(875, 10_000)],
    ];
    const widths = held.map(([low, high]) => high.subtract(low));
    // 19 records at 0 and one at 1 on average: 0.05, and 0.0875 from the centre; against records at the centre.
    const records = [...new Array<Rational>(19).fill(ZERO), ONE];
    const moved = widest(
      [records, [quarter]].map((values) => clamped(averagesOf(defined, values), held)),
      scales,
    );
    expect(moved).toEqual(largestMove(features, scales, { bounds: unit, widths }));
    const values = Array.from({ length: 401 }, (_, at) => Rational.of(at, 400));
    const ofValues = widest(
      values.map((value) => clamped(averagesOf(defined, [value]), held)),
      scales,
    );
    expect(moved.divide(ofValues).toNumberNearest()).toBeCloseTo(1.08, 2);
  });

  test("nor is cutting the hull enough: what lies outside the windows is projected to their edges, seven times as far apart", () => {
    const around = parseBounds("0,4");
    const defined = [theValue(around), squareAround(around, whole(2))];
    const features = defined.map(({ feature }) => feature);
    const scales = [ONE, ONE];
    const most = Rational.of(1, 16);
    const held: Window[] = [
      [ZERO, whole(4)],
      [ZERO, most],
    ];
    const values = Array.from({ length: 17 }, (_, at) => Rational.of(at, 4));
    const points = allAverages(defined, values, 2);
    const inWindows = points.filter(([, square]) => square![0]!.compare(most) <= 0);
    const ofCut = widest(inWindows, scales);
    const moved = widest(
      points.map((point) => clamped(point, held)),
      scales,
    );
    expect(ofCut.compare(Rational.of(9, 16))).toBeLessThanOrEqual(0);
    expect(moved).toEqual(whole(4));
    expect(
      moved.compare(largestMove(features, scales, { bounds: around, widths: [whole(4), most] })),
    ).toBeLessThanOrEqual(0);
  });
});
