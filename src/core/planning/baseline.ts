/** The baseline to hold a plan against: everything kept, one ε per grid, evenly split. */
import { maximum, Rational } from "../arithmetic/index.ts";
import { type Guarantee, LOSS_UNIT, type Objective } from "../influence/index.ts";
import { Kept, type Occupancy } from "../occupancy/index.ts";
import { guaranteesOf, lossesOf, uniformNoise } from "./evaluate-plan.ts";
import type { PlanNoise } from "./plan.ts";

export interface Baseline {
  readonly epsilon: Rational;
  readonly guarantees: readonly Guarantee[];
  readonly loss: Rational;
  readonly lossSimple: Rational;
}

/**
 * At the given ε, or else at the one where its worst error is `worstError`. Nothing is dropped, so errors go with 1/ε and losses with
 * ε: what holds at ε = 1 is scaled.
 */
export function baselineOf(
  occupancy: Occupancy,
  objective: Objective,
  at: { readonly epsilon: Rational | null; readonly worstError: Rational | null },
): Baseline {
  const given = at.epsilon ?? Rational.ONE;
  const { all, noise, guarantees } = keepEverything(occupancy, objective, given);
  const losses = lossesOf(all, objective, noise);
  const loss = losses.joint.largest();
  const lossSimple = losses.simple.largest();
  if (at.epsilon !== null || at.worstError === null || at.worstError.isZero())
    return { epsilon: given, guarantees, loss, lossSimple };
  const epsilon = worstOf(guarantees).divide(at.worstError).ceilToMultipleOf(LOSS_UNIT);
  const scaled = (errors: readonly Rational[]): Rational[] => errors.map((error) => error.divide(epsilon));
  return {
    epsilon,
    guarantees: guarantees.map((each) => ({
      bias: each.bias,
      scale: scaled(each.scale),
      statisticError: scaled(each.statisticError),
      error: each.error.divide(epsilon),
    })),
    loss: loss.multiply(epsilon).ceilToMultipleOf(LOSS_UNIT),
    lossSimple: lossSimple.multiply(epsilon).ceilToMultipleOf(LOSS_UNIT),
  };
}

/** The largest error of any grid of the baseline. */
export function worstBaselineError(occupancy: Occupancy, objective: Objective, epsilon: Rational): Rational {
  return worstOf(keepEverything(occupancy, objective, epsilon).guarantees);
}

function keepEverything(
  occupancy: Occupancy,
  objective: Objective,
  epsilon: Rational,
): { all: Kept; noise: PlanNoise[]; guarantees: Guarantee[] } {
  const all = Kept.all(occupancy);
  const noise = uniformNoise(all, objective, { epsilon, split: "even" });
  // No grid is empty, so each has a guarantee.
  return { all, noise, guarantees: guaranteesOf(all, objective, noise) as Guarantee[] };
}

function worstOf(guarantees: readonly Guarantee[]): Rational {
  return guarantees.reduce((worst, guarantee) => maximum(worst, guarantee.error), Rational.ZERO);
}
