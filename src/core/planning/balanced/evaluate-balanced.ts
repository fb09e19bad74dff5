/** Works out what a balanced plan costs, guarantees and typically errs by, from the occupancy and the plan's terms alone. */
import { Rational } from "../../arithmetic/index.ts";
import { lossOfWeight, type PassCost, simpleLosses, type UserLosses, weightedLosses } from "../../composition/index.ts";
import { itemAt, VeilgridError } from "../../errors/index.ts";
import { combineErrors, type Feature, type Guarantee, type Objective, widthOf } from "../../influence/index.ts";
import { Kept, type Occupancy, Weights } from "../../occupancy/index.ts";
import type { PlanNoise } from "../plan.ts";
import { Goal } from "./goal.ts";
import { relativeSpread } from "./spread.ts";
import { type BalancedTerms, featuresOf, lastPart, middleOf, passCosts, scalesFor, wholeWidths } from "./terms.ts";

/** What only balanced plans have. */
export interface BalancedEvaluation {
  readonly weights: Weights;
  readonly features: readonly Feature[];
  /** For each statistic, which features it is made of. */
  readonly usedBy: ReadonlyArray<readonly number[]>;
  /** Standard deviation of the model's own error by grid, as a share of every statistic's range. */
  readonly modelError: Float64Array;
  /** ½·Σ |p − a| by grid. */
  readonly distances: readonly Rational[];
  /** Typical error by grid and statistic, in the statistic's unit; of a plan of two passes as if its windows stayed whole. */
  readonly typical: ReadonlyArray<readonly number[]>;
}

interface BalancedRequest {
  readonly objective: Objective;
  readonly latticeStep: Rational;
  readonly terms: BalancedTerms;
  /** A goal of the same array, which saves working its traits out again. */
  readonly like?: Goal | undefined;
}

export function evaluateBalanced(occupancy: Occupancy, { objective, latticeStep, terms, like }: BalancedRequest) {
  const { bounds, statistics } = objective;
  const weights = weightsOf(occupancy, terms);
  const { features, usedBy } = featuresOf(objective, middleOf(bounds, latticeStep));
  const costs = passCosts(terms, features);
  const passes = [costs.first, costs.rings, costs.last].filter((cost) => cost !== null);
  const joint = allPasses(weights, passes);
  const kept = new Kept(
    occupancy,
    occupancy.byUser.count.map((count, entry) => (terms.weights[entry]! > 0 ? count : 0)),
  );
  const distances = weights.distances();
  const modelError = modelErrors(weights, relativeSpread(terms.spread, bounds), like);
  const part = lastPart(terms);
  const { ratios } = terms;
  const scalesAtOne = scalesFor(features, { ratios, rate: Rational.ONE, bounds, widths: wholeWidths(features) });
  const noise: PlanNoise[] = [];
  const guarantees: Guarantee[] = [];
  const typical: number[][] = [];
  const epsilons = largestLosses(weights, passes);
  for (const [g, rate] of terms.rates.entries()) {
    const total = occupancy.samplesOfGrid[g]!;
    const scales = scalesAtOne.map((scale) => scale.divide(rate).divide(part));
    const distance = itemAt(distances, g);
    // A window may come to lie anywhere: then nothing is guaranteed but the range.
    const biases = features.map((feature) => featureBias(feature, terms.passes === 1 ? distance : Rational.ONE));
    const own = statistics.map(({ linear }, index) => {
      const of = itemAt(usedBy, index);
      const these = of.map((at) => itemAt(features, at));
      const theirs = of.map((at) => itemAt(scales, at));
      return {
        bias: linear.bias(
          of.map((at) => itemAt(biases, at)),
          terms.passes === 1 ? distance : Rational.ONE,
          total,
        ),
        scale: linear.expectedNoise(these, theirs, total),
        variance: linear.noiseVariance(
          these,
          theirs.map((each) => each.toNumberNearest()),
          total,
        ),
      };
    });
    const none = statistics.map(() => Rational.ZERO);
    noise.push({ epsilon: itemAt(epsilons, g), epsilons: none, scales: own.map(({ scale }) => scale) });
    guarantees.push(guaranteed(objective, own, total));
    typical.push(
      own.map(({ variance }, index) =>
        Math.hypot(modelError[g]! * rangeWidth(objective, index, total), Math.sqrt(variance)),
      ),
    );
  }
  const simple = simpleLosses(kept, {
    statistics,
    epsilonOfGrid: noise.map(({ epsilon }) => epsilon),
    epsilonsOfGrid: noise.map(({ epsilons: each }) => each),
  });
  const balanced: BalancedEvaluation = { weights, features, usedBy, modelError, distances, typical };
  return { kept, guarantees, joint, simple, noise, balanced };
}

function weightsOf(occupancy: Occupancy, { weights, rates }: BalancedTerms): Weights {
  const mismatch = (what: string): never => {
    throw new VeilgridError("PLAN_MISMATCH", `the plan ${what}; plan again from this data`);
  };
  if (weights.length !== occupancy.entries || rates.length !== occupancy.grids.length)
    mismatch("gives weights to other users and grids");
  const whole = new Weights(occupancy, Uint32Array.from(weights));
  if (whole.ofGrid.some((total) => total === 0n)) mismatch("gives no weight in a grid");
  return whole;
}

/** A feature's worst-case bias where so much weight lies elsewhere than the records: over all bins together, of one number otherwise. */
function featureBias(feature: Feature, distance: Rational): Rational {
  return distance.multiply(feature.coordinates > 1 ? Rational.of(2) : widthOf(feature));
}

export function rangeWidth({ statistics }: Objective, index: number, total: number): number {
  const [low, high] = itemAt(statistics, index).range(total);
  return high.subtract(low).toNumberNearest();
}

function guaranteed(
  objective: Objective,
  own: ReadonlyArray<{ readonly bias: Rational; readonly scale: Rational }>,
  total: number,
): Guarantee {
  const statisticError = own.map(({ bias, scale }, index) =>
    bias.add(scale.multiply(Rational.of(itemAt(objective.statistics, index).coordinates))),
  );
  return {
    bias: own.map(({ bias }) => bias),
    scale: own.map(({ scale }) => scale),
    statisticError,
    error: combineErrors(objective, statisticError, total),
  };
}

/** √A by grid, as a share of the range. */
function modelErrors(weights: Weights, spread: ReturnType<typeof relativeSpread>, like?: Goal): Float64Array {
  const goal = new Goal(weights.occupancy, { spread, noise: [0], power: 1, worstCasePrice: 0 }, like);
  goal.value(Float64Array.from(weights.ofEntry, (_, entry) => weights.amount(entry)));
  return goal.modelError;
}

/** Every user's loss in all passes together. */
function allPasses(weights: Weights, passes: readonly PassCost[]): UserLosses {
  const [first = { rates: [], numbers: 0 }, ...others] = passes;
  const losses = weightedLosses(weights, first);
  for (const pass of others) losses.addAll(weightedLosses(weights, pass));
  return losses;
}

/** What the user with the largest weight loses in each grid: the ε that the paper's rule counts. */
function largestLosses(weights: Weights, passes: readonly PassCost[]): Rational[] {
  const { grid } = weights.occupancy.byUser;
  const largest = new Float64Array(weights.ofGrid.length);
  for (let entry = 0; entry < grid.length; entry++)
    largest[grid[entry]!] = Math.max(largest[grid[entry]!]!, weights.amount(entry));
  return weights.ofGrid.map((total, g) =>
    passes.reduce(
      (loss, pass) => loss.add(lossOfWeight(pass, g, Rational.of(BigInt(largest[g]!), total))),
      Rational.ZERO,
    ),
  );
}
