/** Takes back drops that a plan does not need: as long as no user exceeds K grids and no grid the error bound. */
import type { Occupancy } from "../occupancy/index.ts";
import type { ErrorLimit } from "./error-limit.ts";

/** Γ by entry after taking back what can be, the most records first, over and over until nothing more can. */
export function restoreDrops(
  occupancy: Occupancy,
  limit: ErrorLimit,
  options: { keptOfEntry: Uint32Array; mostGrids: number },
): Uint32Array {
  const { byUser, samplesOfGrid } = occupancy;
  const kept = options.keptOfEntry.slice();
  const gridsOfUser = new Uint32Array(occupancy.users.length);
  const keptOfGrid = new Float64Array(occupancy.grids.length);
  const largestOfGrid = new Float64Array(occupancy.grids.length);
  const dropped: Array<{ entry: number; user: number }> = [];
  const keep = (entry: number, user: number): void => {
    const grid = byUser.grid[entry]!;
    gridsOfUser[user]! += 1;
    keptOfGrid[grid]! += kept[entry]!;
    largestOfGrid[grid] = Math.max(largestOfGrid[grid]!, kept[entry]!);
  };
  for (let user = 0; user < gridsOfUser.length; user++) {
    for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++) {
      if (kept[entry]! > 0) keep(entry, user);
      else dropped.push({ entry, user });
    }
  }
  const count = byUser.count;
  // Of equal numbers the first entry: sorting leaves them in the order they are in.
  let left = dropped.sort((one, other) => count[other.entry]! - count[one.entry]!);
  for (;;) {
    const still = left.filter(({ entry, user }) => {
      if (gridsOfUser[user]! >= options.mostGrids) return true;
      const grid = byUser.grid[entry]!;
      const largest = Math.max(largestOfGrid[grid]!, count[entry]!);
      if (!limit.allows(samplesOfGrid[grid]!, keptOfGrid[grid]! + count[entry]!, largest)) return true;
      kept[entry] = count[entry]!;
      keep(entry, user);
      return false;
    });
    if (still.length === left.length) return kept;
    left = still;
  }
}
