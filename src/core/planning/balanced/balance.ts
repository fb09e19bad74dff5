/** Makes a balanced plan's terms: balances weights for the public model, rounds them, and raises the price of the worst case until a guarantee holds. */
import { Rational } from "../../arithmetic/index.ts";
import { ROUNDING_EXPONENT } from "../../composition/index.ts";
import { itemAt, VeilgridError } from "../../errors/index.ts";
import { type Feature, largestMove, type Objective } from "../../influence/index.ts";
import type { Occupancy } from "../../occupancy/index.ts";
import { type ErrorTarget, limitsOf } from "../frontier/error-target.ts";
import type { BalancedGoal } from "../strategies.ts";
import { descend } from "./descend.ts";
import { evaluateBalanced, rangeWidth } from "./evaluate-balanced.ts";
import { Goal } from "./goal.ts";
import { roundWeights } from "./round-weights.ts";
import { checkSpread, defaultSpread, relativeSpread } from "./spread.ts";
import { bestStart } from "./starts.ts";
import { type BalancedTerms, featuresOf, middleOf, RINGS, ringNoise, wholeWidths, windowed } from "./terms.ts";

const MOST_STEPS = 80;
/** Of steps under each price of the worst case, which begin where the last one ended. */
const STEPS_PER_PRICE = 20;
/** The mean over grids, and for the worst grids a mean of so high a power. */
const POWERS = { typical: 1, worst: 8 } as const;
/** Prices of the worst case, as shares of the range: each twice the one before. */
const [FIRST_PRICE, LAST_PRICE] = [1 / 128, 8];
/** A plan has one pass where it has no windows, or the noise of a ring hides more than this share of all weight: four times it may be left out. */
const MOST_RING_NOISE = 0.25;

export function* balance(
  occupancy: Occupancy,
  { objective, goal, latticeStep }: { objective: Objective; goal: BalancedGoal; latticeStep: Rational },
) {
  const { bounds } = objective;
  const spread = goal.spread ?? defaultSpread(bounds);
  checkSpread(spread, bounds);
  const { features, usedBy } = featuresOf(objective, middleOf(bounds, latticeStep));
  const { ratios, noise } = noiseRatios(objective, features, usedBy);
  const aim = goal.aim ?? "typical";
  const loss = goal.loss.toNumberNearest();
  // Doubles add up a user's loss to within 10⁻¹² of it; what is left pays for rounding numbers to their steps in every pass.
  const rounded = (RINGS + 2) * features.reduce((sum, { coordinates }) => sum + coordinates, 1);
  const budget = loss * (1 - 1e-12) - occupancy.maxGridsPerUser() * rounded * 2 ** ROUNDING_EXPONENT;
  const termsOf = (x: Float64Array): BalancedTerms => {
    const { weights, rates } = roundWeights(occupancy, x, budget);
    const isOnePass =
      goal.guarantee !== undefined || windowed(features).length === 0 || ringNoise(rates, features) > MOST_RING_NOISE;
    const passes = goal.passes ?? (isOnePass ? 1 : 2);
    return { spread, aim, passes, ratios, rates, weights: [...weights.ofEntry] };
  };
  const options = { spread: relativeSpread(spread, bounds), noise, power: POWERS[aim] };
  const goalAt = (worstCasePrice: number, like?: Goal): Goal =>
    new Goal(occupancy, { ...options, worstCasePrice }, like);

  const first = goalAt(0);
  let x = yield* descend(first, yield* bestStart(first, loss), { budget: loss, mostSteps: MOST_STEPS });
  for (let price = FIRST_PRICE; ; price *= 2) {
    const terms = termsOf(x);
    yield { step: "working out noise and losses", done: 0 };
    const evaluation = evaluateBalanced(occupancy, { objective, latticeStep, terms });
    if (goal.guarantee === undefined || meets(objective, goal.guarantee, evaluation)) return { terms, evaluation };
    if (price > LAST_PRICE) throw tooTight();
    x = yield* descend(goalAt(price, first), x, { budget: loss, mostSteps: STEPS_PER_PRICE });
  }
}

function meets(
  objective: Objective,
  target: ErrorTarget,
  { kept, guarantees }: Pick<ReturnType<typeof evaluateBalanced>, "kept" | "guarantees">,
): boolean {
  return guarantees.every(({ error, statisticError }, grid) => {
    if (target.kind === "together") return error.compare(target.error) <= 0;
    const limits = limitsOf(objective, target, kept.countsOf(grid).total);
    return statisticError.every((each, index) => each.compare(itemAt(limits, index)) <= 0);
  });
}

function tooTight(): VeilgridError {
  return new VeilgridError(
    "PARAMETER_INVALID",
    "--guarantee: no balanced plan of this loss has such a guarantee; --strategy frontier minimises the guaranteed error",
  );
}

/** Factors between one feature's noise and another's, tried one after the other. */
const FACTORS = [0.5, 2] as const;

/**
 * How noise is shared between features, and the noise of each statistic as a share of its range where users spend 1 in a grid
 * together: ratios are doubled and halved while the sum over statistics falls.
 */
function noiseRatios(objective: Objective, features: readonly Feature[], usedBy: ReadonlyArray<readonly number[]>) {
  const widths = wholeWidths(features);
  const noiseOf = (ratios: readonly Rational[]): number[] => {
    const shape = widths.map((width, at) => width.multiply(itemAt(ratios, at)));
    const factor = largestMove(features, shape, { bounds: objective.bounds, widths });
    const scales = shape.map((each) => each.multiply(factor).toNumberNearest());
    return objective.statistics.map(({ linear }, index) => {
      const of = itemAt(usedBy, index);
      const variance = linear.noiseVariance(
        of.map((at) => itemAt(features, at)),
        of.map((at) => itemAt(scales, at) * SMALL),
        1,
      );
      return Math.sqrt(variance) / SMALL / rangeWidth(objective, index, 1);
    });
  };
  const total = (noise: readonly number[]): number => noise.reduce((sum, each) => sum + each, 0);
  let ratios: readonly Rational[] = features.map(() => Rational.ONE);
  let noise = noiseOf(ratios);
  for (let isBetter = true; isBetter; ) {
    isBetter = false;
    for (const at of features.keys()) {
      for (const factor of FACTORS) {
        const tried = ratios.with(at, itemAt(ratios, at).multiply(Rational.fromNumber(factor)));
        const given = noiseOf(tried);
        if (total(given) >= total(noise) * (1 - 1e-9)) continue;
        [ratios, noise, isBetter] = [tried, given, true];
      }
    }
  }
  return { ratios, noise };
}

/** Noise is looked at where it is small, so that its square counts for nothing. */
const SMALL = 1e-3;
