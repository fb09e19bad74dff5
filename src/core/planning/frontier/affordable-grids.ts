/** Which grids a loss is to be spent on: as few as need be are given up, so that all others can be better than midpoints. */
import { Rational } from "../../arithmetic/index.ts";
import type { Objective } from "../../influence/index.ts";
import type { Occupancy } from "../../occupancy/index.ts";
import type { LongWork } from "../long-work.ts";
import type { ActiveArray } from "./active-array.ts";
import { Loads, softWeights } from "./loads.ts";
import { lossesAlone, WORTH_HAVING } from "./losses-alone.ts";
import { OpenGrids } from "./open-grids.ts";
import type { PriceModel } from "./price-model.ts";
import { type FrontierOptions, modelAt, search } from "./search.ts";
import type { Start } from "./starts.ts";

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
