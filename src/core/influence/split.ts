/** Divides a group's ε among its statistics, in whole units of 10⁻¹⁸ that add up to it exactly. */
import { Rational } from "../arithmetic/index.ts";
import { itemAt, VeilgridError } from "../errors/index.ts";
import { type GridCounts, type Objective, sensitivity, worstCaseBias } from "./guarantee.ts";

export type Split = "even" | "best";

/** Losses and their parts are whole multiples of this. */
export const LOSS_UNIT = Rational.of(1n, 10n ** 18n);
export const LOSS_UNITS_PER_ONE = LOSS_UNIT.denominator;

/** e^1000 bounds nothing; a larger ε is a typing error. */
const LARGEST_EPSILON = Rational.of(1000);

/** Refuses an ε that is not positive, absurd, or finer than the unit of loss. */
export function checkEpsilon(epsilon: Rational, name: string): void {
  if (epsilon.sign() <= 0)
    throw new VeilgridError("PARAMETER_INVALID", `${name} ${epsilon.toShortString()} must be above 0`);
  if (epsilon.compare(LARGEST_EPSILON) > 0)
    throw new VeilgridError("PARAMETER_INVALID", `${name} ${epsilon.toShortString()} protects nothing; at most 1000`);
  if (!epsilon.floorToMultipleOf(LOSS_UNIT).equals(epsilon)) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `${name} ${epsilon.toShortString()} has more than 18 digits after the point`,
    );
  }
}

/** Equal parts; where the units do not divide evenly the first statistics get one more. */
export function splitEvenly(epsilon: Rational, parts: number): Rational[] {
  checkEpsilon(epsilon, "ε");
  const units = toUnits(epsilon);
  if (units < BigInt(parts))
    throw new VeilgridError("PARAMETER_INVALID", `ε ${epsilon.toShortString()} is too small to divide by ${parts}`);
  const each = units / BigInt(parts);
  const rest = Number(units % BigInt(parts));
  return Array.from({ length: parts }, (_, index) => fromUnits(index < rest ? each + 1n : each));
}

/**
 * The ε_t of a grid. A statistic that nobody can move (the variance of one record, anything of an emptied grid) gets 0 and no noise.
 * `best` minimises the grid's error for its ε: under `sum` ε_t ∝ √(w_t·Δ_t), under `relative` all noisy errors meet.
 */
export function splitBudget(
  objective: Objective,
  counts: GridCounts,
  options: { epsilon: Rational; split: Split },
): Rational[] {
  const { epsilon, split } = options;
  const deltas = objective.statistics.map((statistic) => sensitivity(statistic, counts.largest, counts));
  const even = splitEvenly(epsilon, deltas.length);
  const noisy = deltas.flatMap((delta, index) => (delta.isZero() ? [] : [index]));
  const result = deltas.map(() => Rational.ZERO);
  if (split === "even" || noisy.length === 0) {
    for (const index of noisy) result[index] = itemAt(even, index);
    return result;
  }
  const noise = noisy.map((index) => {
    return itemAt(deltas, index).toNumberNearest() * itemAt(objective.statistics, index).coordinates;
  });
  const shares =
    objective.metric === "sum"
      ? noise.map((delta, at) => Math.sqrt(delta * itemAt(objective.weights, itemAt(noisy, at)).toNumberNearest()))
      : sharesWhereErrorsMeet(objective, counts, { noisy, noise, epsilon: epsilon.toNumberNearest() });
  roundShares(toUnits(epsilon), shares).forEach((units, at) => {
    result[itemAt(noisy, at)] = fromUnits(units);
  });
  return result;
}

/** ε_t with the smallest r such that bias_t + noise_t/ε_t ≤ r·dataFree_t for all t: bisection on r, whose price falls as r grows. */
function sharesWhereErrorsMeet(
  objective: Objective,
  counts: GridCounts,
  grid: { noisy: readonly number[]; noise: readonly number[]; epsilon: number },
): number[] {
  const lines = grid.noisy.map((index, at) => {
    const statistic = itemAt(objective.statistics, index);
    const dataFree = statistic.dataFreeError(counts.total).toNumberNearest();
    return {
      bias: worstCaseBias(statistic, counts).toNumberNearest() / dataFree,
      noise: itemAt(grid.noise, at) / dataFree,
    };
  });
  const epsilonsAt = (ratio: number): number[] => lines.map((line) => line.noise / (ratio - line.bias));
  const total = (values: number[]): number => values.reduce((left, right) => left + right, 0);
  let low = Math.max(...lines.map((line) => line.bias));
  let high = low + total(lines.map((line) => line.noise)) / grid.epsilon;
  for (let round = 0; round < 200; round++) {
    const middle = (low + high) / 2;
    if (!(middle > low && middle < high)) break;
    if (total(epsilonsAt(middle)) > grid.epsilon) low = middle;
    else high = middle;
  }
  return epsilonsAt(high);
}

/** Whole numbers that add up to `units`: 1 each, the rest in proportion to the shares; the largest takes up the rounding. */
function roundShares(units: bigint, shares: readonly number[]): bigint[] {
  const total = shares.reduce((left, right) => left + right, 0);
  const resolution = 2 ** 52;
  const rest = units - BigInt(shares.length);
  const rounded = shares.map(
    (share) => 1n + (rest * BigInt(Math.floor((share / total) * resolution))) / BigInt(resolution),
  );
  const largest = shares.indexOf(Math.max(...shares));
  rounded[largest] = units - rounded.reduce((left, right, at) => (at === largest ? left : left + right), 0n);
  return rounded;
}

function toUnits(epsilon: Rational): bigint {
  return epsilon.multiply(Rational.of(LOSS_UNITS_PER_ONE)).floorToInteger();
}

function fromUnits(units: bigint): Rational {
  return Rational.of(units, LOSS_UNITS_PER_ONE);
}
