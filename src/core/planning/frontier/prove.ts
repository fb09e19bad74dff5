/** How good a plan can be at best: weights of users, and the largest bound that they prove (docs/mathematics.md, Theorem 10). */
import { Rational } from "../../arithmetic/index.ts";
import type { Objective } from "../../influence/index.ts";
import type { Kept } from "../../occupancy/index.ts";
import type { LongWork } from "../long-work.ts";
import { roundDown } from "../numbers.ts";
import type { ActiveArray } from "./active-array.ts";
import type { ErrorTarget } from "./error-target.ts";
import { weightedLossBelow } from "./lower-bound.ts";
import type { OpenGrids } from "./open-grids.ts";
import type { PriceModel } from "./price-model.ts";
import { modelAt } from "./price-model.ts";
import type { FrontierOptions } from "./search.ts";
import { weighUsers } from "./weigh-users.ts";

/** Weights of users from which a verifier works the bound out again. */
export interface FrontierBound {
  /** `loss`: no plan with this target loses less. `error`: no plan with this loss has a smaller error. */
  readonly of: "loss" | "error";
  readonly lowerBound: Rational;
  /** [user, whole weight], ascending by user. */
  readonly weights: ReadonlyArray<readonly [user: number, weight: number]>;
}

/** Weights are whole parts of the largest. */
const WEIGHT_PARTS = 2 ** 30;
/** How much of a grid's bound may be given away. */
const TOLERANCE = 5e-4;
/** So that a verifier who divides ranges elsewhere comes to the same conclusion. */
const SAFE = 1 - 1e-6;
/** Lattice losses are at least the formula's less this share. */
const LATTICE_SHARE = Rational.ONE.subtract(Rational.powerOfTwo(-39));

/** Weights and the largest loss they prove; the limit per grid may be the very loss that is proven. */
export function* provenLoss(
  array: ActiveArray,
  model: PriceModel,
  plan: { owned: Float64Array; loss: number },
  options: FrontierOptions,
): LongWork<FrontierBound> {
  if (plan.loss === 0) return { of: "loss", lowerBound: Rational.ZERO, weights: [] };
  const weights = yield* wholeWeights(array, model, plan, options);
  yield { step: "proving how near it is to the best", done: 0 };
  const proves = (limit: number): boolean =>
    weightedLossBelow(array, model, weights, { limit, tolerance: TOLERANCE }) >= limit;
  let low = Math.min(plan.loss, weightedLossBelow(array, model, weights, { limit: plan.loss, tolerance: TOLERANCE }));
  let high = plan.loss;
  for (let round = 0; round < 7 && high - low > 1e-3 * high && !options.isOutOfTime?.(); round++) {
    const middle = (low + high) / 2;
    if (proves(middle)) low = middle;
    else high = middle;
  }
  const lowerBound = low === 0 ? Rational.ZERO : roundDown(low * SAFE).multiply(LATTICE_SHARE);
  return { of: "loss", lowerBound, weights: sparse(weights) };
}

export function* provenError(
  open: OpenGrids,
  objective: Objective,
  plan: { kept: Kept; loss: Rational; target: ErrorTarget & { readonly kind: "together" } },
  options: FrontierOptions,
): LongWork<FrontierBound> {
  const error = plan.target.error.toNumberNearest();
  const loss = plan.loss.divide(LATTICE_SHARE).toNumberUp();
  const array = open.arrayAt(plan.target.error);
  const model = modelAt(objective, error);
  const weights = yield* wholeWeights(array, model, { owned: array.ownedOf(plan.kept), loss }, options);
  const proves = (candidate: number): boolean => {
    const atCandidate = open.arrayAt(Rational.fromNumber(candidate));
    const limits = { limit: loss, tolerance: TOLERANCE };
    return weightedLossBelow(atCandidate, modelAt(objective, candidate), weights, limits) >= loss;
  };
  let low = 0;
  let high = error;
  for (let part = 0.005; part < 1; part *= 2) {
    yield { step: "proving how near it is to the best", done: 0 };
    if (proves(error * (1 - part))) {
      low = error * (1 - part);
      break;
    }
    high = error * (1 - part);
  }
  for (let round = 0; round < 5 && low > 0; round++) {
    const middle = (low + high) / 2;
    if (proves(middle)) low = middle;
    else high = middle;
  }
  return { of: "error", lowerBound: low === 0 ? Rational.ZERO : roundDown(low * SAFE), weights: sparse(weights) };
}

function* wholeWeights(
  array: ActiveArray,
  model: PriceModel,
  plan: { owned: Float64Array; loss: number },
  { isOutOfTime }: FrontierOptions,
): LongWork<Float64Array> {
  const steps = array.scaledSteps(250, 16, 40_000_000);
  const points = array.scaledSteps(24, 10, 4_000_000);
  const weighed = yield* weighUsers(array, model, plan.owned, {
    steps,
    points,
    upper: plan.loss,
    gap: 0.003,
    isOutOfTime,
  });
  const most = weighed.weights.reduce((left, right) => Math.max(left, right), 0);
  return weighed.weights.map((weight) => Math.floor((weight / most) * WEIGHT_PARTS));
}

function sparse(weights: Float64Array): Array<readonly [number, number]> {
  return Array.from(weights, (weight, user) => [user, weight] as const).filter(([, weight]) => weight > 0);
}
