/** What bounds on the least weighted loss are held against: tiny arrays and long grids, weights of their users, and limits that do not bind and that do. */
import { Rational } from "../../src/core/arithmetic/index.ts";
import { spreadShape } from "../../src/core/influence/index.ts";
import { noPlanLosesLess } from "../../src/core/planning/verify-bound.ts";
import { type FrontierCase, frontierCases, longGrids } from "./frontier-cases.ts";
import { fewer } from "./full.ts";
import { leastWeightedShare } from "./least-weighted-loss.ts";
import { SeededRandom } from "./random.ts";
import { wholeWeights } from "./whole-weights.ts";

export const WEIGHTED_SIZES = [
  { name: "tiny arrays", cases: frontierCases(), runs: fewer(200) },
  { name: "long grids", cases: frontierCases(longGrids), runs: fewer(60) },
];

/** Then a bound can be as good as the least itself. */
export function influencesAreLinear({ objective, target }: FrontierCase): boolean {
  const shares = target.kind === "together" && objective.metric === "sum" && objective.statistics.length > 1;
  return !shares && !objective.statistics.some(({ shape }) => shape === spreadShape);
}

export function* weightsAndLimits({ occupancy, objective, target, seed }: FrontierCase): Generator<{
  readonly weights: number[];
  readonly limit: number;
}> {
  const random = new SeededRandom(seed);
  for (const weights of wholeWeights(occupancy.users.length, seed, 3)) {
    // With no limit, then with limits that bind.
    const free = leastWeightedShare(occupancy, objective, target, { weights, limit: 1e12 });
    if (free === 0) continue;
    const from = Number.isFinite(free) ? free : 3;
    yield { weights, limit: from * 0.999 };
    for (const part of [500, 100]) yield { weights, limit: from * (1 + random.below(1000) / part) };
  }
}

/** Whether the verifier is convinced by these weights that no plan loses less. */
export function isProven(
  { occupancy, objective, target }: FrontierCase,
  weights: readonly number[],
  loss: number,
): boolean {
  return noPlanLosesLess(occupancy, objective, {
    loss: Rational.fromNumber(loss),
    weights,
    error: target.kind === "together" ? target.error : null,
    errors: target.kind === "each" ? target.errors : null,
    without: new Set(),
  });
}
