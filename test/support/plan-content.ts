/** Small plans written by hand: the decisions are given, everything else is worked out from them. */
import { Rational } from "../../src/core/arithmetic/index.ts";
import { makeObjective, parseBounds } from "../../src/core/influence/index.ts";
import { type Occupancy, occupancyFromTriples, occupancyHash } from "../../src/core/occupancy/index.ts";
import { keptUnderPlan, lossesOf, uniformNoise } from "../../src/core/planning/index.ts";
import type { PlanContent, PlanStrategy } from "../../src/core/planning/plan.ts";

export const occupancy = occupancyFromTriples([
  ["eve", "east", 4],
  ["bob", "east", 2],
  ["cyd", "east", 2],
  ["bob", "west", 3],
  ["cyd", "west", 1],
]);
export const objective = makeObjective(parseBounds("0,65"));

export const BASELINE: PlanStrategy = {
  name: "baseline",
  epsilon: Rational.ONE,
  errorBound: null,
  errorTargets: null,
  lossTarget: null,
  setAside: [],
  timeLimitSeconds: null,
  protectedGrid: null,
  wholeStages: false,
  caps: false,
};
export const CLIPPED: PlanStrategy = { ...BASELINE, name: "clip-user", errorBound: Rational.of(5000) };
export const OPTIMAL: PlanStrategy = { ...CLIPPED, name: "clip-user-optimal" };
export const FRONTIER: PlanStrategy = { ...CLIPPED, name: "frontier", epsilon: null };

export interface Decisions
  extends Partial<Pick<PlanContent, "caps" | "users" | "suppressed" | "trimmed" | "objective">> {
  readonly strategy?: PlanStrategy;
}

/** A plan with these decisions in which everything else follows from them. */
export function planFor(decisions: Decisions, array: Occupancy = occupancy): PlanContent {
  const decided = { caps: null, users: [], suppressed: [], trimmed: [], objective, strategy: BASELINE, ...decisions };
  const kept = keptUnderPlan(array, decided);
  const noise = uniformNoise(kept, decided.objective, { epsilon: Rational.ONE, split: "even" });
  const losses = lossesOf(kept, decided.objective, noise);
  return {
    ...decided,
    latticeStep: Rational.of(1, 2),
    split: "even",
    partition: null,
    keep: "spread",
    occupancy: {
      sha256: occupancyHash(array),
      users: array.users.length,
      grids: array.grids.length,
      entries: array.entries,
      samples: array.samples,
    },
    grids: [...array.grids],
    noise,
    loss: losses.joint.largest(),
    lossSimple: losses.simple.largest(),
    bound: null,
  };
}
