/** Which grids the loss is spent on: of the users who decide it, what each grid costs them. */
import { itemAt } from "../errors/index.ts";
import { sensitivity } from "../influence/index.ts";
import type { Kept } from "../occupancy/index.ts";
import type { Plan } from "./plan.ts";

/** Shares that add up to 1, by grid; undefined where no weights say who decides the loss, or nothing is lost. */
export function lossShares(kept: Kept, plan: Plan): Float64Array | undefined {
  const { occupancy } = kept;
  const { start, grid } = occupancy.byUser;
  const grids = plan.noise.map(({ scales }, g) => ({
    scales,
    counts: kept.countsOf(g),
    known: new Map<number, number>(),
  }));
  const lossOf = (g: number, owned: number): number => {
    const { scales, counts, known } = itemAt(grids, g);
    const before = known.get(owned);
    if (before !== undefined) return before;
    let loss = 0;
    for (const [index, statistic] of plan.objective.statistics.entries()) {
      const scale = itemAt(scales, index);
      if (!scale.isZero()) loss += sensitivity(statistic, owned, counts).toNumberNearest() / scale.toNumberNearest();
    }
    known.set(owned, loss);
    return loss;
  };
  const shares = new Float64Array(grids.length);
  let sum = 0;
  for (const [index, weight] of plan.bound?.weights ?? []) {
    const user = occupancy.users.indexOf(itemAt(plan.users, index));
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
      const g = grid[entry]!;
      const owned = kept.ofEntry[entry]!;
      if (owned === 0) continue;
      const loss = weight * lossOf(g, owned);
      shares[g]! += loss;
      sum += loss;
    }
  }
  return sum > 0 ? shares.map((share) => share / sum) : undefined;
}
