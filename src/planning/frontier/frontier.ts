/** The frontier strategy: what to keep of whom and how much noise, together, for the least joint loss at an error or the least error at a loss. */
import { maximum, Rational } from "../../arithmetic/index.ts";
import { VeilgridError } from "../../errors/index.ts";
import type { Objective } from "../../influence/index.ts";
import { Kept, type Occupancy } from "../../occupancy/index.ts";
import { lossesOf } from "../evaluate-plan.ts";
import type { LongWork } from "../long-work.ts";
import type { PlanNoise } from "../plan.ts";
import { ActiveArray } from "./active-array.ts";
import { affordableGrids } from "./affordable-grids.ts";
import { assignNoise, silence } from "./assign-noise.ts";
import { descend } from "./descend.ts";
import { type ErrorTarget, freeError, isMetByMidpoints } from "./error-target.ts";
import { Loads, softWeights } from "./loads.ts";
import { WORTH_HAVING } from "./losses-alone.ts";
import { weightedLossBelow } from "./lower-bound.ts";
import type { OpenGrids } from "./open-grids.ts";
import { polish } from "./polish.ts";
import { PriceModel } from "./price-model.ts";
import { type Start, startingPoints } from "./starts.ts";
import { weighUsers } from "./weigh-users.ts";
import { wholeCounts } from "./whole-counts.ts";
import { WholeLosses } from "./whole-losses.ts";

export interface FrontierOptions {
  /** By the clock; without it the search stops by its steps, and the same input gives the same plan. */
  readonly isOutOfTime?: (() => boolean) | undefined;
  /** Skip the proof of how near to the best the plan is. */
  readonly unproven?: boolean | undefined;
}

/** Weights of users from which a verifier works the bound out again. */
export interface FrontierBound {
  /** `loss`: no plan with this target loses less. `error`: no plan with this loss has a smaller error. */
  readonly of: "loss" | "error";
  readonly lowerBound: Rational;
  /** [user, whole weight], ascending by user. */
  readonly weights: ReadonlyArray<readonly [user: number, weight: number]>;
}

export interface FrontierResult {
  readonly kept: Kept;
  readonly noise: readonly PlanNoise[];
  /** What every grid that is not set aside keeps to. */
  readonly target: ErrorTarget;
  /** Grids given up because the loss cannot buy anything better than midpoints there; only where a loss was asked for. */
  readonly setAside: readonly number[];
  readonly bound: FrontierBound | null;
}

/** Bounds are given with this many significant digits, rounded down. */
const WEIGHT_PARTS = 2 ** 30;
const TOLERANCE = 5e-4;
/** Lattice losses are at least the formula's less this share (docs/mathematics.md, Theorem 10). */
export const LATTICE_SHARE = Rational.ONE.subtract(Rational.powerOfTwo(-39));

/** So that a verifier who divides ranges elsewhere comes to the same conclusion. */
const SAFE = 1 - 1e-6;

/** The least joint loss at which no grid's error exceeds the target. */
export function* leastLoss(
  occupancy: Occupancy,
  objective: Objective,
  target: ErrorTarget,
  options: FrontierOptions = {},
): LongWork<FrontierResult> {
  const array = new ActiveArray(occupancy, (grid) => {
    return !isMetByMidpoints(objective, target, occupancy.samplesOfGrid[grid]!);
  });
  if (array.positions === 0) return nothingKept(occupancy, objective, target);
  const model = new PriceModel(objective, target);
  const found = yield* search(array, model, options);
  const { kept, noise, loss } = bestExact(occupancy, objective, target, array, model, found);
  const bound = options.unproven
    ? null
    : yield* provenLoss(array, model, { owned: ownedOf(array, kept), loss: loss.toNumberNearest() }, options);
  return { kept, noise, target, setAside: [], bound };
}

/** The least error at which nobody loses more than `loss`, in as many grids as we find that buys more than midpoints for. */
export function* leastError(
  occupancy: Occupancy,
  objective: Objective,
  loss: Rational,
  options: FrontierOptions = {},
): LongWork<FrontierResult> {
  const opened: OpenGrids[] = yield* affordableGrids(occupancy, objective, loss.toNumberNearest(), options);
  for (const open of opened) {
    const found: FrontierResult | undefined = yield* leastErrorIn(open, objective, loss, options);
    if (found !== undefined) return found;
  }
  const all = Array.from({ length: occupancy.grids.length }, (_, grid) => grid);
  const [first, ...rest] = all.map((grid) => freeError(objective, occupancy.samplesOfGrid[grid]!));
  const target: ErrorTarget = { kind: "together", error: maximum(first!, ...rest) };
  return { ...nothingKept(occupancy, objective, target), setAside: all, bound: null };
}

/** Undefined if nothing is better than keeping nothing. */
function* leastErrorIn(
  open: OpenGrids,
  objective: Objective,
  loss: Rational,
  options: FrontierOptions,
): LongWork<FrontierResult | undefined> {
  const wanted = loss.toNumberNearest();
  const free = open.largestFree.toNumberNearest();
  const most = objective.estimator === "centred" ? free * WORTH_HAVING : Number.POSITIVE_INFINITY;
  let error = 0.5 * free;
  let best: { kept: Kept; weights: Float64Array; error: number } | undefined;
  let lowestFloor = Number.POSITIVE_INFINITY;
  for (let round = 0, rounds = 8; round < rounds && free > 0; round++) {
    const array = open.arrayAt(Rational.fromNumber(error));
    const warm = best === undefined ? undefined : ownedOf(array, best.kept);
    const found: Start = yield* search(array, modelAt(objective, error), { ...options, warm, quick: round < 5 });
    const floor = open.largestFreeWithout(array).toNumberUp();
    const { weights } = noiseWeights(array, modelAt(objective, error), found.owned);
    const limits = { loss: wanted, floor, near: error, least: free * 1e-12 };
    const fitting = errorFor(array, objective, { owned: found.owned, weights }, limits);
    if (best === undefined || fitting < best.error)
      best = { kept: open.keptOf(array, found.owned), weights, error: fitting };
    if (options.isOutOfTime?.()) break;
    let next = Math.min(most, fitting);
    if (Math.abs(Math.log(next / error)) < 1e-3) {
      // An emptied grid may be what holds the error up: then something is kept of it, to see how far down that leads.
      if (floor < 0.999 * next || next > 0.999 * lowestFloor) break;
      lowestFloor = next;
      rounds = Math.min(16, round + 6);
      next *= 0.9;
    }
    error = next;
  }
  if (best === undefined || best.error > most) return undefined;
  const exact = exactWithin(open, objective, loss, best);
  if (objective.estimator === "centred" && exact.target.error.compare(open.largestFree) >= 0) return undefined;
  const bound = options.unproven ? null : yield* provenError(open, objective, { ...exact, loss }, options);
  return { ...exact, setAside: [...open.setAside], bound };
}

export function modelAt(objective: Objective, error: number): PriceModel {
  return new PriceModel(objective, { kind: "together", error: Rational.fromNumber(error) });
}

/** Whole kept counts with a small largest loss. */
export function* search(
  array: ActiveArray,
  model: PriceModel,
  options: FrontierOptions & { readonly warm?: Float64Array | undefined; readonly quick?: boolean },
): LongWork<Start> {
  const { isOutOfTime } = options;
  const quick = array.scaledSteps(120, 24, 30_000_000);
  const thorough = options.quick ? quick : array.scaledSteps(400, 40, 110_000_000);
  const starts = startingPoints(array, model, { wanted: array.scaledSteps(3, 2, 900_000), isOutOfTime });
  const loads = new Loads(array, model);
  if (options.warm !== undefined && loads.measure(options.warm))
    starts.push({ owned: options.warm, largest: loads.largest });
  starts.sort((left, right) => left.largest - right.largest);
  let best = starts[0]!;
  for (const start of options.quick ? starts.slice(0, 2) : starts) {
    const found = yield* descend(array, model, start, { steps: quick, sharpness: [30, 1000], isOutOfTime });
    if (found.largest < best.largest) best = found;
  }
  const fine = yield* descend(array, model, best, { steps: thorough, sharpness: [100, 4000], isOutOfTime });
  if (fine.largest < best.largest) best = fine;
  const whole = yield* wholeCounts(array, model, best, { rounds: array.scaledSteps(60, 8, 16_000_000), isOutOfTime });
  return yield* polish(array, model, whole, { work: options.quick ? 200_000 : 1_000_000, isOutOfTime });
}

/** Nine thousand million is where losses can no longer be counted in parts of 10⁻¹⁸. */
const LARGEST_LOSS = 8.9e9;

/** The found counts or everything kept, whichever loses less exactly; noise for it. */
function bestExact(
  occupancy: Occupancy,
  objective: Objective,
  target: ErrorTarget,
  array: ActiveArray,
  model: PriceModel,
  found: Start,
): { kept: Kept; noise: PlanNoise[]; loss: Rational } {
  let best: { kept: Kept; noise: PlanNoise[]; loss: Rational } | undefined;
  for (const owned of [found.owned, array.count]) {
    const { weights, simple } = noiseWeights(array, model, owned);
    if (simple > LARGEST_LOSS) continue;
    const kept = array.keptOf(occupancy, owned);
    const noise = assignNoise(kept, objective, target, { weights, setAside: NONE });
    if (noise === undefined) continue;
    const loss = lossesOf(kept, objective, noise).joint.largest();
    if (best === undefined || loss.compare(best.loss) < 0) best = { kept, noise, loss };
  }
  if (best === undefined)
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--error: so small an error takes a loss of about ${found.largest.toPrecision(2)}, which protects nothing; allow a larger one`,
    );
  return best;
}

/** As `bestExact` for a loss that must not be exceeded: the error gives way by as little as exactness needs. */
function exactWithin(
  open: OpenGrids,
  objective: Objective,
  loss: Rational,
  { kept, weights, error }: { kept: Kept; weights: Float64Array; error: number },
): { kept: Kept; noise: PlanNoise[]; target: ErrorTarget & { readonly kind: "together" } } {
  for (let slack = 1e-10; slack < 1e6; slack *= 4) {
    const target = { kind: "together", error: roundUp(error * (1 + slack)) } as const;
    const noise = assignNoise(kept, objective, target, { weights, setAside: open.setAside });
    if (noise !== undefined && lossesOf(kept, objective, noise).joint.largest().compare(loss) <= 0)
      return { kept, noise, target };
  }
  throw new VeilgridError(
    "PARAMETER_INVALID",
    `--loss ${loss.toShortString()} is too small to be divided between statistics`,
  );
}

const NONE: ReadonlySet<number> = new Set();

/** Weights for dividing the room between statistics: who loses most under these counts, with the room so divided. */
function noiseWeights(
  array: ActiveArray,
  model: PriceModel,
  owned: Float64Array,
): { readonly weights: Float64Array; readonly simple: number } {
  const losses = new WholeLosses(array, model);
  const mean = new Float64Array(array.users);
  const none = Number.POSITIVE_INFINITY;
  let best = { weights: new Float64Array(array.users), largest: none, simple: none };
  const now = new Float64Array(array.users);
  const rounds = model.pooled && model.terms.length > 1 ? array.scaledSteps(40, 3, 400_000) : 1;
  for (let round = 0; round < rounds; round++) {
    losses.divide(owned, mean);
    if (!losses.measure(owned)) break;
    if (losses.largest < best.largest)
      best = { weights: mean.slice(), largest: losses.largest, simple: losses.largestSimple(owned) };
    softWeights(losses.loss, losses.largest, 200, now);
    const sum = now.reduce((left, right) => left + right, 0);
    for (let user = 0; user < now.length; user++) mean[user]! += (now[user]! / sum - mean[user]!) / (round + 1);
  }
  return best;
}

/** The smallest error at which these counts lose at most `loss`, and grids of which nothing is kept are met. */
function errorFor(
  array: ActiveArray,
  objective: Objective,
  { owned, weights }: { owned: Float64Array; weights: Float64Array },
  { loss, floor, near, least }: { loss: number; floor: number; near: number; least: number },
): number {
  const fits = (error: number): boolean => {
    if (error < floor) return false;
    const losses = new WholeLosses(array, modelAt(objective, error));
    losses.divide(owned, weights);
    return losses.measure(owned) && losses.largest <= loss;
  };
  let high = near;
  while (!fits(high)) high *= 2;
  let low = high / 2;
  while (low > least && fits(low)) {
    high = low;
    low /= 2;
  }
  while (high - low > 1e-11 * high) {
    const middle = (low + high) / 2;
    if (fits(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Weights and the largest loss they prove; the limit per grid may be the very loss that is proven. */
function* provenLoss(
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

function* provenError(
  open: OpenGrids,
  objective: Objective,
  plan: { kept: Kept; loss: Rational; target: ErrorTarget & { readonly kind: "together" } },
  options: FrontierOptions,
): LongWork<FrontierBound> {
  const error = plan.target.error.toNumberNearest();
  const loss = plan.loss.divide(LATTICE_SHARE).toNumberUp();
  const array = open.arrayAt(plan.target.error);
  const model = modelAt(objective, error);
  const weights = yield* wholeWeights(array, model, { owned: ownedOf(array, plan.kept), loss }, options);
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

function ownedOf(array: ActiveArray, kept: Kept): Float64Array {
  return Float64Array.from(array.entry, (entry) => kept.ofEntry[entry]!);
}

function nothingKept(occupancy: Occupancy, objective: Objective, target: ErrorTarget): FrontierResult {
  const noise = Array.from(occupancy.samplesOfGrid, () => silence(objective));
  const bound = { of: "loss", lowerBound: Rational.ZERO, weights: [] } as const;
  return { kept: new Kept(occupancy, new Uint32Array(occupancy.entries)), noise, target, setAside: [], bound };
}

/** To ten significant digits, so that plans carry short numbers. */
function roundUp(value: number): Rational {
  return Rational.fromNumber(value).ceilToMultipleOf(tenDigits(value));
}

function roundDown(value: number): Rational {
  return Rational.fromNumber(value).floorToMultipleOf(tenDigits(value));
}

function tenDigits(value: number): Rational {
  const exponent = Math.floor(Math.log10(value)) - 9;
  return exponent >= 0 ? Rational.of(10n ** BigInt(exponent)) : Rational.of(1n, 10n ** BigInt(-exponent));
}
