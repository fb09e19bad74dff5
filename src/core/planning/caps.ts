/** The cap step: in each grid keep at most c records of every user (the rest of a heavy user is a pseudo-user that is dropped). */
import { maximum, minimum } from "../arithmetic/index.ts";
import { areClearlyApart, type ErrorModel, type GridCounts } from "../influence/index.ts";
import { Kept, KeptCells } from "../occupancy/index.ts";

const GRIDS_PER_YIELD = 256;

/** In every grid the cap with the smallest error, the largest such cap; exact over all integers between the smallest and largest contribution. */
export function* chooseCaps(kept: Kept, model: ErrorModel) {
  const { occupancy } = kept;
  const { start, count, users } = new KeptCells(kept);
  const caps = new Uint32Array(occupancy.grids.length);
  for (let grid = 0; grid < caps.length; grid++) {
    if (grid % GRIDS_PER_YIELD === 0) yield { step: "choosing caps", done: grid, of: caps.length };
    const contributions = { count, users, from: start[grid]!, to: start[grid + 1]! };
    caps[grid] = bestCapAmong(contributions, occupancy.samplesOfGrid[grid]!, model);
  }
  const gridOf = occupancy.byUser.grid;
  const capped = new Uint32Array(occupancy.entries);
  for (let entry = 0; entry < capped.length; entry++)
    capped[entry] = Math.min(kept.ofEntry[entry]!, caps[gridOf[entry]!]!);
  /** `caps`: the best cap of each grid, which may bind nobody. */
  return { kept: new Kept(occupancy, capped), caps };
}

/** The best cap for kept contributions `counts` (zeros are dropped users) of a grid with `total` records. */
export function bestCap(counts: Uint32Array, total: number, model: ErrorModel): number {
  const count = counts.slice().sort();
  return bestCapAmong({ count, users: count.map(() => 1), from: 0, to: count.length }, total, model);
}

/**
 * The largest cap with the least error, exactly, from the smallest contribution to the largest: those from … to of the columns, ascending,
 * with how many users have each (docs/mathematics.md, Theorem 7).
 *
 * Between two neighbouring contributions k grows linearly, and bias and noise are concave in c, except where one user owns more than half: there the variance's sensitivity alternates with the parity of k, so caps of
 * either parity form a stretch of their own.
 */
function bestCapAmong(
  { count, users, from, to }: { count: Uint32Array; users: Uint32Array; from: number; to: number },
  total: number,
  model: ErrorModel,
): number {
  const search = new CapSearch(total, model);
  let smallerSum = 0;
  for (let at = from; at < to; at++) smallerSum += count[at]! * users[at]!;
  let heavier = 0;
  for (let at = to - 1; at >= from && (heavier === 0 || smallerSum > 0); at--) {
    const upper = count[at]!;
    heavier += users[at]!;
    smallerSum -= upper * users[at]!;
    // Nobody is in the cells above the largest contribution.
    if (heavier === 0) continue;
    const lower = smallerSum > 0 ? count[at - 1]! : upper;
    const smooth = heavier > 1 ? upper : Math.min(upper, smallerSum);
    const above = Math.max(lower, smooth + 1);
    for (let last = upper; last >= upper - 1; last--) {
      const first = above + ((last - above) & 1);
      if (first <= last) search.visit({ lower: first, upper: last, step: 2, smallerSum, heavier });
    }
    if (lower <= smooth) search.visit({ lower, upper: smooth, step: 1, smallerSum, heavier });
  }
  return search.cap;
}

/** A stretch of caps lower, lower + step, … upper on which k(c) = smallerSum + heavier·c and every part of the error is concave. */
interface Stretch {
  readonly lower: number;
  readonly upper: number;
  readonly step: 1 | 2;
  readonly smallerSum: number;
  readonly heavier: number;
}

class CapSearch {
  cap = 0;
  #error = Number.POSITIVE_INFINITY;
  #counts: GridCounts | undefined;
  #tried = 0;
  readonly #total: number;
  readonly #model: ErrorModel;

  constructor(total: number, model: ErrorModel) {
    this.#total = total;
    this.#model = model;
  }

  /** A concave function is smallest at an end of its stretch; the largest of several concave ones may dip in between, so halve. */
  visit(stretch: Stretch): void {
    this.#try(stretch, stretch.upper);
    this.#try(stretch, stretch.lower);
    if (this.#model.objective.metric !== "sum")
      this.#descend(stretch, this.#countsAt(stretch, stretch.lower), this.#countsAt(stretch, stretch.upper));
  }

  #descend(stretch: Stretch, lower: GridCounts, upper: GridCounts): void {
    const between = (stretch.upper - stretch.lower) / stretch.step;
    if (between < 2 || !this.#mayDip(stretch, lower, upper)) return;
    const middleCap = stretch.lower + stretch.step * Math.floor(between / 2);
    const middle = this.#countsAt(stretch, middleCap);
    this.#try(stretch, middleCap);
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

  #try(stretch: Stretch, cap: number): void {
    // A stretch ends where the next one begins.
    if (cap === this.#tried) return;
    this.#tried = cap;
    const error = this.#model.error(this.#total, stretch.smallerSum + stretch.heavier * cap, cap);
    if (error > this.#error && areClearlyApart(error, this.#error)) return;
    const counts = this.#countsAt(stretch, cap);
    const order = this.#counts === undefined ? -1 : this.#model.compare(counts, error, this.#counts, this.#error);
    if (order < 0 || (order === 0 && cap > this.cap)) {
      this.cap = cap;
      this.#error = error;
      this.#counts = counts;
    }
  }

  #countsAt(stretch: Stretch, cap: number): GridCounts {
    return { total: this.#total, kept: stretch.smallerSum + stretch.heavier * cap, largest: cap };
  }
}
