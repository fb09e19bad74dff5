/** Proves how good a plan can be at best: finds weights of users by ascent, and the largest bound that they prove (docs/mathematics.md, Theorem 10). */
import { Rational } from "../../arithmetic/index.ts";
import type { Objective } from "../../influence/index.ts";
import type { Kept } from "../../occupancy/index.ts";
import type { LongWork } from "../long-work.ts";
import { largestOf, roundDown, sumOf } from "../numbers.ts";
import type { PlanBound } from "../plan.ts";
import type { ActiveArray } from "./active-array.ts";
import type { ErrorTarget } from "./error-target.ts";
import { WeightedGrid, weightedLossBelow } from "./lower-bound.ts";
import type { OpenGrids } from "./open-grids.ts";
import { Loads, modelAt, type PriceModel } from "./price-model.ts";
import type { FrontierOptions } from "./search.ts";

/**
 * Weights of users, ascending by user, from which a verifier works the bound out again. Of a loss: no plan with this target loses less.
 * Of an error: no plan with this loss has a smaller one.
 */
export type FrontierBound = Omit<PlanBound, "prices">;

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
  const limits = { steps, points, upper: plan.loss, gap: 0.003, isOutOfTime };
  const weights = yield* weighUsers(array, model, plan.owned, limits);
  const most = largestOf(weights);
  return weights.map((weight) => Math.floor((weight / most) * WEIGHT_PARTS));
}

function sparse(weights: Float64Array): Array<readonly [number, number]> {
  return Array.from(weights, (weight, user) => [user, weight] as const).filter(([, weight]) => weight > 0);
}

export interface WeighOptions {
  readonly steps: number;
  /** Numbers of kept records that are tried in a grid before the best is refined. */
  readonly points: number;
  /** Loss of the best plan known: no user is to lose more. */
  readonly upper: number;
  /** Stop once the bound is this near to `upper`. */
  readonly gap: number;
  readonly isOutOfTime?: (() => boolean) | undefined;
}

const STEPS_PER_YIELD = 4;
/** Users who could not lose this share of the largest loss carry no weight. */
const LEAST_SHARE = 0.3;
const PATIENCE = 12;

/** `owned` are the kept counts of a good plan: whoever loses most under it weighs most at first. */
function* weighUsers(
  array: ActiveArray,
  model: PriceModel,
  owned: Float64Array,
  options: WeighOptions,
): LongWork<Float64Array> {
  const dual = new Dual(array, model, owned, options);
  const weights = dual.firstWeights();
  /** Weights, and about what they prove. */
  const best = { weights: weights.slice(), value: -1 };
  let pace = 1;
  let since = 0;
  let limit = options.upper;
  const slope = new Float64Array(array.users);
  for (let step = 0; step < options.steps && !options.isOutOfTime?.(); step++) {
    if (step % STEPS_PER_YIELD === 0)
      yield { step: "proving how near it is to the best", done: step, of: options.steps };
    let value = dual.respond(weights, limit, slope);
    if (!Number.isFinite(value)) {
      // Under this limit there is no plan at all: the bound is above it, and a smaller one tells weights apart.
      limit *= 0.98;
      continue;
    }
    since += 1;
    if (value > best.value) {
      if (value > best.value * 1.0005) since = 0;
      best.weights.set(weights);
      best.value = value;
      if (value >= options.upper * (1 - options.gap)) break;
    }
    if (since > PATIENCE) {
      pace *= 0.55;
      since = 0;
      weights.set(best.weights);
      value = dual.respond(weights, limit, slope);
      if (pace < 0.002) break;
    }
    move(weights, slope, { pace, ahead: options.upper - value });
  }
  return best.weights;
}

/** Takes a multiplicative step, as long as the distance to the goal suggests. */
function move(weights: Float64Array, slope: Float64Array, { pace, ahead }: { pace: number; ahead: number }): void {
  let mean = 0;
  for (let user = 0; user < weights.length; user++) mean += weights[user]! * slope[user]!;
  let variance = 0;
  let farthest = 0;
  for (let user = 0; user < weights.length; user++) {
    if (weights[user] === 0) continue;
    const off = slope[user]! - mean;
    variance += weights[user]! * off * off;
    farthest = Math.max(farthest, Math.abs(off));
  }
  const step = farthest === 0 ? 0 : Math.min((pace * ahead) / Math.max(variance, 1e-300), 1 / farthest);
  for (let user = 0; user < weights.length; user++) {
    if (weights[user] === 0) continue;
    weights[user] = Math.max(1e-12, weights[user]! * Math.exp(step * (slope[user]! - mean)));
  }
  normalise(weights);
}

/** Divides the weights by their sum. */
function normalise(weights: Float64Array): void {
  const sum = sumOf(weights);
  for (let user = 0; user < weights.length; user++) weights[user]! /= sum;
}

class Dual {
  readonly #array: ActiveArray;
  readonly #model: PriceModel;
  readonly #grids: Array<{ readonly grid: WeightedGrid; readonly fewest: number }> = [];
  readonly #options: WeighOptions;
  readonly #first: Float64Array;

  constructor(array: ActiveArray, model: PriceModel, owned: Float64Array, options: WeighOptions) {
    this.#array = array;
    this.#model = model;
    this.#options = options;
    const loads = new Loads(array, model);
    // Counts that only just meet the target may not by the smooth formulas, which overstate what odd numbers lose.
    if (!loads.measure(owned)) loads.measure(array.everything());
    const could = new Float64Array(array.users).map((_, user) => loads.fullLossOf(user));
    const carries = (user: number): boolean => could[user]! >= LEAST_SHARE * loads.largest;
    this.#first = could.map((loss, user) => (carries(user) ? Math.min(loss, loads.largest) / loads.largest : 0));
    for (let g = 0; g < array.grids; g++) {
      if (!array.isActive(g)) continue;
      const grid = new WeightedGrid(array, g, carries);
      this.#grids.push({ grid, fewest: model.fewestKept(grid.total) });
    }
  }

  /** The best of a few softenings of "all weight on who loses most". */
  firstWeights(): Float64Array {
    const slope = new Float64Array(this.#array.users);
    let best = { value: -1, weights: new Float64Array(this.#array.users) };
    for (const sharpness of [10, 20, 40]) {
      const weights = this.#first.map((share) => (share === 0 ? 0 : Math.exp(sharpness * (share - 1))));
      normalise(weights);
      const value = this.respond(weights, this.#options.upper, slope);
      if (Number.isFinite(value) ? value > best.value : best.value < 0) best = { value, weights };
    }
    return best.weights;
  }

  /** About the least weighted loss of any plan in which nobody loses more than `limit` in any one grid, and who loses what in it. */
  respond(weights: Float64Array, limit: number, slope: Float64Array): number {
    slope.fill(0);
    let sum = 0;
    for (const { grid, fewest } of this.#grids) {
      grid.weigh(weights);
      sum += this.#valueAt(grid, this.#cheapest(grid, fewest, limit), limit, slope);
    }
    return sum;
  }

  #cheapest(grid: WeightedGrid, fewest: number, limit: number): number {
    const { points } = this.#options;
    let best = { kept: grid.total, value: Number.POSITIVE_INFINITY, at: points };
    const width = grid.total - fewest;
    for (let at = 0; at <= points; at++) {
      const kept = fewest + (width * at) / points;
      const value = this.#valueAt(grid, kept, limit);
      if (value < best.value) best = { kept, value, at };
    }
    let low = fewest + (width * Math.max(0, best.at - 1)) / points;
    let high = fewest + (width * Math.min(points, best.at + 1)) / points;
    for (let round = 0; round < 8; round++) {
      const left = low + 0.382 * (high - low);
      const right = low + 0.618 * (high - low);
      const atLeft = this.#valueAt(grid, left, limit);
      const atRight = this.#valueAt(grid, right, limit);
      if (atLeft < best.value) best = { ...best, kept: left, value: atLeft };
      if (atRight < best.value) best = { ...best, kept: right, value: atRight };
      if (atLeft < atRight) high = right;
      else low = left;
    }
    return best.kept;
  }

  /** The weighted loss with so many records kept, the cheapest ones; adds what each user loses to `slope`, if that is given. */
  #valueAt(grid: WeightedGrid, kept: number, limit: number, slope?: Float64Array): number {
    const model = this.#model;
    if (!model.price(grid.total, kept)) return Number.POSITIVE_INFINITY;
    const cap = model.recordsFor(limit, kept);
    const { weight, count, user } = grid;
    let left = kept - grid.freeRecords(cap);
    let plain = 0;
    let spread = 0;
    for (let at = 0; at < weight.length && left > 0; at++) {
      const most = count[at]! < cap ? count[at]! : cap;
      const taken = most < left ? most : left;
      left -= taken;
      const weighted = weight[at]! * taken;
      const chord = Math.max(0.5, 1 - most / kept);
      plain += weighted;
      spread += weighted * chord;
      if (slope !== undefined) slope[user[at]!]! += taken * (model.linear + model.spread * chord);
    }
    if (left > 1e-9 * kept) return Number.POSITIVE_INFINITY;
    return model.linear * plain + model.spread * spread;
  }
}
