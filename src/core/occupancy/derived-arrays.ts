/** Derives arrays from an array: grids chosen by rule or by number, and users renamed to their rank. */
import { itemAt } from "../errors/index.ts";
import { occupancyFromCoded } from "./builder.ts";
import { IdTable } from "./ids.ts";
import { Occupancy } from "./occupancy.ts";

/**
 * The array of the grids that the rule chooses by counts alone: those with `minUsers` or more, and of them the `top` with most records,
 * ties by id; null: all. Users without a record left in them are gone.
 */
export function selectGrids(occupancy: Occupancy, rule: { minUsers: number; top: number | null }): Occupancy {
  const enough = Array.from({ length: occupancy.grids.length }, (_, grid) => grid).filter(
    (grid) => occupancy.usersOfGrid(grid) >= rule.minUsers,
  );
  // Sorting is stable: grids with as many records stay in the order of their ids.
  const byRecords = (left: number, right: number): number =>
    itemAt(occupancy.samplesOfGrid, right) - itemAt(occupancy.samplesOfGrid, left);
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

/** The same array with users called by their place in the order of users: what is planned from it is the same, and no name is in it. */
export function rankUsers({ users, grids, byUser }: Occupancy): Occupancy {
  // Padded with zeros to one width, so that their order is that of the names.
  const width = String(users.length - 1).length;
  const ranks = Array.from({ length: users.length }, (_, rank) => String(rank).padStart(width, "0"));
  const bytes = new TextEncoder().encode(ranks.join(""));
  return new Occupancy(IdTable.ofBytes(bytes, new Uint32Array(users.length).fill(width)), grids, byUser);
}
