/** Which grids the loss is spent on: of the users who decide it, what each grid costs them. */
import { sensitivity } from "../influence/index.ts";
import type { Kept } from "../occupancy/index.ts";
import type { Plan } from "./plan.ts";

/** Shares that add up to 1, by grid; undefined where no weights say who decides the loss, or nothing is lost. */
export function lossShares(kept: Kept, plan: Plan): Float64Array | undefined {
  const { occupancy } = kept;
  const { start, grid } = occupancy.byUser;
  const shares = new Float64Array(plan.grids.length);
  const known = plan.grids.map(() => new Map<number, number>());
  const lossOf = (g: number, owned: number): number => {
    let loss = known[g]!.get(owned);
    if (loss === undefined) {
      const counts = kept.countsOf(g);
      loss = 0;
      plan.objective.statistics.forEach((statistic, index) => {
        const scale = plan.noise[g]!.scales[index]!;
        if (!scale.isZero()) loss! += sensitivity(statistic, owned, counts).toNumberNearest() / scale.toNumberNearest();
      });
      known[g]!.set(owned, loss);
    }
    return loss;
  };
  let sum = 0;
  for (const [index, weight] of plan.bound?.weights ?? []) {
    const user = occupancy.users.indexOf(plan.users[index]!);
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
      const owned = kept.ofEntry[entry]!;
      if (owned === 0) continue;
      const loss = weight * lossOf(grid[entry]!, owned);
      shares[grid[entry]!]! += loss;
      sum += loss;
    }
  }
  return sum > 0 ? shares.map((share) => share / sum) : undefined;
}
