/** A loss as the share of right guesses, for people who think in percentages. */
import type { Rational } from "../../core/arithmetic/index.ts";

/** 100·e^λ/(1 + e^λ), rounded up to a tenth, or to as many digits as it takes to stay below 100. */
export function guessPercent(loss: Rational): string {
  if (loss.isZero()) return "50.0";
  const lossUp = loss.toNumberUp();
  const missed = 100 / (1 + Math.exp(lossUp));
  for (const places of [1, 2, 3, 4, 5, 6]) {
    // A trillionth less covers the error of exp itself.
    const missedDown = Math.floor(missed * (1 - 1e-12) * 10 ** places) / 10 ** places;
    if (missedDown > 0) return (100 - missedDown).toFixed(places);
  }
  return "100";
}
