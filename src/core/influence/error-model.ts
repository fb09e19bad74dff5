/** Computes guaranteed errors under the even split: fast in doubles, and exactly where doubles cannot tell two errors apart. */
import { Rational, sum } from "../arithmetic/index.ts";
import { invariant, itemAt } from "../errors/index.ts";
import { type GridCounts, guaranteeOf, type Objective, relativeErrors } from "./guarantee.ts";
import { countShape, fractionShape, type Shape, spreadShape } from "./shape.ts";
import { splitEvenly } from "./split.ts";

/**
 * Two errors closer than this, relatively, are compared exactly. Each is a sum of at most a few positive terms of at most
 * six roundings each, so doubles are within 2⁻⁴⁸ of the truth (docs/mathematics.md, "CLIP-USER").
 */
const TOLERANCE = 2 ** -45;

/** Error of a grid as a function of its counts, for one ε per grid split evenly over the statistics, under the paper's estimator. */
export class ErrorModel {
  readonly objective: Objective;
  readonly epsilons: readonly Rational[];
  readonly #terms: readonly Term[];

  constructor(objective: Objective, epsilonPerGrid: Rational) {
    invariant(objective.estimator === "kept", "the error model is that of the paper's estimator");
    this.objective = objective;
    this.epsilons = splitEvenly(epsilonPerGrid, objective.statistics.length);
    this.#terms = termsOf(this);
  }

  /** E_g in doubles; Infinity for an empty grid. */
  error(total: number, kept: number, largest: number): number {
    if (kept === 0) return Number.POSITIVE_INFINITY;
    let worst = 0;
    for (const term of this.#terms) {
      const value = term.evaluate(total, kept, largest);
      if (value > worst) worst = value;
    }
    return worst;
  }

  /**
   * A line below the error after dropping a user, as a function of that user's count: writes its value at 0 and its slope to
   * line[at], line[at + 1]. It holds for everyone but the one user that alone owns `largest`, whose leaving lowers the noise,
   * and is safe against rounding (docs/mathematics.md, Lemma 6).
   */
  lineBelowDrop(total: number, kept: number, largest: number, line: Float64Array, at: number): void {
    if (kept <= largest) {
      line[at] = Number.POSITIVE_INFINITY;
      line[at + 1] = 0;
      return;
    }
    // The error is the largest term, so a line below any one of them will do: take the term that is largest now.
    line[at] = 0;
    line[at + 1] = 0;
    for (const term of this.#terms) {
      const floor = (1 - TOLERANCE) * term.floor(total, kept, largest);
      if (floor < line[at]!) continue;
      line[at] = floor;
      line[at + 1] = (1 - TOLERANCE) * term.slope(total, kept, largest);
    }
  }

  /** The parts whose largest is E_g: one under `sum`, one per statistic under `relative`. */
  parts(counts: GridCounts): number[] {
    return this.#terms.map((term) => term.evaluate(counts.total, counts.kept, counts.largest));
  }

  /** E_g exactly; undefined for an empty grid. */
  exactError(counts: GridCounts): Rational | undefined {
    return guaranteeOf(this.objective, counts, this.epsilons)?.error;
  }

  exactParts(counts: GridCounts): Rational[] {
    const guarantee = guaranteeOf(this.objective, counts, this.epsilons);
    invariant(guarantee !== undefined, "an empty grid has no error");
    if (this.objective.metric === "sum") return [guarantee.error];
    return relativeErrors(this.objective, guarantee.statisticError, counts.total);
  }

  /** The sign of E(left) − E(right) in exact arithmetic, given both in doubles. */
  compare(left: GridCounts, leftError: number, right: GridCounts, rightError: number): number {
    return areClearlyApart(leftError, rightError) ? leftError - rightError : this.compareExactly(left, right);
  }

  /** The sign of E(left) − E(right), in rationals. Neither grid is empty. */
  compareExactly(left: GridCounts, right: GridCounts): number {
    if (left.total === right.total && left.kept === right.kept && left.largest === right.largest) return 0;
    return this.exactError(left)!.compare(this.exactError(right)!);
  }
}

/** Whether doubles suffice to tell which of two errors is larger. */
export function areClearlyApart(left: number, right: number): boolean {
  if (left === Number.POSITIVE_INFINITY || right === Number.POSITIVE_INFINITY) return left !== right;
  return Math.abs(left - right) > TOLERANCE * Math.max(left, right);
}

/** What a statistic adds to a term: its shape times these. */
interface Part {
  readonly shape: Shape;
  readonly bias: Rational;
  readonly noise: Rational;
}

/** A sum of shapes: bias coefficients apply to (dropped, total), noise coefficients to (largest, kept). */
class Term {
  readonly #fractionBias: number;
  readonly #fractionNoise: number;
  readonly #spreadBias: number;
  readonly #spreadNoise: number;
  readonly #countBias: number;
  readonly #countNoise: number;
  readonly #perTotal: boolean;

  /** `perTotal`: the whole term is divided by the grid's total. Coefficients are added exactly and rounded once. */
  constructor(parts: readonly Part[], perTotal: boolean) {
    const coefficient = (shape: Shape, of: "bias" | "noise"): number => {
      return sum(parts.filter((part) => part.shape === shape).map((part) => part[of])).toNumberNearest();
    };
    this.#fractionBias = coefficient(fractionShape, "bias");
    this.#fractionNoise = coefficient(fractionShape, "noise");
    this.#spreadBias = coefficient(spreadShape, "bias");
    this.#spreadNoise = coefficient(spreadShape, "noise");
    this.#countBias = coefficient(countShape, "bias");
    this.#countNoise = coefficient(countShape, "noise");
    this.#perTotal = perTotal;
  }

  evaluate(total: number, kept: number, largest: number): number {
    return this.#value(total, kept, largest, spreadInfluence(largest, kept));
  }

  /** Where the line below the error after a drop begins … */
  floor(total: number, kept: number, largest: number): number {
    return this.#value(total, kept, largest, spreadNoiseFloor(largest, kept));
  }

  #value(total: number, kept: number, largest: number, spreadNoise: number): number {
    const dropped = total - kept;
    let value = (this.#fractionBias * dropped) / total + (this.#fractionNoise * largest) / kept;
    if (this.#spreadNoise > 0)
      value += this.#spreadBias * spreadInfluence(dropped, total) + this.#spreadNoise * spreadNoise;
    if (this.#countNoise > 0) value += this.#countBias * dropped + this.#countNoise * largest;
    return this.#perTotal ? value / total : value;
  }

  /** … and by how much it rises with each record of the user that is dropped. */
  slope(total: number, kept: number, largest: number): number {
    let value = this.#fractionBias / total + (this.#fractionNoise * largest) / (kept * kept) + this.#countBias;
    if (this.#spreadNoise > 0) {
      const most = Math.min(largest, kept - largest);
      value +=
        this.#spreadBias * spreadBiasSlope(total - kept, total, most) +
        this.#spreadNoise * spreadNoiseSlope(largest, kept);
    }
    return this.#perTotal ? value / total : value;
  }
}

/** Metric `sum`: everything weighted, in one term. Metric `relative`: a term per statistic, in units of its data-free error. */
function termsOf({ objective, epsilons }: Pick<ErrorModel, "objective" | "epsilons">): Term[] {
  const { statistics, weights, metric } = objective;
  const parts = statistics.map((statistic, index): Part => {
    const { shape, biasFactor, sensitivityFactor, coordinates } = statistic;
    const factor = metric === "sum" ? itemAt(weights, index) : Rational.ONE.divide(statistic.dataFreeError(1));
    const noise = sensitivityFactor.multiply(Rational.of(coordinates)).divide(itemAt(epsilons, index));
    return { shape, bias: biasFactor.multiply(factor), noise: noise.multiply(factor) };
  });
  return metric === "sum" ? [new Term(parts, false)] : parts.map((part) => new Term([part], part.shape === countShape));
}

/** `spreadShape` in doubles, three roundings away; the arguments are exact integers. */
export function spreadInfluence(owned: number, total: number): number {
  const movable = Math.min(owned, Math.floor(total / 2));
  return (movable * (total - movable)) / (total * total);
}

/**
 * For every whole m ≤ owned with total − m ≥ owned, up to rounding:
 * influence(owned, total − m) ≥ spreadNoiseFloor(owned, total) + m·spreadNoiseSlope(owned, total).
 *
 * With total − m ≥ 3·owned for all m ≤ owned it is convex in m, so the tangent lies below it. Closer to saturation this is the
 * least value of all: a smaller total only raises it until it saturates, and then odd totals fall short of 1/4 by 1/(4·total²),
 * total ≥ owned.
 */
export function spreadNoiseFloor(owned: number, total: number): number {
  const saturated = 0.25 - 0.25 / (owned * owned);
  if (2 * owned > total) return saturated;
  const now = (owned * (total - owned)) / (total * total);
  return isConvex(owned, total) ? now : Math.min(now, saturated);
}

export function spreadNoiseSlope(owned: number, total: number): number {
  return isConvex(owned, total) ? (owned * (total - 2 * owned)) / (total * total * total) : 0;
}

function isConvex(owned: number, total: number): boolean {
  return total >= 4 * owned;
}

/**
 * influence(dropped + m, total) ≥ influence(dropped, total) + m·spreadBiasSlope(…) for 0 ≤ m ≤ most: it is concave in m, so the
 * chord lies below it. Written so that nothing cancels.
 */
export function spreadBiasSlope(dropped: number, total: number, most: number): number {
  const now = Math.min(dropped, Math.floor(total / 2));
  const later = Math.min(dropped + most, Math.floor(total / 2));
  return ((later - now) * (total - later - now)) / (total * total * most);
}

export class ErrorLimit {
  readonly model: ErrorModel;
  readonly bound: Rational;
  readonly #boundNumber: number;

  constructor(model: ErrorModel, bound: Rational) {
    this.model = model;
    this.bound = bound;
    this.#boundNumber = bound.toNumberNearest();
  }

  /** E_g ≤ bound, as exact arithmetic has it. An empty grid is never within. */
  allows(total: number, kept: number, largest: number): boolean {
    const sign = this.clearSign(this.model.error(total, kept, largest));
    return sign === 0 ? this.model.exactError({ total, kept, largest })!.compare(this.bound) <= 0 : sign < 0;
  }

  /** The sign of error − bound where it is beyond doubt, 0 where doubles cannot tell. */
  clearSign(error: number): -1 | 0 | 1 {
    if (!areClearlyApart(error, this.#boundNumber)) return 0;
    return error < this.#boundNumber ? -1 : 1;
  }
}
