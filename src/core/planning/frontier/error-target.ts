/** What no grid's error may exceed, exactly: one number in the objective's metric, or one per statistic. */
import { Rational, sum } from "../../arithmetic/index.ts";
import { dataFreeError, guaranteeOf, type KeptOfTotal, type Objective, worstCaseBias } from "../../influence/index.ts";

/** `together`: E in the metric. `each`: an error for every statistic, in its own unit. */
export type ErrorTarget =
  | { readonly kind: "together"; readonly error: Rational }
  | { readonly kind: "each"; readonly errors: readonly Rational[] };

/** Whether the statistics share one allowance, which can be divided between them as is best. */
export function isPooled(objective: Objective, target: ErrorTarget): boolean {
  return target.kind === "together" && objective.metric === "sum";
}

/** Where nothing is pooled: the most that the error of each statistic may be in a grid of so many records. */
export function limitsOf(objective: Objective, target: ErrorTarget, total: number): readonly Rational[] {
  if (target.kind === "each") return target.errors;
  return objective.statistics.map((statistic) => target.error.multiply(statistic.dataFreeError(total)));
}

/**
 * What the biases of a grid leave for noise, weighted: one number if the statistics share it, otherwise one each.
 * Negative where the target is missed before any noise.
 */
export function roomFor(objective: Objective, target: ErrorTarget, counts: KeptOfTotal): readonly Rational[] {
  const biases = objective.statistics.map((statistic) => worstCaseBias(statistic, counts));
  if (target.kind === "together" && objective.metric === "sum") {
    return [target.error.subtract(sum(biases.map((bias, index) => bias.multiply(objective.weights[index]!))))];
  }
  const limits = limitsOf(objective, target, counts.total);
  return biases.map((bias, index) => limits[index]!.subtract(bias));
}

/** Whether a grid meets the target with nothing kept, at no loss: never under the paper's estimator. */
export function isMetByMidpoints(objective: Objective, target: ErrorTarget, total: number): boolean {
  if (objective.estimator === "kept") return false;
  return roomFor(objective, target, { kept: 0, total }).every((room) => room.sign() >= 0);
}

/**
 * The error that costs nothing in a grid of so many records, in the metric: with nothing kept, which is a little below the data-free
 * error where the number is odd; under the paper's estimator that of publishing midpoints instead.
 */
export function freeError(objective: Objective, total: number): Rational {
  const none = objective.statistics.map(() => Rational.ZERO);
  return guaranteeOf(objective, { kept: 0, total, largest: 0 }, none)?.error ?? dataFreeError(objective, total);
}
