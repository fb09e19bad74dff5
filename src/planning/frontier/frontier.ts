/** The frontier strategy: what to keep of whom and how much noise, together, for the least joint loss at an error or the least error at a loss. */
import { Rational } from "../../arithmetic/index.ts";
import { VeilgridError } from "../../errors/index.ts";
import { dataFreeError, type Objective } from "../../influence/index.ts";
import { Kept, type Occupancy } from "../../occupancy/index.ts";
import { lossesOf } from "../evaluate-plan.ts";
import type { LongWork } from "../long-work.ts";
import type { PlanNoise } from "../plan.ts";
import { ActiveArray } from "./active-array.ts";
import { assignNoise, silence } from "./assign-noise.ts";
import { descend } from "./descend.ts";
import { type ErrorTarget, isMetByMidpoints } from "./error-target.ts";
import { hopelessGrids, WORTH_HAVING } from "./hopeless-grids.ts";
import { Loads, softWeights } from "./loads.ts";
import { weightedLossBelow } from "./lower-bound.ts";
import { PriceModel } from "./price-model.ts";
import { type Start, startingPoints } from "./starts.ts";
import { weighUsers } from "./weigh-users.ts";
import { wholeCounts } from "./whole-counts.ts";

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

/** The least error at which nobody loses more than `loss`, in all grids where that buys more than midpoints. */
export function* leastError(
  occupancy: Occupancy,
  objective: Objective,
  loss: Rational,
  options: FrontierOptions = {},
): LongWork<FrontierResult> {
  const wanted = loss.toNumberNearest();
  const worthwhile = yield* worthwhileGrids(occupancy, objective, wanted, options);
  const { array, setAside, most } = worthwhile;
  if (array.positions === 0) {
    if (objective.estimator === "kept") {
      throw new VeilgridError(
        "PARAMETER_INVALID",
        `--loss ${loss.toShortString()} buys nothing better than midpoints in any grid; larger grids, a larger loss or --estimator centred would`,
      );
    }
    const target: ErrorTarget = { kind: "together", error: roundUp(most) };
    return { ...nothingKept(occupancy, objective, target), setAside };
  }
  let error = Math.min(most, 0.5 * most);
  let best = { owned: worthwhile.found.owned, error: errorFor(array, objective, worthwhile.found.owned, wanted) };
  let warm = worthwhile.found;
  for (let round = 0; round < 8 && !options.isOutOfTime?.(); round++) {
    const found: Start = yield* search(array, modelAt(objective, error), { ...options, warm, quick: round < 5 });
    warm = found;
    const fitting = errorFor(array, objective, found.owned, wanted);
    if (fitting < best.error) best = { owned: found.owned, error: fitting };
    const next = Math.min(most, fitting);
    if (Math.abs(Math.log(next / error)) < 1e-3) break;
    error = next;
  }
  const { kept, noise, target } = exactWithin(occupancy, objective, array, loss, best);
  const bound = options.unproven
    ? null
    : yield* provenError(array, objective, { owned: best.owned, loss, target }, options);
  return { kept, noise, target, setAside, bound };
}

interface Worthwhile {
  readonly array: ActiveArray;
  readonly setAside: readonly number[];
  /** The largest error that is still better than midpoints. */
  readonly most: number;
  /** A plan for it within the loss. */
  readonly found: Start;
}

/**
 * Gives up grids until the others can all be better than midpoints within the loss: first those that cannot be by themselves, then,
 * a few at a time, those that cost most of what the users who lose most lose.
 */
function* worthwhileGrids(
  occupancy: Occupancy,
  objective: Objective,
  loss: number,
  options: FrontierOptions,
): LongWork<Worthwhile> {
  const setAside = hopelessGrids(occupancy, objective, loss);
  for (;;) {
    const array = new ActiveArray(occupancy, (grid) => !setAside.has(grid));
    const most = largestDataFree(occupancy, objective, setAside).multiply(WORTH_HAVING).toNumberNearest();
    const given = { array, setAside: [...setAside].sort((left, right) => left - right), most };
    if (array.positions === 0) return { ...given, found: { owned: array.count, largest: 0 } };
    const model = modelAt(objective, most);
    const found: Start = yield* search(array, model, { ...options, quick: true });
    if (found.largest <= loss) return { ...given, found };
    const costs = costOfGrids(array, model, found.owned);
    const costliest = Array.from(costs.keys())
      .filter((grid) => array.isActive(grid))
      .sort((left, right) => costs[right]! - costs[left]!);
    for (const grid of costliest.slice(0, Math.ceil(costliest.length / 20))) setAside.add(grid);
  }
}

/** What each grid costs the users who lose most. */
function costOfGrids(array: ActiveArray, model: PriceModel, owned: Float64Array): Float64Array {
  const loads = new Loads(array, model);
  loads.measure(owned);
  const weights = new Float64Array(array.users);
  softWeights(loads.loss, loads.largest, 50, weights);
  const costs = new Float64Array(array.grids);
  for (let user = 0; user < array.users; user++) {
    if (weights[user] === 0) continue;
    for (let at = array.start[user]!; at < array.start[user + 1]!; at++)
      costs[array.grid[at]!]! += weights[user]! * loads.ownPrice(array.grid[at]!, owned[at]! / 2) * owned[at]!;
  }
  return costs;
}

function modelAt(objective: Objective, error: number): PriceModel {
  return new PriceModel(objective, { kind: "together", error: Rational.fromNumber(error) });
}

/** Whole kept counts with a small largest loss. */
function* search(
  array: ActiveArray,
  model: PriceModel,
  options: FrontierOptions & { readonly warm?: Start | undefined; readonly quick?: boolean },
): LongWork<Start> {
  const { isOutOfTime } = options;
  const quick = array.scaledSteps(120, 24, 40_000_000);
  const thorough = options.quick ? quick : array.scaledSteps(400, 40, 100_000_000);
  const starts = startingPoints(array, model, { wanted: 3, isOutOfTime });
  const loads = new Loads(array, model);
  if (options.warm !== undefined && loads.measure(options.warm.owned))
    starts.push({ owned: options.warm.owned, largest: loads.largest });
  starts.sort((left, right) => left.largest - right.largest);
  let best = starts[0]!;
  for (const start of options.quick ? starts.slice(0, 2) : starts) {
    const found = yield* descend(array, model, start, { steps: quick, sharpness: [30, 1000], isOutOfTime });
    if (found.largest < best.largest) best = found;
  }
  const fine = yield* descend(array, model, best, { steps: thorough, sharpness: [100, 4000], isOutOfTime });
  if (fine.largest < best.largest) best = fine;
  return yield* wholeCounts(array, model, best, { rounds: array.scaledSteps(60, 8, 30_000_000), isOutOfTime });
}

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
    const kept = keptOf(occupancy, array, owned);
    const noise = assignNoise(kept, objective, target, { weights: noiseWeights(array, model, owned), setAside: NONE });
    if (noise === undefined) continue;
    const loss = lossesOf(kept, objective, noise).joint.largest();
    if (best === undefined || loss.compare(best.loss) < 0) best = { kept, noise, loss };
  }
  return best!;
}

/** As `bestExact` for a loss that must not be exceeded: the error gives way by as little as exactness needs. */
function exactWithin(
  occupancy: Occupancy,
  objective: Objective,
  array: ActiveArray,
  loss: Rational,
  { owned, error }: { owned: Float64Array; error: number },
): { kept: Kept; noise: PlanNoise[]; target: ErrorTarget } {
  const kept = keptOf(occupancy, array, owned);
  const setAside = new Set(Array.from({ length: array.grids }, (_, grid) => grid).filter((g) => !array.isActive(g)));
  const weights = noiseWeights(array, modelAt(objective, error), owned);
  for (let slack = 1e-10; ; slack *= 4) {
    const target: ErrorTarget = { kind: "together", error: roundUp(error * (1 + slack)) };
    const noise = assignNoise(kept, objective, target, { weights, setAside });
    if (noise !== undefined && lossesOf(kept, objective, noise).joint.largest().compare(loss) <= 0)
      return { kept, noise, target };
  }
}

const NONE: ReadonlySet<number> = new Set();

/** Weights for dividing the room between statistics: who loses most under these counts. */
function noiseWeights(array: ActiveArray, model: PriceModel, owned: Float64Array): Float64Array {
  const loads = new Loads(array, model);
  const weights = new Float64Array(array.users);
  if (loads.measure(owned)) softWeights(loads.loss, loads.largest, 200, weights);
  return weights;
}

/** The smallest error at which these counts lose at most `loss`. */
function errorFor(array: ActiveArray, objective: Objective, owned: Float64Array, loss: number): number {
  const fits = (error: number): boolean => {
    const loads = new Loads(array, modelAt(objective, error));
    return loads.measure(owned) && loads.largest <= loss;
  };
  let high = 1;
  while (!fits(high)) high *= 2;
  let low = high / 2;
  while (fits(low)) {
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
  const weights = yield* wholeWeights(array, model, plan, options);
  yield { step: "proving how near it is to the best", done: 0 };
  const proves = (limit: number): boolean =>
    weightedLossBelow(array, model, weights, { limit, tolerance: TOLERANCE }) >= limit;
  let low = Math.min(plan.loss, weightedLossBelow(array, model, weights, { limit: plan.loss, tolerance: TOLERANCE }));
  let high = plan.loss;
  for (let round = 0; round < 7 && high - low > 1e-3 * high; round++) {
    const middle = (low + high) / 2;
    if (proves(middle)) low = middle;
    else high = middle;
  }
  return { of: "loss", lowerBound: roundDown(low * SAFE).multiply(LATTICE_SHARE), weights: sparse(weights) };
}

function* provenError(
  array: ActiveArray,
  objective: Objective,
  plan: { owned: Float64Array; loss: Rational; target: ErrorTarget },
  options: FrontierOptions,
): LongWork<FrontierBound> {
  const error = (plan.target as { error: Rational }).error.toNumberNearest();
  const loss = plan.loss.divide(LATTICE_SHARE).toNumberUp();
  const weights = yield* wholeWeights(array, modelAt(objective, error), { owned: plan.owned, loss }, options);
  const proves = (candidate: number): boolean => {
    const model = modelAt(objective, candidate);
    return weightedLossBelow(array, model, weights, { limit: loss, tolerance: TOLERANCE }) >= loss;
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

function keptOf(occupancy: Occupancy, array: ActiveArray, owned: Float64Array): Kept {
  const ofEntry = new Uint32Array(occupancy.entries);
  for (let at = 0; at < owned.length; at++) ofEntry[array.entry[at]!] = owned[at]!;
  return new Kept(occupancy, ofEntry);
}

function ownedOf(array: ActiveArray, kept: Kept): Float64Array {
  return Float64Array.from(array.entry, (entry) => kept.ofEntry[entry]!);
}

function nothingKept(occupancy: Occupancy, objective: Objective, target: ErrorTarget): FrontierResult {
  const noise = Array.from(occupancy.samplesOfGrid, () => silence(objective));
  const bound = { of: "loss", lowerBound: Rational.ZERO, weights: [] } as const;
  return { kept: new Kept(occupancy, new Uint32Array(occupancy.entries)), noise, target, setAside: [], bound };
}

function largestDataFree(occupancy: Occupancy, objective: Objective, without: ReadonlySet<number>): Rational {
  let largest = Rational.ZERO;
  for (let grid = 0; grid < occupancy.grids.length; grid++) {
    const error = dataFreeError(objective, occupancy.samplesOfGrid[grid]!);
    if ((!without.has(grid) || without.size === occupancy.grids.length) && error.compare(largest) > 0) largest = error;
  }
  return largest;
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
