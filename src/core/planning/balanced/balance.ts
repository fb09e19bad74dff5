/** Makes a balanced plan's terms: balances weights for the public model, rounds them, and raises the price of the worst case until a guarantee holds. */
import { Rational, sum } from "../../arithmetic/index.ts";
import { ROUNDING_EXPONENT } from "../../composition/index.ts";
import { itemAt, VeilgridError } from "../../errors/index.ts";
import { type Feature, largestMove, makeObjective, type Objective } from "../../influence/index.ts";
import type { Occupancy } from "../../occupancy/index.ts";
import { lossesOf } from "../evaluate-plan.ts";
import { type ErrorTarget, limitsOf } from "../frontier/error-target.ts";
import { leastLoss } from "../frontier/frontier.ts";
import type { LongWork } from "../long-work.ts";
import { descend } from "./descend.ts";
import { evaluateBalanced, rangeWidth } from "./evaluate-balanced.ts";
import { Goal } from "./goal.ts";
import { roundWeights } from "./round-weights.ts";
import { checkSpread, defaultSpread, relativeSpread, type Spread } from "./spread.ts";
import { bestStart } from "./starts.ts";
import {
  type Aim,
  type BalancedTerms,
  featuresOf,
  middleOf,
  RINGS,
  ringScale,
  wholeWidths,
  windowed,
} from "./terms.ts";

const LIMITING = "limiting the worst case";
const MOST_STEPS = 80;
/** Of steps under each price of the worst case, which begin where the last one ended. */
const STEPS_PER_PRICE = 30;
/** The mean over grids, and for the worst grids a mean of so high a power. */
const POWERS = { typical: 1, worst: 8 } as const;
/** Prices of the worst case, as shares of the range: each twice the one before. */
const [FIRST_PRICE, LAST_PRICE] = [1 / 128, 8];

/** What a balanced plan is asked for: the least typical error at a loss, under a stated model. */
export interface BalancedGoal {
  readonly loss: Rational;
  /** `defaultSpread` if absent. */
  readonly spread?: Spread | undefined;
  readonly aim?: Aim | undefined;
  /** What the guaranteed error must not exceed. */
  readonly guarantee?: ErrorTarget | undefined;
  /** Chosen from the counts if absent. */
  readonly passes?: 1 | 2 | undefined;
}

/** A sketch stops at the best of a few contribution bounds: a plan like any other, but not as good. */
export function* balance(
  occupancy: Occupancy,
  {
    objective,
    goal,
    latticeStep,
    isSketch,
  }: { objective: Objective; goal: BalancedGoal; latticeStep: Rational; isSketch: boolean },
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
  const rounding = occupancy.maxGridsPerUser() * rounded * 2 ** ROUNDING_EXPONENT;
  const budget = loss * (1 - 1e-12) - rounding;
  if (budget <= 0) throw tooSmall(goal.loss, rounding);
  const termsOf = (x: Float64Array): BalancedTerms => {
    const { weights, rates } = roundWeights(occupancy, x, budget);
    const standard = goal.guarantee === undefined && tellsRings(features, rates) ? 2 : 1;
    // Bins have no windows, which an earlier pass could make narrower.
    const passes = windowed(features).length === 0 ? 1 : (goal.passes ?? standard);
    return { spread, aim, passes, ratios, rates, weights: weights.ofEntry };
  };
  const options = { spread: relativeSpread(spread, bounds), noise, power: POWERS[aim] };
  const goalAt = (worstCasePrice: number, like?: Goal): Goal =>
    new Goal(occupancy, { ...options, worstCasePrice }, like);

  yield { step: "trying contribution bounds", done: 0 };
  const first = goalAt(0);
  const start = yield* bestStart(first, loss, isSketch);
  let x = isSketch ? start : yield* descend(first, start, { budget: loss, mostSteps: MOST_STEPS });
  for (let round = 0; ; round++) {
    const terms = termsOf(x);
    const done = round * STEPS_PER_PRICE;
    yield goal.guarantee === undefined ? { step: "working out noise and losses", done } : { step: LIMITING, done };
    const evaluation = evaluateBalanced(occupancy, { objective, latticeStep, terms, like: first });
    if (goal.guarantee === undefined || meets(objective, goal.guarantee, evaluation)) return { terms, evaluation };
    const price = FIRST_PRICE * 2 ** round;
    if (price > LAST_PRICE) return yield* refuse(occupancy, objective, goal.guarantee, goal.loss);
    const descent = { step: LIMITING, done, budget: loss, mostSteps: STEPS_PER_PRICE };
    x = yield* descend(goalAt(price, first), x, descent);
  }
}

/** Four times the noise of a ring may be left out of a window: where that is more than all weight, rings would be noise, and a plan has one pass. */
function tellsRings(features: readonly Feature[], rates: readonly Rational[]): boolean {
  const scale = ringScale(features);
  return scale.multiply(Rational.of(4)).compare(sum(rates)) <= 0;
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

function tooSmall(loss: Rational, rounding: number): VeilgridError {
  return new VeilgridError(
    "PARAMETER_INVALID",
    `--loss ${loss.toShortString()}: rounding the published numbers alone may cost a user ${rounding.toPrecision(2)}; plan with a larger loss`,
  );
}

/** Says what the guarantee would cost under the frontier, whose bias is up to half as large. */
function* refuse(
  occupancy: Occupancy,
  { bounds, statistics, weights, metric }: Objective,
  target: ErrorTarget,
  loss: Rational,
): LongWork<never> {
  const keys = statistics.map(({ key }) => key);
  const centred = { ...makeObjective(bounds, { statistics: keys.join(","), metric, estimator: "centred" }), weights };
  const found = yield* leastLoss(occupancy, centred, target, { unproven: true });
  const needed = lossesOf(found.kept, centred, found.noise).joint.largest();
  const text =
    target.kind === "each"
      ? keys.map((key, index) => `${key}=${itemAt(target.errors, index).toShortString()}`).join(",")
      : `${target.error.toShortString()}${keys.length > 1 ? ` --metric ${metric}` : ""}`;
  const command = `--strategy frontier --error ${text}, at a loss of ${needed.toDecimalUp(LOSS_PLACES)}`;
  throw new VeilgridError(
    "PARAMETER_INVALID",
    `--guarantee: no balanced plan with a loss of ${loss.toShortString()} guarantees this; ` +
      (needed.compare(loss) <= 0
        ? `the frontier does: ${command}`
        : `the frontier needs a larger loss as well: ${command}. Allow a larger --loss or a larger --guarantee`),
  );
}

const LOSS_PLACES = 4;

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
