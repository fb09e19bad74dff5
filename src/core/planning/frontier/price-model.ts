/** What a kept record costs its user in a grid, in doubles: the planner's view of error and loss. It decides, it does not protect. */
import type { Objective, Statistic } from "../../influence/index.ts";
import { countShape, spreadShape } from "../../influence/index.ts";
import { type ErrorTarget, isPooled, limitsOf } from "./error-target.ts";

/** A statistic in doubles. */
export interface PriceTerm {
  readonly isSpread: boolean;
  readonly isCount: boolean;
  /** Its influence is per record of the whole grid rather than per kept record. */
  readonly perTotal: boolean;
  readonly sensitivity: number;
  readonly bias: number;
  /** Numbers with noise, times the weight in the metric where the statistics share their room. */
  readonly noiseWeight: number;
  /** Weight of the bias in the shared room; 1 where nothing is shared. */
  readonly biasWeight: number;
}

/** A user's loss in a grid is `linear`·Γ + `spread`·Γ(1 − Γ/k) for Γ ≤ k/2, and grows no further in its second part beyond. */
export class PriceModel {
  readonly terms: readonly PriceTerm[];
  readonly pooled: boolean;
  /** Set by `price`. */
  linear = 0;
  spread = 0;
  readonly #limits: Float64Array;
  /** Limits of sums grow with the grid. */
  readonly #limitPerRecord: readonly boolean[];
  readonly #room: Float64Array;
  readonly #perRecord: Float64Array;

  constructor(objective: Objective, target: ErrorTarget) {
    this.pooled = isPooled(objective, target);
    this.terms = objective.statistics.map((statistic, index) => {
      const weight = this.pooled ? objective.weights[index]!.toNumberNearest() : 1;
      return termOf(statistic, weight);
    });
    const limits = target.kind === "together" && this.pooled ? [target.error] : limitsOf(objective, target, 1);
    this.#limits = Float64Array.from(limits, (limit) => limit.toNumberNearest());
    this.#limitPerRecord = this.terms.map((term) => term.isCount && !this.pooled && target.kind === "together");
    this.#room = new Float64Array(this.#limits.length);
    this.#perRecord = new Float64Array(this.terms.length);
  }

  /** The most that bias and noise may be, of all statistics together or of one. */
  limit(index: number, total: number): number {
    return this.#limitPerRecord[index] ? this.#limits[index]! * total : this.#limits[index]!;
  }

  /** What biases leave for noise, in the same order as the limits; whole counts or fractions of them. */
  rooms(total: number, kept: number): Float64Array {
    const room = this.#room;
    for (let at = 0; at < room.length; at++) room[at] = this.limit(at, total);
    this.terms.forEach((term, index) => {
      room[this.pooled ? 0 : index]! -= term.biasWeight * term.bias * biasShape(term, total - kept, total);
    });
    return room;
  }

  /** The same for whole counts, by the formula itself: half of an odd number of records is rounded down. */
  wholeRooms(total: number, kept: number): Float64Array {
    const room = this.#room;
    for (let at = 0; at < room.length; at++) room[at] = this.limit(at, total);
    this.terms.forEach((term, index) => {
      room[this.pooled ? 0 : index]! -= term.biasWeight * term.bias * wholeBiasShape(term, total - kept, total);
    });
    return room;
  }

  /** Sets the price of a record for a grid that keeps `kept`, with noise as large as the target lets it be. False if there is no room. */
  price(total: number, kept: number): boolean {
    this.linear = 0;
    this.spread = 0;
    if (kept <= 0) return false;
    const rooms = this.rooms(total, kept);
    const perRecord = this.#perRecord;
    let roots = 0;
    for (let index = 0; index < perRecord.length; index++) {
      const term = this.terms[index]!;
      // The variance of a grid's only record is 0, whatever it is: it needs no noise and no room.
      const isStill = term.isSpread && total < 2;
      if (!isStill && !(rooms[this.pooled ? 0 : index]! > 0)) return false;
      perRecord[index] = isStill ? 0 : perRecordInfluence(term, total, kept);
      roots += Math.sqrt(perRecord[index]! * term.noiseWeight);
    }
    for (let index = 0; index < perRecord.length; index++) {
      const term = this.terms[index]!;
      const price = this.pooled
        ? (Math.sqrt(perRecord[index]! * term.noiseWeight) * roots) / rooms[0]!
        : perRecord[index] === 0
          ? 0
          : (perRecord[index]! * term.noiseWeight) / rooms[index]!;
      if (term.isSpread) this.spread += price;
      else this.linear += price;
    }
    return true;
  }

  /** The most records of one user whose loss in a grid with the prices just set is at most `loss`. */
  recordsFor(loss: number, kept: number): number {
    const { linear, spread } = this;
    const whole = (linear * kept) / 2 + (spread * kept) / 4;
    if (loss >= whole) return linear > 0 ? (loss - (spread * kept) / 4) / linear : Number.POSITIVE_INFINITY;
    const both = linear + spread;
    if (spread === 0) return loss / both;
    return (2 * loss) / (both + Math.sqrt(Math.max(0, both * both - (4 * spread * loss) / kept)));
  }

  /** The fewest records that leave any room, as a real number; `total` if not even all do. */
  fewestKept(total: number): number {
    let low = 0;
    let high = total;
    for (let round = 0; round < 60 && high - low > 1e-6 * total; round++) {
      const middle = (low + high) / 2;
      if (this.rooms(total, middle).every((room) => room > 0)) high = middle;
      else low = middle;
    }
    return high;
  }
}

/** Influence of each of a user's records while they are few. */
export function perRecordInfluence(term: PriceTerm, total: number, kept: number): number {
  if (term.isCount) return term.sensitivity;
  return term.sensitivity / (term.perTotal ? total : kept);
}

/** Γ(1 − Γ/k), k/4 from k/2 on: the variance's influence as a number of records. */
export function spreadRecords(owned: number, kept: number): number {
  return owned + owned <= kept ? owned * (1 - owned / kept) : kept / 4;
}

function biasShape(term: PriceTerm, dropped: number, total: number): number {
  if (term.isCount) return dropped;
  if (!term.isSpread) return dropped / total;
  const movable = Math.min(dropped, total / 2);
  return (movable * (total - movable)) / (total * total);
}

export function wholeBiasShape(term: PriceTerm, dropped: number, total: number): number {
  if (!term.isSpread) return biasShape(term, dropped, total);
  const movable = Math.min(dropped, Math.floor(total / 2));
  return (movable * (total - movable)) / (total * total);
}

function termOf(statistic: Statistic, weight: number): PriceTerm {
  return {
    isSpread: statistic.shape === spreadShape,
    isCount: statistic.shape === countShape,
    perTotal: statistic.scaledByKeptShare,
    sensitivity: statistic.sensitivityFactor.toNumberNearest(),
    bias: statistic.biasFactor.toNumberNearest(),
    noiseWeight: statistic.coordinates * weight,
    biasWeight: weight,
  };
}
