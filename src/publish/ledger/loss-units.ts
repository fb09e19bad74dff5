/** Converts losses and budgets to whole units of 10⁻¹⁸ and back. */
import { Rational } from "../../core/arithmetic/index.ts";
import { VeilgridError } from "../../core/errors/index.ts";
import { LOSS_UNITS_PER_ONE } from "../../core/influence/index.ts";

/** A whole number of 10⁻¹⁸ units as a rational, exactly (docs/mathematics.md, Theorem 14). */
export function lossOfUnits(units: bigint): Rational {
  return Rational.of(units, LOSS_UNITS_PER_ONE);
}

/** A budget in whole units of 10⁻¹⁸; one that does not fit them exactly is refused, not rounded (docs/mathematics.md, Theorem 14). */
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

export function larger(one: bigint, other: bigint): bigint {
  // Stryker disable next-line EqualityOperator: of two equal numbers either is the larger
  return one > other ? one : other;
}

/** Decimal text for people, of three significant digits: what may be spent is not more than it says. */
export function threeDigitsDown(value: Rational): string {
  return threeDigits(value, (scaled) => scaled.floorToInteger());
}

/** The same for what something costs, which is not less than it says. */
export function threeDigitsUp(value: Rational): string {
  return threeDigits(value, (scaled) => scaled.ceilToInteger());
}

function threeDigits(value: Rational, round: (scaled: Rational) => bigint): string {
  const scaled = (places: number): Rational => value.multiply(Rational.of(10n ** BigInt(places)));
  let places = 0;
  while (places < 21 && scaled(places).floorToInteger() < 100n) places += 1;
  return Rational.of(round(scaled(places)), 10n ** BigInt(places)).toString();
}
