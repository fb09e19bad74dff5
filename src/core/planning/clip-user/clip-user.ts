/** CLIP-USER: drop heavy users from grids where it hurts least, as long as no grid's error exceeds a bound (spec: algorithms of the paper). */
import type { Rational } from "../../arithmetic/index.ts";
import { itemAt, quoteForMessage, VeilgridError } from "../../errors/index.ts";
import type { ErrorModel } from "../../influence/index.ts";
import { Kept, type Occupancy } from "../../occupancy/index.ts";
import { DropSearch } from "./drop-search.ts";

export interface ClipUserOptions {
  /** E; without it, the worst error before anything is dropped. */
  readonly errorBound?: Rational | undefined;
  /** Never drop anyone from the grid with the smallest initial error. */
  readonly protectLowest?: boolean | undefined;
  /** Undo the drops of the unfinished last stage, which cannot lower K. */
  readonly wholeStages?: boolean | undefined;
}

const USERS_PER_YIELD = 4096;

/** The result is that of exact arithmetic; `DropSearch` finds each drop with far fewer evaluations than trying every grid. */
export function* clipUser(occupancy: Occupancy, model: ErrorModel, options: ClipUserOptions = {}) {
  const { errorBound, lowestGrid } = boundAndLowestGrid(occupancy, model, options.errorBound);
  const protectedGrid = options.protectLowest ? lowestGrid : undefined;
  const search = new DropSearch(occupancy, model, { errorBound, protectedGrid });

  let stage: Uint32Array = new Uint32Array(0);
  let wholeStages = 0;
  let stageStart = 0;
  let halted = false;
  const usersByGrids = groupUsersByGrids(occupancy);
  for (let occupied = usersByGrids.length - 1; occupied > 0 && !halted; occupied--) {
    // Everyone of the last stage has one grid fewer now and meets those who had that many from the start.
    const newcomers = itemAt(usersByGrids, occupied);
    search.admit(newcomers);
    stage = mergeAscending(stage, newcomers);
    stageStart = search.drops.length;
    for (let turn = 0; turn < stage.length && !halted; turn++) {
      if (turn % USERS_PER_YIELD === 0)
        yield { step: `dropping users from ${occupied} to ${occupied - 1} grids`, done: search.drops.length };
      halted = !search.dropBest(stage[turn]!, occupied);
    }
    if (!halted) wholeStages += 1;
  }

  const suppressed = search.drops.view().slice(0, options.wholeStages && halted ? stageStart : undefined);
  const keptOfEntry = occupancy.byUser.count.slice();
  for (const entry of suppressed) keptOfEntry[entry] = 0;
  const kept = new Kept(occupancy, keptOfEntry);
  return {
    kept,
    /** Entries dropped, in that order. */
    suppressed,
    /** E, exact. */
    errorBound,
    protectedGrid,
    /** How often the error of a grid after a drop was worked out. */
    evaluations: search.evaluations,
    /** Stages that every user of theirs finished. */
    wholeStages,
  };
}

/** E, given or else the largest error before anything is dropped, and the grid with the smallest one. Of equal errors the first grid counts. */
function boundAndLowestGrid(occupancy: Occupancy, model: ErrorModel, given: Rational | undefined) {
  const all = Kept.all(occupancy);
  const initial = Array.from(all.ofGrid, (kept, grid) => {
    const counts = all.countsOf(grid);
    return { grid, counts, error: model.error(kept, kept, counts.largest) };
  });
  type Initial = (typeof initial)[number];
  const compare = (left: Initial, right: Initial): number =>
    model.compare(left.counts, left.error, right.counts, right.error);
  const highest = initial.reduce((most, each) => (compare(each, most) > 0 ? each : most));
  const lowest = initial.reduce((least, each) => (compare(each, least) < 0 ? each : least));
  const worst = model.exactError(highest.counts)!;
  if (given !== undefined && given.compare(worst) < 0) {
    throw new VeilgridError(
      "ERROR_BOUND_TOO_LOW",
      `error bound ${given.toShortString()} lies below the error ${worst.toDecimalUp(4)} that grid ` +
        `${quoteForMessage(occupancy.grids.get(highest.grid))} has before anything is dropped; raise the bound or ε`,
    );
  }
  return { errorBound: given ?? worst, lowestGrid: lowest.grid };
}

/** Users by their number of grids: element K lists those with exactly K, ascending. */
function groupUsersByGrids(occupancy: Occupancy): Uint32Array[] {
  const sizes = new Uint32Array(occupancy.maxGridsPerUser() + 1);
  for (let user = 0; user < occupancy.users.length; user++) sizes[occupancy.gridsOfUser(user)]! += 1;
  const groups = Array.from(sizes, (size) => new Uint32Array(size));
  // From the last user down: what is left of a group's size is where its next user goes.
  for (let user = occupancy.users.length - 1; user >= 0; user--) {
    const grids = occupancy.gridsOfUser(user);
    itemAt(groups, grids)[--sizes[grids]!] = user;
  }
  return groups;
}

/** Both in one, ascending; they have nobody in common. */
function mergeAscending(left: Uint32Array, right: Uint32Array): Uint32Array {
  if (right.length === 0) return left;
  const merged = new Uint32Array(left.length + right.length);
  let fromLeft = 0;
  let fromRight = 0;
  for (let at = 0; at < merged.length; at++) {
    const next = left[fromLeft] ?? Number.POSITIVE_INFINITY;
    const other = right[fromRight] ?? Number.POSITIVE_INFINITY;
    merged[at] = Math.min(next, other);
    if (next < other) fromLeft += 1;
    else fromRight += 1;
  }
  return merged;
}
