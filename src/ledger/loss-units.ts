/** Losses and budgets as whole units of 10⁻¹⁸, and back. */
import { Rational } from "../arithmetic/index.ts";
import { VeilgridError } from "../errors/index.ts";
import { LOSS_UNITS_PER_ONE } from "../influence/index.ts";

export function lossOfUnits(units: bigint): Rational {
  return Rational.of(units, LOSS_UNITS_PER_ONE);
}

/** A budget is a promise: one that does not fit the units exactly is refused, not rounded. */
export function budgetUnits(budget: Rational): bigint {
  const units = budget.multiply(Rational.of(LOSS_UNITS_PER_ONE));
  if (units.sign() <= 0)
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `budget ${budget.toShortString()} is not above 0; give the loss a user may reach, like 1`,
    );
  if (units.denominator !== 1n)
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `budget ${budget.toShortString()} has more than 18 decimal places; shorten it`,
    );
  return units.numerator;
}

/** Decimal text of a positive number, rounded down to three significant digits. */
export function threeDigitsDown(value: Rational): string {
  let places = 0;
  while (places < 21 && value.multiply(Rational.of(10n ** BigInt(places))).compare(Rational.of(100)) < 0) places += 1;
  return Rational.of(
    value.multiply(Rational.of(10n ** BigInt(places))).floorToInteger(),
    10n ** BigInt(places),
  ).toString();
}
