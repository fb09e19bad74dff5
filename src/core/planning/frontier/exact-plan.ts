/** From kept counts to noise and losses that are exact: noise as large as the error asked for lets it be, or as the loss demands. */
import { Rational, sum } from "../../arithmetic/index.ts";
import { itemAt, VeilgridError } from "../../errors/index.ts";
import { LOSS_UNIT, type Objective, type Statistic, sensitivity } from "../../influence/index.ts";
import type { Kept, Occupancy } from "../../occupancy/index.ts";
import { lossesOf, scalesOf, silence } from "../evaluate-plan.ts";
import { roundUp, sumOf } from "../numbers.ts";
import type { PlanNoise } from "../plan.ts";
import type { ActiveArray, Start } from "./active-array.ts";
import { type ErrorTarget, isPooled, roomFor } from "./error-target.ts";
import type { OpenGrids } from "./open-grids.ts";
import { modelAt, type PriceModel, softWeights } from "./price-model.ts";
import type { FrontierOptions } from "./search.ts";
import { WholeLosses } from "./whole-losses.ts";

/** Nine thousand million is where losses can no longer be counted in parts of 10⁻¹⁸. */
const LARGEST_LOSS = 8.9e9;

/** The found counts or everything kept, whichever loses less exactly; noise for it. */
export function bestExact(
  occupancy: Occupancy,
  objective: Objective,
  target: ErrorTarget,
  array: ActiveArray,
  model: PriceModel,
  found: Start,
  options: FrontierOptions,
) {
  let best: { kept: Kept; noise: PlanNoise[]; loss: Rational } | undefined;
  for (const owned of [found.owned, array.everything()]) {
    const { weights, simple } = noiseWeights(array, model, owned, options);
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
export function exactWithin(
  open: OpenGrids,
  objective: Objective,
  loss: Rational,
  { kept, weights, error }: { kept: Kept; weights: Float64Array; error: number },
) {
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
export function noiseWeights(
  array: ActiveArray,
  model: PriceModel,
  owned: Float64Array,
  { sketch }: Pick<FrontierOptions, "sketch">,
) {
  const losses = new WholeLosses(array, model);
  const mean = new Float64Array(array.users);
  const none = Number.POSITIVE_INFINITY;
  let best = { weights: new Float64Array(array.users), largest: none, simple: none };
  const now = new Float64Array(array.users);
  const rounds = model.pooled && model.terms.length > 1 ? array.scaledSteps(sketch ? 4 : 40, 3, 400_000) : 1;
  for (let round = 0; round < rounds; round++) {
    losses.divide(owned, mean);
    if (!losses.measure(owned)) break;
    if (losses.largest < best.largest)
      best = { weights: mean.slice(), largest: losses.largest, simple: losses.largestSimple(owned) };
    softWeights(losses.loss, losses.largest, 200, now);
    const sum = sumOf(now);
    for (let user = 0; user < now.length; user++) mean[user]! += (now[user]! / sum - mean[user]!) / (round + 1);
  }
  return best;
}

/** The smallest error at which these counts lose at most `loss`, and grids of which nothing is kept are met. */
export function errorFor(
  array: ActiveArray,
  objective: Objective,
  { owned, weights }: { owned: Float64Array; weights: Float64Array },
  limits: { loss: number; floor: number; near: number; least: number; precision: number },
): number {
  const { loss, floor, near, least, precision } = limits;
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
  while (high - low > precision * high) {
    const middle = (low + high) / 2;
    if (fits(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Shares of the room are whole multiples of this, so that they are exact. */
const SHARE_PARTS = 2 ** 40;

/**
 * Undefined if some grid's bias alone misses its target. `weights` by user say whose losses matter where statistics share their
 * room: the share of a statistic goes with the root of what those users can move it. Grids set aside get none.
 */
export function assignNoise(
  kept: Kept,
  objective: Objective,
  target: ErrorTarget,
  { weights, setAside }: { weights: Float64Array; setAside: ReadonlySet<number> },
): PlanNoise[] | undefined {
  const noise: PlanNoise[] = [];
  for (let grid = 0; grid < kept.ofGrid.length; grid++) {
    const assigned = setAside.has(grid) ? silence(objective) : noiseOfGrid(kept, objective, target, { grid, weights });
    if (assigned === undefined) return undefined;
    noise.push(assigned);
  }
  return noise;
}

/** A statistic of a grid: its weight in the metric and Δ, how far the heaviest user can move it. */
interface Part {
  readonly statistic: Statistic;
  readonly weight: Rational;
  readonly delta: Rational;
}

function noiseOfGrid(
  kept: Kept,
  objective: Objective,
  target: ErrorTarget,
  { grid, weights }: { grid: number; weights: Float64Array },
): PlanNoise | undefined {
  const counts = kept.countsOf(grid);
  const rooms = roomFor(objective, target, counts);
  if (rooms.some((room) => room.sign() < 0) || (counts.kept === 0 && objective.estimator === "kept")) return undefined;
  const parts = objective.statistics.map((statistic, index): Part => {
    const delta = sensitivity(statistic, counts.largest, counts);
    return { statistic, weight: itemAt(objective.weights, index), delta };
  });
  const shares = isPooled(objective, target) ? sharesOfRoom(kept, parts, { grid, weights }) : undefined;
  const epsilons: Rational[] = [];
  for (const [index, { statistic, weight, delta }] of parts.entries()) {
    const room =
      shares === undefined ? itemAt(rooms, index) : itemAt(rooms, 0).multiply(itemAt(shares, index)).divide(weight);
    if (!delta.isZero() && room.sign() <= 0) return undefined;
    // Rounded up: the scale comes out no larger, the error no larger than the target.
    const epsilonAt = (scale: Rational): Rational => delta.divide(scale).ceilToMultipleOf(LOSS_UNIT);
    epsilons.push(delta.isZero() ? Rational.ZERO : epsilonAt(room.divide(Rational.of(statistic.coordinates))));
  }
  return { epsilon: sum(epsilons), epsilons, scales: scalesOf(objective, counts, epsilons) };
}

/** Exact shares that add up to at most 1: ∝ √(w·c·I), I the influence of the users that matter, or of the heaviest if none does. */
function sharesOfRoom(
  kept: Kept,
  parts: readonly Part[],
  { grid, weights }: { grid: number; weights: Float64Array },
): Rational[] {
  const { byGrid } = kept.occupancy;
  const weightByOwned = new Map<number, number>();
  for (let at = byGrid.start[grid]!; at < byGrid.start[grid + 1]!; at++) {
    const owned = kept.ofEntry[byGrid.entry[at]!]!;
    const weight = weights[byGrid.user[at]!]!;
    if (owned > 0 && weight > 0) weightByOwned.set(owned, (weightByOwned.get(owned) ?? 0) + weight);
  }
  const counts = kept.countsOf(grid);
  const roots = parts.map(({ statistic, weight, delta }) => {
    let influence = 0;
    for (const [owned, ofUsers] of weightByOwned)
      influence += ofUsers * sensitivity(statistic, owned, counts).toNumberNearest();
    if (!(influence > 0)) influence = delta.toNumberNearest();
    return Math.sqrt(influence * statistic.coordinates * weight.toNumberNearest());
  });
  const total = sumOf(roots);
  return parts.map(({ delta }, index) => {
    const share = Math.floor((itemAt(roots, index) / total) * (SHARE_PARTS - parts.length));
    return Rational.of(delta.isZero() ? 0 : Math.max(1, share), SHARE_PARTS);
  });
}
