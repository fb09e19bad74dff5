/** Features of values by their definitions, for tests that move values about: what each of them is of a value, of averages, and of averages held to windows. */
import fc from "fast-check";
import { maximum, minimum, Rational, tryParseExact } from "../../src/core/arithmetic/index.ts";
import { binsFeature, shareFeature, valueFeature } from "../../src/core/influence/features.ts";
import { type Bounds, type Feature, makeBounds, squareFeature } from "../../src/core/influence/index.ts";

/** A feature and what it is of a value. */
export interface Defined {
  readonly feature: Feature;
  of(value: Rational): Rational[];
}

export const whole = (value: number): Rational => Rational.of(value);
const oneIf = (holds: boolean): Rational => (holds ? Rational.ONE : Rational.ZERO);

export const theValue = (bounds: Bounds): Defined => ({ feature: valueFeature(bounds), of: (value) => [value] });

export const squareAround = (bounds: Bounds, centre: Rational): Defined => ({
  feature: squareFeature(`square:${centre}`, bounds, centre),
  of: (value) => [value.subtract(centre).multiply(value.subtract(centre))],
});

/** Strictly above. */
export const shareAbove = (at: Rational): Defined => ({
  feature: shareFeature(`share:${at}`, { at, inclusive: false }),
  of: (value) => [oneIf(value.compare(at) > 0)],
});

/** A value at an edge belongs to the bin above it. */
export const binsBetween = (edges: readonly Rational[]): Defined => ({
  feature: binsFeature(
    `histogram:${edges.join("/")}`,
    edges.map((at) => ({ at, inclusive: true })),
  ),
  of: (value) => {
    const own = edges.filter((edge) => value.compare(edge) >= 0).length;
    return [...edges, 0].map((_, bin) => oneIf(bin === own));
  },
});

/** What a statistic's feature is, by the definition that its key names; `centre` is where the variance takes squares around. */
export function definitionOf(feature: Feature, bounds: Bounds, centre: Rational): Defined {
  const [kind, argument = ""] = feature.key.split(":");
  const places = argument.split("/").map((place) => tryParseExact(place)!);
  if (kind === "value") return { ...theValue(bounds), feature };
  if (kind === "variance") return { ...squareAround(bounds, centre), feature };
  if (kind === "second-moment") return { ...squareAround(bounds, Rational.ZERO), feature };
  return { ...(kind === "share" ? shareAbove(places[0]!) : binsBetween(places)), feature };
}

/** Some features of values on a small lattice, each with a scale; bounds are not at 0, and centres lie on either side of them. */
export interface Case {
  readonly bounds: Bounds;
  readonly step: Rational;
  readonly lattice: readonly Rational[];
  readonly defined: readonly Defined[];
  readonly features: readonly Feature[];
  readonly scales: readonly Rational[];
}

const parts = fc.integer({ min: 1, max: 12 }).map((twelfths) => Rational.of(twelfths, 4));

/** Without `jumps` there are neither shares nor bins. */
export function featureCases({ jumps }: { readonly jumps: boolean }): fc.Arbitrary<Case> {
  return fc
    .record({
      lower: fc.integer({ min: -4, max: 4 }),
      steps: fc.integer({ min: 1, max: 5 }),
      halves: fc.integer({ min: 1, max: 4 }),
    })
    .chain(({ lower, steps, halves }) => {
      const step = Rational.of(halves, 2);
      const at = (position: number): Rational => whole(lower).add(step.multiply(whole(position)));
      const bounds = makeBounds(at(0), at(steps));
      const cut = fc.integer({ min: 0, max: steps - 1 }).map(at);
      const inner = fc.uniqueArray(fc.integer({ min: 1, max: Math.max(1, steps - 1) }), { minLength: 1 });
      const kinds: Array<fc.Arbitrary<Defined>> = [
        fc.constant(theValue(bounds)),
        fc.integer({ min: -2, max: steps + 2 }).map((place) => squareAround(bounds, at(place))),
        ...(jumps ? [cut.map(shareAbove)] : []),
        ...(jumps && steps > 1
          ? [inner.map((places) => binsBetween([...places].sort((one, other) => one - other).map(at)))]
          : []),
      ];
      const one = fc.record({ defined: fc.oneof(...kinds), scale: parts });
      return fc.array(one, { minLength: 1, maxLength: 4 }).map((chosen) => ({
        bounds,
        step,
        lattice: Array.from({ length: steps + 1 }, (_, position) => at(position)),
        defined: chosen.map(({ defined }) => defined),
        features: chosen.map(({ defined }) => defined.feature),
        scales: chosen.map(({ scale }) => scale),
      }));
    });
}

/** Every multiset of so many of the values. */
export function multisetsOf(values: readonly Rational[], size: number): Rational[][] {
  if (size === 0) return [[]];
  return values.flatMap((value, at) => multisetsOf(values.slice(at), size - 1).map((rest) => [value, ...rest]));
}

/** Numbers by feature, then coordinate. */
export type Point = readonly (readonly Rational[])[];

/** The averages of the features over some values. */
export function averagesOf(defined: readonly Defined[], values: readonly Rational[]): Point {
  return defined.map(({ of }) => {
    const [first = [], ...others] = values.map(of);
    const sums = others.reduce((sum, each) => sum.map((term, at) => term.add(each[at]!)), first);
    return sums.map((sum) => sum.divide(whole(values.length)));
  });
}

/** Of every multiset of up to so many of the values. */
export function allAverages(defined: readonly Defined[], values: readonly Rational[], most: number): Point[] {
  return Array.from({ length: most }, (_, at) => multisetsOf(values, at + 1))
    .flat()
    .map((each) => averagesOf(defined, each));
}

export type Window = readonly [low: Rational, high: Rational];

export function clamped(point: Point, windows: readonly Window[]): Point {
  return point.map((numbers, at) => {
    const [low, high] = windows[at]!;
    return numbers.map((each) => minimum(high, maximum(low, each)));
  });
}

/** Σ |difference|/b of every two points, at most. */
export function widest(points: readonly Point[], scales: readonly Rational[]): Rational {
  // In units of each scale there is nothing left to divide.
  const scaled = points.map((point) => point.flatMap((numbers, at) => numbers.map((each) => each.divide(scales[at]!))));
  let most = Rational.ZERO;
  scaled.forEach((one, index) => {
    for (const other of scaled.slice(0, index))
      most = maximum(
        most,
        one.reduce((sum, each, at) => sum.add(each.subtract(other[at]!).absolute()), Rational.ZERO),
      );
  });
  return most;
}
