/** Summarises an occupancy array for a curator who is about to plan. */
import { itemAt } from "../errors/index.ts";
import type { Occupancy } from "./occupancy.ts";

export type OccupancySummary = ReturnType<typeof summariseOccupancy>;

export function summariseOccupancy(occupancy: Occupancy, options: { contributors?: number } = {}) {
  const { byUser } = occupancy;
  const usersWith = new Map<number, number>();
  const records = new Float64Array(occupancy.users.length);
  for (let user = 0; user < occupancy.users.length; user++) {
    const grids = occupancy.gridsOfUser(user);
    usersWith.set(grids, (usersWith.get(grids) ?? 0) + 1);
    for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++)
      records[user]! += byUser.count[entry]!;
  }
  return {
    users: occupancy.users.length,
    grids: occupancy.grids.length,
    samples: occupancy.samples,
    entries: occupancy.entries,
    maxGridsPerUser: occupancy.maxGridsPerUser(),
    meanGridsPerUser: occupancy.entries / occupancy.users.length,
    /** How many users occupy exactly that many grids, ascending, without the empty numbers. */
    gridsPerUser: [...usersWith].sort((a, b) => a[0] - b[0]).map(([grids, users]) => ({ grids, users })),
    /** Most records first, ties by id. */
    heaviestContributors: heaviest(records, options.contributors ?? 10).map((user) => ({
      user: occupancy.users.get(user),
      records: itemAt(records, user),
      grids: occupancy.gridsOfUser(user),
    })),
    perGrid: Array.from(largestContributions(occupancy), (largestContribution, grid) => ({
      grid: occupancy.grids.get(grid),
      users: occupancy.usersOfGrid(grid),
      samples: itemAt(occupancy.samplesOfGrid, grid),
      /** m*_g, the records of the heaviest user. */
      largestContribution,
    })),
  };
}

function largestContributions({ grids, byUser }: Occupancy): Uint32Array {
  const { grid, count } = byUser;
  const largest = new Uint32Array(grids.length);
  for (let entry = 0; entry < grid.length; entry++)
    if (count[entry]! > largest[grid[entry]!]!) largest[grid[entry]!] = count[entry]!;
  return largest;
}

/** Indices of the `wanted` largest values, largest first, lower index first on ties. */
function heaviest(values: Float64Array, wanted: number): number[] {
  const best: Array<{ readonly index: number; readonly value: number }> = [];
  for (const [index, value] of values.entries()) {
    if (value <= (best[wanted - 1]?.value ?? Number.NEGATIVE_INFINITY)) continue;
    const place = best.findIndex((each) => each.value < value);
    if (place >= 0) best.splice(place, 0, { index, value });
    else if (best.length < wanted) best.push({ index, value });
    if (best.length > wanted) best.pop();
  }
  return best.map(({ index }) => index);
}
