/** The noise of every grid for what is kept: as large as the target lets it be, exactly, so that losses are as small as they can be. */
import { Rational, sum } from "../../arithmetic/index.ts";
import { itemAt } from "../../errors/index.ts";
import { LOSS_UNIT, type Objective, type Statistic, sensitivity } from "../../influence/index.ts";
import type { Kept } from "../../occupancy/index.ts";
import { scalesOf, silence } from "../evaluate-plan.ts";
import { sumOf } from "../numbers.ts";
import type { PlanNoise } from "../plan.ts";
import { type ErrorTarget, isPooled, roomFor } from "./error-target.ts";

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
