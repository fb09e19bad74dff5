/** Makes the occupancy array, and notes about the records for a curator, from what an engine counted. */
import { itemAt, quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import {
  type CodedIds,
  type CodedRows,
  type Occupancy,
  occupancyFromCoded,
  selectGrids,
} from "../../../core/occupancy/index.ts";
import { gridId, type Recipe } from "../../partition/index.ts";
import type { OccupancyReading } from "../engine.ts";
import type { AskedGrids } from "./asked-grids.ts";

/** Ids by the engine's own numbers, as its tables have them. */
export interface CodedOccupancy extends OccupancyReading {
  readonly users: CodedIds;
  readonly grids: readonly string[];
}

/** What an engine counted. */
export interface CodedCounts {
  /** By the engine's number. */
  readonly users: CodedIds;
  /** For each of `partNames` one part of every grid's id, by the grid's number. */
  readonly gridParts: ReadonlyArray<ReadonlyArray<string | null>>;
  readonly rows: CodedRows;
  /** Records before repeated ones were taken out; of no account where none are. */
  readonly copies: number;
  /** Records without a value. */
  readonly missing: number;
}

/** Leaves out grids as the recipe says, but for those that were asked for by name. */
export function codedOccupancy(recipe: Recipe, counts: CodedCounts, asked: AskedGrids | undefined): CodedOccupancy {
  const { users, gridParts, rows, copies, missing } = counts;
  const grids = Array.from(itemAt(gridParts, 0), (_, code) => gridId(gridParts.map((part) => itemAt(part, code))));
  const all = occupancyFromCoded({ users, grids }, rows);
  const withoutUser = recordsOfUser(all, "");
  const occupancy = asked === undefined ? chosenGrids(all, recipe, withoutUser) : all;
  const unplaced = grids.filter((_, code) => gridParts.some((part) => part[code] === null || part[code] === ""));
  const distinct = all.samples + (recipe.missing === "drop" ? missing : 0);
  const records = recipe.dedupe === null ? distinct : copies;
  const notes = {
    records,
    repeated: records - distinct,
    missing,
    withoutUser,
    withoutGrid: unplaced.reduce((sum, grid) => sum + (all.samplesOfGrid[all.grids.indexOf(grid)] ?? 0), 0),
    inOtherGrids: all.samples - occupancy.samples,
  };
  return { users, grids, occupancy, notes };
}

/** Refuses a source of which nothing is left, or in which users are missing. */
function chosenGrids(all: Occupancy, recipe: Recipe, withoutUser: number): Occupancy {
  if (all.samples === 0) {
    throw new VeilgridError(
      "INPUT_EMPTY",
      "no record is left after the filters; check --from, --to, --hours, --empty-user and --missing",
    );
  }
  if (withoutUser > 0 && recipe.emptyUser === "refuse") {
    throw new VeilgridError(
      "INPUT_MALFORMED",
      `column ${quoteForMessage(recipe.user)} is empty in ${withoutUser.toLocaleString("en-US")} record${withoutUser === 1 ? "" : "s"}; use --empty-user drop to leave such records out, or --empty-user one to count all of them as one user`,
    );
  }
  const occupancy = selectGrids(all, recipe);
  if (occupancy.samples === 0) {
    throw new VeilgridError(
      "INPUT_EMPTY",
      `no grid has ${recipe.minUsers} users; lower --min-users or make grids larger`,
    );
  }
  return occupancy;
}

function recordsOfUser({ users, byUser }: Occupancy, id: string): number {
  const user = users.indexOf(id);
  return user < 0
    ? 0
    : byUser.count.subarray(byUser.start[user], byUser.start[user + 1]).reduce((sum, count) => sum + count, 0);
}
