/** CLIP-USER: drop heavy users from grids where it hurts least, as long as no grid's error exceeds a bound (spec: algorithms of the paper). */
import type { Rational } from "../arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import type { ErrorModel } from "../influence/index.ts";
import { Kept, type Occupancy } from "../occupancy/index.ts";
import { DropSearch } from "./drop-search.ts";
import type { LongWork } from "./long-work.ts";

export interface ClipUserOptions {
  /** E; without it, the worst error before anything is dropped. */
  readonly errorBound?: Rational | undefined;
  /** Never drop anyone from the grid with the smallest initial error. */
  readonly protectLowest?: boolean | undefined;
  /** Undo the drops of the unfinished last stage, which cannot lower K. */
  readonly wholeStages?: boolean | undefined;
}

export interface ClipUserResult {
  readonly kept: Kept;
  /** Entries dropped, in that order. */
  readonly suppressed: Uint32Array;
  /** E, exact. */
  readonly errorBound: Rational;
  readonly protectedGrid: number | undefined;
  /** How often the error of a grid after a drop was worked out. */
  readonly evaluations: number;
  /** Stages that every user of theirs finished. */
  readonly wholeStages: number;
}

const USERS_PER_YIELD = 4096;

/** The result is that of exact arithmetic; `DropSearch` finds each drop with far fewer evaluations than trying every grid. */
export function* clipUser(
  occupancy: Occupancy,
  model: ErrorModel,
  options: ClipUserOptions = {},
): LongWork<ClipUserResult> {
  const initial = initialErrors(occupancy, model);
  const errorBound = chooseBound(occupancy, model, initial, options.errorBound);
  const protectedGrid = options.protectLowest ? initial.lowestGrid : undefined;
  const search = new DropSearch(occupancy, model, { errorBound, protectedGrid });

  const usersByGrids = groupUsersByGrids(occupancy);
  let stage: Stage = { users: new Uint32Array(0), firstSlots: new Uint32Array(0) };
  let wholeStages = 0;
  let stageStart = 0;
  let halted = false;
  for (let occupied = usersByGrids.length - 1; occupied > 0 && !halted; occupied--) {
    // Everyone of the last stage has one grid fewer now and meets those who had that many from the start.
    const newcomers = usersByGrids[occupied]!;
    stage = mergeStages(stage, { users: newcomers, firstSlots: search.admit(newcomers) });
    stageStart = search.drops.length;
    for (let turn = 0; turn < stage.users.length && !halted; turn++) {
      if (turn % USERS_PER_YIELD === 0)
        yield { step: `dropping users from ${occupied} to ${occupied - 1} grids`, done: search.drops.length };
      halted = !search.dropBest(stage.users[turn]!, stage.firstSlots[turn]!, occupied);
    }
    if (!halted) wholeStages += 1;
  }

  const suppressed = search.drops.entries(options.wholeStages && halted ? stageStart : search.drops.length);
  const keptOfEntry = occupancy.byUser.count.slice();
  for (const entry of suppressed) keptOfEntry[entry] = 0;
  return {
    kept: new Kept(occupancy, keptOfEntry),
    suppressed,
    errorBound,
    protectedGrid,
    evaluations: search.evaluations,
    wholeStages,
  };
}

interface InitialErrors {
  readonly all: Kept;
  readonly errors: Float64Array;
  readonly highestGrid: number;
  readonly lowestGrid: number;
}

function initialErrors(occupancy: Occupancy, model: ErrorModel): InitialErrors {
  const all = Kept.all(occupancy);
  const errors = all.ofGrid.map((kept, grid) => model.error(kept, kept, all.largestOfGrid[grid]!));
  const compare = (left: number, right: number): number => {
    return model.compare(all.countsOf(left), errors[left]!, all.countsOf(right), errors[right]!);
  };
  let highestGrid = 0;
  let lowestGrid = 0;
  for (let grid = 1; grid < errors.length; grid++) {
    if (compare(grid, highestGrid) > 0) highestGrid = grid;
    if (compare(grid, lowestGrid) < 0) lowestGrid = grid;
  }
  return { all, errors, highestGrid, lowestGrid };
}

function chooseBound(
  occupancy: Occupancy,
  model: ErrorModel,
  initial: InitialErrors,
  given: Rational | undefined,
): Rational {
  const worst = model.exactError(initial.all.countsOf(initial.highestGrid))!;
  if (given === undefined) return worst;
  if (given.compare(worst) < 0) {
    throw new VeilgridError(
      "ERROR_BOUND_TOO_LOW",
      `error bound ${given.toShortString()} lies below the error ${worst.toDecimalUp(4)} that grid ` +
        `${quoteForMessage(occupancy.grids.get(initial.highestGrid))} has before anything is dropped; raise the bound or ε`,
    );
  }
  return given;
}

/** Users by their number of grids: element K lists those with exactly K, ascending. */
function groupUsersByGrids(occupancy: Occupancy): Uint32Array[] {
  const users = occupancy.users.length;
  const most = occupancy.maxGridsPerUser();
  const sizes = new Uint32Array(most + 1);
  for (let user = 0; user < users; user++) sizes[occupancy.gridsOfUser(user)]! += 1;
  const groups = Array.from(sizes, (size) => new Uint32Array(size));
  sizes.fill(0);
  for (let user = 0; user < users; user++) {
    const grids = occupancy.gridsOfUser(user);
    groups[grids]![sizes[grids]!++] = user;
  }
  return groups;
}

/** The users of a stage in ascending order, with where their slots begin. */
interface Stage {
  readonly users: Uint32Array;
  readonly firstSlots: Uint32Array;
}

function mergeStages(left: Stage, right: Stage): Stage {
  if (right.users.length === 0) return left;
  const length = left.users.length + right.users.length;
  const merged = { users: new Uint32Array(length), firstSlots: new Uint32Array(length) };
  let fromLeft = 0;
  let fromRight = 0;
  for (let at = 0; at < length; at++) {
    const takeLeft =
      fromRight === right.users.length ||
      (fromLeft < left.users.length && left.users[fromLeft]! < right.users[fromRight]!);
    const from = takeLeft ? left : right;
    const index = takeLeft ? fromLeft++ : fromRight++;
    merged.users[at] = from.users[index]!;
    merged.firstSlots[at] = from.firstSlots[index]!;
  }
  return merged;
}
