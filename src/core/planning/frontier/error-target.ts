/** What no grid's error may exceed, exactly: one number in the objective's metric, or one per statistic; and the text of `--error`. */
import { parseDecimal, type Rational, sum } from "../../arithmetic/index.ts";
import { itemAt, quoteForMessage, VeilgridError } from "../../errors/index.ts";
import { dataFreeError, guaranteeOf, type KeptOfTotal, type Objective, worstCaseBias } from "../../influence/index.ts";
import { silence } from "../evaluate-plan.ts";

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
    return [
      target.error.subtract(sum(objective.weights.map((weight, index) => itemAt(biases, index).multiply(weight)))),
    ];
  }
  return limitsOf(objective, target, counts.total).map((limit, index) => limit.subtract(itemAt(biases, index)));
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
  const { epsilons } = silence(objective);
  return guaranteeOf(objective, { kept: 0, total, largest: 0 }, epsilons)?.error ?? dataFreeError(objective, total);
}

/** `sd=5` is a variance's error of 25: a standard deviation is at most the root of its variance's error off. */
export function parseErrorTarget(text: string, objective: Objective): ErrorTarget {
  if (!text.includes("=")) return { kind: "together", error: positive(text, "--error") };
  const refuse = (what: string): never => {
    throw new VeilgridError("PARAMETER_INVALID", `--error ${what}`);
  };
  const { statistics } = objective;
  const errors = new Map<string, Rational>();
  for (const part of text.split(",")) {
    const at = part.lastIndexOf("=");
    const name = part.slice(0, at).trim();
    const statistic = statistics.find(({ key, kind }) => (name === "sd" ? kind.hasDeviation : key === name));
    if (at < 0 || statistic === undefined) {
      const chosen = statistics.map(({ key }) => key).join(", ");
      return refuse(`${quoteForMessage(part)} names no chosen statistic; chosen: ${chosen}`);
    }
    if (errors.has(statistic.key))
      refuse(`${quoteForMessage(part)}: ${statistic.key} has an error already (sd sets the variance's)`);
    const error = positive(part.slice(at + 1).trim(), `--error ${name}`);
    errors.set(statistic.key, name === "sd" ? error.multiply(error) : error);
  }
  const inOrder = statistics.map(({ key }) => {
    return (
      errors.get(key) ??
      refuse(`is missing for ${key}; give every chosen statistic an error, or choose fewer with --statistics`)
    );
  });
  return { kind: "each", errors: inOrder };
}

function positive(text: string, flag: string): Rational {
  const value = parseDecimal(text, flag);
  if (value.sign() <= 0)
    throw new VeilgridError("PARAMETER_INVALID", `${flag} ${quoteForMessage(text)} must be above 0`);
  return value;
}
