/** Which grids are worth publishing, by counts alone: those with enough users, then those with most records. */
import { occupancyFromCoded } from "./builder.ts";
import type { Occupancy } from "./occupancy.ts";

export interface GridRule {
  /** Grids with fewer users are left out. */
  readonly minUsers: number;
  /** Then only so many grids, those with most records, ties by id; null: all. */
  readonly top: number | null;
}

/** The array of the chosen grids; users without a record left in them are gone. */
export function selectGrids(occupancy: Occupancy, rule: GridRule): Occupancy {
  const enough = Array.from({ length: occupancy.grids.length }, (_, grid) => grid).filter(
    (grid) => occupancy.usersOfGrid(grid) >= rule.minUsers,
  );
  // Sorting is stable: grids with as many records stay in the order of their ids.
  const byRecords = (left: number, right: number): number =>
    occupancy.samplesOfGrid[right]! - occupancy.samplesOfGrid[left]!;
  return onlyGrids(occupancy, rule.top === null ? enough : enough.sort(byRecords).slice(0, rule.top));
}

/** The array of these grids, each named once; users without a record left in them are gone. */
export function onlyGrids(occupancy: Occupancy, chosen: readonly number[]): Occupancy {
  if (chosen.length === occupancy.grids.length) return occupancy;
  const isChosen = new Uint8Array(occupancy.grids.length);
  for (const grid of chosen) isChosen[grid] = 1;
  const { start, grid, count } = occupancy.byUser;
  const entries = grid.reduce((entries, each) => entries + isChosen[each]!, 0);
  const rows = { user: new Uint32Array(entries), grid: new Uint32Array(entries), count: new Uint32Array(entries) };
  let row = 0;
  for (let user = 0; user < occupancy.users.length; user++) {
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
      if (isChosen[grid[entry]!] === 0) continue;
      rows.user[row] = user;
      rows.grid[row] = grid[entry]!;
      rows.count[row] = count[entry]!;
      row += 1;
    }
  }
  return occupancyFromCoded(occupancy, rows);
}
