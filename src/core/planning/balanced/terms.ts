/** What a balanced plan says beside its strategy: weights, rates, passes and the public model; and what follows from them for features, scales and costs. */
import { Rational, sum } from "../../arithmetic/index.ts";
import { type PassCost, ROUNDING_EXPONENT } from "../../composition/index.ts";
import { itemAt } from "../../errors/index.ts";
import { type Bounds, type Feature, largestMove, type Objective, widthOf } from "../../influence/index.ts";
import type { Spread } from "./spread.ts";

/** `typical`: the mean over grids; `worst`: worse grids count for more. */
export type Aim = "typical" | "worst";

export interface BalancedTerms {
  readonly spread: Spread;
  readonly aim: Aim;
  readonly passes: 1 | 2;
  /** Noise of each feature as a multiple of its range, up to one factor per grid. */
  readonly ratios: readonly Rational[];
  /** X_g: a user with weight a loses a·X_g in the grid, all passes together. */
  readonly rates: readonly Rational[];
  /** r by entry, in the order of users, then grids. */
  readonly weights: Uint32Array;
}

/** What the rings spend of the loss. */
const RINGS_PART = Rational.of(3, 100);
/** Below this sum of rates, which is at most users times loss, a tenth of the loss would not tell where values lie. */
const FEW = Rational.of(4000, 3);

/** Whether users or loss are so few that earlier passes tell little. */
export function isFew({ rates }: Pick<BalancedTerms, "rates">): boolean {
  return sum(rates).compare(FEW) <= 0;
}

/** What the first pass spends of the loss: a tenth, or a fifth where users or loss are few. */
export function firstPart(terms: Pick<BalancedTerms, "rates">): Rational {
  return Rational.of(1, isFew(terms) ? 5 : 10);
}

/** Rings around the centres, from the innermost to everything beyond. */
export const RINGS = 11;

/** What the last pass spends: of a plan of one pass, all. */
export function lastPart(terms: Pick<BalancedTerms, "passes" | "rates">): Rational {
  return terms.passes === 1 ? Rational.ONE : Rational.ONE.subtract(firstPart(terms)).subtract(RINGS_PART);
}

/** The point of the lattice in the middle of the range, around which squares are taken before anything is known. */
export function middleOf({ lower, width }: Bounds, latticeStep: Rational): Rational {
  const steps = width.divide(latticeStep).floorToInteger() / 2n;
  return lower.add(latticeStep.multiply(Rational.of(steps)));
}

/** The features of a plan's statistics, each once, and for each statistic which of them it is made of. */
export function featuresOf(
  { statistics }: Objective,
  centre: Rational,
): { readonly features: readonly Feature[]; readonly usedBy: ReadonlyArray<readonly number[]> } {
  const features: Feature[] = [];
  const usedBy = statistics.map(({ linear }) =>
    linear.features(centre).map((feature) => {
      const known = features.findIndex(({ key }) => key === feature.key);
      return known < 0 ? features.push(feature) - 1 : known;
    }),
  );
  return { features, usedBy };
}

/**
 * The Laplace scales of a grid's features, given the widths that averages are clamped to: as small as part·X_g allows whatever the
 * values are (docs/mathematics.md, Theorem 16).
 */
export function scalesFor(
  features: readonly Feature[],
  {
    ratios,
    rate,
    bounds,
    widths,
  }: { ratios: readonly Rational[]; rate: Rational; bounds: Bounds; widths: readonly Rational[] },
): Rational[] {
  const shape = widths.map((width, at) => width.multiply(itemAt(ratios, at)));
  const factor = largestMove(features, shape, { bounds, widths }).divide(rate);
  return shape.map((each) => each.multiply(factor));
}

export function wholeWidths(features: readonly Feature[]): Rational[] {
  return features.map((feature) => widthOf(feature));
}

/** The step of the lattice on which a number with noise of this scale is published: 2⁴⁰ of them or more make a scale. */
export function stepExponentFor(scale: Rational): number {
  return scale.floorToPowerOfTwoExponent() + ROUNDING_EXPONENT;
}

/** Features whose averages a second pass clamps to windows: all that are one number. */
export function windowed(features: readonly Feature[]): readonly number[] {
  return features.flatMap(({ coordinates }, at) => (coordinates === 1 ? [at] : []));
}

/** What each pass costs, in the order they are made: the last one is charged grid by grid. */
export function passCosts(
  terms: Pick<BalancedTerms, "passes" | "rates">,
  features: readonly Feature[],
): { readonly first: PassCost | null; readonly rings: PassCost | null; readonly last: PassCost } {
  const { passes, rates } = terms;
  const part = (share: Rational): Rational[] => rates.map((rate) => rate.multiply(share));
  const numbers = features.reduce((total, { coordinates }) => total + coordinates, 0);
  if (passes === 1) return { first: null, rings: null, last: { rates, numbers } };
  return {
    first: { rates: part(firstPart(terms)), numbers },
    rings: { rates: part(RINGS_PART), numbers: RINGS * windowed(features).length },
    last: { rates: part(lastPart(terms)), numbers },
  };
}

/** The scale of a ring's noise: each windowed feature has a histogram, which spends an equal part of what all of them may. */
export function ringScale(features: readonly Feature[]): Rational {
  return Rational.of(2 * windowed(features).length).divide(RINGS_PART);
}
