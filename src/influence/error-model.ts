/** The guaranteed error under the even split, fast in doubles and decided exactly when doubles cannot tell two values apart. */
import { Rational } from "../arithmetic/index.ts";
import { invariant } from "../errors/index.ts";
import { type GridCounts, guaranteeOf, type Objective, relativeErrors } from "./guarantee.ts";
import { countShape, fractionShape, type Shape, spreadShape } from "./shape.ts";
import { splitEvenly } from "./split.ts";

/**
 * Two errors closer than this, relatively, are compared exactly. Each is a sum of at most a few positive terms of at most
 * six roundings each, so doubles are within 2⁻⁴⁸ of the truth (docs/mathematics.md, "Doubles that decide").
 */
const TOLERANCE = 2 ** -45;

/** Error of a grid as a function of its counts, for one ε per grid split evenly over the statistics. */
export class ErrorModel {
  readonly objective: Objective;
  readonly epsilons: readonly Rational[];
  readonly #terms: readonly Term[];

  constructor(objective: Objective, epsilonPerGrid: Rational) {
    this.objective = objective;
    this.epsilons = splitEvenly(epsilonPerGrid, objective.statistics.length);
    this.#terms =
      objective.metric === "sum" ? mergedTerms(objective, this.epsilons) : separateTerms(objective, this.epsilons);
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
   * A lower bound, safe against rounding, of the error after dropping any user but the one that alone owns `largest`.
   * It needs no look at that user's count: at least one record goes, and the heaviest user stays.
   */
  errorFloorAfterDrop(total: number, kept: number, largest: number): number {
    if (kept <= largest) return Number.POSITIVE_INFINITY;
    let worst = 0;
    for (const term of this.#terms) {
      const value = term.floor(total, kept - 1, largest);
      if (value > worst) worst = value;
    }
    return worst * (1 - TOLERANCE);
  }

  /** The parts whose largest is E_g: one under `sum`, one per statistic under `relative`. */
  parts(counts: GridCounts): number[] {
    return this.#terms.map((term) => term.evaluate(counts.total, counts.kept, counts.largest));
  }

  /** E_g exactly; undefined for an empty grid. */
  exactError(counts: GridCounts): Rational | undefined {
    return guaranteeOf(this.objective, counts, this.epsilons)?.error;
  }

  /** As `parts`, exactly. */
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

  /** Whether E(counts) > bound in exact arithmetic, given E in doubles. */
  exceeds(counts: GridCounts, error: number, bound: Rational, boundNumber: number): boolean {
    if (areClearlyApart(error, boundNumber)) return error > boundNumber;
    return this.exactError(counts)!.compare(bound) > 0;
  }
}

/** Whether doubles suffice to tell which of two errors is larger. */
export function areClearlyApart(left: number, right: number): boolean {
  if (left === Number.POSITIVE_INFINITY || right === Number.POSITIVE_INFINITY) return left !== right;
  return Math.abs(left - right) > TOLERANCE * Math.max(left, right);
}

/** A weighted sum of shapes: bias coefficients apply to (dropped, total), noise coefficients to (largest, kept). */
class Term {
  #fractionBias = 0;
  #fractionNoise = 0;
  #spreadBias = 0;
  #spreadNoise = 0;
  #countBias = 0;
  #countNoise = 0;
  readonly #perTotal: boolean;

  /** `perTotal`: the whole term is divided by the grid's total. */
  constructor(perTotal: boolean) {
    this.#perTotal = perTotal;
  }

  add(shape: Shape, bias: Rational, noise: Rational): void {
    if (shape === fractionShape) {
      this.#fractionBias += bias.toNumberNearest();
      this.#fractionNoise += noise.toNumberNearest();
    } else if (shape === spreadShape) {
      this.#spreadBias += bias.toNumberNearest();
      this.#spreadNoise += noise.toNumberNearest();
    } else {
      this.#countBias += bias.toNumberNearest();
      this.#countNoise += noise.toNumberNearest();
    }
  }

  evaluate(total: number, kept: number, largest: number): number {
    const dropped = total - kept;
    let value = (this.#fractionBias * dropped) / total + (this.#fractionNoise * largest) / kept;
    if (this.#spreadNoise > 0) {
      value +=
        this.#spreadBias * spreadShape.approximate(dropped, total) +
        this.#spreadNoise * spreadShape.approximate(largest, kept);
    }
    if (this.#countNoise > 0) value += this.#countBias * dropped + this.#countNoise * largest;
    return this.#perTotal ? value / total : value;
  }

  /** At most what `evaluate` gives for any smaller `kept` that still holds `largest`. */
  floor(total: number, kept: number, largest: number): number {
    const dropped = total - kept;
    let value = (this.#fractionBias * dropped) / total + (this.#fractionNoise * largest) / kept;
    if (this.#spreadNoise > 0) {
      value +=
        this.#spreadBias * spreadShape.approximate(dropped, total) +
        this.#spreadNoise * spreadShape.approximateLeast(largest, kept);
    }
    if (this.#countNoise > 0) value += this.#countBias * dropped + this.#countNoise * largest;
    return this.#perTotal ? value / total : value;
  }
}

/** Metric `sum`: everything in one term. */
function mergedTerms(objective: Objective, epsilons: readonly Rational[]): Term[] {
  const term = new Term(false);
  objective.statistics.forEach((statistic, index) => {
    const weight = objective.weights[index]!;
    term.add(
      statistic.shape,
      statistic.biasFactor.multiply(weight),
      noiseFactor(objective, epsilons, index).multiply(weight),
    );
  });
  return [term];
}

/** Metric `relative`: one term per statistic, in units of its data-free error. */
function separateTerms(objective: Objective, epsilons: readonly Rational[]): Term[] {
  return objective.statistics.map((statistic, index) => {
    const dataFree = statistic.dataFreeError(1);
    const term = new Term(statistic.shape === countShape);
    term.add(
      statistic.shape,
      statistic.biasFactor.divide(dataFree),
      noiseFactor(objective, epsilons, index).divide(dataFree),
    );
    return term;
  });
}

function noiseFactor(objective: Objective, epsilons: readonly Rational[], index: number): Rational {
  const statistic = objective.statistics[index]!;
  return statistic.sensitivityFactor.multiply(Rational.of(statistic.coordinates)).divide(epsilons[index]!);
}
