/** The cap step: in each grid keep at most c records of every user (the rest of a heavy user is a pseudo-user that is dropped). */
import { maximum, minimum } from "../arithmetic/index.ts";
import { areClearlyApart, type ErrorModel, type GridCounts } from "../influence/index.ts";
import { Kept } from "../occupancy/index.ts";
import type { LongWork } from "./long-work.ts";

export interface CapsResult {
  readonly kept: Kept;
  /** The best cap of each grid, which may bind nobody. */
  readonly caps: Uint32Array;
}

const GRIDS_PER_YIELD = 256;

/** In every grid the cap with the smallest error, the largest such cap; exact over all integers between the smallest and largest contribution. */
export function* chooseCaps(kept: Kept, model: ErrorModel): LongWork<CapsResult> {
  const { occupancy } = kept;
  const { byGrid } = occupancy;
  const caps = new Uint32Array(occupancy.grids.length);
  const cappedEntries = kept.ofEntry.slice();
  for (let grid = 0; grid < caps.length; grid++) {
    if (grid % GRIDS_PER_YIELD === 0) yield { step: "choosing caps", done: grid, of: caps.length };
    const entries = byGrid.entry.subarray(byGrid.start[grid], byGrid.start[grid + 1]);
    const cap = bestCap(
      entries.map((entry) => kept.ofEntry[entry]!),
      occupancy.samplesOfGrid[grid]!,
      model,
    );
    caps[grid] = cap;
    for (const entry of entries) if (cappedEntries[entry]! > cap) cappedEntries[entry] = cap;
  }
  return { kept: new Kept(occupancy, cappedEntries), caps };
}

/** A stretch of caps lower, lower + step, … upper on which k(c) = smallerSum + heavier·c and every part of the error is concave. */
interface Stretch {
  readonly lower: number;
  readonly upper: number;
  readonly step: 1 | 2;
  readonly smallerSum: number;
  readonly heavier: number;
}

/** The best cap for kept contributions `counts` (zeros are dropped users) of a grid with `total` records. */
export function bestCap(counts: Uint32Array, total: number, model: ErrorModel): number {
  const search = new CapSearch(total, model);
  for (const stretch of stretchesDescending(counts)) search.visit(stretch);
  return search.cap;
}

/**
 * Between two neighbouring contributions k grows linearly, and bias and noise are concave in c (docs/mathematics.md, Theorem 7),
 * except where one user owns more than half: there the variance's sensitivity alternates with the parity of k, so caps of
 * either parity form a stretch of their own.
 */
function* stretchesDescending(counts: Uint32Array): IterableIterator<Stretch> {
  const sorted = counts.filter((count) => count > 0).sort();
  let upperRank = sorted.length - 1;
  let smallerSum = sorted.reduce((sum, count) => sum + count, 0);
  while (upperRank >= 0) {
    const upper = sorted[upperRank]!;
    while (upperRank >= 0 && sorted[upperRank] === upper) {
      smallerSum -= upper;
      upperRank -= 1;
    }
    const heavier = sorted.length - 1 - upperRank;
    const lower = upperRank >= 0 ? sorted[upperRank]! : upper;
    const smooth = heavier > 1 ? upper : Math.min(upper, smallerSum);
    for (const last of upper > smooth ? [upper, upper - 1] : []) {
      const above = Math.max(lower, smooth + 1);
      const first = above + ((last - above) & 1);
      if (first <= last) yield { lower: first, upper: last, step: 2, smallerSum, heavier };
    }
    if (lower <= smooth) yield { lower, upper: smooth, step: 1, smallerSum, heavier };
  }
}

class CapSearch {
  cap = 0;
  #error = Number.POSITIVE_INFINITY;
  #counts: GridCounts | undefined;
  readonly #total: number;
  readonly #model: ErrorModel;

  constructor(total: number, model: ErrorModel) {
    this.#total = total;
    this.#model = model;
  }

  /** A concave function is smallest at an end of its stretch; the largest of several concave ones may dip in between, so halve. */
  visit(stretch: Stretch): void {
    const upper = this.#try(stretch, stretch.upper);
    if (stretch.lower === stretch.upper) return;
    const lower = this.#try(stretch, stretch.lower);
    this.#descend(stretch, lower, upper);
  }

  #descend(stretch: Stretch, lower: GridCounts, upper: GridCounts): void {
    const between = (stretch.upper - stretch.lower) / stretch.step;
    if (this.#model.objective.metric === "sum" || between < 2 || !this.#mayDip(stretch, lower, upper)) return;
    const middleCap = stretch.lower + stretch.step * Math.floor(between / 2);
    const middle = this.#try(stretch, middleCap);
    this.#descend({ ...stretch, lower: middleCap }, middle, upper);
    this.#descend({ ...stretch, upper: middleCap }, lower, middle);
  }

  /** Whether a cap strictly inside could beat the best: each part is at least the smaller of its ends there. */
  #mayDip(stretch: Stretch, lower: GridCounts, upper: GridCounts): boolean {
    const atLower = this.#model.parts(lower);
    const atUpper = this.#model.parts(upper);
    const floor = Math.max(...atLower.map((part, index) => Math.min(part, atUpper[index]!)));
    if (areClearlyApart(floor, this.#error)) return floor < this.#error;
    const exactAtUpper = this.#model.exactParts(upper);
    const [first, ...rest] = this.#model.exactParts(lower).map((part, index) => minimum(part, exactAtUpper[index]!));
    const order = maximum(first!, ...rest).compare(this.#model.exactError(this.#counts!)!);
    return order < 0 || (order === 0 && stretch.upper - stretch.step > this.cap);
  }

  #try(stretch: Stretch, cap: number): GridCounts {
    const kept = stretch.smallerSum + stretch.heavier * cap;
    const counts = { total: this.#total, kept, largest: cap };
    const error = this.#model.error(counts.total, counts.kept, counts.largest);
    const order = this.#counts === undefined ? -1 : this.#model.compare(counts, error, this.#counts, this.#error);
    if (order < 0 || (order === 0 && cap > this.cap)) {
      this.cap = cap;
      this.#error = error;
      this.#counts = counts;
    }
    return counts;
  }
}
