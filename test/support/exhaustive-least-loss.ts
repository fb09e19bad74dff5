/** The least joint loss of a tiny array by trying every choice of kept counts and, where statistics share their room, a fine net of splits. */
import type { Rational } from "../../src/core/arithmetic/index.ts";
import { type Objective, sensitivity, worstCaseBias } from "../../src/core/influence/index.ts";
import type { Occupancy } from "../../src/core/occupancy/index.ts";
import type { ErrorTarget } from "../../src/core/planning/index.ts";

/** The optimum of section 4's formula lies between these; they differ only where statistics share their room. */
export interface LeastLossRange {
  readonly atLeast: number;
  readonly atMost: number;
}

export interface ExhaustiveLossOptions {
  /** Grids that keep nothing and promise nothing. */
  readonly without?: ReadonlySet<number>;
  /** Points of the net of splits of a room; where there is one grid the best split is found directly. */
  readonly splits?: number;
}

/** Losses by user in one grid. */
type Point = Float64Array;

interface GridChoices {
  readonly points: readonly Point[];
  /** How far above the truth the net of splits may be, relatively. */
  readonly slack: number;
}

export function exhaustiveLeastLoss(
  occupancy: Occupancy,
  objective: Objective,
  target: ErrorTarget,
  { without = new Set(), splits = 17 }: ExhaustiveLossOptions = {},
): LeastLossRange {
  const grids: GridChoices[] = [];
  for (let grid = 0; grid < occupancy.grids.length; grid++) {
    const net = occupancy.grids.length - without.size === 1 ? undefined : splits;
    if (!without.has(grid)) grids.push(choicesOf(occupancy, grid, objective, target, net));
  }
  const slack = grids.reduce((most, grid) => Math.max(most, grid.slack), 0);
  // Each grid's own best together is a plan, so points that lose more in one grid than all of these together are no use.
  const incumbent = grids.reduce((sum, { points }) => sum + least(points), 0) * (1 + 1e-12);
  let sums: Point[] = [new Float64Array(occupancy.users.length)];
  for (const { points } of grids) {
    const next: Point[] = [];
    for (const left of sums) {
      for (const right of points) {
        const both = left.map((loss, user) => loss + right[user]!);
        if (largestOf(both) <= incumbent) next.push(both);
      }
    }
    sums = undominated(next);
  }
  const atMost = least(sums);
  return { atLeast: atMost / (1 + slack), atMost };
}

function choicesOf(
  occupancy: Occupancy,
  grid: number,
  objective: Objective,
  target: ErrorTarget,
  splits: number | undefined,
): GridChoices {
  const { byGrid, byUser } = occupancy;
  const users = Array.from(byGrid.user.subarray(byGrid.start[grid], byGrid.start[grid + 1]));
  const counts = Array.from(
    byGrid.entry.subarray(byGrid.start[grid], byGrid.start[grid + 1]),
    (entry) => byUser.count[entry]!,
  );
  const total = counts.reduce((left, right) => left + right, 0);
  const points: Point[] = [];
  let slack = 0;
  for (let kept = 0; kept <= total; kept++) {
    if (kept === 0 && objective.estimator === "kept") continue;
    const rooms = exactRooms(objective, target, kept, total);
    if (rooms.some((room) => room.sign() < 0)) continue;
    const moved = objective.statistics.map((statistic) =>
      Array.from({ length: kept + 1 }, (_, owned) =>
        owned === 0 ? 0 : sensitivity(statistic, owned, { kept, total }).toNumberNearest() * statistic.coordinates,
      ),
    );
    const scaled = target.kind === "together" && objective.metric === "sum";
    const needs = scaled
      ? moved.map((row, index) => row.map((each) => each * objective.weights[index]!.toNumberNearest()))
      : moved;
    const room = rooms.map((each) => each.toNumberNearest());
    for (const owned of waysToKeep(counts, kept)) {
      const place = (losses: readonly number[]): void => {
        const point = new Float64Array(occupancy.users.length);
        users.forEach((user, at) => {
          point[user] = losses[at]!;
        });
        if (largestOf(point) < Number.POSITIVE_INFINITY) points.push(point);
      };
      if (!scaled || needs.length === 1) {
        place(owned.map((own) => needs.reduce((sum, need, index) => sum + share(need[own]!, room[index]!), 0)));
        continue;
      }
      const lossesAt = (first: number): number[] => {
        const shares = [first, 1 - first];
        return owned.map((own) =>
          needs.reduce((sum, need, index) => sum + share(need[own]!, shares[index]! * room[0]!), 0),
        );
      };
      const net = bestShares(needs, owned);
      if (splits === undefined || net.high - net.low < 1e-9) {
        slack = Math.max(slack, 1e-8);
        place(lossesAt(leastAt(net.low, net.high, (first) => Math.max(...lossesAt(first)))));
        continue;
      }
      const firsts = Array.from({ length: splits }, (_, at) => net.low + ((net.high - net.low) * at) / (splits - 1));
      firsts.forEach((first, at) => {
        place(lossesAt(first));
        if (at === 0) return;
        const before = firsts[at - 1]!;
        slack = Math.max(slack, Math.min(first / before, (1 - before) / (1 - first)) - 1);
      });
    }
  }
  return { points: undominated(points), slack };
}

/** What is left for noise: one number where it is shared, otherwise one per statistic. Written from section 3, exactly. */
function exactRooms(objective: Objective, target: ErrorTarget, kept: number, total: number): Rational[] {
  const biases = objective.statistics.map((statistic) => worstCaseBias(statistic, { kept, total }));
  if (target.kind === "each") return biases.map((bias, index) => target.errors[index]!.subtract(bias));
  if (objective.metric === "relative") {
    return biases.map((bias, index) =>
      target.error.multiply(objective.statistics[index]!.dataFreeError(total)).subtract(bias),
    );
  }
  return [biases.reduce((room, bias, index) => room.subtract(bias.multiply(objective.weights[index]!)), target.error)];
}

function share(need: number, room: number): number {
  return need === 0 ? 0 : need / room;
}

/**
 * The first statistic's smallest and largest share of one room that may be best. A user's loss is convex in the share and least where
 * shares go with the roots of its needs, so the best for any set of users lies between the smallest and the largest of those.
 */
function bestShares(
  needs: readonly (readonly number[])[],
  owned: readonly number[],
): { readonly low: number; readonly high: number } {
  if (needs.length !== 2) throw new Error("only two statistics may share a room here");
  let low = 1;
  let high = 0;
  for (const records of owned) {
    const [first, second] = needs.map((need) => Math.sqrt(need[records]!));
    if (first! + second! === 0) continue;
    low = Math.min(low, first! / (first! + second!));
    high = Math.max(high, first! / (first! + second!));
  }
  return low > high ? { low: 0.5, high: 0.5 } : { low, high };
}

/** Where a convex function is least. */
function leastAt(from: number, to: number, value: (at: number) => number): number {
  let [low, high] = [from, to];
  for (let round = 0; round < 60; round++) {
    const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
    if (value(left) <= value(right)) high = right;
    else low = left;
  }
  return (low + high) / 2;
}

/** Every vector of whole numbers below the counts that adds up to `kept`. */
function* waysToKeep(counts: readonly number[], kept: number): Generator<number[]> {
  if (counts.length === 0) {
    if (kept === 0) yield [];
    return;
  }
  const [most, ...rest] = counts;
  for (let own = Math.min(most!, kept); own >= 0; own--) {
    for (const others of waysToKeep(rest, kept - own)) yield [own, ...others];
  }
}

/** Without points that are nowhere below another. */
function undominated(points: Point[]): Point[] {
  const sumOf = (point: Point): number => point.reduce((left, right) => left + right, 0);
  const sorted = points.map((point) => ({ point, sum: sumOf(point) })).sort((left, right) => left.sum - right.sum);
  const front: Point[] = [];
  for (const { point } of sorted) {
    if (!front.some((other) => other.every((loss, user) => loss <= point[user]!))) front.push(point);
  }
  return front;
}

function largestOf(point: Point): number {
  return point.reduce((left, right) => Math.max(left, right), 0);
}

/** Infinite if there is none. */
function least(points: readonly Point[]): number {
  return points.reduce((best, point) => Math.min(best, largestOf(point)), Number.POSITIVE_INFINITY);
}
