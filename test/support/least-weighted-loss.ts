/** The least weighted loss of tiny grids, by trying every choice of kept counts: what Theorem 10 calls Φ, written from its definition. */
import type { Rational } from "../../src/core/arithmetic/index.ts";
import { type Objective, sensitivity, worstCaseBias } from "../../src/core/influence/index.ts";
import type { Occupancy } from "../../src/core/occupancy/index.ts";
import type { ErrorTarget } from "../../src/core/planning/index.ts";

export interface WeightedChoice {
  /** By user of the array. */
  readonly weights: readonly number[];
  /** Nobody may lose more than this in the grid. */
  readonly limit: number;
}

/** Of all grids together, as a share of all weights: what no plan with such losses can be below. */
export function leastWeightedShare(
  occupancy: Occupancy,
  objective: Objective,
  target: ErrorTarget,
  { weights, limit }: WeightedChoice,
): number {
  let sum = 0;
  for (let grid = 0; grid < occupancy.grids.length; grid++)
    sum += leastWeightedLoss(occupancy, grid, objective, target, { weights, limit });
  return sum / weights.reduce((left, right) => left + right, 0);
}

/** Infinite if no choice meets the target within the limit. Two statistics at most may share a room. */
function leastWeightedLoss(
  occupancy: Occupancy,
  grid: number,
  objective: Objective,
  target: ErrorTarget,
  { weights, limit }: WeightedChoice,
): number {
  const { byGrid, byUser } = occupancy;
  const owners = Array.from({ length: byGrid.start[grid + 1]! - byGrid.start[grid]! }, (_, at) => {
    const place = byGrid.start[grid]! + at;
    return { records: byUser.count[byGrid.entry[place]!]!, weight: weights[byGrid.user[place]!]! };
  });
  const total = owners.reduce((sum, { records }) => sum + records, 0);
  let least = Number.POSITIVE_INFINITY;
  for (let kept = objective.estimator === "kept" ? 1 : 0; kept <= total; kept++) {
    const rooms = roomsOf(objective, target, kept, total);
    if (rooms.some((room) => room < 0)) continue;
    const needs = objective.statistics.map((statistic, index) => {
      const weight = isShared(objective, target) ? objective.weights[index]!.toNumberNearest() : 1;
      return Array.from({ length: kept + 1 }, (_, owned) =>
        owned === 0
          ? 0
          : sensitivity(statistic, owned, { kept, total }).toNumberNearest() * statistic.coordinates * weight,
      );
    });
    for (const owned of waysToKeep(
      owners.map(({ records }) => records),
      kept,
    )) {
      const users = owned.map((own, at) => ({ needs: needs.map((need) => need[own]!), weight: owners[at]!.weight }));
      least = Math.min(
        least,
        isShared(objective, target) ? shared(users, rooms[0]!, limit) : apart(users, rooms, limit),
      );
    }
  }
  return least;
}

interface UserNeeds {
  /** Of every statistic: what the user can move, times the numbers that get noise and the weight in the metric. */
  readonly needs: readonly number[];
  readonly weight: number;
}

function isShared(objective: Objective, target: ErrorTarget): boolean {
  return target.kind === "together" && objective.metric === "sum";
}

/** What is left for noise, exactly negative or not, then as a double. */
function roomsOf(objective: Objective, target: ErrorTarget, kept: number, total: number): number[] {
  const biases = objective.statistics.map((statistic) => worstCaseBias(statistic, { kept, total }));
  const exact: Rational[] =
    target.kind === "each"
      ? biases.map((bias, index) => target.errors[index]!.subtract(bias))
      : objective.metric === "relative"
        ? biases.map((bias, index) =>
            target.error.multiply(objective.statistics[index]!.dataFreeError(total)).subtract(bias),
          )
        : [biases.reduce((room, bias, index) => room.subtract(bias.multiply(objective.weights[index]!)), target.error)];
  return exact.map((room) => room.toNumberNearest());
}

function apart(users: readonly UserNeeds[], rooms: readonly number[], limit: number): number {
  let sum = 0;
  for (const { needs, weight } of users) {
    const loss = needs.reduce((left, need, index) => left + (need === 0 ? 0 : need / rooms[index]!), 0);
    if (loss > limit) return Number.POSITIVE_INFINITY;
    if (weight > 0) sum += weight * loss;
  }
  return sum;
}

/** Over all divisions of the room: s for the first statistic, 1 − s for the second. */
function shared(users: readonly UserNeeds[], room: number, limit: number): number {
  if (users[0]!.needs.length === 1) return apart(users, [room], limit);
  let low = 0;
  let high = 1;
  const sums = [0, 0];
  for (const { needs, weight } of users) {
    const [first, second] = needs as [number, number];
    sums[0]! += weight * first;
    sums[1]! += weight * second;
    if (first === 0 && second === 0) continue;
    // first/s + second/(1 − s) ≤ most. At its least, where s goes with the roots, the left side is (√first + √second)².
    const most = limit * room;
    if (!((Math.sqrt(first) + Math.sqrt(second)) ** 2 <= most)) return Number.POSITIVE_INFINITY;
    const sum = most + first - second;
    const root = Math.sqrt(Math.max(0, sum * sum - 4 * most * first));
    low = Math.max(low, (sum - root) / (2 * most));
    high = Math.min(high, (sum + root) / (2 * most));
  }
  if (low > high) return Number.POSITIVE_INFINITY;
  const [first, second] = sums as [number, number];
  if (first + second === 0) return 0;
  const best = Math.sqrt(first) / (Math.sqrt(first) + Math.sqrt(second));
  const s = Math.min(high, Math.max(low, best));
  return ((first === 0 ? 0 : first / s) + (second === 0 ? 0 : second / (1 - s))) / room;
}

/** Every vector of whole numbers up to the counts that adds up to `kept`. */
function* waysToKeep(counts: readonly number[], kept: number): Generator<number[]> {
  const [most, ...rest] = counts;
  if (most === undefined) {
    if (kept === 0) yield [];
    return;
  }
  for (let own = Math.min(most, kept); own >= 0; own--)
    for (const others of waysToKeep(rest, kept - own)) yield [own, ...others];
}
