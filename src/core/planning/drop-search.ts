/** The state of all grids while CLIP-USER drops users, and the search for the grid a user is best dropped from. */
import type { Rational } from "../arithmetic/index.ts";
import { areClearlyApart, type ErrorModel, type GridCounts } from "../influence/index.ts";
import type { Occupancy } from "../occupancy/index.ts";
import { DropLog } from "./drop-log.ts";
import { LargestCounts } from "./largest-counts.ts";
import { UserSlots } from "./user-slots.ts";

/** Leaving this grid, where the user has so many records, leads to this error. */
interface Candidate {
  readonly grid: number;
  readonly count: number;
  readonly error: number;
}

const NONE: Candidate = { grid: -1, count: 0, error: Number.POSITIVE_INFINITY };

/**
 * For a user the grid whose error is least after dropping it there, as exact arithmetic over all its grids finds it (docs/mathematics.md, Lemma 6).
 *
 * Per grid we keep a line below the error after a drop, as a function of the dropped user's count; it holds unless that user
 * alone is the grid's heaviest, because only then does the noise shrink. A user reads the lines
 * of its grids, which is cheap, and works out the error only where the line does not already lose against the best grid found.
 */
export class DropSearch {
  readonly drops: DropLog;
  /** How often the error after a drop was worked out. */
  evaluations = 0;
  readonly #occupancy: Occupancy;
  readonly #model: ErrorModel;
  readonly #bound: Rational;
  readonly #boundNumber: number;
  readonly #protectedGrid: number;
  readonly #keptOfGrid: Float64Array;
  readonly #largest: LargestCounts;
  /** Two numbers per grid, value at 0 and slope: dropping a user with m records leads to at least value + m·slope. */
  readonly #lines: Float64Array;
  readonly #slots: UserSlots;

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
    this.drops = new DropLog(occupancy);
    this.#keptOfGrid = occupancy.samplesOfGrid.slice();
    this.#largest = new LargestCounts(occupancy, this.drops);
    this.#lines = new Float64Array(2 * occupancy.grids.length);
    this.#slots = new UserSlots(
      occupancy,
      this.#largest.first.reduce((most, count) => Math.max(most, count), 0),
    );
    for (let grid = 0; grid < occupancy.grids.length; grid++) this.#updateLine(grid);
  }

  /** Makes room for users whose turn has come and returns each one's first slot, by which it is called from now on. */
  admit(users: Uint32Array): Uint32Array<ArrayBuffer> {
    return this.#slots.admit(users);
  }

  /** Drops a user that occupies so many grids from the best of them; false if even that would exceed the bound. */
  dropBest(user: number, first: number, occupied: number): boolean {
    const slots = this.#slots;
    const end = first + occupied;
    // The slot whose line lies lowest is evaluated first; mostly the next line already lies above its error, and we are done.
    const next = slots.findLowest(first, end, this.#lines);
    const lowest = slots.lowestSlot;
    let best = lowest < 0 ? NONE : this.#candidate(slots.gridOf(lowest), slots.countOf(lowest));
    if (next <= best.error) {
      for (let slot = first; slot < end; slot++) {
        if (slot !== lowest && slots.lineAt(slot, this.#lines) <= best.error) {
          best = this.#better(best, slots.gridOf(slot), slots.countOf(slot));
        }
      }
    }
    // Where this user alone is the heaviest the line does not hold.
    for (let grid = this.#largest.firstLedBy(user); grid >= 0; grid = this.#largest.nextLedAfter(grid)) {
      best = this.#better(best, grid, this.#largest.first[grid]!);
    }
    if (best.error === Number.POSITIVE_INFINITY || this.#exceedsBound(best)) return false;
    const isLowest = lowest >= 0 && slots.gridOf(lowest) === best.grid;
    slots.remove(isLowest ? lowest : slots.slotOf(best.grid, first), end - 1);
    this.#drop(user, best);
    return true;
  }

  #exceedsBound(candidate: Candidate): boolean {
    if (areClearlyApart(candidate.error, this.#boundNumber)) return candidate.error > this.#boundNumber;
    return this.#model.exactError(this.#countsWithout(candidate))!.compare(this.#bound) > 0;
  }

  #drop(user: number, { grid, count }: Candidate): void {
    this.drops.add(user, grid);
    this.#keptOfGrid[grid]! -= count;
    this.#largest.drop(grid, user, count);
    this.#updateLine(grid);
  }

  #updateLine(grid: number): void {
    // A protected grid is closed to everyone, as is one that is down to its last user.
    const kept = grid === this.#protectedGrid ? 0 : this.#keptOfGrid[grid]!;
    this.#model.lineBelowDrop(
      this.#occupancy.samplesOfGrid[grid]!,
      kept,
      this.#largest.first[grid]!,
      this.#lines,
      2 * grid,
    );
  }

  /** Works out the error of a grid without a user that has `count` records there. */
  #candidate(grid: number, count: number): Candidate {
    this.evaluations += 1;
    const error =
      grid === this.#protectedGrid
        ? Number.POSITIVE_INFINITY
        : this.#model.error(
            this.#occupancy.samplesOfGrid[grid]!,
            this.#keptOfGrid[grid]! - count,
            this.#largestWithout(grid, count),
          );
    return { grid, count, error };
  }

  #countsWithout({ grid, count }: Candidate): GridCounts {
    return {
      total: this.#occupancy.samplesOfGrid[grid]!,
      kept: this.#keptOfGrid[grid]! - count,
      largest: this.#largestWithout(grid, count),
    };
  }

  #largestWithout(grid: number, count: number): number {
    const first = this.#largest.first[grid]!;
    return count === first ? this.#largest.second[grid]! : first;
  }

  /** Smaller error first, lower grid on ties; exact. A grid that may not lose the user is never better. */
  #better(best: Candidate, grid: number, count: number): Candidate {
    const other = this.#candidate(grid, count);
    if (other.error === Number.POSITIVE_INFINITY) return best;
    if (areClearlyApart(other.error, best.error)) return other.error < best.error ? other : best;
    const order = this.#model.compareExactly(this.#countsWithout(other), this.#countsWithout(best));
    return order < 0 || (order === 0 && other.grid < best.grid) ? other : best;
  }
}
