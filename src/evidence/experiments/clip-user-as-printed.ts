/** CLIP-USER with the paper's theorem on the variance's bias as it is printed, its two cases swapped. */
import { itemAt } from "../../core/errors/index.ts";
import type { Occupancy } from "../../core/occupancy/index.ts";

interface AsPrintedOptions {
  /** U. */
  readonly width: number;
  readonly epsilon: number;
  readonly protectLowest: boolean;
}

/**
 * K. Everything else is as in `planning`, in doubles and with every grid of a user tried: the swapped cases make the error fall as more is
 * dropped, so none of the shortcuts there would hold.
 */
export function degradationAsPrinted(occupancy: Occupancy, options: AsPrintedOptions): number {
  const grids = Array.from(occupancy.samplesOfGrid, (_, grid) => new PrintedGrid(occupancy, grid, options));
  const initial = grids.map((grid) => grid.errorWithout(undefined));
  const bound = initial.reduce((worst, error) => Math.max(worst, error));
  const closed = options.protectLowest ? initial.indexOf(Math.min(...initial)) : -1;
  const occupied = Array.from({ length: occupancy.users.length }, (_, user) => gridsOf(occupancy, user));
  for (;;) {
    const most = occupied.reduce((largest, { length }) => Math.max(largest, length), 0);
    for (const [user, own] of occupied.entries()) {
      if (own.length < most) continue;
      let best = { grid: -1, error: Number.POSITIVE_INFINITY };
      for (const grid of own) {
        const error = grid === closed ? Number.POSITIVE_INFINITY : itemAt(grids, grid).errorWithout(user);
        if (error < best.error) best = { grid, error };
      }
      if (best.grid < 0 || best.error > bound) return most;
      itemAt(grids, best.grid).drop(user);
      own.splice(own.indexOf(best.grid), 1);
    }
  }
}

function gridsOf({ byUser }: Occupancy, user: number): number[] {
  return [...byUser.grid.subarray(byUser.start[user], byUser.start[user + 1])];
}

class PrintedGrid {
  readonly #options: AsPrintedOptions;
  readonly #total: number;
  #kept: number;
  /** Of users still there, heaviest first. */
  readonly #countOf: Map<number, number>;

  constructor(occupancy: Occupancy, grid: number, options: AsPrintedOptions) {
    const { byGrid, byUser } = occupancy;
    this.#options = options;
    this.#total = itemAt(occupancy.samplesOfGrid, grid);
    this.#kept = this.#total;
    const entries = [...byGrid.entry.subarray(byGrid.start[grid], byGrid.start[grid + 1])];
    const counts = entries.map((entry) => [occupancy.userOfEntry(entry), itemAt(byUser.count, entry)] as const);
    this.#countOf = new Map(counts.sort(([, left], [, right]) => right - left));
  }

  drop(user: number): void {
    this.#kept -= this.#countOf.get(user) ?? 0;
    this.#countOf.delete(user);
  }

  /** E_g if this user, too, were dropped; infinite if nobody would be left. */
  errorWithout(user: number | undefined): number {
    const kept = this.#kept - (user === undefined ? 0 : (this.#countOf.get(user) ?? 0));
    if (kept === 0) return Number.POSITIVE_INFINITY;
    const { width, epsilon } = this.#options;
    const largest = this.#largestWithout(user);
    const movable = Math.min(largest, Math.floor(kept / 2));
    const deltas = (width * largest) / kept + (width * width * movable * (kept - movable)) / (kept * kept);
    const dropped = this.#total - kept;
    return (2 * deltas) / epsilon + (width * dropped) / this.#total + width * width * this.#printedBias(kept, dropped);
  }

  /** In truth the first case is that of more dropped than kept, the second that of fewer. */
  #printedBias(kept: number, dropped: number): number {
    const total = this.#total;
    if (dropped === 0) return 0;
    if (kept > dropped) return total % 2 === 0 ? 1 / 4 : (1 - 1 / (total * total)) / 4;
    return (kept * dropped) / (total * total);
  }

  #largestWithout(user: number | undefined): number {
    for (const [other, count] of this.#countOf) if (other !== user) return count;
    return 0;
  }
}
