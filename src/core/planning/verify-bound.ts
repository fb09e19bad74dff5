/** Works the lower bound of a plan out again from its weights alone, in whole numbers rounded against it; shares nothing with the search. */
import { divideCeil, divideFloor, Rational } from "../arithmetic/index.ts";
import { itemAt } from "../errors/index.ts";
import { countShape, type Objective, type Statistic, spreadShape } from "../influence/index.ts";
import type { Occupancy } from "../occupancy/index.ts";
import { largestOf, lastWhere } from "./numbers.ts";
import type { Plan } from "./plan.ts";

/** Fractions are kept as whole multiples of 2⁻⁶⁴, slopes of chords of 2⁻³². */
const BITS = 64n;
const CHORD_BITS = 32n;
/** How much of a grid's bound may be given away, in parts of 10,000. */
const GIVE_AWAY = 1n;
/** Lattice losses are at least the formula's less this share. */
const LATTICE_SHARE = Rational.ONE.subtract(Rational.powerOfTwo(-39));

/** Whether the plan's weights prove the bound that it claims of loss or error (docs/mathematics.md, Theorem 10). */
export function verifyBound(occupancy: Occupancy, plan: Plan): boolean {
  const { bound, strategy, objective } = plan;
  if (bound === null || bound.of === "degradation") return false;
  if (bound.lowerBound.sign() <= 0) return bound.lowerBound.isZero();
  const weights = new Array<number>(occupancy.users.length).fill(0);
  for (const [index, weight] of bound.weights) {
    const id = plan.users[index];
    const user = id === undefined ? -1 : occupancy.users.indexOf(id);
    if (user < 0 || !Number.isSafeInteger(weight) || weight < 0 || weight > 2 ** 30) return false;
    weights[user]! += weight;
  }
  const loss = bound.of === "loss" ? bound.lowerBound : strategy.lossTarget;
  if (loss === null) return false;
  const error = bound.of === "error" ? bound.lowerBound : strategy.errorBound;
  return noPlanLosesLess(occupancy, objective, {
    loss: loss.divide(LATTICE_SHARE),
    weights,
    error,
    errors: error === null ? strategy.errorTargets : null,
    without: new Set(strategy.setAside),
  });
}

export interface BoundClaim {
  /** That every plan loses at least this much … */
  readonly loss: Rational;
  /** … if no grid's error exceeds this, in the metric, … */
  readonly error: Rational | null;
  /** … or no statistic's exceeds its own … */
  readonly errors: readonly Rational[] | null;
  /** … in all but these grids. */
  readonly without: ReadonlySet<number>;
  /** Whole numbers by user. */
  readonly weights: readonly number[];
}

export function noPlanLosesLess(occupancy: Occupancy, objective: Objective, claim: BoundClaim): boolean {
  const total = claim.weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (total === 0n) return false;
  const needed = fixedUp(claim.loss) * total;
  let proven = 0n;
  for (const grid of occupancy.samplesOfGrid.keys()) {
    if (claim.without.has(grid)) continue;
    proven += new GridProof(occupancy, objective, claim, grid).lowest(needed);
    if (proven >= needed) return true;
  }
  return false;
}

/** A statistic as the proof of a grid sees it. */
interface Term {
  readonly statistic: Statistic;
  readonly isSpread: boolean;
  /** Its influence is divided by the kept records. */
  readonly isPerKept: boolean;
  readonly weight: Rational;
  /** Of its influence, in parts of the most that its error may be: so the unit of the values does not matter. */
  readonly factor: Rational;
  /** Of its bias, in the same parts, and weighted where all statistics share one room. */
  readonly biasFactor: Rational;
}

/** One grid: for every number of kept records, what the cheapest of them must cost their owners together. */
class GridProof {
  readonly #objective: Objective;
  readonly #total: number;
  readonly #loss: bigint;
  /** All statistics share one room. */
  readonly #pooled: boolean;
  /** What errors may be at most, in parts of itself: of all statistics together, or of each. */
  readonly #limits: readonly Rational[];
  readonly #terms: readonly Term[];
  readonly #paying: ReadonlyArray<{ readonly records: number; readonly weight: number }>;
  readonly #free: readonly number[];
  readonly #mostOwned: number;
  #attained = 0n;

  constructor(occupancy: Occupancy, objective: Objective, claim: BoundClaim, grid: number) {
    const { statistics, weights, metric } = objective;
    const { error } = claim;
    const total = itemAt(occupancy.samplesOfGrid, grid);
    this.#objective = objective;
    this.#total = total;
    this.#loss = fixedUp(claim.loss);
    this.#pooled = error !== null && metric === "sum";
    const limits =
      error && (this.#pooled ? [error] : statistics.map((each) => error.multiply(each.dataFreeError(total))));
    const errors = limits ?? claim.errors ?? [];
    const units = errors.map((limit) => (limit.sign() > 0 ? limit : Rational.ONE));
    this.#limits = errors.map((limit, index) => limit.divide(itemAt(units, index)));
    this.#terms = statistics.map((statistic, index) => {
      const isSpread = statistic.shape === spreadShape;
      const isPerKept = statistic.shape !== countShape && !statistic.scaledByKeptShare;
      const weight = itemAt(weights, index);
      const unit = itemAt(units, this.#pooled ? 0 : index);
      const factor = statistic.sensitivityFactor.divide(unit);
      const bias = this.#pooled ? statistic.biasFactor.multiply(weight) : statistic.biasFactor;
      return { statistic, isSpread, isPerKept, weight, factor, biasFactor: bias.divide(unit) };
    });
    const { byGrid, byUser } = occupancy;
    const users = byGrid.user.subarray(byGrid.start[grid], byGrid.start[grid + 1]);
    const entries = byGrid.entry.subarray(byGrid.start[grid], byGrid.start[grid + 1]);
    const owners = Array.from(users, (user, at) => {
      return { records: itemAt(byUser.count, itemAt(entries, at)), weight: itemAt(claim.weights, user) };
    });
    this.#mostOwned = largestOf(owners.map(({ records }) => records));
    this.#paying = owners.filter(({ weight }) => weight > 0);
    this.#free = owners.filter(({ weight }) => weight === 0).map(({ records }) => records);
  }

  /** At most `enough`, beyond which nobody asks. */
  lowest(enough: bigint): bigint {
    if (this.#objective.estimator === "centred" && this.#rooms(0).every((room) => room.sign() >= 0)) return 0n;
    this.#attained = enough;
    for (let part = 1; part <= 16; part++) this.#look(Math.max(1, Math.ceil((this.#total * part) / 16)));
    return this.#within(1, this.#total);
  }

  #look(kept: number): void {
    const value = this.#atLeast(kept, kept);
    if (value !== undefined && value < this.#attained) this.#attained = value;
  }

  #within(from: number, to: number): bigint {
    const value = this.#atLeast(from, to);
    if (value === undefined) return this.#attained;
    if (from === to || value * 10_000n >= this.#attained * (10_000n - GIVE_AWAY)) return value;
    const middle = from + Math.floor((to - from) / 2);
    this.#look(middle);
    const lower = this.#within(from, middle);
    const upper = this.#within(middle + 1, to);
    return lower < upper ? lower : upper;
  }

  /**
   * Below the weighted loss for any number of kept records in the range; undefined if none of them can be. Costs grow from `from` on at
   * least as fast as there, room (times the records that an influence is spread over) is convex: the ends decide.
   */
  #atLeast(from: number, to: number): bigint | undefined {
    const roomsAfter = this.#rooms(to);
    if (roomsAfter.some((room) => room.sign() < 0)) return undefined;
    const roomsBefore = this.#rooms(from);
    const cap = this.#mostKeptOfOne(from, to, roomsAfter.map(aboveFixed));
    const freeRecords = this.#free.reduce((sum, records) => sum + Math.min(records, cap), 0);
    const weights = this.#paying.map(({ weight }) => BigInt(weight) << CHORD_BITS);
    const plain = this.#cheapest(from, freeRecords, cap, weights);
    if (plain === undefined) return undefined;
    const hasSpread = this.#terms.some(({ isSpread }) => isSpread);
    const curved = (hasSpread && this.#cheapest(from, freeRecords, cap, this.#chords(cap, from))) || plain;
    const perKept = this.#terms.every(({ isPerKept }) => isPerKept);
    const lossesAt = (kept: number, rooms: readonly Rational[]): bigint[] => {
      return this.#losses(rooms.map(aboveFixed), ({ statistic, isSpread, isPerKept, factor }) => {
        const { sum, last } = isSpread ? curved : plain;
        const held = isPerKept && !perKept;
        const cost = held ? sum : sum + last * BigInt(kept - from);
        const perAll = statistic.shape === countShape ? 1 : this.#total;
        return fixedDown(factor, cost, isPerKept ? (held ? from : kept) : perAll) >> CHORD_BITS;
      });
    };
    // A statistic without room at `from` has some further on, where the others may still lose little: each has its own ends.
    const before = lossesAt(from, roomsBefore);
    return lossesAt(to, roomsAfter).reduce((sum, loss, index) => {
      const lossBefore = itemAt(before, index);
      return sum + (itemAt(roomsBefore, index).sign() >= 0 && lossBefore < loss ? lossBefore : loss);
    }, 0n);
  }

  /** What a record of each owner costs at least, by the chord below the concave influence. */
  #chords(cap: number, kept: number): bigint[] {
    return this.#paying.map(({ records, weight }) => BigInt(weight) * chordDown(Math.min(records, cap), kept));
  }

  /** From the influences of all statistics, each rounded down, to the least losses with the noise that the rooms allow: one per room. */
  #losses(rooms: readonly bigint[], influenceOf: (term: Term) => bigint): bigint[] {
    const noisy = this.#terms.map((term) => influenceOf(term) * BigInt(term.statistic.coordinates));
    if (!this.#pooled) return rooms.map((room, index) => (itemAt(noisy, index) << BITS) / room);
    const roots = this.#terms.reduce((sum, { weight }, index) => {
      return sum + rootDown(timesDown(itemAt(noisy, index), weight) << BITS);
    }, 0n);
    return rooms.map((room) => (roots * roots) / room);
  }

  /** The most records of one user whose loss, in this grid alone, can be at most the claimed one. */
  #mostKeptOfOne(from: number, to: number, rooms: readonly bigint[]): number {
    return lastWhere(0, this.#mostOwned, (owned) => {
      const losses = this.#losses(rooms, (term) => this.#influenceDown(term, owned, { from, to }));
      return losses.reduce((sum, loss) => sum + loss, 0n) <= this.#loss;
    });
  }

  #influenceDown(term: Term, owned: number, { from, to }: { from: number; to: number }): bigint {
    const { statistic, isSpread, factor } = term;
    if (statistic.shape === countShape) return fixedDown(factor, BigInt(owned), 1);
    if (!isSpread) return fixedDown(factor, BigInt(owned), statistic.scaledByKeptShare ? this.#total : to);
    if (statistic.scaledByKeptShare) {
      const [top, kept] = spreadParts(owned, from);
      return fixedDown(factor, top, BigInt(this.#total) * kept);
    }
    const [top, kept] = spreadParts(owned, to);
    const spread = fixedDown(factor, top, kept * kept);
    const least = BigInt(from) * BigInt(from);
    const saturated = fixedDown(factor, least - 1n, 4n * least);
    return spread < saturated ? spread : saturated;
  }

  /** Σ cost·records of the cheapest `kept` records, at most `cap` of each owner, and what the last one costs; undefined if there are not so many. */
  #cheapest(kept: number, free: number, cap: number, costs: readonly bigint[]) {
    const offers = this.#paying.map(({ records }, at) => ({ records, cost: itemAt(costs, at) }));
    let left = kept - free;
    let sum = 0n;
    let last = 0n;
    for (const { records, cost } of offers.sort((one, other) => (one.cost < other.cost ? -1 : 1))) {
      if (left <= 0) break;
      const taken = Math.min(records, cap, left);
      last = cost;
      sum += last * BigInt(taken);
      left -= taken;
    }
    return left > 0 ? undefined : { sum, last };
  }

  /** What the biases leave, exactly, in parts of the limits. */
  #rooms(kept: number): Rational[] {
    const total = BigInt(this.#total);
    const dropped = this.#total - kept;
    const rooms = [...this.#limits];
    for (const [index, { statistic, isSpread, biasFactor }] of this.#terms.entries()) {
      const shape = isSpread
        ? Rational.of(spreadParts(dropped, this.#total)[0], total * total)
        : Rational.of(BigInt(dropped), statistic.shape === countShape ? 1n : total);
      const at = this.#pooled ? 0 : index;
      rooms[at] = itemAt(rooms, at).subtract(biasFactor.multiply(shape));
    }
    return rooms;
  }
}

/** i(k − i) with i = min(owned, ⌊k/2⌋), and k. */
function spreadParts(owned: number, kept: number): [bigint, bigint] {
  const movable = BigInt(Math.min(owned, Math.floor(kept / 2)));
  return [movable * (BigInt(kept) - movable), BigInt(kept)];
}

/** i(k − i)/(k·owned) in parts of 2⁻³², rounded down: what a record of at least one adds at least to k·influence. */
function chordDown(owned: number, kept: number): bigint {
  const [top, all] = spreadParts(owned, kept);
  return (top << CHORD_BITS) / (all * BigInt(owned));
}

/** In parts of 2⁻⁶⁴, above it and above 0. */
function aboveFixed(room: Rational): bigint {
  return room.sign() < 0 ? 1n : fixedUp(room) + 1n;
}

function fixedUp(value: Rational): bigint {
  return divideCeil(value.numerator << BITS, value.denominator);
}

/** factor·top/bottom, rounded down. */
function fixedDown(factor: Rational, top: bigint, bottom: bigint | number): bigint {
  return divideFloor((factor.numerator * top) << BITS, factor.denominator * BigInt(bottom));
}

function timesDown(value: bigint, factor: Rational): bigint {
  return divideFloor(value * factor.numerator, factor.denominator);
}

/** The largest whole number whose square is not above. */
export function rootDown(value: bigint): bigint {
  if (value < 2n) return value;
  // Newton's steps fall to the root from anywhere above it; a double is within 2⁻⁵² of it.
  let root = BigInt(Math.ceil(Math.sqrt(Number(value)) * (1 + 2 ** -50))) + 1n;
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
