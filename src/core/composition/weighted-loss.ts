/** Computes each user's privacy loss where users' averages are weighted: exact, rounded up per grid, the same whatever the windows become. */
import { divideCeil, Rational } from "../arithmetic/index.ts";
import { itemAt } from "../errors/index.ts";
import { LOSS_UNIT, LOSS_UNITS_PER_ONE } from "../influence/index.ts";
import type { Weights } from "../occupancy/index.ts";
import { toLossParts, UserLosses } from "./loss.ts";

/** Every noise scale is at least 2⁴⁰ steps, so rounding a number to its steps costs at most this. */
export const ROUNDING_EXPONENT = -40;

/** What a pass costs a user per unit of weight in each grid, and how many numbers of each grid it rounds. */
export interface PassCost {
  /** R_g: a user with weight a moves the pass's numbers by a·R_g noise scales in all. */
  readonly rates: readonly Rational[];
  readonly numbers: number;
}

/**
 * Every user's loss in all grids, or in those given: per grid a·R + numbers·2⁻⁴⁰, rounded up to 10⁻¹⁸; nothing where its weight is 0
 * (docs/mathematics.md, Theorem 15). Losses of single grids add up to the whole.
 */
export function weightedLosses(weights: Weights, { rates, numbers }: PassCost, grids?: Iterable<number>): UserLosses {
  const { byUser, users } = weights.occupancy;
  const { start, grid } = byUser;
  const wanted = grids === undefined ? undefined : new Set(grids);
  // a·R + numbers·2⁻⁴⁰ = (amount·perAmount + rounding)/divisor, over one denominator for each grid.
  const terms = rates.map(({ numerator, denominator }, g) => {
    const total = weights.ofGrid[g] ?? 0n;
    if (total === 0n || (wanted !== undefined && !wanted.has(g))) return undefined;
    const divisor = (total * denominator) << BigInt(-ROUNDING_EXPONENT);
    return {
      perAmount: (numerator * LOSS_UNITS_PER_ONE) << BigInt(-ROUNDING_EXPONENT),
      rounding: BigInt(numbers) * total * denominator * LOSS_UNITS_PER_ONE,
      divisor,
    };
  });
  const losses = new UserLosses(users.length);
  for (let user = 0; user < users.length; user++) {
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
      const term = terms[grid[entry]!];
      const amount = weights.amount(entry);
      if (term === undefined || amount === 0) continue;
      losses.add(user, toLossParts(divideCeil(BigInt(amount) * term.perAmount + term.rounding, term.divisor)));
    }
  }
  return losses;
}

/** The same of one entry with this weight (docs/mathematics.md, Theorem 15). */
export function lossOfWeight({ rates, numbers }: PassCost, grid: number, weight: Rational): Rational {
  const rounding = Rational.of(numbers).multiply(Rational.powerOfTwo(ROUNDING_EXPONENT));
  return weight.multiply(itemAt(rates, grid)).add(rounding).ceilToMultipleOf(LOSS_UNIT);
}
