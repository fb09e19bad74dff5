/** Which grids a loss is spent on: as few as need be are given up, so that all others can be better than midpoints. */
import { maximum, Rational } from "../../arithmetic/index.ts";
import type { Objective } from "../../influence/index.ts";
import type { Kept, Occupancy } from "../../occupancy/index.ts";
import type { LongWork } from "../long-work.ts";
import { ActiveArray, type Start } from "./active-array.ts";
import { freeError } from "./error-target.ts";
import { Loads, modelAt, PriceModel, type PriceTerm, perRecordInfluence, softWeights } from "./price-model.ts";
import { type FrontierOptions, search } from "./search.ts";

/** The grids that a loss is spent on, and which of them need something kept at an error. */
export class OpenGrids {
  readonly setAside: ReadonlySet<number>;
  /** Of the open grids: at this error none needs anything kept. */
  readonly largestFree: Rational;
  readonly #occupancy: Occupancy;
  readonly #isCentred: boolean;
  readonly #free: readonly Rational[];

  constructor(occupancy: Occupancy, objective: Objective, setAside: ReadonlySet<number>) {
    this.#occupancy = occupancy;
    this.#isCentred = objective.estimator === "centred";
    this.setAside = setAside;
    const ofTotal = new Map<number, Rational>();
    this.#free = Array.from(occupancy.samplesOfGrid, (total) => {
      const known = ofTotal.get(total) ?? freeError(objective, total);
      ofTotal.set(total, known);
      return known;
    });
    this.largestFree = this.#largest((grid) => !setAside.has(grid));
  }

  /** What needs records at an error: under the paper's estimator all that is open. */
  arrayAt(error: Rational): ActiveArray {
    return new ActiveArray(this.#occupancy, (grid) => {
      return !this.setAside.has(grid) && !(this.#isCentred && this.#free[grid]!.compare(error) <= 0);
    });
  }

  /** The error of the open grids that the array leaves empty. */
  largestFreeWithout(array: ActiveArray): Rational {
    return this.#largest((grid) => !this.setAside.has(grid) && !array.isActive(grid));
  }

  keptOf(array: ActiveArray, owned: Float64Array): Kept {
    return array.keptOf(this.#occupancy, owned);
  }

  #largest(isCounted: (grid: number) => boolean): Rational {
    return this.#free.reduce((most, free, grid) => (isCounted(grid) ? maximum(most, free) : most), Rational.ZERO);
  }
}

/** Of the open grids, so many are given up at a time. */
const GIVEN_UP_SHARE = 1 / 20;
/** Where one try takes this many entries, the second way of choosing is left out. */
const LARGE = 50_000;

/**
 * Choices to try, best first; none if no grid can be had. Two rules of thumb: give up what needs most by itself, mostly grids with
 * few users, or what costs most of what the users who lose most lose. Whichever gives up fewer comes first.
 */
export function* affordableGrids(
  occupancy: Occupancy,
  objective: Objective,
  loss: number,
  options: FrontierOptions,
): LongWork<OpenGrids[]> {
  const alone = lossesAlone(occupancy, objective);
  const opened = (grids: Iterable<number>): OpenGrids => {
    const open = new Set(grids);
    const setAside = Array.from(alone.keys()).filter((grid) => !open.has(grid));
    return new OpenGrids(occupancy, objective, new Set(setAside));
  };
  const possible = Array.from(alone.keys())
    .filter((grid) => alone[grid]! <= loss)
    .sort((left, right) => alone[left]! - alone[right]! || left - right);
  if (possible.length === 0) return [];
  const everything = yield* tryGrids(opened(possible), objective, loss, options);
  if (everything.fits) return [opened(possible)];
  const easiest = yield* easiestGrids(possible, function* (grids) {
    return (yield* tryGrids(opened(grids), objective, loss, options)).fits;
  });
  const choices = easiest.length === 0 ? [] : [opened(easiest)];
  if (occupancy.entries > LARGE || options.sketch) return choices;
  let cheapest = possible;
  for (let tried = everything; !tried.fits && cheapest.length > easiest.length; ) {
    const { costs } = tried;
    const costliestFirst = [...cheapest].sort((left, right) => costs[right]! - costs[left]! || left - right);
    cheapest = costliestFirst.slice(Math.ceil(costliestFirst.length * GIVEN_UP_SHARE));
    if (cheapest.length <= easiest.length) return choices;
    tried = yield* tryGrids(opened(cheapest), objective, loss, options);
  }
  return [opened(cheapest), ...choices];
}

/** The longest beginning of the list that fits, by bisection. */
function* easiestGrids(
  grids: readonly number[],
  fits: (grids: readonly number[]) => LongWork<boolean>,
): LongWork<readonly number[]> {
  let fit = 0;
  let tooMany = grids.length;
  while (tooMany - fit > 1) {
    const middle = Math.floor((fit + tooMany) / 2);
    if (yield* fits(grids.slice(0, middle))) fit = middle;
    else tooMany = middle;
  }
  return grids.slice(0, fit);
}

/** Whether the loss suffices for an error that is just worth having, and what each grid then costs the users who lose most. */
function* tryGrids(
  open: OpenGrids,
  objective: Objective,
  loss: number,
  options: FrontierOptions,
): LongWork<{ fits: boolean; costs: Float64Array }> {
  const error = open.largestFree.toNumberNearest() * WORTH_HAVING;
  if (error === 0) return { fits: true, costs: new Float64Array(0) };
  const array = open.arrayAt(Rational.fromNumber(error));
  const model = modelAt(objective, error);
  const found: Start = yield* search(array, model, { ...options, quick: true });
  return { fits: found.largest <= loss, costs: costOfGrids(array, model, found.owned) };
}

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

/** Better by less than this share is not better. */
export const WORTH_HAVING = 0.98;

/** What each grid would need by itself for an error that is just worth having; 0 where midpoints are exact. */
export function lossesAlone(occupancy: Occupancy, objective: Objective): Float64Array {
  const { byGrid, byUser, samplesOfGrid } = occupancy;
  return samplesOfGrid.map((total, grid) => {
    const error = freeError(objective, total).multiply(Rational.fromNumber(WORTH_HAVING));
    if (error.isZero()) return 0;
    const model = new PriceModel(objective, { kind: "together", error });
    const entries = byGrid.entry.subarray(byGrid.start[grid], byGrid.start[grid + 1]);
    const counts = Float64Array.from(entries, (entry) => byUser.count[entry]!).sort();
    return leastLossAlone(counts, total, model);
  });
}

/**
 * The least loss of the grid released by itself, among caps at the users' counts and the single record whose variance nobody can
 * move: for one grid a cap is about the best there is.
 */
function leastLossAlone(ascending: Float64Array, total: number, model: PriceModel): number {
  let least = lossOf(model, { owned: 1, kept: 1, total });
  let below = 0;
  for (let at = 0; at < ascending.length; at++) {
    const owned = ascending[at]!;
    least = Math.min(least, lossOf(model, { owned, kept: below + owned * (ascending.length - at), total }));
    below += owned;
  }
  return least;
}

/** What a user with `owned` of the kept records loses, with the largest noise that there is room for. */
function lossOf(model: PriceModel, counts: { owned: number; kept: number; total: number }): number {
  const rooms = model.rooms(counts.total, counts.kept);
  let roots = 0;
  let sum = 0;
  for (const [index, term] of model.terms.entries()) {
    const influence = term.noiseWeight * wholeInfluence(term, counts);
    const room = rooms[model.pooled ? 0 : index]!;
    if (room < 0 || (influence > 0 && room === 0)) return Number.POSITIVE_INFINITY;
    roots += Math.sqrt(influence);
    if (influence > 0) sum += influence / room;
  }
  return model.pooled ? (roots * roots) / rooms[0]! : sum;
}

function wholeInfluence(
  term: PriceTerm,
  { owned, kept, total }: { owned: number; kept: number; total: number },
): number {
  if (!term.isSpread) return owned * perRecordInfluence(term, total, kept);
  const movable = Math.min(owned, Math.floor(kept / 2));
  return (movable * (kept - movable) * perRecordInfluence(term, total, kept)) / kept;
}
