/** The same array with users called by their place in the order of users: what is planned from it is the same, and no name is in it. */
import { IdTable } from "./ids.ts";
import { Occupancy } from "./occupancy.ts";

const ZERO = 0x30;

/** Ranks from 0, padded with zeros to one width, so that their order is that of the names. */
export function rankUsers({ users, grids, byUser }: Occupancy): Occupancy {
  const width = String(users.length - 1).length;
  const bytes = new Uint8Array(users.length * width);
  const starts = new Uint32Array(users.length + 1);
  for (let rank = 0; rank < users.length; rank++) {
    let rest = rank;
    for (let at = (rank + 1) * width - 1; at >= rank * width; at--) {
      bytes[at] = ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    starts[rank + 1] = (rank + 1) * width;
  }
  return new Occupancy(new IdTable(bytes, starts), grids, byUser);
}
