/** The noise of every grid for what is kept: as large as the target lets it be, exactly, so that losses are as small as they can be. */
import { Rational, sum } from "../../arithmetic/index.ts";
import { LOSS_UNIT, type Objective, sensitivity } from "../../influence/index.ts";
import type { Kept } from "../../occupancy/index.ts";
import { scalesOf, silence } from "../evaluate-plan.ts";
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

function noiseOfGrid(
  kept: Kept,
  objective: Objective,
  target: ErrorTarget,
  { grid, weights }: { grid: number; weights: Float64Array },
): PlanNoise | undefined {
  const { statistics } = objective;
  const counts = kept.countsOf(grid);
  const rooms = roomFor(objective, target, counts);
  if (rooms.some((room) => room.sign() < 0) || (counts.kept === 0 && objective.estimator === "kept")) return undefined;
  const deltas = statistics.map((statistic) =>
    counts.kept === 0 ? Rational.ZERO : sensitivity(statistic, counts.largest, counts),
  );
  const shares = isPooled(objective, target) ? sharesOfRoom(kept, objective, deltas, { grid, weights }) : undefined;
  const epsilons: Rational[] = [];
  for (const [index, statistic] of statistics.entries()) {
    if (deltas[index]!.isZero()) {
      epsilons.push(Rational.ZERO);
      continue;
    }
    const room =
      shares === undefined ? rooms[index]! : rooms[0]!.multiply(shares[index]!).divide(objective.weights[index]!);
    if (room.sign() <= 0) return undefined;
    const scale = room.divide(Rational.of(statistic.coordinates));
    // Rounded up: the scale comes out no larger, the error no larger than the target.
    epsilons.push(deltas[index]!.divide(scale).ceilToMultipleOf(LOSS_UNIT));
  }
  return {
    epsilon: sum(epsilons),
    epsilons,
    scales: scalesOf(objective, counts, epsilons),
  };
}

/** Exact shares that add up to at most 1: ∝ √(w·c·I), I the influence of the users that matter, or of the heaviest if none does. */
function sharesOfRoom(
  kept: Kept,
  objective: Objective,
  deltas: readonly Rational[],
  { grid, weights }: { grid: number; weights: Float64Array },
): Rational[] {
  const { statistics } = objective;
  const { byGrid } = kept.occupancy;
  const ownedBy = new Map<number, number>();
  for (let at = byGrid.start[grid]!; at < byGrid.start[grid + 1]!; at++) {
    const owned = kept.ofEntry[byGrid.entry[at]!]!;
    const weight = weights[byGrid.user[at]!]!;
    if (owned > 0 && weight > 0) ownedBy.set(owned, (ownedBy.get(owned) ?? 0) + weight);
  }
  const counts = kept.countsOf(grid);
  const roots = statistics.map((statistic, index) => {
    let influence = 0;
    for (const [owned, weight] of ownedBy)
      influence += weight * sensitivity(statistic, owned, counts).toNumberNearest();
    if (!(influence > 0)) influence = deltas[index]!.toNumberNearest();
    return Math.sqrt(influence * statistic.coordinates * objective.weights[index]!.toNumberNearest());
  });
  const total = roots.reduce((left, right) => left + right, 0);
  return roots.map((root, index) =>
    Rational.of(
      deltas[index]!.isZero() ? 0 : Math.max(1, Math.floor((root / total) * (SHARE_PARTS - statistics.length))),
      SHARE_PARTS,
    ),
  );
}
