/** Rounds what entries are spent to whole weights per record and exact rates per grid, so that no user's loss exceeds its budget. */
import { Rational } from "../../arithmetic/index.ts";
import { MOST_WEIGHT, type Occupancy, Weights } from "../../occupancy/index.ts";

/** Significant digits of a rate. */
const DIGITS = 12;

/**
 * r is x/m as a share of the grid's largest, rounded down to a multiple of 2⁻²⁰. Then all rates are scaled by one factor to let the user
 * that loses most lose `budget`.
 */
export function roundWeights(
  occupancy: Occupancy,
  x: Float64Array,
  budget: number,
): { readonly weights: Weights; readonly rates: readonly Rational[] } {
  const { grid, count, start } = occupancy.byUser;
  const largest = new Float64Array(occupancy.grids.length);
  const spent = new Float64Array(occupancy.grids.length);
  for (let entry = 0; entry < x.length; entry++) {
    const g = grid[entry]!;
    spent[g]! += x[entry]!;
    largest[g] = Math.max(largest[g]!, x[entry]! / count[entry]!);
  }
  const whole = Uint32Array.from(x, (each, entry) =>
    Math.floor((MOST_WEIGHT * each) / count[entry]! / largest[grid[entry]!]!),
  );
  const weights = new Weights(occupancy, whole);
  const perAmount = Float64Array.from(spent, (each, g) => each / Number(weights.ofGrid[g]));
  let most = 0;
  for (let user = 0; user < occupancy.users.length; user++) {
    let loss = 0;
    for (let entry = start[user]!; entry < start[user + 1]!; entry++)
      loss += weights.amount(entry) * perAmount[grid[entry]!]!;
    most = Math.max(most, loss);
  }
  return { weights, rates: Array.from(spent, (each) => decimalDown((each * budget) / most)) };
}

/** A positive double as a decimal of so many digits, not above it. */
function decimalDown(value: number): Rational {
  const exponent = Math.floor(Math.log10(value)) - DIGITS + 1;
  const unit = exponent < 0 ? Rational.of(1n, 10n ** BigInt(-exponent)) : Rational.of(10n ** BigInt(exponent));
  return Rational.fromNumber(value).floorToMultipleOf(unit);
}
