/** Adds up features exactly, in whole numbers: each entry's sum from an engine's integers, clamped, weighted, per grid. */
import { Rational } from "../../../core/arithmetic/index.ts";
import { itemAt } from "../../../core/errors/index.ts";
import type { Feature } from "../../../core/influence/index.ts";
import type { Weights } from "../../../core/occupancy/index.ts";
import type { EntrySums } from "../../../data/engines/index.ts";
import { thresholdOf, type ValueLattice } from "../exact-statistics.ts";

/** What an engine is asked for so that features can be added up. */
export interface FeatureRequest {
  /** Lattice integers from which it is to count, for all features in their order. */
  readonly thresholds: readonly bigint[];
  readonly squares: boolean;
}

export function featureRequest(features: readonly Feature[], lattice: ValueLattice): FeatureRequest {
  return {
    thresholds: features.flatMap(({ cuts }) => cuts.map((cut) => thresholdOf(cut, lattice))),
    squares: features.some(({ quadratic: [alpha] }) => !alpha.isZero()),
  };
}

/** An interval that users' averages of a feature are clamped to. */
export interface Window {
  readonly low: Rational;
  readonly high: Rational;
}

/** A feature as an entry's whole number K: its sum over the entry's records is K/divisor. */
interface WholeFeature {
  readonly divisor: bigint;
  /** One per coordinate. */
  of(entry: number): bigint[];
}

export class FeatureSums {
  readonly #weights: Weights;
  readonly #sums: EntrySums;
  readonly #lattice: ValueLattice;
  /** The first threshold of each feature's cuts, by key. */
  readonly #firstCut: ReadonlyMap<string, number>;

  /** `asked`: the features whose thresholds were asked for, in that order. */
  constructor(weights: Weights, sums: EntrySums, asked: readonly Feature[], lattice: ValueLattice) {
    this.#weights = weights;
    this.#sums = sums;
    this.#lattice = lattice;
    let first = 0;
    this.#firstCut = new Map(
      asked.map(({ key, cuts }) => {
        first += cuts.length;
        return [key, first - cuts.length] as const;
      }),
    );
  }

  /** Σ a·(the user's average, clamped to the window if there is one), per coordinate (docs/mathematics.md, Theorem 15). */
  average(grid: number, feature: Feature, window: Window | null): Rational[] {
    const whole = this.#whole(feature);
    // Windows are clamped to exactly: a wider one would let users move more than they are charged for.
    const unit = window === null ? 1n : leastCommon(window.low.denominator, window.high.denominator);
    const divisor = whole.divisor * unit;
    const inParts = wholeIn(divisor);
    const [low, high] = window === null ? [0n, 0n] : [inParts(window.low), inParts(window.high)];
    const totals = new Array<bigint>(feature.coordinates).fill(0n);
    const { count } = this.#weights.occupancy.byUser;
    for (const entry of this.#entriesOf(grid)) {
      const weight = BigInt(this.#weights.ofEntry[entry]!);
      if (weight === 0n) continue;
      const records = BigInt(count[entry]!);
      for (const [coordinate, own] of whole.of(entry).entries()) {
        const held = window === null ? own : clamp(own * unit, records * low, records * high);
        totals[coordinate] = itemAt(totals, coordinate) + weight * held;
      }
    }
    const denominator = divisor * itemAt(this.#weights.ofGrid, grid);
    return totals.map((total) => Rational.of(total, denominator));
  }

  /** How much weight of the grid lies in each ring around the centre: as shares, for these radii, ascending, and beyond. */
  ringShares(grid: number, feature: Feature, centre: Rational, radii: readonly Rational[]): Rational[] {
    const whole = this.#whole(feature);
    // |K − m·C| ≤ m·R, all times one denominator.
    const unit = radii.reduce((product, { denominator }) => leastCommon(product, denominator), centre.denominator);
    const scale = wholeIn(unit * whole.divisor);
    const middle = scale(centre);
    const reaches = radii.map(scale);
    const shares = new Array<bigint>(radii.length + 1).fill(0n);
    const { count } = this.#weights.occupancy.byUser;
    for (const entry of this.#entriesOf(grid)) {
      const amount = this.#weights.amount(entry);
      if (amount === 0) continue;
      const records = BigInt(count[entry]!);
      const distance = itemAt(whole.of(entry), 0) * unit - records * middle;
      const size = distance < 0n ? -distance : distance;
      const found = reaches.findIndex((reach) => size <= records * reach);
      const ring = found < 0 ? radii.length : found;
      shares[ring] = itemAt(shares, ring) + BigInt(amount);
    }
    return shares.map((share) => Rational.of(share, itemAt(this.#weights.ofGrid, grid)));
  }

  *#entriesOf(grid: number): Generator<number> {
    const { start, entry } = this.#weights.occupancy.byGrid;
    for (let position = start[grid]!; position < start[grid + 1]!; position++) yield entry[position]!;
  }

  /** f(a + h·i) = A·i² + B·i + C over one divisor; shares and bins are counts beyond their cuts. */
  #whole({ key, cuts, coordinates, quadratic }: Feature): WholeFeature {
    const sums = this.#sums;
    const { count } = this.#weights.occupancy.byUser;
    if (cuts.length > 0) {
      const first = itemAt([this.#firstCut.get(key) ?? -1], 0);
      const beyond = (entry: number): bigint[] => cuts.map((_, at) => BigInt(sums.atLeast(first + at, entry)));
      if (coordinates === 1) return { divisor: 1n, of: beyond };
      return {
        divisor: 1n,
        of: (entry) => {
          const from = [BigInt(count[entry]!), ...beyond(entry), 0n];
          return from.slice(1).map((next, bin) => itemAt(from, bin) - next);
        },
      };
    }
    const { bounds, step } = this.#lattice;
    const [alpha, beta, gamma] = quadratic;
    const { lower } = bounds;
    const two = Rational.of(2);
    const terms = [
      alpha.multiply(step).multiply(step),
      alpha.multiply(lower).multiply(two).add(beta).multiply(step),
      alpha.multiply(lower).add(beta).multiply(lower).add(gamma),
    ];
    const divisor = terms.reduce((product, { denominator }) => leastCommon(product, denominator), 1n);
    const [ofSquares, ofSum, ofRecord] = terms.map((term) => (term.numerator * divisor) / term.denominator) as [
      bigint,
      bigint,
      bigint,
    ];
    return {
      divisor,
      of: (entry) => {
        const linear = ofSum * sums.sum(entry) + ofRecord * BigInt(count[entry]!);
        return [ofSquares === 0n ? linear : linear + ofSquares * sums.sumOfSquares(entry)];
      },
    };
  }
}

/** Numbers over a divisor that is a multiple of their denominators. */
function wholeIn(divisor: bigint): (value: Rational) => bigint {
  return ({ numerator, denominator }) => (numerator * divisor) / denominator;
}

function clamp(value: bigint, low: bigint, high: bigint): bigint {
  if (value < low) return low;
  return value > high ? high : value;
}

/** The least common multiple of two denominators. */
export function leastCommon(one: bigint, other: bigint): bigint {
  return one * Rational.of(one, other).denominator;
}
