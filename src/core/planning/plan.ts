/** The plan: everything a release needs to know about what is kept and how much noise is added. `plan-file.ts` writes and reads it. */

import type { Rational } from "../arithmetic/index.ts";
import type { Objective, Split } from "../influence/index.ts";
import type { About } from "../options/index.ts";
import type { BalancedTerms } from "./balanced/terms.ts";

export type StrategyName = "baseline" | "clip-user" | "clip-user-optimal" | "frontier" | "balanced";

/** `spread`: evenly over time; `first`: the earliest, as in the paper. */
export type KeepRule = "spread" | "first";

/** What planning carries along without looking into it. */
export type PlanPartition = Readonly<Record<string, string>>;

/** How the plan was made: enough to make it again from the same occupancy. */
export interface PlanStrategy {
  readonly name: StrategyName;
  /** ε per grid; of the frontier, whose grids differ, the ε it was asked to do better than, or null. */
  readonly epsilon: Rational | null;
  /** E that no grid exceeds, in the metric; null for the baseline and where each statistic has its own. */
  readonly errorBound: Rational | null;
  /** What the error of each statistic must not exceed, where that was asked for. */
  readonly errorTargets: readonly Rational[] | null;
  /** The loss that must not be exceeded, where that was asked for. */
  readonly lossTarget: Rational | null;
  /** Indices of grids that are given up: with this loss nothing better than midpoints can be had there. */
  readonly setAside: readonly number[];
  /** The plan depends on how fast the machine was. */
  readonly timeLimitSeconds: number | null;
  /** Index of the grid nobody was dropped from, or null. */
  readonly protectedGrid: number | null;
  readonly wholeStages: boolean;
  readonly caps: boolean;
}

/** How good a plan can be at best, with what a verifier needs to see it. */
export interface PlanBound {
  /** What is bounded: the joint loss, the error, or K. */
  readonly of: "loss" | "error" | "degradation";
  readonly lowerBound: Rational;
  /** Pairs of an index into `users` and a whole weight: of loss and error. */
  readonly weights: ReadonlyArray<readonly [number, number]>;
  /** A whole price per grid: of K, where there is a proof that anyone can check. */
  readonly prices: readonly bigint[] | null;
}

/** The noise of one grid; arrays follow the statistics. */
export interface PlanNoise {
  readonly epsilon: Rational;
  readonly epsilons: readonly Rational[];
  /** Laplace scales Δ_t/ε_t; 0 where nobody can move the statistic. */
  readonly scales: readonly Rational[];
}

/** The public array the plan was made from, by name and size. */
export interface PlanOccupancy {
  /** Of the canonical CSV. */
  readonly sha256: string;
  readonly users: number;
  readonly grids: number;
  readonly entries: number;
  readonly samples: number;
}

/** What a plan says. It was decided from occupancy alone: nothing in here depends on a protected value. */
export interface PlanContent {
  /** h: values are rounded to a + h·i before anything else. */
  readonly latticeStep: Rational;
  readonly objective: Objective;
  readonly split: Split;
  /** From a record to its grid, as flags by name; null where the source was an occupancy file. */
  readonly partition: PlanPartition | null;
  /** Unit, title and description of what is published, where they are given. */
  readonly about?: About | undefined;
  /** Which of a user's records in a grid are kept where not all are. */
  readonly keep: KeepRule;
  readonly occupancy: PlanOccupancy;
  readonly strategy: PlanStrategy;
  /** Weights, rates and model: of balanced plans, and of no others. */
  readonly balanced?: BalancedTerms | undefined;
  /** Grid ids, in the occupancy's order. */
  readonly grids: readonly string[];
  readonly noise: readonly PlanNoise[];
  /** Most records kept of any one user, per grid; null where no caps were chosen. */
  readonly caps: readonly number[] | null;
  /** Ids of the users that `suppressed`, `trimmed` and `bound` speak of, ascending. */
  readonly users: readonly string[];
  /** [index into users, index into grids], in the order dropped. */
  readonly suppressed: ReadonlyArray<readonly [number, number]>;
  /** [index into users, index into grids, records kept]. */
  readonly trimmed: ReadonlyArray<readonly [number, number, number]>;
  /** The joint loss of the worst user, exact. */
  readonly loss: Rational;
  /** The paper's count. */
  readonly lossSimple: Rational;
  readonly bound: PlanBound | null;
}

export interface Plan extends PlanContent {
  /** Lower-case hexadecimal SHA-256 of the canonical form without this. */
  readonly hash: string;
}
