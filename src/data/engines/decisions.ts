/** What a plan takes away from the groups that an engine counted, by the engine's own numbers. */
import { type CodedIds, GrowableUint32, IdTable } from "../../core/occupancy/index.ts";
import { keptUnderPlan, type Plan } from "../../core/planning/index.ts";
import type { AskedGrids } from "./asked-grids.ts";
import type { CodedOccupancy } from "./coded-occupancy.ts";

export interface Decisions {
  /** Groups of which not everything is kept: user, grid and how many records are. */
  readonly users: Uint32Array;
  readonly grids: Uint32Array;
  readonly kept: Uint32Array;
  /** How many of them keep something, and how many records those have before they are cut. */
  readonly cut: number;
  readonly recordsCut: number;
  /** The grids whose totals are wanted by the engine's numbers, in the plan's order. */
  readonly chosen: Uint32Array;
  /** Records kept in each of them. */
  readonly keptOfChosen: Float64Array;
}

export function decisionsOf(coded: CodedOccupancy, plan: Plan, asked: AskedGrids | undefined): Decisions {
  // What a plan decides is told by the numbers of all its grids and users, whatever part of them was counted.
  const occupancy = asked?.occupancy ?? coded.occupancy;
  const kept = keptUnderPlan(occupancy, plan);
  const userCode = codesOf(coded.users);
  const codeOfGrid = codesOf(coded.grids);
  const { start, grid, count } = occupancy.byUser;
  const places = asked?.places ?? plan.grids.map((_, place) => place);
  const codeAt = new Int32Array(occupancy.grids.length).fill(-1);
  for (const place of places) codeAt[place] = codeOfGrid(occupancy.grids.get(place));
  const users = new GrowableUint32();
  const grids = new GrowableUint32();
  const keeps = new GrowableUint32();
  let cut = 0;
  let recordsCut = 0;
  for (let user = 0; user < occupancy.users.length; user++) {
    let code: number | undefined;
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
      const keeping = kept.ofEntry[entry]!;
      if (keeping === count[entry]!) continue;
      const gridCode = codeAt[grid[entry]!]!;
      if (gridCode < 0) continue;
      code ??= userCode(occupancy.users.get(user));
      users.push(code);
      grids.push(gridCode);
      keeps.push(keeping);
      if (keeping === 0) continue;
      cut += 1;
      recordsCut += count[entry]!;
    }
  }
  return {
    users: users.view(),
    grids: grids.view(),
    kept: keeps.view(),
    cut,
    recordsCut,
    chosen: Uint32Array.from(places, (place) => codeAt[place]!),
    keptOfChosen: Float64Array.from(places, (place) => kept.ofGrid[place]!),
  };
}

/** The engine's number of an id. */
function codesOf(ids: CodedIds): (id: string) => number {
  if (ids instanceof IdTable) return (id) => ids.indexOf(id);
  const codes = new Map(ids.map((id, code) => [id, code]));
  return (id) => codes.get(id)!;
}
