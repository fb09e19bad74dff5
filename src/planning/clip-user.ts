/** CLIP-USER: drop heavy users from grids where it hurts least, as long as no grid's error exceeds a bound (spec: algorithms of the paper). */
import type { Rational } from "../arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import { areClearlyApart, type ErrorModel } from "../influence/index.ts";
import { Kept, type Occupancy } from "../occupancy/index.ts";
import { LargestCounts } from "./largest-counts.ts";
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

/**
 * The result is that of exact arithmetic, with far fewer evaluations than trying every grid a user still occupies.
 *
 * Per grid we keep a floor: no user's leaving can bring the error below it, unless that user alone is the grid's heaviest
 * (only then does the noise shrink) — docs/mathematics.md, Lemma 7. A user scans the floors of its grids, which is cheap,
 * and works out the error only where the floor does not already lose against the best grid found.
 */
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
  const suppressed: number[] = [];
  let stage = new Uint32Array(0);
  let wholeStages = 0;
  let stageStart = 0;
  let halted = false;
  for (let occupied = usersByGrids.length - 1; occupied > 0 && !halted; occupied--) {
    // Everyone of the last stage has one grid fewer now and meets those who had that many from the start.
    stage = mergeAscending(stage, usersByGrids[occupied]!);
    stageStart = suppressed.length;
    for (let turn = 0; turn < stage.length; turn++) {
      if (turn % USERS_PER_YIELD === 0)
        yield { step: `dropping users from ${occupied} to ${occupied - 1} grids`, done: suppressed.length };
      const entry = search.dropBest(stage[turn]!);
      if (entry < 0) {
        halted = true;
        break;
      }
      suppressed.push(entry);
    }
    if (!halted) wholeStages += 1;
  }

  const keptOfEntry = search.kept;
  if (options.wholeStages && halted) {
    for (const entry of suppressed.splice(stageStart)) keptOfEntry[entry] = occupancy.byUser.count[entry]!;
  }
  return {
    kept: new Kept(occupancy, keptOfEntry),
    suppressed: Uint32Array.from(suppressed),
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
      `error bound ${given} lies below the error ${worst.toDecimalUp(4)} that grid ` +
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

function mergeAscending(left: Uint32Array, right: Uint32Array): Uint32Array<ArrayBuffer> {
  const merged = new Uint32Array(left.length + right.length);
  let fromLeft = 0;
  let fromRight = 0;
  for (let at = 0; at < merged.length; at++) {
    const takeLeft = fromRight === right.length || (fromLeft < left.length && left[fromLeft]! < right[fromRight]!);
    merged[at] = takeLeft ? left[fromLeft++]! : right[fromRight++]!;
  }
  return merged;
}

/** The state of all grids while users are dropped, and the search for the grid a user is best dropped from. */
class DropSearch {
  /** Γ by entry. */
  readonly kept: Uint32Array;
  evaluations = 0;
  readonly #occupancy: Occupancy;
  readonly #model: ErrorModel;
  readonly #bound: Rational;
  readonly #boundNumber: number;
  readonly #protectedGrid: number;
  readonly #keptOfGrid: Float64Array;
  readonly #largest: LargestCounts;
  /** Per grid: no drop but that of its sole heaviest user leads below this. */
  readonly #floor: Float64Array;
  /** Each user's slice holds first the entries it still occupies, in any order. */
  readonly #slots: Uint32Array;
  readonly #occupied: Uint32Array;

  constructor(
    occupancy: Occupancy,
    model: ErrorModel,
    options: { errorBound: Rational; protectedGrid: number | undefined },
  ) {
    this.#occupancy = occupancy;
    this.#model = model;
    this.#bound = options.errorBound;
    this.#boundNumber = options.errorBound.toNumberNearest();
    this.#protectedGrid = options.protectedGrid ?? -1;
    this.kept = occupancy.byUser.count.slice();
    this.#keptOfGrid = occupancy.samplesOfGrid.slice();
    this.#largest = new LargestCounts(occupancy, this.kept);
    this.#floor = new Float64Array(occupancy.grids.length);
    for (let grid = 0; grid < this.#floor.length; grid++) this.#raiseFloor(grid);
    this.#slots = new Uint32Array(occupancy.entries);
    for (let entry = 0; entry < this.#slots.length; entry++) this.#slots[entry] = entry;
    this.#occupied = new Uint32Array(occupancy.users.length);
    for (let user = 0; user < this.#occupied.length; user++) this.#occupied[user] = occupancy.gridsOfUser(user);
  }

  /** Drops the user from its best grid and returns the entry, or returns −1 if even that would exceed the bound. */
  dropBest(user: number): number {
    const slots = this.#slots;
    const floor = this.#floor;
    const { grid, start } = this.#occupancy.byUser;
    const from = start[user]!;
    const to = from + this.#occupied[user]!;

    let bestSlot = -1;
    let bestError = Number.POSITIVE_INFINITY;
    if (this.#largest.gridsLedByUser[user]! > 0) {
      // Where this user leads, the floor does not hold: look at those grids first.
      for (let slot = from; slot < to; slot++) {
        const g = grid[slots[slot]!]!;
        if (this.kept[slots[slot]!] !== this.#largest.first[g]) continue;
        const error = this.#errorWithout(slots[slot]!);
        if (this.#isBetter(slot, error, bestSlot, bestError)) {
          bestSlot = slot;
          bestError = error;
        }
      }
    }
    let lowestSlot = from;
    for (let slot = from + 1; slot < to; slot++) {
      if (floor[grid[slots[slot]!]!]! < floor[grid[slots[lowestSlot]!]!]!) lowestSlot = slot;
    }
    const lowestError = this.#errorWithout(slots[lowestSlot]!);
    if (this.#isBetter(lowestSlot, lowestError, bestSlot, bestError)) {
      bestSlot = lowestSlot;
      bestError = lowestError;
    }
    for (let slot = from; slot < to; slot++) {
      if (floor[grid[slots[slot]!]!]! > bestError || slot === lowestSlot) continue;
      const error = this.#errorWithout(slots[slot]!);
      if (this.#isBetter(slot, error, bestSlot, bestError)) {
        bestSlot = slot;
        bestError = error;
      }
    }
    if (bestSlot < 0) return -1;
    const entry = slots[bestSlot]!;
    if (this.#model.exceeds(this.#countsWithout(entry), bestError, this.#bound, this.#boundNumber)) return -1;
    slots[bestSlot] = slots[to - 1]!;
    this.#occupied[user]! -= 1;
    this.#drop(entry);
    return entry;
  }

  #drop(entry: number): void {
    const grid = this.#occupancy.byUser.grid[entry]!;
    const count = this.kept[entry]!;
    this.kept[entry] = 0;
    this.#keptOfGrid[grid]! -= count;
    this.#largest.drop(grid, entry, count);
    this.#raiseFloor(grid);
  }

  #raiseFloor(grid: number): void {
    this.#floor[grid] =
      grid === this.#protectedGrid
        ? Number.POSITIVE_INFINITY
        : this.#model.errorFloorAfterDrop(
            this.#occupancy.samplesOfGrid[grid]!,
            this.#keptOfGrid[grid]!,
            this.#largest.first[grid]!,
          );
  }

  #errorWithout(entry: number): number {
    this.evaluations += 1;
    const grid = this.#occupancy.byUser.grid[entry]!;
    if (grid === this.#protectedGrid) return Number.POSITIVE_INFINITY;
    const count = this.kept[entry]!;
    const first = this.#largest.first[grid]!;
    return this.#model.error(
      this.#occupancy.samplesOfGrid[grid]!,
      this.#keptOfGrid[grid]! - count,
      count === first ? this.#largest.second[grid]! : first,
    );
  }

  #countsWithout(entry: number): { total: number; kept: number; largest: number } {
    const grid = this.#occupancy.byUser.grid[entry]!;
    const count = this.kept[entry]!;
    const first = this.#largest.first[grid]!;
    return {
      total: this.#occupancy.samplesOfGrid[grid]!,
      kept: this.#keptOfGrid[grid]! - count,
      largest: count === first ? this.#largest.second[grid]! : first,
    };
  }

  /** Smaller error first, lower grid on ties; exact. A grid that may not lose anyone is never better. */
  #isBetter(slot: number, error: number, bestSlot: number, bestError: number): boolean {
    if (error === Number.POSITIVE_INFINITY) return false;
    if (bestSlot < 0) return true;
    const entry = this.#slots[slot]!;
    const bestEntry = this.#slots[bestSlot]!;
    if (areClearlyApart(error, bestError)) return error < bestError;
    const order = this.#model.compareExactly(this.#countsWithout(entry), this.#countsWithout(bestEntry));
    return order < 0 || (order === 0 && entry < bestEntry);
  }
}
