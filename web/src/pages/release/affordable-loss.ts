/** Computes the largest loss with three digits that still fits in the budget, for a link to the planner. */
import { tryParseDecimal } from "../../../../src/core/arithmetic/index.ts";

/** Decimal text, rounded down so that it fits; null if too little is left to plan with. */
export function affordableLoss(left: number): string | null {
  const exact = tryParseDecimal(String(left));
  if (exact === undefined || !(left >= 1e-6)) return null;
  const places = Math.max(0, 2 - Math.floor(Math.log10(left)));
  return String(Number(exact.toDecimalDown(places)));
}
