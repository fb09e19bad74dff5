/** What kept records cost their users, in doubles and by smooth formulas: the planner's view of error and loss. It decides, it does not protect. */
import { Rational } from "../../arithmetic/index.ts";
import { countShape, type Objective, spreadShape } from "../../influence/index.ts";
import type { ActiveArray } from "./active-array.ts";
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
      return {
        isSpread: statistic.shape === spreadShape,
        isCount: statistic.shape === countShape,
        perTotal: statistic.scaledByKeptShare,
        sensitivity: statistic.sensitivityFactor.toNumberNearest(),
        bias: statistic.biasFactor.toNumberNearest(),
        noiseWeight: statistic.coordinates * weight,
        biasWeight: weight,
      };
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

  /** What biases leave for noise, in the same order as the limits. Of whole counts, `half` is rounded down. */
  rooms(total: number, kept: number, half = total / 2): Float64Array {
    const room = this.#room;
    for (let at = 0; at < room.length; at++) room[at] = this.limit(at, total);
    for (let index = 0; index < this.terms.length; index++) {
      const term = this.terms[index]!;
      room[this.pooled ? 0 : index]! -= term.biasWeight * term.bias * biasShape(term, total - kept, total, half);
    }
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

/** What dropped records can put a statistic off by, as a number of records or a share; of whole counts, `half` is rounded down. */
export function biasShape(term: PriceTerm, dropped: number, total: number, half: number): number {
  if (term.isCount) return dropped;
  if (!term.isSpread) return dropped / total;
  const movable = Math.min(dropped, half);
  return (movable * (total - movable)) / (total * total);
}

/** Prices at an error of all statistics together. */
export function modelAt(objective: Objective, error: number): PriceModel {
  return new PriceModel(objective, { kind: "together", error: Rational.fromNumber(error) });
}

/** What every user loses and every grid keeps for given kept counts, whole or fractional. */
export class Loads {
  readonly kept: Float64Array;
  /** Price of a record, part by part, in each grid. */
  readonly linear: Float64Array;
  readonly spread: Float64Array;
  /** How fast each part falls with one more kept record in the grid. */
  readonly linearFall: Float64Array;
  readonly spreadFall: Float64Array;
  readonly loss: Float64Array;
  largest = Number.POSITIVE_INFINITY;
  readonly #array: ActiveArray;
  readonly #model: PriceModel;

  constructor(array: ActiveArray, model: PriceModel) {
    this.#array = array;
    this.#model = model;
    this.kept = new Float64Array(array.grids);
    this.linear = new Float64Array(array.grids);
    this.spread = new Float64Array(array.grids);
    this.linearFall = new Float64Array(array.grids);
    this.spreadFall = new Float64Array(array.grids);
    this.loss = new Float64Array(array.users);
  }

  /** `owned` by position. False, with `largest` infinite, if some grid cannot meet its target. */
  measure(owned: Float64Array): boolean {
    const { grid, start, users } = this.#array;
    this.largest = Number.POSITIVE_INFINITY;
    this.kept.fill(0);
    for (let at = 0; at < owned.length; at++) this.kept[grid[at]!]! += owned[at]!;
    if (!this.#setPrices()) return false;
    let largest = 0;
    for (let user = 0; user < users; user++) {
      let loss = 0;
      for (let at = start[user]!; at < start[user + 1]!; at++) {
        const g = grid[at]!;
        loss += this.linear[g]! * owned[at]! + this.spread[g]! * spreadRecords(owned[at]!, this.kept[g]!);
      }
      this.loss[user] = loss;
      if (loss > largest) largest = loss;
    }
    this.largest = largest;
    return true;
  }

  #setPrices(): boolean {
    const { total } = this.#array;
    const model = this.#model;
    for (let g = 0; g < total.length; g++) {
      if (!this.#array.isActive(g)) continue;
      const kept = this.kept[g]!;
      if (!model.price(total[g]!, kept)) return false;
      this.linear[g] = model.linear;
      this.spread[g] = model.spread;
      const step = 1e-4 * kept;
      const fewer = model.price(total[g]!, kept - step);
      this.linearFall[g] = fewer ? Math.max(0, model.linear - this.linear[g]!) / step : this.linear[g]! / step;
      this.spreadFall[g] = fewer ? Math.max(0, model.spread - this.spread[g]!) / step : this.spread[g]! / step;
    }
    return true;
  }

  /** What a user would lose at these prices with everything kept, were nobody's part of a grid large. */
  fullLossOf(user: number): number {
    const { start, grid, count } = this.#array;
    let sum = 0;
    for (let at = start[user]!; at < start[user + 1]!; at++) {
      const g = grid[at]!;
      sum += (this.linear[g]! + this.spread[g]!) * count[at]!;
    }
    return sum;
  }

  /** What one more record of a user that owns so many adds to its loss in the grid. */
  ownPrice(grid: number, owned: number): number {
    return this.linear[grid]! + this.spread[grid]! * Math.max(0, 1 - (2 * owned) / this.kept[grid]!);
  }
}

/**
 * What one more record kept in each grid takes off the losses of all, users weighted by y: T_g.
 * A record is worth keeping while y_ℓ times its price is below that.
 */
export function worthOfRecords(
  array: ActiveArray,
  loads: Loads,
  owned: Float64Array,
  weights: Float64Array,
  worth: Float64Array,
): void {
  const { start, grid, users } = array;
  worth.fill(0);
  for (let user = 0; user < users; user++) {
    const weight = weights[user]!;
    if (weight === 0) continue;
    for (let at = start[user]!; at < start[user + 1]!; at++) {
      const g = grid[at]!;
      const own = owned[at]!;
      const kept = loads.kept[g]!;
      const share = own + own <= kept ? own / kept : 0.5;
      worth[g]! +=
        weight *
        (loads.linearFall[g]! * own +
          loads.spreadFall[g]! * spreadRecords(own, kept) -
          loads.spread[g]! * share * share);
    }
  }
  for (let g = 0; g < worth.length; g++) if (worth[g]! < 0) worth[g] = 0;
}

/** Weights e^(sharpness·(loss/largest − 1)): all on the users who lose most, the more so the sharper. */
export function softWeights(loss: Float64Array, largest: number, sharpness: number, weights: Float64Array): void {
  for (let user = 0; user < loss.length; user++) {
    const exponent = sharpness * (loss[user]! / largest - 1);
    weights[user] = exponent < -30 ? 0 : Math.exp(exponent);
  }
}
