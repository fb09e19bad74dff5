/** The frontier strategy: what to keep of whom and how much noise, together, for the least joint loss at an error or the least error at a loss. */
import { maximum, Rational } from "../../arithmetic/index.ts";
import type { Objective } from "../../influence/index.ts";
import { Kept, type Occupancy } from "../../occupancy/index.ts";
import { silence } from "../evaluate-plan.ts";
import type { LongWork } from "../long-work.ts";
import type { PlanNoise } from "../plan.ts";
import { ActiveArray, type Start } from "./active-array.ts";
import { type ErrorTarget, freeError, isMetByMidpoints } from "./error-target.ts";
import { bestExact, errorFor, exactWithin, noiseWeights } from "./exact-plan.ts";
import { affordableGrids, OpenGrids, WORTH_HAVING } from "./open-grids.ts";
import { modelAt, PriceModel } from "./price-model.ts";
import { type FrontierBound, provenError, provenLoss } from "./prove.ts";
import { type FrontierOptions, search } from "./search.ts";

export interface FrontierResult {
  readonly kept: Kept;
  readonly noise: readonly PlanNoise[];
  /** What every grid that is not set aside keeps to. */
  readonly target: ErrorTarget;
  /** Grids given up because the loss cannot buy anything better than midpoints there; only where a loss was asked for. */
  readonly setAside: readonly number[];
  readonly bound: FrontierBound | null;
}

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
  const { kept, noise, loss } = bestExact(occupancy, objective, target, array, model, found, options);
  const bound = options.unproven
    ? null
    : yield* provenLoss(array, model, { owned: array.ownedOf(kept), loss: loss.toNumberNearest() }, options);
  return { kept, noise, target, setAside: [], bound };
}

/** The least error at which nobody loses more than `loss`, in as many grids as we find that buys more than midpoints for. */
export function* leastError(
  occupancy: Occupancy,
  objective: Objective,
  loss: Rational,
  options: FrontierOptions = {},
): LongWork<FrontierResult> {
  if (options.sketch?.near !== undefined) {
    // Whoever knows about the error knows that all grids can be had; if that is wrong after all, it is found out as ever.
    const everywhere = new OpenGrids(occupancy, objective, new Set());
    const found: FrontierResult | undefined = yield* leastErrorIn(everywhere, objective, loss, options);
    if (found !== undefined && isWorthHaving(found, everywhere)) return found;
  }
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

function isWorthHaving({ target }: FrontierResult, { largestFree }: OpenGrids): boolean {
  return target.kind === "together" && target.error.toNumberUp() <= WORTH_HAVING * largestFree.toNumberNearest();
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
  const { sketch } = options;
  let error = Math.min(sketch?.near ?? 0.5 * free, most);
  let best: { kept: Kept; weights: Float64Array; error: number } | undefined;
  let lowestFloor = Number.POSITIVE_INFINITY;
  for (let round = 0, rounds = sketch?.near === undefined ? 8 : 1; round < rounds && free > 0; round++) {
    const array = open.arrayAt(Rational.fromNumber(error));
    const warm = best === undefined ? undefined : array.ownedOf(best.kept);
    const found: Start = yield* search(array, modelAt(objective, error), { ...options, warm, quick: round < 5 });
    const floor = open.largestFreeWithout(array).toNumberUp();
    const { weights } = noiseWeights(array, modelAt(objective, error), found.owned, options);
    const limits = {
      loss: wanted,
      floor,
      near: error,
      least: free * 1e-12,
      precision: sketch === undefined ? 1e-11 : 1e-3,
    };
    const fitting = errorFor(array, objective, { owned: found.owned, weights }, limits);
    if (best === undefined || fitting < best.error)
      best = { kept: open.keptOf(array, found.owned), weights, error: fitting };
    if (options.isOutOfTime?.()) break;
    let next = Math.min(most, fitting);
    if (Math.abs(Math.log(next / error)) < 1e-3) {
      // An emptied grid may be what holds the error up: then something is kept of it, to see how far down that leads.
      if (floor < 0.999 * next || next > 0.999 * lowestFloor) break;
      lowestFloor = next;
      rounds = sketch === undefined ? Math.min(16, round + 6) : rounds;
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

function nothingKept(occupancy: Occupancy, objective: Objective, target: ErrorTarget): FrontierResult {
  const noise = Array.from(occupancy.samplesOfGrid, () => silence(objective));
  const bound = { of: "loss", lowerBound: Rational.ZERO, weights: [] } as const;
  return { kept: new Kept(occupancy, new Uint32Array(occupancy.entries)), noise, target, setAside: [], bound };
}
